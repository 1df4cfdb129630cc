use std::pin::Pin;
use std::time::Duration;

use crate::exam::{Exam, Stop};
use crate::transcript::Promise;

/// One check: what it proves, and its script.
pub struct Check {
    /// Its name, in lower case with hyphens.
    pub name: &'static str,
    /// What a bot that passes has shown, in one sentence.
    pub proves: &'static str,
    /// How long it may take at most.
    pub(crate) limit: Duration,
    pub(crate) script: Script,
}

/// What a check does: it drives the exam and stops at the first broken promise.
pub(crate) type Script =
    for<'a> fn(&'a mut Exam) -> Pin<Box<dyn Future<Output = Result<(), Stop>> + Send + 'a>>;

/// What came of a check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything was kept.
    Passed,
    /// A promise was broken.
    Failed(Failure),
    /// It was not checked, and why.
    Skipped(String),
}

/// A promise that was broken, with what a person needs to mend it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Which.
    pub promise: Promise,
    /// What the bot did.
    pub what: String,
    /// What to do about it.
    pub advice: &'static str,
    /// The transcript around it, a line each.
    pub transcript: Vec<String>,
}

/// A check and what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The check's name.
    pub name: &'static str,
    /// What it proves.
    pub proves: &'static str,
    /// What came of it.
    pub verdict: Verdict,
    /// How long it took.
    pub took: Duration,
}

impl Outcome {
    /// Whether the bot failed.
    pub fn has_failed(&self) -> bool {
        matches!(self.verdict, Verdict::Failed(_))
    }
}
