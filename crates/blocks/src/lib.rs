//! Between tournaments, which know no game, and matches, which know no tournament: what the matches of a block are made
//! of, and what a finished one says of its entrants.
//!
//! The service and whoever plays a tournament in process make their matches here, so that the same seed, rules and names
//! give the same matches with the same digests in both.

mod deals;
mod finished;

pub use deals::{BlockDeals, FIXED};
pub use finished::{Finished, game};
