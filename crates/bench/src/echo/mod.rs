//! The bare service that the real one is measured against.

use bytes::Bytes;

mod client;
mod server;

pub(crate) use client::run;
pub(crate) use server::EchoServer;

#[allow(missing_docs, clippy::all)]
mod wire {
    tonic::include_proto!("chickenfoot.bench");
}

/// A payload that makes a ball of so many bytes: 12 go to the lane and to tags and lengths, one less if it is short.
fn payload(ball: u32) -> Bytes {
    let head = if ball < 128 + 11 { 11 } else { 12 };
    Bytes::from(vec![7; ball.saturating_sub(head).max(1) as usize])
}
