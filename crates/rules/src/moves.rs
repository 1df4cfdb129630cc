use std::fmt;

use crate::config::DrawnTile;
use crate::fits::Fits;
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
    /// Those of `tiles` that fit two numbers.
    twice: TileSet<W>,
    numbers: Numbers,
    rest: TileIter<W>,
    /// The same tile on its second number.
    again: Option<Move>,
    /// Draw, pass or keep, which come last.
    last: Option<Move>,
    last_taken: bool,
}

impl<const W: usize> Moves<W> {
    /// The moves of a seat that has drawn nothing yet, or whose draw did not fit: its plays, else a draw, else a pass.
    #[inline]
    pub(crate) fn of_hand(hand: TileSet<W>, fits: &Fits<W>, can_draw: bool) -> Moves<W> {
        if hand.intersects(fits.tiles()) {
            Moves::plays(hand, fits, None)
        } else if can_draw {
            Moves::only(Move::Draw)
        } else {
            Moves::only(Move::Pass)
        }
    }

    /// The moves of a seat that drew a fitting tile.
    #[inline]
    pub(crate) fn of_drawn(tile: Tile, fits: &Fits<W>, rule: DrawnTile) -> Moves<W> {
        let keep = match rule {
            DrawnTile::MayPlay => Some(Move::Keep),
            DrawnTile::MustPlay => None,
        };
        Moves::plays([tile].into_iter().collect(), fits, keep)
    }

    #[inline]
    fn plays(hand: TileSet<W>, fits: &Fits<W>, last: Option<Move>) -> Moves<W> {
        let tiles = hand.and(fits.tiles());
        Moves {
            tiles,
            twice: hand.and(fits.twice()),
            numbers: fits.numbers(),
            rest: tiles.iter(),
            again: None,
            last,
            last_taken: false,
        }
    }

    /// A draw or a pass.
    #[inline]
    pub(crate) fn only(action: Move) -> Moves<W> {
        Moves { last: Some(action), ..Moves::none() }
    }

    #[inline]
    pub(crate) fn none() -> Moves<W> {
        Moves {
            tiles: TileSet::EMPTY,
            twice: TileSet::EMPTY,
            numbers: Numbers::EMPTY,
            rest: TileSet::EMPTY.iter(),
            again: None,
            last: None,
            last_taken: false,
        }
    }

    /// How many moves there are in all, those already taken from the iterator included.
    #[inline]
    pub fn total(&self) -> usize {
        self.tiles.len() + self.twice.len() + usize::from(self.last.is_some())
    }

    /// One of the moves by a number below [`Moves::total`], in an order that is not the canonical one: enough for
    /// play at random, and faster than going through the list.
    #[inline]
    pub fn pick(&self, n: usize) -> Option<Move> {
        let (tiles, plays) = (self.tiles.len(), self.tiles.len() + self.twice.len());
        if n < tiles {
            let tile = self.tiles.nth_by_index(n)?;
            let end = if self.numbers.contains(tile.low()) { tile.low() } else { tile.high() };
            Some(Move::Play { tile, end })
        } else if n < plays {
            let tile = self.twice.nth_by_index(n - tiles)?;
            let end = tile.high();
            Some(Move::Play { tile, end })
        } else {
            self.last.filter(|_| n == plays)
        }
    }

    /// All the moves in an order that is not the canonical one, which is faster.
    #[inline]
    pub fn in_any_order(&self) -> impl Iterator<Item = Move> + use<W> {
        let (mut tiles, mut twice) = (self.tiles, self.twice);
        let (numbers, mut last) = (self.numbers, self.last);
        std::iter::from_fn(move || {
            if let Some(tile) = tiles.pop() {
                let end = if numbers.contains(tile.low()) { tile.low() } else { tile.high() };
                Some(Move::Play { tile, end })
            } else if let Some(tile) = twice.pop() {
                Some(Move::Play { tile, end: tile.high() })
            } else {
                last.take()
            }
        })
    }

    /// The same moves in the widest form.
    pub(crate) fn widen(self) -> Moves<3> {
        let tiles = self.tiles.widen();
        Moves {
            tiles,
            twice: self.twice.widen(),
            numbers: self.numbers,
            rest: tiles.iter(),
            again: None,
            last: self.last,
            last_taken: false,
        }
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
            let taken = std::mem::replace(&mut self.last_taken, true);
            return self.last.filter(|_| !taken);
        };
        let on_high = Move::Play { tile, end: tile.high() };
        if !self.numbers.contains(tile.low()) {
            return Some(on_high);
        }
        if self.twice.contains(tile) {
            self.again = Some(on_high);
        }
        Some(Move::Play { tile, end: tile.low() })
    }
}
