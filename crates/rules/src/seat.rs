use std::fmt;

use serde::{Deserialize, Serialize};

/// The most seats a match can have.
pub const MAX_SEATS: usize = 16;

/// A place at the table, counted from 0 clockwise.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub struct Seat(u8);

impl Seat {
    /// The seat with this number. `None` from 16 on.
    pub const fn new(number: u8) -> Option<Seat> {
        if (number as usize) < MAX_SEATS { Some(Seat(number)) } else { None }
    }

    pub(crate) const fn of(number: u8) -> Seat {
        Seat(number)
    }

    /// The seat's number, 0 to 15.
    #[inline]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The seat's number as an index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The next seat clockwise at a table of `players`.
    #[inline]
    #[must_use]
    pub const fn next(self, players: u8) -> Seat {
        if self.0 + 1 >= players { Seat(0) } else { Seat(self.0 + 1) }
    }

    /// All seats of a table, from 0.
    pub fn all(players: u8) -> impl Iterator<Item = Seat> {
        (0..players.min(MAX_SEATS as u8)).map(Seat)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0)
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> u8 {
        seat.0
    }
}

/// A number that is no seat: 16 or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchSeat(pub u8);

impl fmt::Display for NoSuchSeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a seat: seats are 0 to {}", self.0, MAX_SEATS - 1)
    }
}

impl std::error::Error for NoSuchSeat {}

impl TryFrom<u8> for Seat {
    type Error = NoSuchSeat;

    fn try_from(number: u8) -> Result<Seat, NoSuchSeat> {
        Seat::new(number).ok_or(NoSuchSeat(number))
    }
}
