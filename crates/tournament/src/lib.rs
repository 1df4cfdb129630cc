//! Tournaments of programs, as pure functions: nothing here knows of time, of a network, or of the game that is played.
//!
//! A tournament is its settings, a public seed, its entrants and its finished [blocks](Block). What is played next, and
//! everything that is shown, follows from these, so a server that starts again recomputes it and goes on.

mod block;
mod entrant;
pub mod statistics;

pub use block::{Block, BlockResult, Game, Seating};
pub use entrant::{Entrant, EntrantId};
