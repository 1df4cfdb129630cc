//! The Chicken Foot match service: gRPC in front of the [arena](chickenfoot_arena).
//!
//! [`Server::run`] serves on a listener that the caller has bound, until the caller's future says stop.

mod agents;
mod auth;
mod config;
pub mod demo;
mod detail_layer;
mod matches;
mod once;
mod reason;
mod refusal;
mod server;
mod session;
mod state;
mod watch;
mod wire;

pub use config::{Config, Limits};
pub use reason::Reason;
pub use refusal::{DOMAIN, Refusal};
pub use server::{Server, ServerError};
