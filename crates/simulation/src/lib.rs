//! Strategies without a service: whole tournaments in process, on all cores.
//!
//! A [`Simulation`] plays the blocks of a [`chickenfoot_tournament::Run`], as the service's director does, from the same
//! deals: the same seed, rules, names and strategies give the same matches with the same digests in both. What comes of
//! it is a [`chickenfoot_tournament::report::Report`]. It does not depend on the number of threads, apart from times,
//! as long as no effort is one in milliseconds.

pub mod analysis;
mod contest;
mod error;
mod game;
mod player;
mod simulation;
mod workers;

pub use contest::{Contest, Tables};
pub use error::Error;
pub use player::{ParsePlayerError, Player, Plays, players};
pub use simulation::{Progress, Simulation, Watch};
