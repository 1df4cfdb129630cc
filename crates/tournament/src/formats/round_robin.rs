use crate::design::Design;
use crate::formats::{Draft, Next, Plan};
use crate::lots::Purpose;
use crate::schedule::Past;
use crate::seating::Seats;
use crate::{EntrantId, Error, Setup};

/// Everybody meets everybody. A stage is a round, in which everybody sits at one table.
#[derive(Debug)]
pub(crate) struct RoundRobin {
    cycles: u32,
    /// Made for the first block.
    running: Option<Running>,
}

#[derive(Debug)]
struct Running {
    design: Design,
    /// Who has which position of the design, by lot.
    positions: Vec<EntrantId>,
    /// The next table: cycle, round and place within the round.
    cycle: u32,
    round: u32,
    at: usize,
    tables: Vec<Vec<u32>>,
    /// Tables of all cycles, and those that were played or passed over.
    all: u64,
    passed: u64,
    over: bool,
}

/// Refuses more blocks than can be numbered.
pub(crate) fn check(setup: &Setup, entrants: u32, cycles: u32) -> Result<(), Error> {
    let blocks = Design::new(entrants, setup.table).tables() * u64::from(cycles);
    if blocks <= u64::from(u32::MAX) { Ok(()) } else { Err(Error::TooManyBlocks { at_most: u32::MAX }) }
}

impl RoundRobin {
    pub(crate) fn new(cycles: u32) -> Self {
        Self { cycles, running: None }
    }

    /// Tables of all cycles, if it begins with those who are there.
    fn all(&self, past: &Past) -> u64 {
        match past.players(1).len() as u32 {
            players @ 2.. => Design::new(players, past.setup.table).tables() * u64::from(self.cycles),
            _ => 0,
        }
    }

    fn start(&mut self, past: &Past) -> Option<&mut Running> {
        if self.running.is_none() {
            let mut positions = past.players(1);
            if positions.len() < 2 {
                return None;
            }
            past.lots.stream(Purpose::Design, 0).shuffle(&mut positions);
            let mut design = Design::new(positions.len() as u32, past.setup.table);
            let tables = design.round(0, 0, &past.lots);
            let all = design.tables() * u64::from(self.cycles);
            let start =
                Running { design, positions, cycle: 0, round: 0, at: 0, tables, all, passed: 0, over: false };
            self.running = Some(start);
        }
        self.running.as_mut()
    }
}

impl Running {
    /// The next table at which two are left to play, as a draft. Passes over all before it.
    fn peek(&mut self, past: &Past, cycles: u32) -> Option<Draft> {
        while !self.over {
            let stage = self.stage();
            let Some(table) = self.tables.get(self.at) else {
                self.turn(past, cycles);
                continue;
            };
            let group: Vec<EntrantId> = table
                .iter()
                .map(|&position| self.positions[position as usize])
                .filter(|&entrant| past.plays(entrant, stage))
                .collect();
            if group.len() >= 2 {
                return Some(Draft { stage, table: self.at as u32, seats: Seats::Rotations(group) });
            }
            self.pass();
        }
        None
    }

    fn pass(&mut self) {
        self.at += 1;
        self.passed += 1;
    }

    /// Goes on to the next round.
    fn turn(&mut self, past: &Past, cycles: u32) {
        self.at = 0;
        self.round += 1;
        if self.round == self.design.rounds() {
            self.round = 0;
            self.cycle += 1;
        }
        let left = past.ids().filter(|&entrant| past.plays(entrant, self.stage())).take(2).count();
        self.over = self.cycle == cycles || left < 2;
        self.tables =
            if self.over { Vec::new() } else { self.design.round(self.cycle, self.round, &past.lots) };
    }

    fn stage(&self) -> u32 {
        self.cycle * self.design.rounds() + self.round + 1
    }
}

impl Plan for RoundRobin {
    fn next(&mut self, past: &Past) -> Next {
        let cycles = self.cycles;
        let Some(running) = self.start(past) else { return Next::Never };
        let Some(draft) = running.peek(past, cycles) else { return Next::Never };
        running.pass();
        Next::Blocks(vec![draft])
    }

    fn exhausted(&self, past: &Past) -> bool {
        match &self.running {
            Some(running) => running.over,
            None => past.players(1).len() < 2,
        }
    }

    fn remaining(&self, past: &Past) -> u32 {
        let left = match &self.running {
            Some(running) if running.over => 0,
            Some(running) => running.all - running.passed,
            None => self.all(past),
        };
        u32::try_from(left).unwrap_or(u32::MAX)
    }

    fn end(&self, past: &Past) -> u32 {
        let all = self.running.as_ref().map_or_else(|| self.all(past), |running| running.all);
        u32::try_from(all).unwrap_or(u32::MAX)
    }

    /// The stage after that of its last block: it has one in each.
    fn exit(&self, entrant: EntrantId, past: &Past) -> u32 {
        let sits = |block: &&crate::Block| block.seatings[0].contains(&entrant);
        past.blocks.iter().rev().find(sits).map_or(1, |block| block.stage + 1)
    }

    fn settle(&mut self, past: &Past) {
        let cycles = self.cycles;
        if let Some(running) = &mut self.running {
            running.peek(past, cycles);
        }
    }
}
