use chickenfoot_rules::{Move, View};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Strategy;

/// Chooses each legal move with the same chance.
pub(crate) struct Random {
    chance: ChaCha8Rng,
}

impl Random {
    pub(crate) fn new(seed: [u8; 32]) -> Random {
        Random { chance: ChaCha8Rng::from_seed(seed) }
    }
}

impl Strategy for Random {
    fn choose(&mut self, view: &View<'_>) -> Move {
        let mut moves = view.moves();
        let total = moves.total() as u32;
        // A move without an alternative uses no chance: whether it is asked for differs from match to match.
        let index = if total > 1 {
            // As u32, since a usize would take more of the stream on some platforms than on others.
            self.chance.random_range(0..total)
        } else {
            0
        };
        moves.nth(index as usize).unwrap_or(Move::Pass)
    }
}
