use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use crate::runner::Stats;

/// What a program can do wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fault {
    /// A process ended by itself, or could not be started.
    Died,
    /// A process owed an answer until its time was up, and had written nothing since it was asked. It is started again.
    Silent,
    /// A decision's time was up; meanwhile the process had written something else.
    Late,
    /// A process left so many lines unread that no more can wait. It is started again.
    NotReading,
    /// A line that is no answer, or is too long. After 100 in a row the process is started again.
    Garbage,
    /// An answer that is none of the options. The decision stays open.
    Illegal,
    /// An answer to a decision that is not open, or no longer.
    Stale,
}

impl Fault {
    /// All of them, in the order in which reports tell them.
    pub const ALL: [Fault; 7] = [
        Fault::Died,
        Fault::Silent,
        Fault::Late,
        Fault::NotReading,
        Fault::Garbage,
        Fault::Illegal,
        Fault::Stale,
    ];

    /// Its name, as in `not-reading`.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Died => "died",
            Fault::Silent => "silent",
            Fault::Late => "late",
            Fault::NotReading => "not-reading",
            Fault::Garbage => "garbage",
            Fault::Illegal => "illegal",
            Fault::Stale => "stale",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Which.
    pub fault: Fault,
    /// Which process: `program`, or its match where each match has one.
    pub label: String,
    /// The match that it is about, if it is about one.
    pub match_id: Option<String>,
    /// The decision that it is about, if it is about one.
    pub decision: Option<u32>,
    /// What happened, for people.
    pub text: String,
    /// How many of this kind there are by now, from 1.
    pub count: u64,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.fault, self.text)?;
        match (&self.match_id, self.decision) {
            (Some(id), Some(decision)) => write!(f, " (match {id}, decision {decision})"),
            (Some(id), None) => write!(f, " (match {id})"),
            (None, _) => Ok(()),
        }
    }
}

/// What was played, and what went wrong.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What the service says.
    pub stats: Stats,
    /// Processes that were started.
    pub started: u64,
    /// Decisions that were answered in the program's place.
    pub fallbacks: u64,
    faults: [u64; Fault::ALL.len()],
}

impl Report {
    /// How many faults of a kind there were.
    pub fn count(&self, fault: Fault) -> u64 {
        self.faults[fault as usize]
    }

    /// How many faults there were.
    pub fn faults(&self) -> u64 {
        self.faults.iter().sum()
    }
}

/// Where faults are told and counted. Cheap to clone; all clones are one.
#[derive(Clone)]
pub struct Ledger {
    report: Arc<Mutex<Report>>,
    tell: Arc<dyn Fn(&Note) + Send + Sync>,
}

impl Ledger {
    /// Nothing yet. Each fault is told to `tell`, which must return at once.
    pub fn new(tell: impl Fn(&Note) + Send + Sync + 'static) -> Ledger {
        Ledger { report: Arc::default(), tell: Arc::new(tell) }
    }

    /// What there is so far.
    pub fn report(&self) -> Report {
        *self.report.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn change(&self, change: impl FnOnce(&mut Report)) {
        change(&mut self.report.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Counts a fault and tells it, with its number.
    pub(super) fn fault(&self, mut note: Note) {
        self.change(|report| {
            let count = &mut report.faults[note.fault as usize];
            *count += 1;
            note.count = *count;
        });
        (self.tell)(&note);
    }
}

impl Default for Ledger {
    /// Counts only.
    fn default() -> Ledger {
        Ledger::new(|_| {})
    }
}

impl fmt::Debug for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Ledger").field(&self.report()).finish()
    }
}
