use std::fmt;

use crate::config::DrawnTile;
use crate::number::Numbers;
use crate::set::{TileIter, TileSet};
use crate::tile::Tile;

/// What a seat does in its turn.
///
/// Moves compare in the canonical order of the rules: plays by tile, then by end; then draw, pass, keep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Move {
    /// Lays a tile on an open end (or starting double, or foot) that shows the number `end`.
    Play {
        /// The tile.
        tile: Tile,
        /// The number of the end it is laid on: one of the tile's own.
        end: u8,
    },
    /// Draws a tile from the boneyard.
    Draw,
    /// Ends the turn without a play, having no legal one.
    Pass,
    /// Keeps the drawn tile although it fits.
    Keep,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Play { tile, end } => write!(f, "{tile} on {end}"),
            Move::Draw => f.write_str("draw"),
            Move::Pass => f.write_str("pass"),
            Move::Keep => f.write_str("keep"),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The legal moves of a turn in canonical order. Made without allocation; cheap to copy and to count.
#[derive(Clone, Debug)]
pub struct Moves<const W: usize> {
    tiles: TileSet<W>,
    numbers: Numbers,
    rest: TileIter<W>,
    /// The same tile on its second number.
    again: Option<Move>,
    /// Draw, pass or keep, which come last.
    last: Option<Move>,
}

impl<const W: usize> Moves<W> {
    /// The moves of a seat that has drawn nothing yet, or whose draw did not fit: its plays, else a draw, else a pass.
    #[inline]
    pub(crate) fn of_hand(playable: TileSet<W>, numbers: Numbers, can_draw: bool) -> Moves<W> {
        if !playable.is_empty() {
            Moves::plays(playable, numbers, None)
        } else if can_draw {
            Moves::only(Move::Draw)
        } else {
            Moves::only(Move::Pass)
        }
    }

    /// The moves of a seat that drew a fitting tile.
    #[inline]
    pub(crate) fn of_drawn(tile: Tile, numbers: Numbers, rule: DrawnTile) -> Moves<W> {
        let keep = match rule {
            DrawnTile::MayPlay => Some(Move::Keep),
            DrawnTile::MustPlay => None,
        };
        Moves::plays([tile].into_iter().collect(), numbers, keep)
    }

    fn plays(tiles: TileSet<W>, numbers: Numbers, last: Option<Move>) -> Moves<W> {
        Moves { tiles, numbers, rest: tiles.iter(), again: None, last }
    }

    fn only(action: Move) -> Moves<W> {
        Moves::plays(TileSet::EMPTY, Numbers::EMPTY, Some(action))
    }

    pub(crate) fn none() -> Moves<W> {
        Moves::plays(TileSet::EMPTY, Numbers::EMPTY, None)
    }

    /// How many moves there are in all, those already taken from the iterator included.
    #[inline]
    pub fn total(&self) -> usize {
        // A tile counts once for each open number it bears, a double for its one.
        let plays = self.numbers.iter().map(|number| self.tiles.and(TileSet::bearing(number)).len());
        plays.sum::<usize>() + usize::from(self.last.is_some())
    }
}

impl<const W: usize> Moves<W> {
    /// The same moves in the widest form.
    pub(crate) fn widen(self) -> Moves<3> {
        Moves::plays(self.tiles.widen(), self.numbers, self.last)
    }
}

impl<const W: usize> Iterator for Moves<W> {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        if let Some(action) = self.again.take() {
            return Some(action);
        }
        let Some(tile) = self.rest.next() else {
            return self.last.take();
        };
        let (low, high) = (tile.low(), tile.high());
        let on_high = Move::Play { tile, end: high };
        if !self.numbers.contains(low) {
            return Some(on_high);
        }
        if low != high && self.numbers.contains(high) {
            self.again = Some(on_high);
        }
        Some(Move::Play { tile, end: low })
    }
}
