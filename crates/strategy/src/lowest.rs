use chickenfoot_rules::{Move, View};

use crate::Strategy;
use crate::tiles::points;

/// Lays the tile that counts least, on the lower of two numbers; keeps what it may keep last of all.
pub(crate) struct Lowest;

impl Strategy for Lowest {
    fn choose(&mut self, view: &View<'_>) -> Move {
        // Of equal ones the first in canonical order.
        let cost = |action: &Move| match action {
            Move::Play { tile, .. } => points(*tile, view.rules.double_blank()),
            Move::Draw | Move::Pass | Move::Keep => u8::MAX,
        };
        view.moves().min_by_key(cost).unwrap_or(Move::Pass)
    }
}
