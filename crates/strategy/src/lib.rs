//! Players for the game of Chicken Foot: a seat's view goes in, a move comes out.
//!
//! A [`Strategy`] sees what its seat may know and nothing else. It does no I/O, reads no clock and draws no chance but
//! from the seed that it is made with, so the same seed and the same views always give the same moves.

mod chance;
mod clock;

mod dead_foot;
mod determiniser;
mod effort;
mod equations;
mod estimate;
mod greedy;
mod kind;
mod learnt;
mod lessons;
mod lowest;
mod mind;
mod oracle;
mod outlook;
mod playout;
mod race;
mod random;
mod search;
mod seed;
mod solver;
mod tallies;
mod tiles;
mod tree;
mod weights;

use chickenfoot_rules::{Move, View};

pub use determiniser::{Determiniser, FullDeal};
pub use effort::{Effort, ParseEffortError};
pub use estimate::{Estimate, Estimator};
pub use kind::{KINDS, Kind, NAMES, by_name, house};
pub use lessons::Lessons;
pub use oracle::oracle;
pub use outlook::{Luck, Outlook};
pub use seed::{house_seed, seat_seed};

/// A player: one value for each seat and match. [`seat_seed`] gives the seed of a fresh one.
///
/// What it plays may depend on its seed and the view alone: a match may be taken up by a fresh value at any decision,
/// after a restart of whoever plays it, and must go on as before.
pub trait Strategy: Send {
    /// The move of the seat whose view it is, which is on turn: one of [`View::moves`].
    ///
    /// Moves without an alternative may be asked for or not, as the match is set up; what is played elsewhere does not
    /// depend on it.
    fn choose(&mut self, view: &View<'_>) -> Move {
        self.choose_while(view, &mut || true)
    }

    /// As [`Strategy::choose`], but answers soon after `go_on` says no. It is asked at least once a millisecond or so
    /// while a strategy searches.
    ///
    /// This crate knows no clock: whoever has one keeps the time of [`Strategy::effort`] and of the decision's
    /// deadline. A strategy that was cut short may choose otherwise than one that was not.
    fn choose_while(&mut self, view: &View<'_>, go_on: &mut dyn FnMut() -> bool) -> Move {
        let _ = go_on;
        self.choose(view)
    }

    /// How much it works for a decision, if it searches.
    fn effort(&self) -> Option<Effort> {
        None
    }
}
