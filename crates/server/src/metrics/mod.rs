use std::time::{Duration, Instant};

use chickenfoot_rules::Entry;
use chickenfoot_store::{Append, Appended, Cause, MatchState};
use metrics::{Counter, Gauge, Histogram, Key, Label, Metadata, Recorder};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle, PrometheusRecorder};

mod calls;
mod family;
mod memory;
mod pages;

pub(crate) use calls::{Calls, MetricsLayer};
pub use family::{FAMILIES, Family, FamilyKind};
use pages::Pages;
#[cfg(test)]
pub(crate) use pages::STATUSES;

/// What a store says of its transactions, since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StoreStats {
    /// Transactions that were committed.
    pub commits: u64,
    /// Transactions that failed.
    pub failures: u64,
    /// Entries in the transactions that were committed.
    pub entries: u64,
    /// Time in them, the wait for the disk included.
    pub time: Duration,
}

/// How things stand at the moment at which somebody asks.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Snapshot {
    pub(crate) connections: usize,
    pub(crate) open_matches: usize,
    pub(crate) running_matches: usize,
    pub(crate) match_tasks: usize,
    pub(crate) sessions: usize,
    pub(crate) watches: usize,
    pub(crate) watch_lag: u64,
    pub(crate) scene_matches: usize,
    pub(crate) scene_tiles: u64,
    pub(crate) store: StoreStats,
    pub(crate) store_writable: bool,
    pub(crate) ready: bool,
}

/// The metrics of one server. Nothing is global, so that a process may have several.
pub(crate) struct Metrics {
    registry: Registry,
    handle: PrometheusHandle,
    started: Instant,
    pub(crate) calls: Calls,
    pub(crate) pages: Pages,
    pub(crate) connections_refused: Counter,
    decided_by_agent: Counter,
    decided_by_house: Counter,
    decided_by_default: Counter,
    late: Counter,
    gone: Counter,
    illegal: Counter,
    strikes: Counter,
    strict: Counter,
    server_faults: Counter,
    finished: Counter,
    aborted: Counter,
    append_seconds: Histogram,
    append_entries: Histogram,
    conflict: Counter,
    fenced: Counter,
    unknown: Counter,
}

/// Makes the handles of metrics.
pub(crate) struct Registry(PrometheusRecorder);

const METADATA: Metadata<'static> =
    Metadata::new("chickenfoot_server", metrics::Level::INFO, Some("chickenfoot_server"));

impl Registry {
    fn new() -> Registry {
        let mut builder = PrometheusBuilder::new();
        for family in FAMILIES {
            if let FamilyKind::Histogram(buckets) = family.kind {
                // Fails only without buckets, and there are some.
                builder = builder
                    .set_buckets_for_metric(Matcher::Full(family.name.to_owned()), buckets)
                    .unwrap_or_default();
            }
        }
        let recorder = builder.build_recorder();
        for family in FAMILIES {
            let (name, help) = (family.name.into(), family.help.into());
            match family.kind {
                FamilyKind::Counter => recorder.describe_counter(name, None, help),
                FamilyKind::Gauge => recorder.describe_gauge(name, None, help),
                FamilyKind::Histogram(_) => recorder.describe_histogram(name, None, help),
            }
        }
        Registry(recorder)
    }

    pub(crate) fn counter(&self, family: Family, labels: &[&'static str]) -> Counter {
        self.0.register_counter(&key(family, labels), &METADATA)
    }

    fn gauge(&self, family: Family, labels: &[&'static str]) -> Gauge {
        self.0.register_gauge(&key(family, labels), &METADATA)
    }

    pub(crate) fn histogram(&self, family: Family, labels: &[&'static str]) -> Histogram {
        self.0.register_histogram(&key(family, labels), &METADATA)
    }
}

fn key(family: Family, values: &[&'static str]) -> Key {
    debug_assert_eq!(family.labels.len(), values.len(), "labels of {}", family.name);
    let labels = family.labels.iter().zip(values).map(|(name, value)| Label::new(*name, *value));
    Key::from_parts(family.name, labels.collect::<Vec<_>>())
}

impl Metrics {
    pub(crate) fn new() -> Metrics {
        use family as f;
        let registry = Registry::new();
        let counter = |family, labels: &[&'static str]| registry.counter(family, labels);
        Metrics {
            handle: registry.0.handle(),
            started: Instant::now(),
            calls: Calls::new(&registry),
            pages: Pages::new(&registry),
            connections_refused: counter(f::CONNECTIONS_REFUSED, &[]),
            decided_by_agent: counter(f::DECISIONS, &["agent"]),
            decided_by_house: counter(f::DECISIONS, &["house"]),
            decided_by_default: counter(f::DECISIONS, &["default"]),
            late: counter(f::FAULTS, &["late"]),
            gone: counter(f::FAULTS, &["gone"]),
            illegal: counter(f::FAULTS, &["illegal"]),
            strikes: counter(f::FAULTS, &["strikes"]),
            strict: counter(f::FAULTS, &["strict"]),
            server_faults: counter(f::SERVER_FAULTS, &[]),
            finished: counter(f::MATCHES_ENDED, &["finished"]),
            aborted: counter(f::MATCHES_ENDED, &["aborted"]),
            append_seconds: registry.histogram(f::APPEND_SECONDS, &[]),
            append_entries: registry.histogram(f::APPEND_ENTRIES, &[]),
            conflict: counter(f::APPEND_FAILURES, &["conflict"]),
            fenced: counter(f::APPEND_FAILURES, &["fenced"]),
            unknown: counter(f::APPEND_FAILURES, &["unknown"]),
            registry,
        }
    }

    /// A limit was reached.
    pub(crate) fn limit_reached(&self, key: &'static str) {
        self.registry.counter(family::LIMITS_REACHED, &[key]).increment(1);
    }

    /// Makes the limits appear before one is reached.
    pub(crate) fn name_limits(&self, keys: impl Iterator<Item = &'static str>) {
        for key in keys {
            self.registry.counter(family::LIMITS_REACHED, &[key]).increment(0);
        }
    }

    /// An open match was aborted.
    pub(crate) fn aborted(&self) {
        self.aborted.increment(1);
    }

    /// Entries were given to the store, and after `time` it answered.
    pub(crate) fn appended<'a>(
        &self,
        entries: impl ExactSizeIterator<Item = (&'a Note, &'a Appended)>,
        time: Duration,
    ) {
        self.append_seconds.record(time.as_secs_f64());
        self.append_entries.record(entries.len() as f64);
        for (note, outcome) in entries {
            match outcome {
                Appended::Appended => self.entry(note),
                Appended::Duplicate => {}
                Appended::Conflict => self.conflict.increment(1),
                Appended::Fenced => self.fenced.increment(1),
                Appended::Unknown => self.unknown.increment(1),
            }
        }
    }

    fn entry(&self, note: &Note) {
        self.illegal.increment(note.illegal.into());
        match note.cause {
            Cause::Agent if note.is_choice => self.decided_by_agent.increment(1),
            Cause::House => self.decided_by_house.increment(1),
            Cause::Late => {
                self.late.increment(1);
                self.decided_by_default.increment(1);
            }
            Cause::Gone => {
                self.gone.increment(1);
                self.decided_by_default.increment(1);
            }
            Cause::Strikes => self.strikes.increment(1),
            Cause::Strict => self.strict.increment(1),
            Cause::ServerFault => self.server_faults.increment(1),
            Cause::Agent | Cause::Creator | Cause::Organiser => {}
        }
        match note.end {
            Some(MatchState::Finished) => self.finished.increment(1),
            Some(MatchState::Aborted(_)) => self.aborted.increment(1),
            Some(MatchState::Open | MatchState::Running) | None => {}
        }
    }

    /// Sorts what was measured into its buckets; to be done every second or so, or memory grows.
    pub(crate) fn upkeep(&self) {
        self.handle.run_upkeep();
    }

    /// All metrics in Prometheus' text format.
    pub(crate) fn render(&self, now: &Snapshot) -> String {
        use family as f;
        let gauge = |family, labels: &[&'static str], value: f64| {
            self.registry.gauge(family, labels).set(value);
        };
        let flag = |value: bool| if value { 1.0 } else { 0.0 };
        gauge(f::CONNECTIONS, &[], now.connections as f64);
        gauge(f::MATCHES, &["open"], now.open_matches as f64);
        gauge(f::MATCHES, &["running"], now.running_matches as f64);
        gauge(f::MATCH_TASKS, &[], now.match_tasks as f64);
        gauge(f::SESSIONS, &[], now.sessions as f64);
        gauge(f::WATCHES, &[], now.watches as f64);
        gauge(f::WATCH_LAG, &[], now.watch_lag as f64);
        gauge(f::SCENE_MATCHES, &[], now.scene_matches as f64);
        let absolute = |family, value| self.registry.counter(family, &[]).absolute(value);
        absolute(f::SCENE_TILES, now.scene_tiles);
        absolute(f::COMMITS, now.store.commits);
        absolute(f::COMMIT_FAILURES, now.store.failures);
        absolute(f::COMMIT_ENTRIES, now.store.entries);
        gauge(f::COMMIT_SECONDS, &[], now.store.time.as_secs_f64());
        gauge(f::STORE_WRITABLE, &[], flag(now.store_writable));
        gauge(f::READY, &[], flag(now.ready));
        gauge(f::BUILD, &[env!("CARGO_PKG_VERSION")], 1.0);
        gauge(f::UPTIME, &[], self.started.elapsed().as_secs_f64());
        gauge(f::MEMORY, &[], memory::resident_bytes().unwrap_or_default() as f64);
        self.handle.render()
    }
}

/// What the metrics want to know of an entry of a log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Note {
    is_choice: bool,
    cause: Cause,
    illegal: u32,
    pub(crate) end: Option<MatchState>,
}

impl From<&Append> for Note {
    fn from(append: &Append) -> Note {
        Note {
            is_choice: matches!(append.row.entry, Entry::Choice(_)),
            cause: append.row.cause,
            illegal: append.row.illegal,
            end: append.end.as_ref().map(|(state, _)| *state),
        }
    }
}
