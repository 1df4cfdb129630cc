//! Players for the game of Chicken Foot: a seat's view goes in, a move comes out.
//!
//! A [`Strategy`] sees what its seat may know and nothing else. It does no I/O, reads no clock and draws no chance but
//! from the seed that it is made with, so the same seed and the same views always give the same moves.
mod dead_foot;
mod greedy;
mod kind;
mod lowest;
mod random;
mod seed;
mod tiles;

use chickenfoot_rules::{Move, View};

pub use kind::{KINDS, Kind, NAMES, by_name};
pub use seed::seat_seed;

/// A player: one value for each seat and match.
///
/// A strategy may remember what it saw and how much chance it has used, so a value that is shared by two seats or
/// kept for a second match would play differently from a fresh one. [`seat_seed`] gives the seed of a fresh one.
pub trait Strategy: Send {
    /// The move of the seat whose view it is, which is on turn: one of [`View::moves`].
    ///
    /// Moves without an alternative may be asked for or not, as the match is set up; what is played elsewhere does not
    /// depend on it.
    fn choose(&mut self, view: &View<'_>) -> Move;
}
