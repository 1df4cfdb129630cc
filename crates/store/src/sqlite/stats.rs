use std::time::Duration;

/// What the writer of a [`Sqlite`](crate::Sqlite) store has done since it was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WriterStats {
    /// Transactions that were committed.
    pub commits: u64,
    /// Transactions that failed.
    pub failures: u64,
    /// Calls that were answered, whatever the answer.
    pub calls: u64,
    /// Entries that were appended.
    pub appended: u64,
    /// Most entries that one transaction appended.
    pub largest_group: u64,
    /// Time in transactions that were committed, the wait for the disk included.
    pub commit_time: Duration,
    /// How many committed transactions took at most so long, by [`WriterStats::BOUNDS`]; the last number is that of all
    /// longer ones.
    pub commit_times: [u64; WriterStats::BOUNDS.len() + 1],
}

impl WriterStats {
    /// The bounds of [`WriterStats::commit_times`].
    pub const BOUNDS: [Duration; 12] = [
        Duration::from_micros(100),
        Duration::from_micros(250),
        Duration::from_micros(500),
        Duration::from_millis(1),
        Duration::from_micros(2500),
        Duration::from_millis(5),
        Duration::from_millis(10),
        Duration::from_millis(25),
        Duration::from_millis(50),
        Duration::from_millis(100),
        Duration::from_millis(250),
        Duration::from_secs(1),
    ];

    pub(super) fn committed(&mut self, appended: u64, took: Duration) {
        self.commits += 1;
        self.appended += appended;
        self.largest_group = self.largest_group.max(appended);
        self.commit_time += took;
        let bucket = WriterStats::BOUNDS.partition_point(|bound| *bound < took);
        self.commit_times[bucket] += 1;
    }
}
