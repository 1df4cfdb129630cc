//! Who may do what, and over which connections.

// The lint knows tests by their attribute, and not what they share.
#![allow(clippy::unwrap_used)]

mod calls;
mod service;
mod start;
mod table;
mod tls;
mod tokens;
