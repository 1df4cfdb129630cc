//! Finds out what is wrong with a Chicken Foot bot before its first tournament.
//!
//! [`examine`] starts the real server program with a store of its own, puts a gateway between it and the bot, and plays
//! scripted matches. The gateway sees every message of the bot's session in both directions, with times, and disturbs
//! the session where a check asks for it: it cuts the connection, delivers a decision twice, loses an answer, delays,
//! holds everything back. What the bot promised and did not keep is told with the transcript around it.
//!
//! [`CHECKS`] lists what is checked. Everything that an examination starts ends with it.

mod bot;
mod bridge;
mod check;
mod checks;
mod doctor;
mod exam;
mod gateway;
mod group;
mod program;
mod report;
mod scene;
mod service;
mod transcript;

pub use bot::Subject;
pub use check::{Check, Failure, Outcome, Verdict};
pub use checks::CHECKS;
pub use doctor::{Error, Follow, Plan, examine};
pub use report::{Report, Times};
pub use transcript::Promise;
