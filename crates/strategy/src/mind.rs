use chickenfoot_rules::{Move, OpenEnds};

use crate::dead_foot::Position;
use crate::learnt::Weights;
use crate::tiles::without;
use crate::weights::{FOUR, SEVEN, TWO};

/// How a policy weighs moves.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mind<'w> {
    /// By the constants of `dead-foot`.
    DeadFoot,
    /// By weights that were learnt.
    Learnt(&'w Weights),
}

impl Mind<'static> {
    /// What was learnt for a table of so many.
    pub(crate) fn of(players: u8) -> Mind<'static> {
        Mind::Learnt(match players {
            ..=2 => &TWO,
            3..=5 => &FOUR,
            6.. => &SEVEN,
        })
    }
}

impl<const W: usize> Position<'_, W> {
    /// The move that is worth most; of equals the first in canonical order. The moves may come in any order.
    #[inline]
    pub(crate) fn best(
        &self,
        mind: Mind<'_>,
        open: &OpenEnds,
        moves: impl Iterator<Item = Move>,
    ) -> Option<Move> {
        let mut table = None;
        let mut best: Option<(i32, Move)> = None;
        for action in moves {
            let value = self.value(mind, open, action, &mut table);
            if best.is_none_or(|(highest, first)| value > highest || (value == highest && action < first)) {
                best = Some((value, action));
            }
        }
        best.map(|(_, action)| action)
    }

    /// How much more the position is worth after a move than now, in sixteenths of a point. `table` keeps what all ends
    /// are worth now, which few moves ask for.
    #[inline]
    pub(crate) fn value(
        &self,
        mind: Mind<'_>,
        open: &OpenEnds,
        action: Move,
        table: &mut Option<i32>,
    ) -> i32 {
        if let Move::Play { tile, .. } = action
            && without(self.hand, tile).is_empty()
        {
            return i32::MAX;
        }
        match mind {
            Mind::DeadFoot => self.by_rule(open, action, table),
            Mind::Learnt(weights) => self.learnt(weights, open, action),
        }
    }
}
