use std::net::SocketAddr;
use std::time::Duration;

use tracing::level_filters::LevelFilter;

use super::Limits;
use crate::access::AdminToken;
use crate::authz::Registration;

/// A key of the configuration: in a file `name` in `[section]`, as a flag and in the environment by [`Key::flag`] and
/// [`Key::env`].
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The section of the file.
    pub section: &'static str,
    /// The name in its section.
    pub name: &'static str,
    /// What it does: a sentence.
    pub doc: &'static str,
    /// What values it has.
    pub kind: Kind,
    /// Whether its value is never to be shown. It comes from the environment alone: every user of a machine can read the
    /// flags of its processes, and files of configuration get around.
    pub secret: bool,
}

/// What values a key has.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number.
    Number {
        /// What it counts.
        unit: &'static str,
        /// What it is unless said otherwise.
        default: u64,
        /// The least.
        min: u64,
        /// The most.
        max: u64,
    },
    /// A text.
    Text {
        /// What it is unless said otherwise.
        default: &'static str,
        /// Which texts are taken.
        bound: &'static str,
        /// Whether a text is taken.
        takes: fn(&str) -> bool,
    },
}

/// The keys beside those of [`Limits`]. They are in the order of the file.
pub const KEYS: &[Key] = &[
    Key {
        section: "server",
        name: "listen",
        doc: "Address to listen on. Port 0 takes a free one, which the log tells.",
        kind: Kind::Text { default: "127.0.0.1:7440", bound: ADDRESS, takes: |text| address(text).is_some() },
        secret: false,
    },
    Key {
        section: "server",
        name: "page",
        doc: "The spectators' page, on the port of gRPC.",
        kind: Kind::Text { default: "on", bound: "on or off", takes: |text| ["on", "off"].contains(&text) },
        secret: false,
    },
    Key {
        section: "server",
        name: "admin_listen",
        doc: "Address of the operator's HTTP port with /metrics, /live and /ready. Not for the public.",
        kind: Kind::Text {
            default: "off",
            bound: "Address and port, as in 127.0.0.1:7441, or off",
            takes: |text| text == "off" || address(text).is_some(),
        },
        secret: false,
    },
    Key {
        section: "server",
        name: "store",
        doc: "The file in which agents and matches are kept, made if it is not there; or memory: lost when the service stops.",
        kind: Kind::Text {
            default: "chickenfoot.db",
            bound: "memory, or the path of a file",
            takes: |text| !text.trim().is_empty(),
        },
        secret: false,
    },
    Key {
        section: "server",
        name: "drain",
        doc: "How long stopping may take; what is not done by then is cut off.",
        kind: Kind::Number { unit: "seconds", default: 10, min: 1, max: 3600 },
        secret: false,
    },
    Key {
        section: "store",
        name: "keep_matches",
        doc: "How long matches that are over are kept. Later they are deleted, records and all.",
        kind: Kind::Text {
            default: "forever",
            bound: "forever, or a number of days, 1 to 36500",
            takes: |text| text == "forever" || days(text).is_some(),
        },
        secret: false,
    },
    Key {
        section: "access",
        name: "registration",
        doc: "Who may register agents: anyone, or admins only.",
        kind: Kind::Text {
            default: "open",
            bound: "open or closed",
            takes: |text| registration(text).is_some(),
        },
        secret: false,
    },
    Key {
        section: "access",
        name: "admin_token_file",
        doc: "File with the token of the agent \"admin\", which may do everything. It goes before CHICKENFOOT_ADMIN_TOKEN.",
        kind: FILE,
        secret: false,
    },
    Key {
        section: "access",
        name: "admin_token",
        doc: "The token of the agent \"admin\".",
        kind: Kind::Text {
            default: "",
            bound: "One line of at least 32 characters, visible ASCII without spaces, such as those of \
                    `openssl rand -hex 32`, or nothing",
            takes: |text| text.is_empty() || admin_token(text).is_some(),
        },
        secret: true,
    },
    Key {
        section: "tls",
        name: "cert",
        doc: "Serve over TLS with this certificate, in PEM, the ones that vouch for it behind it.",
        kind: FILE,
        secret: false,
    },
    Key {
        section: "tls",
        name: "key",
        doc: "The certificate's private key, in PEM.",
        kind: FILE,
        secret: false,
    },
    Key {
        section: "tls",
        name: "client_ca",
        doc: "Take only clients that have a certificate of this authority, in PEM.",
        kind: FILE,
        secret: false,
    },
    Key {
        section: "log",
        name: "level",
        doc: "What is logged to stderr. RUST_LOG, if set, goes before it.",
        kind: Kind::Text {
            default: "info",
            bound: "off, error, warn, info, debug or trace",
            takes: |text| level(text).is_some(),
        },
        secret: false,
    },
    Key {
        section: "log",
        name: "format",
        doc: "What a line of the log looks like; auto is text on a terminal and JSON elsewhere.",
        kind: Kind::Text {
            default: "auto",
            bound: "auto, text or json",
            takes: |text| ["auto", "text", "json"].contains(&text),
        },
        secret: false,
    },
    Key {
        section: "telemetry",
        name: "otlp_endpoint",
        doc: "Send traces to this collector, by OTLP over gRPC. Only in a server built with the feature otlp.",
        kind: Kind::Text {
            default: "",
            bound: "Address, as in http://127.0.0.1:4317, or nothing",
            takes: |text| text.is_empty() || is_plain_http(text),
        },
        secret: false,
    },
    Key {
        section: "telemetry",
        name: "otlp_per_thousand",
        doc: "How many spans of a thousand are sent, chosen by chance.",
        kind: Kind::Number { unit: "spans", default: 1000, min: 1, max: 1000 },
        secret: false,
    },
];

/// A file that need not be.
const FILE: Kind = Kind::Text { default: "", bound: "Path of a file, or nothing", takes: |_| true };

const ADDRESS: &str = "Address and port, as in 127.0.0.1:7440 or [::1]:7440";

/// All keys, section by section.
pub(super) fn all() -> impl Iterator<Item = &'static Key> {
    KEYS.iter().chain(Limits::KEYS)
}

pub(super) fn address(text: &str) -> Option<SocketAddr> {
    text.parse().ok()
}

/// Whether a text is the address of something that speaks HTTP without TLS.
fn is_plain_http(text: &str) -> bool {
    text.parse::<http::Uri>().is_ok_and(|uri| uri.scheme_str() == Some("http") && uri.host().is_some())
}

pub(super) fn level(text: &str) -> Option<LevelFilter> {
    ["off", "error", "warn", "info", "debug", "trace"].contains(&text).then(|| text.parse().ok()).flatten()
}

/// A number of whole days, at least one.
pub(super) fn days(text: &str) -> Option<Duration> {
    let days: u64 = text.parse().ok().filter(|days| (1..=36_500).contains(days))?;
    Some(Duration::from_secs(days * 24 * 3600))
}

pub(super) fn registration(text: &str) -> Option<Registration> {
    match text {
        "open" => Some(Registration::Open),
        "closed" => Some(Registration::Closed),
        _ => None,
    }
}

pub(super) fn admin_token(text: &str) -> Option<AdminToken> {
    AdminToken::new(text.trim()).ok()
}

/// A value that its key takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Number(u64),
    Text(String),
}

impl Value {
    pub(super) fn number(&self) -> u64 {
        match self {
            Value::Number(number) => *number,
            Value::Text(_) => 0,
        }
    }

    pub(super) fn text(&self) -> String {
        match self {
            Value::Number(number) => number.to_string(),
            Value::Text(text) => text.clone(),
        }
    }
}

impl Key {
    /// The name with its section, as in `limits.heartbeat`.
    pub fn id(&self) -> String {
        format!("{}.{}", self.section, self.name)
    }

    /// The flag without its hyphens, as in `max-message`.
    pub fn flag(&self) -> String {
        let name = self.name.replace('_', "-");
        // Names that say too little without their section.
        if ["log", "tls"].contains(&self.section) { format!("{}-{name}", self.section) } else { name }
    }

    /// The name in the environment, as in `CHICKENFOOT_MAX_MESSAGE`.
    pub fn env(&self) -> String {
        format!("CHICKENFOOT_{}", self.flag().replace('-', "_").to_uppercase())
    }

    /// Which values it takes, for people.
    pub fn bound(&self) -> String {
        match self.kind {
            Kind::Number { unit, min, max, .. } => format!("Number of {unit}, {min} to {max}"),
            Kind::Text { bound, .. } => bound.to_owned(),
        }
    }

    pub(super) fn default_value(&self) -> Value {
        match self.kind {
            Kind::Number { default, .. } => Value::Number(default),
            Kind::Text { default, .. } => Value::Text(default.to_owned()),
        }
    }

    /// Reads a value; the error is the bound.
    pub(super) fn read(&self, text: &str) -> Result<Value, String> {
        let value = match self.kind {
            Kind::Number { min, max, .. } => {
                text.parse().ok().filter(|number| (min..=max).contains(number)).map(Value::Number)
            }
            Kind::Text { takes, .. } => takes(text).then(|| Value::Text(text.to_owned())),
        };
        value.ok_or_else(|| self.bound())
    }

    /// A value as TOML.
    pub(super) fn to_toml(self, value: &Value) -> String {
        match value {
            _ if self.secret => "\"(hidden)\"".to_owned(),
            Value::Number(number) => number.to_string(),
            Value::Text(text) => quoted(text),
        }
    }
}

/// A basic string of TOML.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}
