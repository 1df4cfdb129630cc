use std::time::Duration;

use tokio::time::Instant;

use crate::backoff::Backoff;

/// A run that gave an answer and lasted so long was good: what went wrong before is forgotten.
const GOOD_RUN: Duration = Duration::from_secs(10);

/// When a process is started again.
#[derive(Debug)]
pub(super) struct Restarts {
    most: u32,
    failures: u32,
    backoff: Backoff,
    began: Instant,
    answered: bool,
}

impl Restarts {
    /// Gives up after more than `most` bad runs in a row.
    pub(super) fn new(most: u32) -> Restarts {
        Restarts { most, failures: 0, backoff: Backoff::default(), began: Instant::now(), answered: false }
    }

    /// A process was started.
    pub(super) fn started(&mut self) {
        self.began = Instant::now();
        self.answered = false;
    }

    /// The process gave an answer.
    pub(super) fn answered(&mut self) {
        self.answered = true;
    }

    /// How long to wait before the next run; `None` if there were too many.
    pub(super) fn ended(&mut self) -> Option<Duration> {
        if self.answered && self.began.elapsed() >= GOOD_RUN {
            self.failures = 0;
            self.backoff.reset();
        }
        self.answered = false;
        self.failures += 1;
        (self.failures <= self.most).then(|| self.backoff.next())
    }

    /// Bad runs in a row.
    pub(super) fn failures(&self) -> u32 {
        self.failures
    }
}
