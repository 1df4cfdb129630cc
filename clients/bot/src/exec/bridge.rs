use std::future::Future;

use super::error::Error;
use super::fault::{Ledger, Note, Report};
use super::program::Program;
use super::table::Table;
use crate::runner::Runner;

/// Plays an agent's matches through a program.
///
/// One process plays all matches side by side, unless [`Bridge::per_match`] wants one for each.
#[derive(Clone)]
pub struct Bridge {
    runner: Runner,
    program: Program,
    per_match: bool,
    events: bool,
    ledger: Ledger,
}

impl Bridge {
    /// Plays the matches of the runner's agent.
    pub fn new(runner: Runner, program: Program) -> Bridge {
        Bridge { runner, program, per_match: false, events: false, ledger: Ledger::default() }
    }

    /// Runs a process for each match, from its start to its end.
    #[must_use]
    pub fn per_match(self) -> Bridge {
        Bridge { per_match: true, ..self }
    }

    /// Tells the program everything that happens in its matches, as its seats may see it.
    #[must_use]
    pub fn events(self) -> Bridge {
        Bridge { events: true, ..self }
    }

    /// Has every fault told to `tell`, which must return at once.
    #[must_use]
    pub fn on_fault(self, tell: impl Fn(&Note) + Send + Sync + 'static) -> Bridge {
        Bridge { ledger: Ledger::new(tell), ..self }
    }

    /// What was played so far, and what went wrong; also while it runs, and after it failed.
    pub fn report(&self) -> Report {
        self.ledger.report()
    }

    /// Plays until `stop` is ready or the wanted matches are over; then every process is ended, which takes twice
    /// [`Program::stop_time`] at most.
    ///
    /// # Errors
    /// There is no such program, the one process for all matches was given up, or what
    /// [`Runner::run`](crate::Runner::run) fails of.
    pub async fn run(&self, stop: impl Future<Output = ()>) -> Result<(), Error> {
        self.program.check()?;
        let mut table = Table::new(self.program.clone(), self.per_match, self.ledger.clone());
        table.wants_events = self.events;
        table.games = self.runner.wanted_games();
        let ended = self.runner.play(&mut table, stop).await;
        match (table.stop().await, ended) {
            (Some(given_up), _) => Err(given_up),
            (None, ended) => Ok(ended.map(|_| ())?),
        }
    }
}
