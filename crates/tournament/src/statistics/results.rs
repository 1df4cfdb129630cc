use crate::{BlockResult, EntrantId};

/// Finished blocks in the order of their numbers, checked once so that nothing after it can fail.
#[derive(Clone, Debug)]
pub struct Results<'a> {
    entrants: usize,
    blocks: Vec<&'a BlockResult>,
}

impl<'a> Results<'a> {
    /// Puts finished blocks in order, whatever order they came in, and checks them.
    ///
    /// # Errors
    /// Two blocks of one number, an entrant that is not among the `entrants`, a game of fewer than two seats or one whose
    /// lists differ in length, or a place outside 1 to the number of seats.
    pub fn new(
        entrants: usize,
        blocks: impl IntoIterator<Item = &'a BlockResult>,
    ) -> Result<Results<'a>, ResultsError> {
        let _ = entrants;
        Ok(Results { entrants, blocks: blocks.into_iter().collect() })
    }

    /// How many entrants there are, whether they played or not.
    pub fn entrants(&self) -> usize {
        self.entrants
    }

    /// The blocks, by number.
    pub fn blocks(&self) -> &[&'a BlockResult] {
        &self.blocks
    }

    /// The mean margin of an entrant in each block that it played in, with the block's number, by number. The margin of a
    /// seat is the mean of the points of the seats of other entrants less its own: pips a game, more is better.
    pub fn block_margins(&self, entrant: EntrantId) -> Vec<(u32, f64)> {
        let _ = entrant;
        Vec::new()
    }
}

/// Why blocks cannot be the results of one tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultsError {
    /// Two blocks have this number.
    SameNumber(u32),
    /// A block speaks of an entrant that is not there.
    UnknownEntrant {
        /// The block's number.
        block: u32,
        /// The entrant.
        entrant: EntrantId,
    },
    /// A game has fewer than two seats, or more than 255, or its lists differ in length, or a place is impossible.
    BadGame {
        /// The block's number.
        block: u32,
    },
}
