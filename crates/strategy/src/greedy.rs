use std::cmp::Reverse;

use chickenfoot_rules::{Move, View};

use crate::Strategy;
use crate::tiles::{counts, points, without};

pub(crate) struct Greedy;

impl Strategy for Greedy {
    fn choose(&mut self, view: &View<'_>) -> Move {
        let gain = |action: &Move| match *action {
            Move::Play { tile, end } => {
                let rest = counts(without(view.hand, tile));
                let outward = tile.outward(end).unwrap_or(end);
                (1, points(tile, &view.rules), rest[usize::from(outward)], Reverse(rest[usize::from(end)]))
            }
            Move::Draw | Move::Pass | Move::Keep => (0, 0, 0, Reverse(0)),
        };
        // `max_by_key` takes the last of equals; reversed would too, so it is made explicit: the first wins.
        let mut best = None;
        for action in view.moves() {
            let key = gain(&action);
            if best.is_none_or(|(top, _)| key > top) {
                best = Some((key, action));
            }
        }
        best.map_or(Move::Pass, |(_, action)| action)
    }
}
