use crate::BlockResult;
use crate::score::{HALF_SCORE, block_scores};

/// A rough estimate of each entrant's strength, in whole numbers, good for finding near equals and for nothing else.
///
/// Strengths are block scores: one of strength s is expected to score half of the full score, plus s, less the mean
/// strength of the others at its table. After each block, strengths move by a share of what was scored above that: 1 / 2
/// after the first block, 1 / 3 after the second, and so on, 1 / [`LEAST_SHARE`] at least (stochastic approximation:
/// Robbins and Monro 1951).
#[derive(Debug, Default)]
pub(crate) struct Estimate {
    /// In 1 / [`FINE`] of a score.
    strength: Vec<i64>,
    rated: Vec<u32>,
}

const FINE: i64 = 256;
const LEAST_SHARE: u32 = 24;

impl Estimate {
    /// The strength of an entrant, in the unit of block scores; 0 for one that is not known.
    pub(crate) fn of(&self, entrant: usize) -> i64 {
        self.strength.get(entrant).copied().unwrap_or(0) / FINE
    }

    /// Moves by a block. Blocks have to come in the order of their numbers.
    pub(crate) fn learn(&mut self, result: &BlockResult) {
        let scores = block_scores(result);
        if scores.len() < 2 {
            return;
        }
        let most = scores.keys().map(|entrant| entrant.index() + 1).max().unwrap_or(0);
        self.strength.resize(self.strength.len().max(most), 0);
        self.rated.resize(self.rated.len().max(most), 0);
        let all: i64 = scores.keys().map(|entrant| self.strength[entrant.index()]).sum();
        let moves: Vec<(usize, i64)> = scores
            .iter()
            .map(|(entrant, &score)| {
                let own = self.strength[entrant.index()];
                let others = (all - own) / (scores.len() as i64 - 1);
                let expected = HALF_SCORE as i64 * FINE + own - others;
                let share = i64::from((self.rated[entrant.index()] + 2).min(LEAST_SHARE));
                (entrant.index(), (score as i64 * FINE - expected) / share)
            })
            .collect();
        for (entrant, by) in moves {
            self.strength[entrant] += by;
            self.rated[entrant] += 1;
        }
    }
}
