//! The Chicken Foot match service: gRPC in front of the [arena](chickenfoot_arena).
//!
//! [`Server::run`] serves on a listener that the caller has bound, until the caller's future says stop.

mod access;
mod agents;
mod auth;
pub mod authz;
mod config;
mod credentials;
pub mod demo;
mod detail_layer;
mod matches;
mod once;
mod reason;
mod refusal;
mod server;
mod session;
mod state;
mod tls;
mod watch;
mod wire;

pub use access::{Access, AccessArgs, AccessError, AdminToken};
pub use config::{Config, Limits};
pub use reason::Reason;
pub use refusal::{DOMAIN, Refusal};
pub use server::{Server, ServerError};
pub use tls::{Tls, TlsArgs, TlsError};
