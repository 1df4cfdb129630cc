use std::fmt;

use crate::EntrantId;
use crate::setup::{MAX_BLOCKS, MAX_CYCLES, MAX_LOOKAHEAD, MAX_ROUNDS, MAX_TABLE, MIN_TABLE};

/// Why a schedule refuses its settings, an entrant or a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// `table` is no possible number of seats.
    Table {
        /// As set.
        table: u8,
    },
    /// `lookahead` is too large.
    Lookahead {
        /// As set.
        lookahead: u32,
    },
    /// `cycles` is 0 or too large.
    Cycles {
        /// As set.
        cycles: u32,
    },
    /// `rounds` is 0 or too large.
    Rounds {
        /// As set.
        rounds: u32,
    },
    /// `blocks` is 0 or too large.
    Blocks {
        /// As set.
        blocks: u32,
    },
    /// The round robin, or all heats together, would have too many blocks.
    TooManyBlocks {
        /// The bound.
        at_most: u32,
    },
    /// `advance` would send nobody on, or everybody.
    Advance {
        /// As set.
        advance: u8,
        /// The bound.
        at_most: u8,
    },
    /// `candidate` and `base` of an A/B test are the same entrant.
    SameVersion {
        /// Both.
        entrant: EntrantId,
    },
    /// The halves of an odd table are not equal.
    OddTable {
        /// As set.
        table: u8,
    },
    /// `candidate` or `base` is not among the entrants.
    NoSuchEntrant {
        /// As set.
        entrant: EntrantId,
    },
    /// There are too few entrants for this format.
    TooFewEntrants {
        /// How many there are.
        entrants: u32,
        /// The bound.
        at_least: u32,
    },
    /// There are too many entrants for this format.
    TooManyEntrants {
        /// How many there are.
        entrants: u32,
        /// The bound.
        at_most: u32,
    },
    /// Two entrants have one name.
    SameName {
        /// The name.
        name: String,
    },
    /// The format cannot take in an entrant once it has begun, or has no stage left for it.
    TooLate,
    /// The block already has another result.
    Finished {
        /// The block.
        number: u32,
    },
    /// The result does not belong to this block: other seatings, or figures for another number of seats.
    NotThisBlock {
        /// The block.
        number: u32,
    },
    /// The tournament has no such block.
    NoSuchBlock {
        /// The number.
        number: u32,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Table { table } => write!(f, "table is {table}, must be {MIN_TABLE} to {MAX_TABLE}"),
            Error::Lookahead { lookahead } => {
                write!(f, "lookahead is {lookahead}, must be 0 to {MAX_LOOKAHEAD}")
            }
            Error::Cycles { cycles } => write!(f, "cycles is {cycles}, must be 1 to {MAX_CYCLES}"),
            Error::Rounds { rounds } => write!(f, "rounds is {rounds}, must be 1 to {MAX_ROUNDS}"),
            Error::Blocks { blocks } => write!(f, "blocks is {blocks}, must be 1 to {MAX_BLOCKS}"),
            Error::TooManyBlocks { at_most } => write!(f, "all blocks together are more than {at_most}"),
            Error::Advance { advance, at_most } => {
                write!(f, "advance is {advance}, must be 1 to {at_most} at this table")
            }
            Error::SameVersion { entrant } => write!(f, "candidate and base are both entrant {entrant}"),
            Error::OddTable { table } => {
                write!(f, "table is {table}, must be even to be filled half and half")
            }
            Error::NoSuchEntrant { entrant } => write!(f, "there is no entrant {entrant}"),
            Error::TooFewEntrants { entrants, at_least } => {
                write!(f, "there are {entrants} entrants, must be at least {at_least}")
            }
            Error::TooManyEntrants { entrants, at_most } => {
                write!(f, "there are {entrants} entrants, must be at most {at_most}")
            }
            Error::SameName { name } => write!(f, "two entrants are named {name:?}"),
            Error::TooLate => write!(f, "no entrant can join any more"),
            Error::Finished { number } => write!(f, "block {number} already has another result"),
            Error::NotThisBlock { number } => write!(f, "the result is not one of block {number}"),
            Error::NoSuchBlock { number } => write!(f, "there is no block {number}"),
        }
    }
}

impl std::error::Error for Error {}
