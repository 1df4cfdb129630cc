use chickenfoot_rules::{Move, View};
use rand::RngExt;

use crate::{Strategy, chance};

/// Chooses each legal move with the same chance.
pub(crate) struct Random {
    seed: [u8; 32],
}

impl Random {
    pub(crate) fn new(seed: [u8; 32]) -> Random {
        Random { seed }
    }
}

impl Strategy for Random {
    fn choose(&mut self, view: &View<'_>) -> Move {
        let mut moves = view.moves();
        // As u32, since a usize would take more of the stream on some platforms than on others.
        let total = moves.total() as u32;
        let index = if total > 1 { chance::of_decision(&self.seed, view).random_range(0..total) } else { 0 };
        moves.nth(index as usize).unwrap_or(Move::Pass)
    }
}
