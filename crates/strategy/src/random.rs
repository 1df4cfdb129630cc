use chickenfoot_rules::{Move, View};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

use crate::Strategy;

/// Chooses each legal move with the same chance.
///
/// The chance of each decision follows from the seed and from how far the match has come, and not from what was asked
/// before: so a player that is made anew in the middle of a match goes on as the old one would have.
pub(crate) struct Random {
    seed: [u8; 32],
}

impl Random {
    pub(crate) fn new(seed: [u8; 32]) -> Random {
        Random { seed }
    }

    fn chance(&self, view: &View<'_>) -> ChaCha8Rng {
        let mut hash = Sha256::new();
        hash.update(self.seed);
        hash.update([view.round]);
        hash.update((view.history.len() as u32).to_be_bytes());
        ChaCha8Rng::from_seed(hash.finalize().into())
    }
}

impl Strategy for Random {
    fn choose(&mut self, view: &View<'_>) -> Move {
        let mut moves = view.moves();
        // As u32, since a usize would take more of the stream on some platforms than on others.
        let total = moves.total() as u32;
        let index = if total > 1 { self.chance(view).random_range(0..total) } else { 0 };
        moves.nth(index as usize).unwrap_or(Move::Pass)
    }
}
