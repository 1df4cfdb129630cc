use std::fmt;

/// Why a simulation cannot be played, or was not played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The settings and players do not fit together.
    Schedule(chickenfoot_tournament::Error),
    /// There are no rules for a table of so many seats.
    NoRules {
        /// Its seats.
        seats: usize,
    },
    /// A match that could not be played on: the fault of a strategy, or of the program.
    Match {
        /// Its block.
        block: u32,
        /// What happened.
        why: String,
    },
    /// The results do not fit together: the fault of the program.
    Results(String),
    /// Whoever watched has seen enough.
    Stopped,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Schedule(why) => write!(f, "{why}"),
            Error::NoRules { seats } => write!(f, "there are no rules for a table of {seats}"),
            Error::Match { block, why } => write!(f, "a match of block {block} cannot go on: {why}"),
            Error::Results(why) => write!(f, "the results do not fit together: {why}"),
            Error::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for Error {}

impl From<chickenfoot_tournament::Error> for Error {
    fn from(why: chickenfoot_tournament::Error) -> Error {
        Error::Schedule(why)
    }
}
