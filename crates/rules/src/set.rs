use std::fmt;

use serde::ser::SerializeSeq;

use crate::number::Numbers;
use crate::tile::{MAX_PIP, MAX_TILES, Tile, set_size};

/// A set of tiles as `W` words of 64 bits, bit i standing for [`Tile::index`] i.
///
/// One word holds the double-six and double-nine sets, three words hold any. Iteration is in canonical order.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct TileSet<const W: usize = 3>([u64; W]);

impl<const W: usize> serde::Serialize for TileSet<W> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tiles = serializer.serialize_seq(Some(self.len()))?;
        self.iter().try_for_each(|tile| tiles.serialize_element(&tile))?;
        tiles.end()
    }
}

impl<'de, const W: usize> serde::Deserialize<'de> for TileSet<W> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::<Tile>::deserialize(deserializer)?.into_iter().collect())
    }
}

/// A set of tiles of any size of game.
pub type Tiles = TileSet<3>;

impl<const W: usize> TileSet<W> {
    /// No tile.
    pub const EMPTY: TileSet<W> = TileSet([0; W]);

    /// How many tiles the set can tell apart.
    pub const CAPACITY: usize = if W * 64 < MAX_TILES { W * 64 } else { MAX_TILES };

    /// All tiles that bear `number` and fit the words; empty above [`MAX_PIP`].
    pub const fn with_number(number: u8) -> TileSet<W> {
        let mut set = TileSet::EMPTY;
        let mut other = 0;
        while number <= MAX_PIP && other <= MAX_PIP {
            let index = Tile::of(number, other).index() as usize;
            if index < Self::CAPACITY {
                set.0[index / 64] |= 1 << (index % 64);
            }
            other += 1;
        }
        set
    }

    /// All tiles whose lower number is `number`: one row of the canonical order.
    const fn with_low(number: u8) -> TileSet<W> {
        let mut set = TileSet::EMPTY;
        let mut high = number;
        while high <= MAX_PIP {
            let index = Tile::of(number, high).index() as usize;
            if index < Self::CAPACITY {
                set.0[index / 64] |= 1 << (index % 64);
            }
            high += 1;
        }
        set
    }

    const BY_NUMBER: [TileSet<W>; MAX_PIP as usize + 1] = {
        let mut table = [TileSet::EMPTY; MAX_PIP as usize + 1];
        let mut number = 0;
        while number <= MAX_PIP {
            table[number as usize] = TileSet::with_number(number);
            number += 1;
        }
        table
    };

    const BY_LOW: [TileSet<W>; MAX_PIP as usize + 1] = {
        let mut table = [TileSet::EMPTY; MAX_PIP as usize + 1];
        let mut number = 0;
        while number <= MAX_PIP {
            table[number as usize] = TileSet::with_low(number);
            number += 1;
        }
        table
    };

    /// As [`TileSet::with_number`], from a table. Empty above [`MAX_PIP`].
    #[inline]
    pub fn bearing(number: u8) -> TileSet<W> {
        Self::BY_NUMBER.get(number as usize).copied().unwrap_or(Self::EMPTY)
    }

    /// The whole double-`max_pip` set, as far as it fits the words.
    pub fn whole(max_pip: u8) -> TileSet<W> {
        // A set is the first so many positions.
        let mut words = [0; W];
        let mut left = set_size(max_pip.min(MAX_PIP));
        for word in &mut words {
            *word = if left < 64 { (1 << left) - 1 } else { u64::MAX };
            left = left.saturating_sub(64);
        }
        TileSet(words)
    }

    /// The words of bits.
    pub(crate) const fn words(self) -> [u64; W] {
        self.0
    }

    /// Reads what [`TileSet::words`] gave; `None` with a bit that stands for no tile.
    pub(crate) fn from_words(words: [u64; W]) -> Option<TileSet<W>> {
        let set = TileSet(words);
        set.without(TileSet::whole(MAX_PIP)).is_empty().then_some(set)
    }

    /// Whether there is no tile.
    #[inline]
    pub fn is_empty(self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// How many tiles there are.
    #[inline]
    pub fn len(self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the tile is in the set.
    #[inline]
    pub fn contains(self, tile: Tile) -> bool {
        let index = tile.index() as usize;
        index < Self::CAPACITY && self.0[index / 64] & (1 << (index % 64)) != 0
    }

    /// Adds a tile. A tile beyond [`TileSet::CAPACITY`] is not added; [`crate::Round::new`] refuses such tiles first.
    #[inline]
    pub fn insert(&mut self, tile: Tile) {
        let index = tile.index() as usize;
        if index < Self::CAPACITY {
            self.0[index / 64] |= 1 << (index % 64);
        }
    }

    /// Takes a tile out, if it is there.
    #[inline]
    pub fn remove(&mut self, tile: Tile) {
        let index = tile.index() as usize;
        if index < Self::CAPACITY {
            self.0[index / 64] &= !(1 << (index % 64));
        }
    }

    /// The tiles that are in both sets.
    #[inline]
    #[must_use]
    pub fn and(mut self, other: TileSet<W>) -> TileSet<W> {
        for (word, theirs) in self.0.iter_mut().zip(other.0) {
            *word &= theirs;
        }
        self
    }

    /// The tiles that are in either set.
    #[inline]
    #[must_use]
    pub fn or(mut self, other: TileSet<W>) -> TileSet<W> {
        for (word, theirs) in self.0.iter_mut().zip(other.0) {
            *word |= theirs;
        }
        self
    }

    /// The tiles of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn without(mut self, other: TileSet<W>) -> TileSet<W> {
        for (word, theirs) in self.0.iter_mut().zip(other.0) {
            *word &= !theirs;
        }
        self
    }

    /// Whether both sets share a tile.
    #[inline]
    pub fn intersects(self, other: TileSet<W>) -> bool {
        !self.and(other).is_empty()
    }

    /// The tiles in canonical order.
    #[inline]
    pub fn iter(self) -> TileIter<W> {
        TileIter { all: self, row: TileSet::EMPTY, lows: None }
    }

    /// The lower numbers of the tiles.
    fn lows(self) -> Numbers {
        let mut rest = self;
        std::iter::from_fn(|| rest.pop()).map(Tile::low).collect()
    }

    /// The sum of all numbers on all tiles.
    pub fn pips(self) -> u16 {
        // In any order: this one is faster than the canonical one.
        let mut rest = self;
        std::iter::from_fn(|| rest.pop()).map(|tile| u16::from(tile.pips())).sum()
    }

    /// The same tiles in the widest set.
    #[inline]
    pub fn widen(self) -> Tiles {
        let mut words = [0; 3];
        for (wide, word) in words.iter_mut().zip(self.0) {
            *wide = word;
        }
        TileSet(words)
    }

    /// The same tiles in another width. Tiles beyond its capacity are left out.
    #[inline]
    pub fn resize<const V: usize>(self) -> TileSet<V> {
        let mut words = [0; V];
        for (target, word) in words.iter_mut().zip(self.0) {
            *target = word;
        }
        TileSet(words)
    }

    /// The tile with `n` others of the set below its index.
    #[inline]
    pub(crate) fn nth_by_index(self, mut n: usize) -> Option<Tile> {
        for (i, mut word) in self.0.into_iter().enumerate() {
            while word != 0 {
                if n == 0 {
                    return Tile::from_index((i * 64) as u8 + word.trailing_zeros() as u8);
                }
                word &= word - 1;
                n -= 1;
            }
        }
        None
    }

    /// The tile of the lowest index, taken out.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Tile> {
        for (i, word) in self.0.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros() as usize;
                *word &= *word - 1;
                return Tile::from_index((i * 64 + bit) as u8);
            }
        }
        None
    }
}

impl<const W: usize> Default for TileSet<W> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> FromIterator<Tile> for TileSet<W> {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        let mut set = Self::EMPTY;
        for tile in tiles {
            set.insert(tile);
        }
        set
    }
}

impl<const W: usize> fmt::Debug for TileSet<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The tiles of a [`TileSet`] in canonical order.
#[derive(Clone, Debug)]
pub struct TileIter<const W: usize> {
    all: TileSet<W>,
    // Within one row (one lower number) the index rises with the higher number, so each row is taken bit by bit.
    row: TileSet<W>,
    /// The rows that are still to come; unknown before the first tile is asked for.
    lows: Option<Numbers>,
}

impl<const W: usize> Iterator for TileIter<W> {
    type Item = Tile;

    #[inline]
    fn next(&mut self) -> Option<Tile> {
        if let Some(tile) = self.row.pop() {
            return Some(tile);
        }
        let lows = self.lows.get_or_insert_with(|| self.all.lows());
        let low = lows.iter().next()?;
        lows.remove(low);
        self.row = self.all.and(TileSet::BY_LOW[usize::from(low)]);
        self.row.pop()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_is_canonical() {
        let all: Tiles = Tile::set(18).collect();
        assert_eq!(all.len(), 190);
        assert_eq!(all.iter().collect::<Vec<_>>(), Tile::set(18).collect::<Vec<_>>());
        let nine: TileSet<1> = Tile::set(9).collect();
        assert_eq!(nine.iter().collect::<Vec<_>>(), Tile::set(9).collect::<Vec<_>>());
        assert_eq!(nine.widen().resize::<1>(), nine);
    }

    #[test]
    fn a_number_lies_on_one_tile_more_than_the_highest_number() {
        for n in [6, 9, 12, 15, 18] {
            let all: Tiles = Tile::set(n).collect();
            for number in 0..=n {
                assert_eq!(all.and(TileSet::bearing(number)).len(), usize::from(n) + 1);
            }
        }
    }

    #[test]
    fn a_whole_set_is_all_its_tiles() {
        for n in 0..=18 {
            assert_eq!(Tiles::whole(n), Tile::set(n).collect());
        }
        assert_eq!(TileSet::<1>::whole(9), Tile::set(9).collect());
    }

    #[test]
    fn set_algebra() {
        let mut a: TileSet<1> = [Tile::of(0, 0), Tile::of(9, 9)].into_iter().collect();
        let b: TileSet<1> = [Tile::of(9, 9), Tile::of(1, 2)].into_iter().collect();
        assert_eq!(a.and(b).len(), 1);
        assert_eq!(a.or(b).len(), 3);
        assert!(a.intersects(b));
        assert_eq!(a.without(b).iter().collect::<Vec<_>>(), [Tile::of(0, 0)]);
        assert_eq!(a.pips(), 18);
        a.remove(Tile::of(9, 9));
        assert!(!a.contains(Tile::of(9, 9)));
        a.insert(Tile::of(18, 18));
        assert_eq!(a.len(), 1, "a tile beyond the capacity is not taken");
    }
}
