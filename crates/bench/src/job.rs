use serde::{Deserialize, Serialize};

use crate::process::Server;

/// What a client process is to do. It travels as the argument of the process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Job {
    /// Where the server listens: address and port.
    pub(crate) address: String,
    /// The server's process, whose times are read.
    pub(crate) server: u32,
    /// What the server is.
    pub(crate) target: Target,
    /// How answers go up.
    pub(crate) way: Way,
    /// Matches that are played at once, each with one choice under way.
    pub(crate) matches: u32,
    /// Agents, each with one session; a multiple of four.
    pub(crate) sessions: u32,
    /// Connections that the sessions share.
    pub(crate) connections: u32,
    /// How long is played before anything counts, in seconds.
    pub(crate) warm_up: f64,
    /// Most choices a second; none to send each at once.
    pub(crate) rate: Option<f64>,
    /// Rounds of each match; none for as many as the rules have.
    pub(crate) rounds: Option<u32>,
    /// Highest number of the set; none for the one of the rules.
    pub(crate) max_pip: Option<u32>,
    /// Readers of each match.
    pub(crate) watchers: u32,
    /// When it is over.
    pub(crate) until: Until,
}

impl Job {
    /// A job at this server with four agents for each match, each at once and with the rules' own matches.
    pub(crate) fn new(server: &Server, target: Target, matches: u32, until: Until) -> Job {
        Job {
            address: server.address.clone(),
            server: server.id(),
            target,
            way: Way::Session,
            matches,
            sessions: (matches * 4).min(SESSIONS),
            connections: CONNECTIONS.min(matches * 4),
            warm_up: 1.0,
            rate: None,
            rounds: None,
            max_pip: None,
            watchers: 0,
            until,
        }
    }
}

/// Sessions that the matches of a run share unless asked otherwise.
pub(crate) const SESSIONS: u32 = 64;

/// Connections that the sessions share unless asked otherwise.
pub(crate) const CONNECTIONS: u32 = 16;

/// What a client process talks to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Target {
    /// The match service.
    Service,
    /// The bare echo, with choices of this many bytes.
    Echo {
        /// Size of a choice.
        up: u32,
    },
}

/// How answers to decisions go up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub(crate) enum Way {
    /// On the session's stream.
    Session,
    /// One unary call each.
    Unary,
}

/// When a client process stops.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum Until {
    /// After so many seconds.
    Seconds(f64),
    /// When its input ends. Each line of it is a number of matches; when so many more have ended, all others are held
    /// where they are, and what was measured is a line of output.
    Told,
    /// As soon as all matches run: nothing is played. The memory of the server is what counts.
    Begun,
}

/// What a client process measured.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Outcome {
    /// The figures; none if nothing was played, or if they were told line by line.
    pub(crate) part: Option<Part>,
    /// The server's memory before any match, in bytes, its sessions open.
    pub(crate) memory_before: u64,
    /// The server's memory at the end, in bytes.
    pub(crate) memory_after: u64,
}

/// What was measured in a run, or in a part of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Part {
    /// Answers that the server acknowledged.
    pub(crate) decisions: u64,
    /// Matches that ended.
    pub(crate) matches: u64,
    /// How long it took.
    pub(crate) seconds: f64,
    /// CPU time of the server, in seconds.
    pub(crate) server: f64,
    /// CPU time of the client process, in seconds.
    pub(crate) client: f64,
    /// Half of the answers were acknowledged within so many microseconds.
    pub(crate) p50: f64,
    /// 99 % were.
    pub(crate) p99: f64,
    /// 99.9 % were.
    pub(crate) p999: f64,
    /// Mean size of a decision, in bytes.
    pub(crate) down: f64,
    /// Mean size of a choice, in bytes.
    pub(crate) up: f64,
    /// Bytes of all messages down, for each answer.
    pub(crate) all_down: f64,
    /// Events that watchers read.
    pub(crate) watched: u64,
}

impl Part {
    /// Decisions a second.
    pub(crate) fn rate(&self) -> f64 {
        self.decisions as f64 / self.seconds
    }

    /// Microseconds of the server's CPU for a decision.
    pub(crate) fn server_us(&self) -> f64 {
        self.server * 1e6 / self.decisions as f64
    }

    /// Microseconds of the client's CPU for a decision.
    pub(crate) fn client_us(&self) -> f64 {
        self.client * 1e6 / self.decisions as f64
    }
}
