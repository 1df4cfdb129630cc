//! Any program as a bot: it reads one JSON object a line on stdin and writes one a line on stdout.
//!
//! `proto/LINES.md` specifies the lines. A [`Bridge`] plays an agent's matches through a [`Program`]; it runs one
//! process for all matches, or one for each.
//!
//! ```no_run
//! use chickenfoot_bot::exec::{Bridge, Program};
//! use chickenfoot_bot::{Runner, stop_signal};
//!
//! # async fn example(token: &str) -> Result<(), chickenfoot_bot::exec::Error> {
//! let program = Program::new("python3").arg("my-bot.py");
//! let bridge = Bridge::new(Runner::new("http://127.0.0.1:7440", token), program);
//! let bridge = bridge.on_fault(|note| tracing::warn!("{note}"));
//! bridge.run(stop_signal()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! A process that ends, hangs, does not read or writes nonsense is a [`Fault`] with a name, never a hang: it is started
//! again with growing pauses, and what it was asked is asked again. What it did wrong stands in the [`Report`].
//!
//! Without a service a [`Worker`] is told [`lines::Message`]s and gives answers; [`Bots`] lets the program play where
//! [`crate::local::play`] wants a [`crate::Bot`].

mod bots;
mod bridge;
mod desk;
mod error;
mod fault;
#[cfg(test)]
mod fixture;
pub mod lines;
mod process;
mod program;
mod restarts;
mod table;
mod worker;

pub use bots::Bots;
pub use bridge::Bridge;
pub use error::Error;
pub use fault::{Fault, Ledger, Note, Report};
pub use program::{Limits, Program};
pub use worker::{Answer, Said, Worker};
