/// A metric as it appears in `/metrics`.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// Its name.
    pub name: &'static str,
    /// What it counts or measures.
    pub help: &'static str,
    /// What it is.
    pub kind: FamilyKind,
    /// The names of its labels.
    pub labels: &'static [&'static str],
}

/// What a metric is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FamilyKind {
    /// It only grows.
    Counter,
    /// It goes up and down.
    Gauge,
    /// How many values were how large.
    Histogram(&'static [f64]),
}

/// Seconds, from a call that is answered from memory to one that waits for a slow disk.
const SECONDS: &[f64] =
    &[0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0];

/// Sizes of batches.
const SIZES: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];

macro_rules! families {
    ($($(#[doc = $help:literal])+ $constant:ident = $name:literal, $kind:expr, $labels:expr;)+) => {
        $($(#[doc = $help])+ pub(crate) const $constant: Family = Family {
            name: $name,
            help: concat!($($help),+).trim_ascii(),
            kind: $kind,
            labels: &$labels,
        };)+

        /// All metrics of the service.
        pub const FAMILIES: &[Family] = &[$($constant),+];
    };
}

families! {
    /// Calls that have ended, streams included, by method and canonical code.
    CALLS = "chickenfoot_calls_total", FamilyKind::Counter, ["method", "code"];
    /// Time from the arrival of a unary call to its answer, in seconds.
    CALL_SECONDS = "chickenfoot_call_seconds", FamilyKind::Histogram(SECONDS), ["method"];
    /// Answers to browsers, by what was asked for (document, asset, picture, text, record, other) and status.
    PAGES = "chickenfoot_pages_total", FamilyKind::Counter, ["page", "status"];
    /// Time from a browser's request to its answer, in seconds, by what was asked for.
    PAGE_SECONDS = "chickenfoot_page_seconds", FamilyKind::Histogram(SECONDS), ["page"];
    /// Open connections.
    CONNECTIONS = "chickenfoot_connections", FamilyKind::Gauge, [];
    /// Connections that were closed at once because there were too many.
    CONNECTIONS_REFUSED = "chickenfoot_connections_refused_total", FamilyKind::Counter, [];
    /// Calls and choices that were refused because a limit was reached, by the limit's key.
    LIMITS_REACHED = "chickenfoot_limits_reached_total", FamilyKind::Counter, ["limit"];
    /// Matches that are not over, by state: open, running.
    MATCHES = "chickenfoot_matches", FamilyKind::Gauge, ["state"];
    /// Matches whose task runs in this process.
    MATCH_TASKS = "chickenfoot_match_tasks", FamilyKind::Gauge, [];
    /// Matches that have ended, by how: finished, aborted.
    MATCHES_ENDED = "chickenfoot_matches_ended_total", FamilyKind::Counter, ["end"];
    /// Agents with a session.
    SESSIONS = "chickenfoot_sessions", FamilyKind::Gauge, [];
    /// Streams that watch a match.
    WATCHES = "chickenfoot_watches", FamilyKind::Gauge, [];
    /// How many events the watching stream that is furthest behind is behind.
    WATCH_LAG = "chickenfoot_watch_lag_events", FamilyKind::Gauge, [];
    /// Matches of which scenes are kept or being watched.
    SCENE_MATCHES = "chickenfoot_scene_matches", FamilyKind::Gauge, [];
    /// Tiles that were laid out for scenes and pictures: each once a match, unless its scenes were kept no longer.
    SCENE_TILES = "chickenfoot_scene_tiles_total", FamilyKind::Counter, [];
    /// Choices that were stored, by who made them: agent, house, or default for one that was made in a seat's place.
    DECISIONS = "chickenfoot_decisions_total", FamilyKind::Counter, ["by"];
    /// Mistakes of agents: late, gone (late without a stream), illegal, strikes (a seat out), strict (a seat out).
    FAULTS = "chickenfoot_faults_total", FamilyKind::Counter, ["kind"];
    /// Matches that were aborted by a fault of the service.
    SERVER_FAULTS = "chickenfoot_server_faults_total", FamilyKind::Counter, [];
    /// Time from giving entries to the store to knowing that they are stored, in seconds.
    APPEND_SECONDS = "chickenfoot_store_append_seconds", FamilyKind::Histogram(SECONDS), [];
    /// Entries that were given to the store together.
    APPEND_ENTRIES = "chickenfoot_store_append_entries", FamilyKind::Histogram(SIZES), [];
    /// Entries that the store did not take, by why: conflict, fenced, unknown.
    APPEND_FAILURES = "chickenfoot_store_append_failures_total", FamilyKind::Counter, ["why"];
    /// Transactions that the store has committed. 0 for a store without transactions, as are the next three.
    COMMITS = "chickenfoot_store_commits_total", FamilyKind::Counter, [];
    /// Transactions of the store that failed.
    COMMIT_FAILURES = "chickenfoot_store_commit_failures_total", FamilyKind::Counter, [];
    /// Entries in the transactions that the store has committed.
    COMMIT_ENTRIES = "chickenfoot_store_commit_entries_total", FamilyKind::Counter, [];
    /// Time that the store has spent in transactions, in seconds, the wait for the disk included. It only grows.
    COMMIT_SECONDS = "chickenfoot_store_commit_seconds_sum", FamilyKind::Gauge, [];
    /// Whether the store could be written to when it was last tried.
    STORE_WRITABLE = "chickenfoot_store_writable", FamilyKind::Gauge, [];
    /// Whether the service takes new matches and sessions: it is not stopping and the store can be written to.
    READY = "chickenfoot_ready", FamilyKind::Gauge, [];
    /// Always 1; the label is the service's version.
    BUILD = "chickenfoot_build_info", FamilyKind::Gauge, ["version"];
    /// Time since the service started, in seconds.
    UPTIME = "chickenfoot_uptime_seconds", FamilyKind::Gauge, [];
    /// Memory of the process that is in use, in bytes; 0 where it cannot be told.
    MEMORY = "process_resident_memory_bytes", FamilyKind::Gauge, [];
}
