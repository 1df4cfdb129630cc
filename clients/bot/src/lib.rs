//! Write a Chicken Foot bot: implement [`Bot`], hand it to a [`Runner`], done.
//!
//! ```no_run
//! use chickenfoot_bot::{Bot, Client, Runner, Turn};
//! use chickenfoot_rules::Move;
//!
//! /// Plays the first option.
//! struct First;
//!
//! impl Bot for First {
//!     fn choose(&mut self, turn: &Turn) -> Move {
//!         turn.options[0]
//!     }
//! }
//!
//! # async fn example() -> Result<(), chickenfoot_bot::Error> {
//! let token = Client::connect("http://127.0.0.1:7440", None)?.register("first").await?;
//! let runner = Runner::new("http://127.0.0.1:7440", &token);
//! runner.run(|_game| Box::new(First), std::future::pending()).await?;
//! # Ok(())
//! # }
//! ```
//!
//! The runner connects with growing pauses, opens the agent's session, takes the seats that are offered, answers every
//! decision, and after a lost connection or a restart of the service comes back and answers what is still open. One
//! bot value plays one seat of one match; matches go on side by side.
//!
//! [`Client`] has every call of the service, tournaments included; [`TournamentWatch`] follows one to its end.
//! [`Client::watch`] brings the events of a match, [`Client::watch_scenes`] with what it takes to draw them.
//!
//! A bot may also be a program in any language, which reads and writes lines: see [`exec`].
//!
//! [`local::play`] plays the same bots without a service, with the same result for the same seed.

mod backoff;
mod bot;
mod client;
mod endpoint;
mod error;
pub mod exec;
pub mod local;
mod options;
mod runner;
mod session;
mod stop;
mod strategy;
mod tournament_watch;
mod tournaments;

pub use bot::{Bot, GameEnd, GameInfo, Turn};
pub use client::{Client, Events, Page, Scenes, entropy, request_id};
pub use error::Error;
pub use options::ConnectOptions;
pub use runner::{Runner, Stats};
pub use session::Session;
pub use stop::stop_signal;
pub use strategy::{StrategyBot, strategy_bots};
pub use tournament_watch::TournamentWatch;
pub use tournaments::Export;
