//! What finished blocks say of the entrants: standings, comparisons, strengths, and tests.
//!
//! All of it is a pure function of [`Results`], which are put in the order of block numbers first: the same results give
//! the same figures, bit for bit, in whatever order they arrived and on whatever machine. Only `+ - * /` and the square
//! root of `f64`, which IEEE 754 fixes to the last bit, and logarithms and exponentials from the `libm` crate are used,
//! for those of the standard library are the platform's and differ. [`Ratings`], which another crate computes, are rounded
//! after each game instead.

mod ab;
mod additive;
mod bootstrap;
mod chance;
mod confidence;
mod estimate;
mod influence;
mod margin;
mod matrix;
mod pairwise;
mod plackett_luce;
mod ratings;
mod ratio;
mod results;
mod standings;
mod student;

pub use ab::{AbPlan, AbPlanError, AbReport, Effect, Verdict};
pub use confidence::ConfidenceSequence;
pub use estimate::{Estimate, Interval};
pub use pairwise::{Pair, Pairwise};
pub use plackett_luce::{PlackettLuce, Strength};
pub use ratings::{Rating, Ratings, RatingsError};
pub use results::{Results, ResultsError};
pub use standings::{Ranking, Standing, Standings, StandingsOptions};
