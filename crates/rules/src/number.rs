use std::fmt;

use crate::tile::MAX_PIP;

/// A set of numbers from 0 to 18, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, serde::Serialize, serde::Deserialize)]
pub struct Numbers(u32);

impl Numbers {
    /// No number.
    pub const EMPTY: Numbers = Numbers(0);

    /// The set of one number; empty above 18.
    #[inline]
    pub const fn only(number: u8) -> Numbers {
        if number <= MAX_PIP { Numbers(1 << number) } else { Numbers(0) }
    }

    /// The set as bits, the lowest standing for 0.
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// Reads what [`Numbers::bits`] gave; `None` with a bit beyond those of numbers.
    pub(crate) const fn from_bits(bits: u32) -> Option<Numbers> {
        if bits >> (MAX_PIP + 1) == 0 { Some(Numbers(bits)) } else { None }
    }

    /// Whether the number is in the set.
    #[inline]
    pub const fn contains(self, number: u8) -> bool {
        number <= MAX_PIP && self.0 & (1 << number) != 0
    }

    /// Adds a number.
    #[inline]
    pub fn insert(&mut self, number: u8) {
        self.0 |= Numbers::only(number).0;
    }

    /// Takes a number out.
    #[inline]
    pub fn remove(&mut self, number: u8) {
        self.0 &= !Numbers::only(number).0;
    }

    /// The numbers that are in either set.
    #[inline]
    #[must_use]
    pub const fn or(self, other: Numbers) -> Numbers {
        Numbers(self.0 | other.0)
    }

    /// Whether there is no number.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many numbers there are.
    #[inline]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// The numbers, ascending.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = u8> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let number = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            Some(number)
        })
    }
}

impl FromIterator<u8> for Numbers {
    fn from_iter<I: IntoIterator<Item = u8>>(numbers: I) -> Numbers {
        let mut set = Numbers::EMPTY;
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

impl fmt::Debug for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
