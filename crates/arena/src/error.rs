use std::fmt;

use chickenfoot_rules::Seat;
use chickenfoot_store::{AgentName, MatchState, StoreError};

use crate::message::ChoiceError;

/// Why the arena refused something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// There is no such match.
    NoSuchMatch,
    /// The match has started, so seats can be neither taken nor given back.
    NotOpen {
        /// Where it stands.
        state: MatchState,
    },
    /// The match is over.
    Over,
    /// The match is not over.
    NotOver,
    /// The match was aborted before it began, so there is nothing to tell.
    NeverBegan,
    /// The match is over, but other matches with the same deal are not.
    Sealed,
    /// The table has no such seat.
    NoSuchSeat {
        /// How many it has.
        seats: usize,
    },
    /// Somebody sits there.
    SeatTaken {
        /// The seat.
        seat: Seat,
    },
    /// The seat is kept for somebody else.
    SeatReserved {
        /// The seat.
        seat: Seat,
    },
    /// No seat is free for this agent.
    NoFreeSeat,
    /// The agent has no seat here.
    NotSeated,
    /// The number of seats is not that of the rules.
    SeatCount {
        /// What the rules have.
        expected: u8,
        /// What was asked for.
        found: usize,
    },
    /// The house has no player of that name.
    NoSuchHouseBot(String),
    /// A seat is reserved for an agent that is not registered.
    NoSuchAgent(AgentName),
    /// An answer to a decision was refused.
    Choice(ChoiceError),
    /// The owner of the match did not answer in time; whether the call took effect is not known. Repeat it.
    Unavailable,
    /// The store failed.
    Store(StoreError),
    /// The stored log of the match does not fit the rules.
    Corrupt(String),
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        Error::Store(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::NoSuchMatch => f.write_str("there is no such match"),
            Error::NotOpen { state } => write!(f, "the match is not open but {}", word(*state)),
            Error::Over => f.write_str("the match is over"),
            Error::NeverBegan => f.write_str("the match was aborted before it began; it has no record"),
            Error::Sealed => {
                f.write_str("other matches with the same deal are not over; the record is secret until then")
            }
            Error::NotOver => f.write_str("the match is not over; its record is secret until then"),
            Error::NoSuchSeat { seats } => {
                write!(f, "the table has the seats 0 to {}", seats.saturating_sub(1))
            }
            Error::SeatTaken { seat } => write!(f, "seat {seat} is taken"),
            Error::SeatReserved { seat } => {
                write!(f, "seat {seat} is reserved for another agent or the house")
            }
            Error::NoFreeSeat => f.write_str("no seat is free for this agent"),
            Error::NotSeated => f.write_str("the agent has no seat in this match"),
            Error::SeatCount { expected, found } => {
                write!(f, "the rules have {expected} seats, {found} were given")
            }
            Error::NoSuchHouseBot(name) => write!(f, "the house has no player {name:?}"),
            Error::NoSuchAgent(name) => write!(f, "no agent is registered as {name}"),
            Error::Choice(why) => why.fmt(f),
            Error::Unavailable => f.write_str("the match did not answer in time; repeat the call"),
            Error::Store(why) => why.fmt(f),
            Error::Corrupt(why) => write!(f, "the stored match does not fit the rules: {why}"),
        }
    }
}

impl std::error::Error for Error {}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChoiceError::NoSuchMatch => f.write_str("there is no such match"),
            ChoiceError::NotStarted => f.write_str("the match has not started"),
            ChoiceError::Over => f.write_str("the match is over"),
            ChoiceError::NotSeated => f.write_str("the agent has no seat in this match"),
            ChoiceError::NotYours { seat } => write!(f, "the decision is that of seat {seat}"),
            ChoiceError::Answered { played, open } => {
                write!(f, "the decision is answered: {}; decision {open} is open", played.action)
            }
            ChoiceError::NotOpen { open } => write!(f, "decision {open} is the open one"),
            ChoiceError::NoSuchOption { options } => {
                write!(f, "option must be 0 to {}", options.saturating_sub(1))
            }
            ChoiceError::Illegal(why) => why.fmt(f),
            ChoiceError::NoSuchLine => f.write_str("no arm or toe of that number takes the tile on that end"),
            ChoiceError::Unavailable => f.write_str("the match did not answer in time; repeat the choice"),
        }
    }
}

/// A state as a word.
fn word(state: MatchState) -> &'static str {
    match state {
        MatchState::Open => "open",
        MatchState::Running => "running",
        MatchState::Finished => "finished",
        MatchState::Aborted(_) => "aborted",
    }
}
