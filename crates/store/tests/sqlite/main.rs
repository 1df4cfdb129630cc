//! What the embedded backend promises beyond the laws of every backend.

#![allow(clippy::unwrap_used)]

mod common;
mod files;
mod full;
mod migrations;
mod reopen;
mod shell;
mod torn;
mod tournaments;
