use std::fmt;

use super::Key;

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Nobody said otherwise.
    Default,
    /// A flag, by its name without hyphens.
    Flag(String),
    /// A variable of the environment.
    Env(String),
    /// A file.
    File {
        /// Its name.
        name: String,
        /// The line, from 1.
        line: usize,
    },
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Default => f.write_str("default"),
            Origin::Flag(flag) => write!(f, "--{flag}"),
            Origin::Env(name) => f.write_str(name),
            Origin::File { name, line } => write!(f, "{name}, line {line}"),
        }
    }
}

/// Why there is no configuration: what is wrong where, and what would be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// Where.
    pub origin: Origin,
    what: String,
}

impl ConfigError {
    pub(super) fn new(origin: Origin, what: impl Into<String>) -> ConfigError {
        ConfigError { origin, what: what.into() }
    }

    pub(super) fn value(key: &Key, text: &str, bound: String, origin: Origin) -> ConfigError {
        let text = if key.secret { "(hidden)" } else { text };
        let of_key = match origin {
            Origin::File { .. } => format!("{}: ", key.id()),
            Origin::Default | Origin::Flag(_) | Origin::Env(_) => String::new(),
        };
        ConfigError::new(origin, format!("{of_key}{text:?}: {bound}"))
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.what)
    }
}

impl std::error::Error for ConfigError {}
