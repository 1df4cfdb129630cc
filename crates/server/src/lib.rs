//! The Chicken Foot match service: gRPC in front of the [arena](chickenfoot_arena).
//!
//! [`Server::run`] serves on a listener that the caller has bound, until the caller's future says stop.

mod access;
mod admin;
mod agents;
mod auth;
pub mod authz;
mod census;
mod config;
mod connections;
mod credentials;
pub mod demo;
mod detail_layer;
mod health;
mod leaderboard;
mod limits;
mod log;
mod matches;
mod metrics;
mod observed;
mod once;
mod pages;
mod reason;
mod refusal;
mod scenes;
mod server;
mod session;
mod state;
mod sweep;
mod tls;
mod tournaments;
mod traces;
mod watch;
mod wire;

pub use access::{Access, AccessError, AccessFrom, AdminToken};
pub use config::{Config, ConfigError, Flags, KEYS, Key, Kind, Limits, Log, LogFormat, Origin, StoreAt};
pub use log::start as start_log;
pub use metrics::{FAMILIES, Family, FamilyKind, StoreStats};
pub use reason::Reason;
pub use refusal::{DOMAIN, Refusal};
pub use server::{Server, ServerError, Stores};
pub use tls::{Tls, TlsError, TlsFiles};
pub use traces::{Traces, TracesError, TracesTo};
