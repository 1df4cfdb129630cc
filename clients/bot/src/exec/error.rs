use std::{fmt, io};

/// Why a program cannot go on playing.
#[derive(Debug)]
pub enum Error {
    /// The session, or the way to it.
    Service(crate::Error),
    /// There is no such program, or it may not be run.
    NoProgram {
        /// The program.
        command: String,
        /// Why.
        why: io::Error,
    },
    /// The program ended too often in a row.
    GaveUp {
        /// The program.
        command: String,
        /// How often.
        runs: u32,
        /// How it ended the last time.
        last: String,
    },
    /// What processes write to stderr cannot be kept.
    Logs {
        /// The folder.
        folder: String,
        /// Why.
        why: io::Error,
    },
}

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Error {
        Error::Service(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Service(why) => why.fmt(f),
            Error::NoProgram { command, why } => write!(f, "{command} cannot be run: {why}"),
            Error::GaveUp { command, runs, last } => {
                write!(f, "{command} was given up after {runs} runs in a row; the last one: {last}")
            }
            Error::Logs { folder, why } => write!(f, "{folder}: {why}"),
        }
    }
}

impl std::error::Error for Error {}
