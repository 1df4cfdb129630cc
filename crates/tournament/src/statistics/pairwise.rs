use super::{Estimate, Results};
use crate::EntrantId;

/// Every entrant against every other.
#[derive(Clone, Debug, PartialEq)]
pub struct Pairwise {
    pairs: Vec<Pair>,
}

/// One entrant against another, over the games that both sat in.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    /// The one.
    pub one: EntrantId,
    /// The other.
    pub other: EntrantId,
    /// Blocks that they met in.
    pub blocks: u32,
    /// Meetings: a game counts once for each pair of their seats.
    pub games: u32,
    /// Meetings that the one had the better place in.
    pub wins: u32,
    /// Meetings with the same place.
    pub ties: u32,
    /// Meetings that the other had the better place in.
    pub losses: u32,
    /// The chance that the one does better, ties counting half: 0 to 1.
    pub superiority: Estimate,
    /// The other's points less the one's: pips a game, above 0 where the one is better.
    pub margin: Estimate,
}

impl Pairwise {
    /// All pairs that met.
    pub fn of(results: &Results<'_>) -> Pairwise {
        let _ = results;
        Pairwise { pairs: Vec::new() }
    }

    /// The pairs that met, each once and with the lower entrant as `one`, by entrants.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// `one` against `other`, if they met.
    pub fn get(&self, one: EntrantId, other: EntrantId) -> Option<Pair> {
        let _ = (one, other);
        None
    }
}
