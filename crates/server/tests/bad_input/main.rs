//! Whatever a client sends, it is told what is wrong in a form that a program can read, and nobody else notices.

#![allow(clippy::unwrap_used, missing_docs)]

mod choices;
#[path = "../common/mod.rs"]
mod common;
mod configs;
mod garbage;
mod provoke;
mod reasons;
mod scene;
#[path = "../stubs/mod.rs"]
mod stubs;
mod tournaments;
#[path = "../web/mod.rs"]
mod web;
