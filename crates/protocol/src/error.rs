use std::fmt;

/// A wire message that means nothing: the first field that is wrong, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The field, as a path from the message that was read: `choice.move.play.tile.low`.
    pub field: String,
    /// What kind of thing is wrong, for programs.
    pub problem: Problem,
    /// What is wrong and what the bound is, for people.
    pub message: String,
}

/// What kind of thing is wrong with a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It has to be set.
    Missing,
    /// A tile that lacks one of its numbers.
    TileIncomplete,
    /// A number or length beyond its bound, or a word that is none of the known ones.
    OutOfRange,
    /// Rules that are impossible.
    Rules,
}

impl Malformed {
    /// A field that has to be set and is not.
    pub fn missing(field: &str) -> Malformed {
        Malformed::new(field, Problem::Missing, "must be set")
    }

    /// A value beyond its bound, which `bound` names.
    pub fn out_of_range(field: &str, bound: impl fmt::Display) -> Malformed {
        Malformed::new(field, Problem::OutOfRange, format!("must be {bound}"))
    }

    pub(crate) fn new(field: &str, problem: Problem, message: impl Into<String>) -> Malformed {
        Malformed { field: field.to_owned(), problem, message: message.into() }
    }

    /// The same, found inside the field `outer`.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Malformed {
        self.field = if self.field.is_empty() { outer.to_owned() } else { format!("{outer}.{}", self.field) };
        self
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.field, self.message)
    }
}

impl std::error::Error for Malformed {}
