use std::cmp::Reverse;

use chickenfoot_rules::{Move, View};

use crate::Strategy;
use crate::tiles::{counts, points, without};

/// Lays the tile that counts most, the double blank by its own value, and never keeps a tile that it may lay.
///
/// Of equal tiles, and of two ends for one tile, it takes what leaves an outward number that most tiles in its hand
/// bear; then what covers a number that fewest bear; then the first in canonical order. Against taking the first at
/// once that is worth about half a point a round.
pub(crate) struct Greedy;

impl Strategy for Greedy {
    fn choose(&mut self, view: &View<'_>) -> Move {
        let gain = |action: &Move| match *action {
            Move::Play { tile, end } => {
                let rest = counts(without(view.hand, tile));
                let outward = tile.outward(end).unwrap_or(end);
                let (support, covered) = (rest[usize::from(outward)], rest[usize::from(end)]);
                Some((points(tile, view.rules.double_blank()), support, Reverse(covered)))
            }
            Move::Draw | Move::Pass | Move::Keep => None,
        };
        // The least of the reversed keys is the greatest, and unlike `max_by_key` it is the first of equals.
        view.moves().min_by_key(|action| Reverse(gain(action))).unwrap_or(Move::Pass)
    }
}
