use std::time::Duration;

/// How a [`Sqlite`](crate::Sqlite) store works. [`Options::default`] suits a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// Connections that read, each with a thread.
    pub readers: usize,
    /// Calls that may wait for the writer; more make their callers wait. The same number may wait for the readers.
    pub queue: usize,
    /// Entries that one transaction may hold, apart from the batch that reaches the number.
    pub max_group: usize,
    /// Most matches that are not over.
    pub max_live: u64,
    /// Most agents.
    pub max_agents: u64,
    /// Most tournaments that are not over.
    pub max_tournaments: u64,
    /// Largest size of the file in bytes, rounded down to whole pages; `None` for as much as the disk holds.
    pub max_bytes: Option<u64>,
    /// How much is examined before the file is used.
    pub examine: Examine,
    /// How long a statement waits for a lock that another program holds, such as the `sqlite3` shell.
    pub busy_timeout: Duration,
}

/// How much of a file is examined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Examine {
    /// The structure of the whole file, and every row but those of matches that are over. Those are examined when they
    /// are read. The time is that of reading the file once.
    Live,
    /// Every index and every row.
    Everything,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            readers: 2,
            queue: 1024,
            max_group: 4096,
            max_live: 200_000,
            max_agents: 1_000_000,
            max_tournaments: 1_000,
            max_bytes: None,
            examine: Examine::Live,
            busy_timeout: Duration::from_secs(5),
        }
    }
}
