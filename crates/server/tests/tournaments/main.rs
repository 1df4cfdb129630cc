//! Tournaments over the wire.

#![allow(clippy::unwrap_used, missing_docs)]

mod bots;
#[path = "../common/mod.rs"]
mod common;
mod faults;
mod fixture;
mod formats;
mod refusals;
mod restart;
mod seals;
mod simulated;
mod store;
