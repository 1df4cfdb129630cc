//! Reports of tournaments whose matches are drawn by lot: each entrant has a strength, and points scatter around it.

use std::error::Error;

use chickenfoot_tournament::report::{
    AbTables, Entry, EntryState, FormatInfo, Out, Phase, PlayedBlock, PlayedMatch, PlayedSeat, Report,
    SeatLedger, TableRules,
};
use chickenfoot_tournament::statistics::{AbPlan, Effect};
use chickenfoot_tournament::{
    AbTest, Arrangement, Block, BlockResult, Entrant, EntrantId, Figures, Format, Game, Run, SameOwner,
    Seeding, Setup,
};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// What is simulated.
#[derive(Clone, Debug)]
pub struct Simulation {
    pub format: FormatInfo,
    /// Their names, the strongest first.
    pub names: Vec<String>,
    pub table: u8,
    /// Pips a match between the first and the last.
    pub spread: f64,
    pub seed: u64,
    /// Whatever ids, times and faults are drawn from: no figure depends on it.
    pub circumstances: u64,
    /// Blocks after which the tournament is looked at.
    pub most_blocks: usize,
}

impl Simulation {
    /// # Errors
    /// The format cannot be played with these entrants.
    pub fn report(&self) -> Result<Report, Box<dyn Error>> {
        let commitment = [self.seed as u8; 32];
        let mut run = self.run(commitment)?;
        let mut results = ChaCha8Rng::seed_from_u64(self.seed);
        let mut other = ChaCha8Rng::seed_from_u64(self.circumstances);
        let mut blocks = Vec::new();
        // Two at a time, as a service with several matches at once would do.
        while !run.is_over() && blocks.len() < self.most_blocks {
            let ready = run.take_ready(2);
            if ready.is_empty() {
                break;
            }
            for block in ready {
                let result = self.result(&block, &mut results);
                blocks.push(played(&block, &result, &mut other));
                run.record(result)?;
            }
        }
        let over = run.is_over();
        let entrants = (0u32..).zip(&self.names).map(|(number, name)| Entry {
            number,
            name: name.clone(),
            house: (number % 3 == 1).then(|| "greedy".to_owned()),
            state: EntryState::Entered,
            position: Some(number),
            from_stage: 1,
            until_stage: None,
        });
        Ok(Report {
            title: format!("Simulated, {} entrants", self.names.len()),
            id: format!("{:032x}", other.next_u64()),
            phase: if over { Phase::Finished } else { Phase::Running },
            message: String::new(),
            created_ms: 1_790_000_000_000 + other.next_u64() % 1_000_000,
            started_ms: Some(1_790_001_000_000),
            ended_ms: over.then_some(1_790_009_000_000 + other.next_u64() % 1_000_000),
            format: self.format.clone(),
            table_size: self.table,
            lookahead: run.schedule().setup().lookahead,
            rules: vec![TableRules {
                seats: self.table,
                text: format!("max_pip=9;players={};hand_size=11;opening_arms=4;starter=lot", self.table),
            }],
            commitment,
            seed: over.then_some([7; 32]),
            entrants: entrants.collect(),
            blocks,
            figures: Some(Figures::of(&run)?),
        })
    }

    fn run(&self, seed: [u8; 32]) -> Result<Run, Box<dyn Error>> {
        let find = |name: &String| {
            let found = self.names.iter().position(|other| other == name);
            found.map(|index| EntrantId(index as u32)).ok_or("there is no such entrant")
        };
        let mut test = None;
        let format = match &self.format {
            FormatInfo::RoundRobin { cycles } => Format::RoundRobin { cycles: *cycles },
            FormatInfo::Gauntlet { candidate, blocks } => {
                Format::Gauntlet { candidate: find(candidate)?, blocks: *blocks }
            }
            FormatInfo::Swiss { rounds } => Format::Swiss { rounds: *rounds },
            FormatInfo::Elimination { advance, blocks, lots } => Format::Elimination {
                advance: *advance,
                blocks: *blocks,
                seeding: if *lots { Seeding::Lot } else { Seeding::Entry },
            },
            FormatInfo::Ladder { blocks, same_owner } => Format::Ladder {
                blocks: *blocks,
                same_owner: if *same_owner { SameOwner::Together } else { SameOwner::Apart },
            },
            FormatInfo::AbTest { candidate, base, tables, alpha, beta, effect, burn_in, max_blocks } => {
                let (candidate, base) = (find(candidate)?, find(base)?);
                let effect = Effect::StandardDeviations(*effect);
                let plan = AbPlan::new(effect, *alpha, *beta, *burn_in, *max_blocks)?;
                test = Some(AbTest { plan, candidate, base });
                let arrangement = match tables {
                    AbTables::Shared => Arrangement::Shared,
                    AbTables::Halves => Arrangement::Halves,
                };
                Format::Ab { candidate, base, arrangement, blocks: *max_blocks }
            }
            FormatInfo::Comparison { candidate, base, blocks, .. } => {
                let (candidate, base) = (find(candidate)?, find(base)?);
                Format::Ab { candidate, base, arrangement: Arrangement::Halves, blocks: *blocks }
            }
        };
        let entrant = |name: &String| Entrant { name: name.clone(), from_stage: 1, ..Entrant::default() };
        let setup = Setup { format, table: self.table, seed, lookahead: 1 };
        Ok(Run::new(setup, test, self.names.iter().map(entrant).collect())?)
    }

    fn result(&self, block: &Block, chance: &mut ChaCha8Rng) -> BlockResult {
        if chance.next_u32().is_multiple_of(40) && !matches!(self.format, FormatInfo::Elimination { .. }) {
            let absent = vec![block.seatings[0][0]];
            return BlockResult { number: block.number, absent, games: Vec::new() };
        }
        let deal = 30.0 * normal(chance);
        let game = |seating: &Vec<EntrantId>| {
            let points: Vec<u32> = seating.iter().map(|who| self.points(*who, deal, chance)).collect();
            let place = |own: &u32| 1 + points.iter().filter(|other| *other < own).count() as u8;
            Game {
                places: points.iter().map(place).collect(),
                clean_rounds: points.iter().map(|points| 10 - (*points / 40).min(10)).collect(),
                lowest_round: points.iter().map(|points| (*points > 9).then_some(points % 9 + 1)).collect(),
                seating: seating.clone(),
                points,
            }
        };
        BlockResult {
            number: block.number,
            absent: Vec::new(),
            games: block.seatings.iter().map(game).collect(),
        }
    }

    fn points(&self, who: EntrantId, deal: f64, chance: &mut ChaCha8Rng) -> u32 {
        let weakness = self.spread * f64::from(who.0) / self.names.len() as f64;
        (190.0 + weakness + deal + 35.0 * normal(chance)).round().max(0.0) as u32
    }
}

/// Nearly normal: the sum of twelve.
fn normal(chance: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| f64::from(chance.next_u32()) / f64::from(u32::MAX)).sum::<f64>() - 6.0
}

fn played(block: &Block, result: &BlockResult, chance: &mut ChaCha8Rng) -> PlayedBlock {
    let mut ledger = |who: EntrantId| {
        let slow = u64::from(who.0 % 4 + 1);
        let faulty = who.0 % 7 == 5 && chance.next_u32().is_multiple_of(3);
        let late = if faulty { chance.next_u32() % 4 } else { 0 };
        SeatLedger {
            late,
            gone: late / 3,
            illegal: late / 2,
            strikes: late,
            out: (late == 3).then_some(Out::Strikes),
            think_ms: slow * (700 + chance.next_u64() % 900),
        }
    };
    let mut matches = Vec::new();
    for game in &result.games {
        let seat = |seat: usize| PlayedSeat {
            entrant: game.seating[seat].0,
            points: game.points[seat],
            place: game.places[seat],
            clean_rounds: game.clean_rounds[seat],
            lowest_round: game.lowest_round[seat],
            ledger: ledger(game.seating[seat]),
        };
        let seats = (0..game.seating.len()).map(seat).collect();
        matches.push(PlayedMatch { id: String::new(), digest: [block.number as u8; 32], seats });
    }
    for game in &mut matches {
        game.id = format!("{:016x}{:016x}", chance.next_u64(), chance.next_u64());
    }
    PlayedBlock {
        number: block.number,
        stage: block.stage,
        table: block.table,
        attempt: 0,
        deal_id: format!("fixed.{}.0", block.number),
        absent: result.absent.iter().map(|entrant| entrant.0).collect(),
        matches,
        ended_ms: 1_790_002_000_000 + u64::from(block.number) * 60_000 + chance.next_u64() % 30_000,
    }
}

/// An A/B test with the usual bounds.
pub fn ab_test(candidate: &str, base: &str, tables: AbTables) -> FormatInfo {
    FormatInfo::AbTest {
        candidate: candidate.to_owned(),
        base: base.to_owned(),
        tables,
        alpha: 0.05,
        beta: 0.05,
        effect: 0.3,
        burn_in: 8,
        max_blocks: 400,
    }
}
