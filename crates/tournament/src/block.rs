use crate::entrant::EntrantId;

/// Who sits where in one match, from seat 0. In an A/B test an entrant may sit on several seats.
pub type Seating = Vec<EntrantId>;

/// One deal, played once in each of several seatings. It is the unit of all statistics: results of different blocks are
/// independent, those within one are not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its number in the tournament, from 0 without holes.
    pub number: u32,
    /// The stage it belongs to, from 1: a round of a round robin, a Swiss tournament or an elimination. In a gauntlet, a
    /// ladder and an A/B test every block is a stage of its own.
    pub stage: u32,
    /// The table within the stage, from 0. The blocks of one heat of an elimination have the same.
    pub table: u32,
    /// The matches, each with the same deal: the rotations of one circular order, or a swapped pair.
    pub seatings: Vec<Seating>,
}

/// A block that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockResult {
    /// The block's number.
    pub number: u32,
    /// Entrants that were not there when it should have begun. Such a block has no games, and says nothing of anybody
    /// else.
    pub absent: Vec<EntrantId>,
    /// The matches, in the order of the block's seatings.
    pub games: Vec<Game>,
}

/// How one match of a block ended, by seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Who sat where.
    pub seating: Seating,
    /// Each seat's total: pips over all rounds; fewer are better.
    pub points: Vec<u32>,
    /// Each seat's place, from 1; shared places are equal, and the next one is skipped.
    pub places: Vec<u8>,
    /// Rounds in which the seat scored 0: breaks ties, more are better.
    pub clean_rounds: Vec<u32>,
    /// The seat's lowest round score above 0, if it has one: breaks ties after that, lower is better.
    pub lowest_round: Vec<Option<u32>>,
}
