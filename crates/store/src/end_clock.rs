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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::{over, running};

    #[test]
    fn ends_of_rated_matches_follow_each_other_and_others_the_clock() {
        let mut clock = EndClock::after(100);
        let rated = MatchRow { rated: true, ..over(1) };
        let mut end = |row: &MatchRow, now| {
            let mut row = MatchRow { ended_ms: Some(1), ..row.clone() };
            clock.stamp_at(&mut row, now);
            row.ended_ms
        };
        assert_eq!(end(&rated, 200), Some(200));
        assert_eq!(end(&rated, 200), Some(201));
        assert_eq!(end(&rated, 50), Some(202), "the clock was set back");
        assert_eq!(end(&over(2), 60), Some(60));
        assert_eq!(end(&MatchRow { rated: true, ..running(3) }, 500), None);
        assert_eq!(end(&rated, 203), Some(203));
        assert_eq!(end(&rated, u64::MAX), Some(u64::MAX));
        assert_eq!(end(&rated, 0), Some(u64::MAX), "there is no later one");
    }
}
