use std::time::Duration;

use hdrhistogram::Histogram;

/// What takes longer counts as this long: an hour, in nanoseconds. Two digits are exact to one percent, and few bytes.
const LONGEST: u64 = 3_600_000_000_000;

/// What happened in a time.
pub(crate) struct Tally {
    /// Times from sending an answer to its acknowledgement, in nanoseconds.
    times: Histogram<u32>,
    weighed: u64,
    down: u64,
    up: u64,
    /// Bytes of all messages down.
    pub(crate) all_down: u64,
}

impl Default for Tally {
    fn default() -> Tally {
        let times = Histogram::new_with_max(LONGEST, 2).expect("the bounds are within the histogram's own");
        Tally { times, weighed: 0, down: 0, up: 0, all_down: 0 }
    }
}

impl Tally {
    pub(crate) fn answered(&mut self, after: Duration) {
        let nanos = u64::try_from(after.as_nanos()).unwrap_or(u64::MAX);
        self.times.saturating_record(nanos);
    }

    pub(crate) fn weigh(&mut self, down: usize, up: usize) {
        self.weighed += 1;
        self.down += down as u64;
        self.up += up as u64;
    }

    pub(crate) fn add(&mut self, other: &Tally) {
        self.times.add(&other.times).expect("both have the same bounds");
        self.weighed += other.weighed;
        self.down += other.down;
        self.up += other.up;
        self.all_down += other.all_down;
    }

    /// Answers that were acknowledged.
    pub(crate) fn decisions(&self) -> u64 {
        self.times.len()
    }

    /// The time within which this part of the answers was acknowledged, in microseconds.
    pub(crate) fn quantile(&self, part: f64) -> f64 {
        self.times.value_at_quantile(part) as f64 / 1000.0
    }

    /// Mean size of a decision, in bytes.
    pub(crate) fn mean_down(&self) -> f64 {
        self.down as f64 / self.weighed.max(1) as f64
    }

    /// Mean size of a choice, in bytes.
    pub(crate) fn mean_up(&self) -> f64 {
        self.up as f64 / self.weighed.max(1) as f64
    }
}
