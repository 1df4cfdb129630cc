use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::text;

/// The highest number that any set bears: double-eighteen.
pub const MAX_PIP: u8 = 18;

/// How many tiles the largest set has.
pub const MAX_TILES: usize = 190;

/// A tile `a-b` with `a <= b <= 18`.
///
/// It is stored as its position in the order 0-0, 0-1, 1-1, 0-2, 1-2, 2-2, ... (by the higher number first), so
/// that the number of a tile does not depend on the size of the set it belongs to: the double-nine set is exactly
/// the first 55 positions. Tiles *compare* in the canonical order of the rules: by the lower number, then the higher.
///
/// Serialised as its text in formats that people read, as its position elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tile(u8);

impl Tile {
    /// The tile with these two numbers, in either order. `None` if one is above [`MAX_PIP`].
    pub const fn new(a: u8, b: u8) -> Option<Tile> {
        if a > MAX_PIP || b > MAX_PIP { None } else { Some(Tile::of(a, b)) }
    }

    /// The double that bears `number` twice. `None` if it is above [`MAX_PIP`].
    pub const fn double(number: u8) -> Option<Tile> {
        Tile::new(number, number)
    }

    /// As [`Tile::new`], for numbers that are known to be in range.
    pub(crate) const fn of(a: u8, b: u8) -> Tile {
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        Tile((high as u16 * (high as u16 + 1) / 2) as u8 + low)
    }

    /// The tile at a position of the order described at [`Tile`]. `None` from 190 on.
    pub const fn from_index(index: u8) -> Option<Tile> {
        if (index as usize) < MAX_TILES { Some(Tile(index)) } else { None }
    }

    /// The tile's position in the order described at [`Tile`], 0 to 189.
    pub const fn index(self) -> u8 {
        self.0
    }

    /// The lower number, 0 to 18.
    pub const fn low(self) -> u8 {
        NUMBERS[self.0 as usize].0
    }

    /// The higher number, 0 to 18.
    pub const fn high(self) -> u8 {
        NUMBERS[self.0 as usize].1
    }

    /// Whether both numbers are the same.
    pub const fn is_double(self) -> bool {
        self.low() == self.high()
    }

    /// Whether the tile bears `number`.
    pub const fn has(self, number: u8) -> bool {
        self.low() == number || self.high() == number
    }

    /// The number that faces outward when the side `end` is joined to the table. `None` if the tile has no such side.
    pub const fn outward(self, end: u8) -> Option<u8> {
        if self.low() == end {
            Some(self.high())
        } else if self.high() == end {
            Some(self.low())
        } else {
            None
        }
    }

    /// The sum of both numbers, 0 to 36.
    pub const fn pips(self) -> u8 {
        self.low() + self.high()
    }

    /// All tiles of the double-`max_pip` set in canonical order: 0-0, 0-1, ... 0-N, 1-1, ... N-N.
    pub fn set(max_pip: u8) -> impl Iterator<Item = Tile> {
        let n = max_pip.min(MAX_PIP);
        (0..=n).flat_map(move |low| (low..=n).map(move |high| Tile::of(low, high)))
    }
}

/// How many tiles the double-`max_pip` set has: (N+1)(N+2)/2.
pub const fn set_size(max_pip: u8) -> usize {
    (max_pip as usize + 1) * (max_pip as usize + 2) / 2
}

impl Ord for Tile {
    fn cmp(&self, other: &Tile) -> std::cmp::Ordering {
        (self.low(), self.high()).cmp(&(other.low(), other.high()))
    }
}

impl PartialOrd for Tile {
    fn partial_cmp(&self, other: &Tile) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.low(), self.high())
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A text that is not a tile: two numbers from 0 to 18 with a hyphen between them, as in `0-9`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseTileError(String);

impl fmt::Display for ParseTileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a tile: two numbers from 0 to {MAX_PIP} with a hyphen, as in 0-9", self.0)
    }
}

impl std::error::Error for ParseTileError {}

impl FromStr for Tile {
    type Err = ParseTileError;

    fn from_str(text: &str) -> Result<Tile, ParseTileError> {
        text.split_once('-')
            .and_then(|(a, b)| Tile::new(a.parse().ok()?, b.parse().ok()?))
            .ok_or_else(|| ParseTileError(text.to_owned()))
    }
}

impl Serialize for Tile {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.collect_str(self)
        } else {
            self.0.serialize(serializer)
        }
    }
}

impl<'de> Deserialize<'de> for Tile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tile, D::Error> {
        if deserializer.is_human_readable() {
            text::read(deserializer)
        } else {
            let index = u8::deserialize(deserializer)?;
            Tile::from_index(index)
                .ok_or_else(|| D::Error::custom(format!("no tile has the position {index}")))
        }
    }
}

/// Both numbers of each tile, by index: a table lookup is cheaper than the integer root that would invert the index.
const NUMBERS: [(u8, u8); MAX_TILES] = {
    let mut table = [(0, 0); MAX_TILES];
    let mut high = 0;
    while high <= MAX_PIP {
        let mut low = 0;
        while low <= high {
            table[Tile::of(low, high).0 as usize] = (low, high);
            low += 1;
        }
        high += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_is_one_tile_and_back() {
        for index in 0..MAX_TILES as u8 {
            let tile = Tile::from_index(index).unwrap();
            assert_eq!(Tile::new(tile.high(), tile.low()), Some(tile));
            assert_eq!(tile.to_string().parse(), Ok(tile));
        }
        assert_eq!(Tile::from_index(190), None);
        assert_eq!(Tile::new(0, 19), None);
    }

    #[test]
    fn a_set_is_in_canonical_order_and_uses_the_first_indices() {
        for n in [6, 9, 12, 15, 18] {
            let tiles: Vec<Tile> = Tile::set(n).collect();
            assert_eq!(tiles.len(), set_size(n));
            assert!(tiles.is_sorted());
            assert!(tiles.iter().all(|t| (t.index() as usize) < set_size(n)));
        }
    }

    #[test]
    fn what_is_not_a_tile_is_refused() {
        for text in ["", "4", "4-", "-4", "4-19", "4-5-6", "a-b", "4 5", "256-0"] {
            assert!(text.parse::<Tile>().is_err(), "{text}");
        }
    }
}
