use std::cmp::Reverse;

use crate::formats::swiss::Candidate;
use crate::schedule::Past;
use crate::score::{HALF_SCORE, block_scores};
use crate::{BlockResult, EntrantId, Place};

/// The scores after a number of rounds.
pub(crate) struct Standing {
    rows: Vec<Row>,
}

#[derive(Clone, Debug, Default)]
struct Row {
    /// The sum of the scores of its own rounds, and how many these are.
    sum: u64,
    own: u64,
    /// Rounds in which somebody else at its table was absent.
    free: u64,
    /// Rounds in which it had no table.
    byes: u32,
    opponents: Vec<EntrantId>,
}

impl Row {
    /// The mean of its own rounds; a middling score for one that has none.
    fn mean(&self) -> u64 {
        self.sum.checked_div(self.own).unwrap_or(HALF_SCORE)
    }

    fn score(&self) -> u64 {
        self.sum + (self.free + u64::from(self.byes)) * self.mean()
    }
}

impl Standing {
    /// After the rounds up to this stage, all of which are finished.
    pub(crate) fn of(past: &Past, stage: u32) -> Self {
        let mut rows = vec![Row::default(); past.entrants.len()];
        let mut tables = vec![0; past.entrants.len()];
        for (block, result) in past.blocks.iter().zip(&past.results).filter(|(block, _)| block.stage <= stage)
        {
            let group = &block.seatings[0];
            for entrant in group {
                tables[entrant.index()] += 1;
            }
            if let Some(result) = result {
                count(&mut rows, group, result);
            }
        }
        for entrant in past.ids() {
            let stages = (1..=stage).filter(|&stage| past.plays(entrant, stage)).count() as u32;
            rows[entrant.index()].byes = stages.saturating_sub(tables[entrant.index()]);
        }
        Self { rows }
    }

    pub(crate) fn candidate(&self, entrant: EntrantId) -> Candidate {
        let row = &self.rows[entrant.index()];
        Candidate { entrant, score: row.score(), byes: row.byes }
    }

    /// By score, then by the mean score of the opponents, then by lot.
    pub(crate) fn places(&self, past: &Past) -> Vec<Place> {
        let lots = past.lots.ties(0, past.entrants.len());
        let merits = past.ids().map(|entrant| {
            let row = &self.rows[entrant.index()];
            (Reverse(row.score()), Reverse(self.opposition(row)), entrant)
        });
        let mut ranked: Vec<_> = merits.collect();
        ranked.sort_by_key(|&(score, opposition, entrant)| (score, opposition, lots[entrant.index()]));
        Place::all(
            &ranked,
            |&(Reverse(score), _, entrant)| (entrant, score),
            |one, other| (one.0, one.1) == (other.0, other.1),
        )
    }

    /// The mean score of those it played, in thousandths.
    fn opposition(&self, row: &Row) -> u64 {
        let sum: u64 = row.opponents.iter().map(|other| self.rows[other.index()].score()).sum();
        (sum * 1000).checked_div(row.opponents.len() as u64).unwrap_or(0)
    }
}

fn count(rows: &mut [Row], group: &[EntrantId], result: &BlockResult) {
    let scores = block_scores(result);
    for entrant in group {
        let row = &mut rows[entrant.index()];
        if result.absent.is_empty() {
            row.sum += scores.get(entrant).copied().unwrap_or(0);
            row.own += 1;
            row.opponents.extend(group.iter().filter(|other| *other != entrant));
        } else if result.absent.contains(entrant) {
            row.own += 1;
        } else {
            row.free += 1;
        }
    }
}
