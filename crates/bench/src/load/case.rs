use std::fmt;
use std::path::Path;

use super::Plan;
use crate::Failure;
use crate::figures::Figure;
use crate::job::{Job, Part, Target, Until, Way};
use crate::process::{Server, Store, client};

/// Sizes of a choice and of a decision before any was seen, in bytes.
const FIRST_GUESS: (u32, u32) = (43, 900);

/// One line of the table, or the echo that its neighbours are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Case {
    pub(super) way: Way,
    pub(super) connections: u32,
    pub(super) matches: u32,
    pub(super) sessions: u32,
    /// The store of the server; none for the echo.
    pub(super) store: Option<Store>,
}

impl Case {
    /// Whether half of its speed is offered too.
    pub(super) fn is_halved(self) -> bool {
        self.way == Way::Session && self.connections > 1 && self.matches >= 64
    }

    /// The echo that this is to be compared with.
    pub(super) fn echo(self) -> Case {
        Case { store: None, ..self }
    }

    pub(super) fn name(self) -> &'static str {
        self.store.map_or("echo", Store::name)
    }

    pub(super) fn way(self) -> &'static str {
        match self.way {
            Way::Session => "session",
            Way::Unary => "unary",
        }
    }
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Case { connections, matches, .. } = self;
        write!(f, "{}, {}, {matches} matches on {connections} connections", self.name(), self.way())
    }
}

/// What was measured of a case.
pub(super) struct Runs {
    pub(super) case: Case,
    /// As fast as it goes.
    pub(super) full: Vec<Part>,
    /// At half of that.
    pub(super) half: Vec<Part>,
}

impl Runs {
    pub(super) fn of(case: Case) -> Runs {
        Runs { case, full: Vec::new(), half: Vec::new() }
    }

    pub(super) fn measure(&mut self, plan: &Plan, program: &Path, sizes: Sizes) -> Result<(), Failure> {
        self.full.push(run(self.case, plan, program, sizes, None)?);
        Ok(())
    }

    pub(super) fn measure_half(&mut self, plan: &Plan, program: &Path, sizes: Sizes) -> Result<(), Failure> {
        let rate = self.figure(Part::rate).median() / 2.0;
        self.half.push(run(self.case, plan, program, sizes, Some(rate))?);
        Ok(())
    }

    pub(super) fn figure(&self, value: impl Fn(&Part) -> f64) -> Figure {
        Figure::new(self.full.iter().map(value))
    }

    pub(super) fn half(&self, value: impl Fn(&Part) -> f64) -> Figure {
        Figure::new(self.half.iter().map(value))
    }
}

/// Sizes of the messages that the echo exchanges, in bytes.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub(super) up: u32,
    pub(super) down: u32,
}

/// The sizes that the service had, so far, in cases like this one.
pub(super) fn sizes(all: &[Runs], case: Case) -> Sizes {
    let like = |runs: &&Runs| runs.case.store.is_some() && runs.case.echo() == case.echo();
    let part = all.iter().filter(like).find_map(|runs| runs.full.first());
    let (up, down) = part.map_or(FIRST_GUESS, |part| (part.up.round() as u32, part.down.round() as u32));
    Sizes { up, down }
}

fn run(case: Case, plan: &Plan, program: &Path, sizes: Sizes, rate: Option<f64>) -> Result<Part, Failure> {
    let (server, target) = match case.store {
        Some(store) => (Server::service(program, store, &plan.folder)?, Target::Service),
        None => (Server::echo(sizes.down)?, Target::Echo { up: sizes.up }),
    };
    let outcome = client(&Job {
        way: case.way,
        sessions: case.sessions,
        connections: case.connections,
        warm_up: plan.warm_up,
        rate,
        ..Job::new(&server, target, case.matches, Until::Seconds(plan.seconds))
    })?;
    outcome.part.ok_or_else(|| "a run without figures".into())
}
