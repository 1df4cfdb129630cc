use std::time::Duration;

/// The clock of one open decision. It runs from the moment the decision is handed to the agent's stream.
///
/// While no stream has the decision it stands, but only as long as the seat's grace lasts: then it runs on. All times
/// are those of [`crate::Clock::now`]. It knows no runtime: whoever holds it asks for the deadline and waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct DecisionClock {
    granted: Duration,
    spent: Duration,
    grace_left: Duration,
    phase: Phase,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// A stream has the decision since then.
    Running(Duration),
    /// No stream has it since then.
    Standing(Duration),
}

impl DecisionClock {
    /// The clock of a decision that is offered now. `granted` is its own time and what is left of the seat's bank.
    pub(crate) fn offered(now: Duration, granted: Duration, grace_left: Duration) -> DecisionClock {
        DecisionClock { granted, spent: Duration::ZERO, grace_left, phase: Phase::Standing(now) }
    }

    /// A stream has the decision since `then`, or since the clock began to stand if that was later.
    pub(crate) fn delivered(&mut self, then: Duration) {
        if let Phase::Standing(since) = self.phase {
            let then = then.max(since);
            self.settle(since, then);
            self.phase = Phase::Running(then);
        }
    }

    /// The stream that had the decision is gone.
    pub(crate) fn lost(&mut self, now: Duration) {
        if let Phase::Running(since) = self.phase {
            self.spent += now.saturating_sub(since);
            self.phase = Phase::Standing(now);
        }
    }

    /// When the time is up if nothing more happens.
    pub(crate) fn deadline(&self) -> Duration {
        let left = self.granted.saturating_sub(self.spent);
        match self.phase {
            Phase::Running(since) => since + left,
            Phase::Standing(since) => since + self.grace_left + left,
        }
    }

    /// The time that the decision has taken until `now`.
    pub(crate) fn think(&self, now: Duration) -> Duration {
        self.spent
            + match self.phase {
                Phase::Running(since) => now.saturating_sub(since),
                Phase::Standing(since) => now.saturating_sub(since).saturating_sub(self.grace_left),
            }
    }

    /// The time that is left at `now`.
    pub(crate) fn left(&self, now: Duration) -> Duration {
        self.granted.saturating_sub(self.think(now))
    }

    /// What is left of the seat's grace at `now`.
    pub(crate) fn grace_left(&self, now: Duration) -> Duration {
        match self.phase {
            Phase::Running(_) => self.grace_left,
            Phase::Standing(since) => self.grace_left.saturating_sub(now.saturating_sub(since)),
        }
    }

    /// Whether a stream has the decision.
    pub(crate) fn is_delivered(&self) -> bool {
        matches!(self.phase, Phase::Running(_))
    }

    /// Books the time from `since` to `now`, in which no stream had the decision.
    fn settle(&mut self, since: Duration, now: Duration) {
        let stood = now.saturating_sub(since);
        self.spent += stood.saturating_sub(self.grace_left);
        self.grace_left = self.grace_left.saturating_sub(stood);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn s(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn a_delivered_decision_has_its_time_from_the_delivery() {
        let mut clock = DecisionClock::offered(s(100), s(30), s(20));
        clock.delivered(s(101));
        assert_eq!(clock.deadline(), s(131));
        assert_eq!((clock.think(s(111)), clock.left(s(111))), (s(10), s(20)));
        assert_eq!(clock.grace_left(s(131)), s(19));
    }

    #[test]
    fn without_a_stream_the_clock_runs_after_the_grace() {
        let clock = DecisionClock::offered(s(100), s(30), s(20));
        assert_eq!(clock.deadline(), s(150));
        assert_eq!(clock.think(s(120)), s(0));
        assert_eq!(clock.think(s(125)), s(5));
        assert!(!clock.is_delivered());
    }

    #[test]
    fn a_lost_stream_stops_the_clock_for_what_is_left_of_the_grace() {
        let mut clock = DecisionClock::offered(s(0), s(30), s(20));
        clock.delivered(s(0));
        clock.lost(s(10));
        assert_eq!(clock.deadline(), s(50));
        clock.delivered(s(25));
        assert_eq!((clock.think(s(25)), clock.deadline()), (s(10), s(45)));
        clock.lost(s(30));
        // Five seconds of grace are left: hanging up again and again gains nothing.
        assert_eq!(clock.deadline(), s(50));
        clock.delivered(s(40));
        assert_eq!((clock.think(s(40)), clock.grace_left(s(40))), (s(20), s(0)));
    }

    #[test]
    fn a_second_delivery_changes_nothing() {
        let mut clock = DecisionClock::offered(s(0), s(30), s(0));
        clock.delivered(s(0));
        clock.delivered(s(20));
        assert_eq!(clock.deadline(), s(30));
    }
}
