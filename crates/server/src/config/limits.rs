use std::time::Duration;

use super::key::{Key, Kind};

/// A limit's name, type, default and bounds in one row; its key, its place in the Hello and its field follow.
macro_rules! limits {
    ($($(#[doc = $doc:literal])+ $name:ident: $type:ty = $default:literal, $min:literal..=$max:literal, $unit:literal;)+) => {
        /// What bounds clients, so that memory is bounded and no client takes more than its share.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Limits {
            $($(#[doc = $doc])+ pub $name: $type,)+
        }

        impl Limits {
            /// The keys of the configuration.
            pub(super) const KEYS: &[Key] = &[$(Key {
                section: "limits",
                name: stringify!($name),
                doc: concat!($($doc),+).trim_ascii(),
                kind: Kind::Number { unit: $unit, default: $default, min: $min, max: $max },
                secret: false,
            }),+];

            /// All limits by their keys in the configuration.
            pub fn values(&self) -> impl Iterator<Item = (&'static str, u64)> {
                [$((concat!("limits.", stringify!($name)), u64::from(self.$name))),+].into_iter()
            }

            /// Limits from numbers within their bounds, which every field has room for.
            pub(super) fn of(number: impl Fn(&str) -> u64) -> Limits {
                Limits { $($name: number(stringify!($name)) as $type),+ }
            }
        }

        impl Default for Limits {
            fn default() -> Limits {
                Limits { $($name: $default),+ }
            }
        }
    };
}

limits! {
    /// Time without another message after which a stream sends a heartbeat.
    heartbeat: u64 = 10, 1..=600, "seconds";
    /// Largest message that is taken.
    max_message: u32 = 65_536, 1024..=4_194_304, "bytes";
    /// Most choices and replies of one session that may wait for their answer at once.
    max_pending: u32 = 1024, 1..=65_536, "messages";
    /// Most streams and calls at once on one connection.
    max_streams: u32 = 10_000, 1..=1_000_000, "streams";
    /// Most connections. One more is closed at once.
    max_connections: u32 = 10_000, 1..=1_000_000, "connections";
    /// Most agents with a session.
    max_sessions: u32 = 20_000, 1..=1_000_000, "sessions";
    /// Most streams that watch a match, of all matches.
    max_watches: u32 = 20_000, 1..=1_000_000, "streams";
    /// Most streams that watch one match.
    max_watches_per_match: u32 = 2_000, 1..=1_000_000, "streams";
    /// Most matches of which the scenes are kept for who watches them next, of 0.2 megabytes with double-nine and 1.5 with
    /// double-eighteen. Those of a match that is being watched with scenes are kept beyond that, see max_scene_matches.
    max_scenes: u32 = 64, 1..=65_536, "matches";
    /// Most matches that are watched with scenes at once.
    max_scene_matches: u32 = 1_024, 1..=65_536, "matches";
    /// Most matches that wait for seats to be taken.
    max_open_matches: u32 = 20_000, 1..=1_000_000, "matches";
    /// Most matches that wait for seats or are being played.
    max_matches: u32 = 50_000, 1..=1_000_000, "matches";
    /// Most matches made by one agent that wait for seats to be taken.
    max_open_matches_per_agent: u32 = 1_000, 1..=1_000_000, "matches";
    /// Most matches, waiting or being played, that one agent made or sits in.
    max_matches_per_agent: u32 = 5_000, 1..=1_000_000, "matches";
    /// Most calls and choices of one agent in a second, and as many at once.
    max_agent_calls: u32 = 10_000, 1..=1_000_000, "calls a second";
    /// Most calls without a token, or with a wrong one, from one address (IPv6: one /64 network) in a second, and as many
    /// at once.
    max_peer_calls: u32 = 1_000, 1..=1_000_000, "calls a second";
    /// Messages that may wait to be written to one session. When it is full the session waits, and nobody else.
    session_out_queue: u32 = 64, 1..=65_536, "messages";
    /// Messages from matches that may wait for one session. What does not fit is sent again by and by.
    session_in_queue: u32 = 4096, 16..=65_536, "messages";
    /// Messages from matches that may wait for one watching stream. What does not fit is sent again by and by.
    watch_in_queue: u32 = 64, 1..=65_536, "messages";
    /// Most pictures and records that are being made for browsers, or wait for their turn.
    max_drawings: u32 = 64, 1..=65_536, "answers";
    /// Time after which a match that has not started is aborted.
    open_match_time: u64 = 3600, 1..=2_592_000, "seconds";
    /// Time for which the answer to a request with a request id is remembered.
    request_time: u64 = 86_400, 60..=2_592_000, "seconds";
}

impl Limits {
    /// Time without another message after which a stream sends a heartbeat.
    pub fn heartbeat_interval(&self) -> Duration {
        Duration::from_secs(self.heartbeat)
    }

    /// Time after which a match that has not started is aborted.
    pub fn open_match_time(&self) -> Duration {
        Duration::from_secs(self.open_match_time)
    }
}
