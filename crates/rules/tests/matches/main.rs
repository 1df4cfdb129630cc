//! A match: the fold of its log, what it refuses, how its rounds start, and what a seat is shown of it.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../play/mod.rs"]
mod play;

mod bytes;
mod fold;
mod forfeits;
mod lines;
mod onlooker;
mod refusals;
mod start;
mod views;
