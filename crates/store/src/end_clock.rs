use crate::matches::{MatchRow, MatchState};

/// Tells when matches end, in milliseconds since 1970.
///
/// Rated matches end one after the other, never two in the same millisecond and never, even if the wall clock was set
/// back, before one that has ended already. So whoever reads them in this order and goes on after the last one that it
/// has seen misses none.
#[derive(Debug, Default)]
pub(crate) struct EndClock {
    last_rated: u64,
}

impl EndClock {
    /// A clock of a store whose last rated match ended then.
    pub(crate) fn after(last_rated: u64) -> EndClock {
        EndClock { last_rated }
    }

    /// Notes the end in a row, if it is over.
    pub(crate) fn stamp(&mut self, row: &mut MatchRow) {
        self.stamp_at(row, now_ms());
    }

    fn stamp_at(&mut self, row: &mut MatchRow, now: u64) {
        row.ended_ms = row.state.is_over().then_some(now);
        if row.is_rated_result() {
            self.last_rated = now.max(self.last_rated.saturating_add(1));
            row.ended_ms = Some(self.last_rated);
        }
    }
}

impl MatchRow {
    /// Whether it was played to its end and counts for the ratings.
    pub(crate) fn is_rated_result(&self) -> bool {
        self.rated && self.state == MatchState::Finished
    }
}

/// The wall clock: for people who read the store, and for nothing that decides anything.
pub(crate) fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(0))
}
