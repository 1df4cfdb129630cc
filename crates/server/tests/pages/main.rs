//! What browsers get from the port of gRPC.

#![allow(clippy::unwrap_used, missing_docs)]

mod ask;
mod caching;
mod calls;
#[path = "../common/mod.rs"]
mod common;
mod limits;
mod pictures;
mod records;
mod routes;
mod starting;
#[path = "../stubs/mod.rs"]
mod stubs;
#[path = "../web/mod.rs"]
mod web;
