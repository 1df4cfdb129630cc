//! Tournaments over the wire.

#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../common/mod.rs"]
mod common;
mod fixture;
mod formats;
mod seals;
