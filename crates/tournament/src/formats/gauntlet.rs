use crate::EntrantId;
use crate::formats::field::Field;
use crate::formats::{Draft, Next, Plan};
use crate::schedule::Past;
use crate::seating::Seats;

/// One against all others. Every block is a stage of its own.
#[derive(Debug)]
pub(crate) struct Gauntlet {
    candidate: EntrantId,
    blocks: u32,
    field: Field,
}

impl Gauntlet {
    pub(crate) fn new(candidate: EntrantId, blocks: u32) -> Self {
        Self { candidate, blocks, field: Field::default() }
    }
}

impl Plan for Gauntlet {
    fn next(&mut self, past: &Past) -> Next {
        if self.exhausted(past) {
            return Next::Never;
        }
        let stage = past.next_number() + 1;
        let others = usize::from(past.setup.table) - 1;
        let mut group = self.field.take(past, stage, &[self.candidate], others);
        group.push(self.candidate);
        Next::Blocks(vec![Draft { stage, table: 0, seats: Seats::Rotations(group) }])
    }

    fn exhausted(&self, past: &Past) -> bool {
        let stage = past.next_number() + 1;
        past.next_number() >= self.blocks
            || !past.plays(self.candidate, stage)
            || Field::is_empty(past, stage, &[self.candidate])
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
