use std::time::Duration;

use crate::check::{Outcome, Verdict};

mod json;
mod junit;
mod text;
mod times;

pub use times::Times;

/// What an examination found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The bot's name.
    pub bot: String,
    /// The checks that were wanted, in order.
    pub outcomes: Vec<Outcome>,
    /// How long the bot took for its answers.
    pub times: Times,
}

impl Report {
    pub(crate) fn new(bot: &str, outcomes: Vec<Outcome>, times: &[Duration]) -> Report {
        Report { bot: bot.to_owned(), outcomes, times: Times::of(times) }
    }

    /// Whether no check failed.
    pub fn has_passed(&self) -> bool {
        !self.outcomes.iter().any(Outcome::has_failed)
    }

    /// How many checks passed, failed, and were skipped.
    pub fn counts(&self) -> (usize, usize, usize) {
        let count = |wanted: fn(&Verdict) -> bool| {
            self.outcomes.iter().filter(|outcome| wanted(&outcome.verdict)).count()
        };
        (
            count(|verdict| matches!(verdict, Verdict::Passed)),
            count(|verdict| matches!(verdict, Verdict::Failed(_))),
            count(|verdict| matches!(verdict, Verdict::Skipped(_))),
        )
    }
}
