use crate::formats::field::Field;
use crate::formats::{Draft, Next, Plan};
use crate::lots::Purpose;
use crate::schedule::Past;
use crate::seating::Seats;
use crate::setup::Arrangement;
use crate::{EntrantId, Seating};

/// A candidate against its base, block after block. Every block is a stage of its own.
#[derive(Debug)]
pub(crate) struct Ab {
    candidate: EntrantId,
    base: EntrantId,
    arrangement: Arrangement,
    blocks: u32,
    field: Field,
}

impl Ab {
    pub(crate) fn new(candidate: EntrantId, base: EntrantId, arrangement: Arrangement, blocks: u32) -> Self {
        Self { candidate, base, arrangement, blocks, field: Field::default() }
    }

    fn shared(&mut self, past: &Past, stage: u32) -> Seats {
        let pair = (self.candidate, self.base);
        let others = usize::from(past.setup.table) - 2;
        let mut group = self.field.take(past, stage, &[self.candidate, self.base], others);
        group.extend([self.candidate, self.base]);
        Seats::Swapped { group, pair }
    }

    fn halves(&self, past: &Past) -> Seats {
        let mut patterns = patterns(past.setup.table);
        let (pass, at) = (past.blocks.len() / patterns.len(), past.blocks.len() % patterns.len());
        past.lots.stream(Purpose::Pattern, pass as u64).shuffle(&mut patterns);
        let pattern = patterns.swap_remove(at);
        let seating = |of_pattern: EntrantId, others: EntrantId| -> Seating {
            pattern.iter().map(|&in_it| if in_it { of_pattern } else { others }).collect()
        };
        Seats::Given(vec![seating(self.candidate, self.base), seating(self.base, self.candidate)])
    }
}

impl Plan for Ab {
    fn next(&mut self, past: &Past) -> Next {
        if self.exhausted(past) {
            return Next::Never;
        }
        if !past.within_lookahead() {
            return Next::Later;
        }
        let stage = past.next_number() + 1;
        let seats = match self.arrangement {
            Arrangement::Shared => self.shared(past, stage),
            Arrangement::Halves => self.halves(past),
        };
        Next::Blocks(vec![Draft { stage, table: 0, seats }])
    }

    fn exhausted(&self, past: &Past) -> bool {
        let stage = past.next_number() + 1;
        past.next_number() >= self.blocks
            || !past.plays(self.candidate, stage)
            || !past.plays(self.base, stage)
    }

    fn remaining(&self, past: &Past) -> u32 {
        if self.exhausted(past) { 0 } else { self.blocks - past.next_number() }
    }

    fn end(&self, _past: &Past) -> u32 {
        self.blocks
    }

    fn exit(&self, _entrant: EntrantId, past: &Past) -> u32 {
        past.next_number() + 1
    }
}

/// The ways to give half of the seats, the first one among them, to one side. With their mirrors these are all ways.
fn patterns(seats: u8) -> Vec<Vec<bool>> {
    (0u32..1 << seats)
        .filter(|mask| mask & 1 == 1 && mask.count_ones() == u32::from(seats) / 2)
        .map(|mask| (0..seats).map(|seat| mask >> seat & 1 == 1).collect())
        .collect()
}
