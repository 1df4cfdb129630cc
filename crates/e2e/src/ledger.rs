use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use chickenfoot_rules::Choice;

/// The decisions that clients were told are stored.
#[derive(Clone, Default)]
pub(crate) struct Acknowledged(Arc<Mutex<HashMap<(String, u32), Choice>>>);

impl Acknowledged {
    /// Notes an acknowledgement; whether it is the same as one before, if there was one.
    pub(crate) fn note(&self, match_id: &str, decision: u32, choice: Choice) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *all.entry((match_id.to_owned(), decision)).or_insert(choice) == choice
    }

    /// All of them.
    pub(crate) fn all(&self) -> Vec<((String, u32), Choice)> {
        let all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter().map(|(key, choice)| (key.clone(), *choice)).collect()
    }
}

/// What a trial found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// How often the server was killed, or a connection disturbed.
    pub(crate) disturbances: u64,
    /// Matches that were played to their end.
    pub(crate) matches: usize,
    /// Decisions that were acknowledged.
    pub(crate) acknowledged: usize,
    /// Acknowledged decisions that are not in the record as they were acknowledged.
    pub(crate) lost: usize,
    /// Events that a watcher missed, got twice, or got with another content than before.
    pub(crate) holes: u64,
    /// Matches whose digest differs from that of an undisturbed run.
    pub(crate) digests: usize,
    /// Decisions that were charged to a bot as a fault.
    pub(crate) faults: u32,
    /// Matches that exist and were not asked for: a repeated request made a second one.
    pub(crate) doubled: usize,
}

impl Report {
    pub(crate) fn is_clean(&self) -> bool {
        let Report { lost, holes, digests, faults, doubled, .. } = self;
        (*lost, *holes, *digests, *faults, *doubled) == (0, 0, 0, 0, 0)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "disturbances            {}", self.disturbances)?;
        writeln!(f, "matches                 {}", self.matches)?;
        writeln!(f, "acknowledged decisions  {}", self.acknowledged)?;
        writeln!(f, "lost                    {}", self.lost)?;
        writeln!(f, "numbering holes         {}", self.holes)?;
        writeln!(f, "digests that differ     {}", self.digests)?;
        writeln!(f, "faults charged          {}", self.faults)?;
        write!(f, "matches made twice      {}", self.doubled)
    }
}
