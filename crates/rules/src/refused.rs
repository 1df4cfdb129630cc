use std::fmt;

use crate::illegal::{Illegal, SetupError};
use crate::lines::NoSuchLine;
use crate::seat::Seat;

/// Why an entry was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// The match is over.
    Over,
    /// Another decision is open.
    NotOpen {
        /// The number of the open one.
        open: u32,
    },
    /// Another seat is asked.
    NotOnTurn {
        /// The seat that is.
        on_turn: Seat,
    },
    /// The move is not legal.
    Illegal(Illegal),
    /// There is no such place on the table.
    Line(NoSuchLine),
    /// The seat has forfeited already, or there is no such seat.
    Forfeited,
    /// The next round's deal is not the whole set, and the match cannot go on. Only stacked deals can be so; here the
    /// entry itself did take effect.
    Deal(SetupError),
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refused::Over => f.write_str("the match is over"),
            Refused::NotOpen { open } => write!(f, "decision {open} is the open one"),
            Refused::NotOnTurn { on_turn } => write!(f, "seat {on_turn} is asked"),
            Refused::Illegal(why) => why.fmt(f),
            Refused::Line(why) => why.fmt(f),
            Refused::Forfeited => f.write_str("the seat has forfeited already"),
            Refused::Deal(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Refused {}

/// Why a match cannot start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The number of names is not that of the seats.
    Seats {
        /// Seats that the rules have.
        expected: u8,
        /// Names given.
        found: usize,
    },
    /// The first deal is not the whole set.
    Deal(SetupError),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StartError::Seats { expected, found } => {
                write!(f, "the rules have {expected} seats, {found} are named")
            }
            StartError::Deal(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}
