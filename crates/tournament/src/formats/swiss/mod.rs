//! Rounds in which those of like score meet.

mod pairs;
mod standing;
mod tables;

use crate::formats::{Draft, Next, Plan};
use crate::lots::Purpose;
use crate::meetings::Meetings;
use crate::schedule::Past;
use crate::seating::Seats;
use crate::{EntrantId, Place};
use standing::Standing;

/// A Swiss tournament by tables. A stage is a round; it is paired as a whole when the one before is finished.
///
/// A round's score is the block score: the share of opponents beaten, ties half. Who has no opponent in a round, because
/// of an odd number at tables of 2 or because somebody at the table was absent, gets the mean of its own other rounds;
/// the absent get 0, and so does a late entrant for the rounds that it missed. Who was set at one table met, even if
/// somebody was absent.
#[derive(Debug)]
pub(crate) struct Swiss {
    rounds: u32,
}

/// One who is to be paired, and what counts for it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) entrant: EntrantId,
    /// Its score so far.
    pub(crate) score: u64,
    /// How often it had no opponent for want of one.
    pub(crate) byes: u32,
}

impl Swiss {
    pub(crate) fn new(rounds: u32) -> Self {
        Self { rounds }
    }

    fn pair(&self, past: &Past, stage: u32) -> Vec<Vec<EntrantId>> {
        let standing = Standing::of(past, stage - 1);
        let ties = past.lots.ties(u64::from(stage), past.entrants.len());
        let mut ranked: Vec<Candidate> =
            past.players(stage).into_iter().map(|entrant| standing.candidate(entrant)).collect();
        ranked.sort_by_key(|it| (std::cmp::Reverse(it.score), ties[it.entrant.index()]));
        let mut meetings = Meetings::default();
        for block in &past.blocks {
            meetings.add(&block.seatings[0]);
        }
        if past.setup.table == 2 {
            pairs::pair(&ranked, &meetings)
        } else {
            let stream = past.lots.stream(Purpose::Exchange, u64::from(stage));
            tables::seat(&ranked, u32::from(past.setup.table), &meetings, stream)
        }
    }
}

impl Plan for Swiss {
    fn next(&mut self, past: &Past) -> Next {
        if self.exhausted(past) {
            return Next::Never;
        }
        if !past.all_finished() {
            return Next::Later;
        }
        let stage = past.last_stage() + 1;
        let tables = self.pair(past, stage).into_iter().zip(0..);
        Next::Blocks(
            tables.map(|(group, table)| Draft { stage, table, seats: Seats::Rotations(group) }).collect(),
        )
    }

    fn exhausted(&self, past: &Past) -> bool {
        past.last_stage() >= self.rounds || past.players(past.last_stage() + 1).len() < 2
    }

    fn remaining(&self, past: &Past) -> u32 {
        let players = past.players(past.last_stage() + 1).len() as u32;
        let tables =
            if past.setup.table == 2 { players / 2 } else { players.div_ceil(past.setup.table.into()) };
        if self.exhausted(past) { 0 } else { tables * (self.rounds - past.last_stage()) }
    }

    fn entry(&self, past: &Past) -> Option<u32> {
        (past.last_stage() < self.rounds).then(|| past.last_stage() + 1)
    }

    fn exit(&self, _entrant: EntrantId, past: &Past) -> u32 {
        past.last_stage() + 1
    }

    fn places(&self, past: &Past) -> Option<Vec<Place>> {
        let finished = if past.all_finished() { past.last_stage() } else { past.last_stage() - 1 };
        Some(Standing::of(past, finished).places(past))
    }
}
