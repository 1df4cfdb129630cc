//! Tournaments of programs, as pure functions: nothing here knows of time, of a network, or of the game that is played.
//!
//! A tournament is its settings, a public seed, its entrants and its finished [blocks](Block). What is played next, and
//! everything that is shown, follows from these, so a server that starts again recomputes it and goes on.

mod block;
mod design;
mod entrant;
mod error;
mod figures;
mod formats;
mod lots;
mod meetings;
pub mod report;
mod run;
mod schedule;
mod score;
mod seating;
mod setup;
mod standing;
pub mod statistics;
pub mod validate;

pub use block::{Block, BlockResult, Game, Seating};
pub use entrant::{Entrant, EntrantId};
pub use error::Error;
pub use figures::Figures;
pub use run::{AbTest, Run};
pub use schedule::{Schedule, State};
pub use setup::{
    Arrangement, Format, MAX_BLOCKS, MAX_CYCLES, MAX_ENTRANTS, MAX_LOOKAHEAD, MAX_ROUNDS, MAX_TABLE,
    MIN_TABLE, SameOwner, Seeding, Setup,
};
pub use standing::{Bracket, BracketStage, FULL_SCORE, Heat, Place};
