use super::margin;
use crate::{BlockResult, EntrantId, Game};

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
    /// Two blocks of one number; an entrant that is not among the `entrants`; a game of fewer than two seats or more than
    /// 255, one whose lists differ in length, or one with a place outside 1 to the number of seats.
    pub fn new(
        entrants: usize,
        blocks: impl IntoIterator<Item = &'a BlockResult>,
    ) -> Result<Results<'a>, ResultsError> {
        let mut blocks: Vec<&BlockResult> = blocks.into_iter().collect();
        blocks.sort_by_key(|block| block.number);
        if let Some(twice) = blocks.windows(2).find(|pair| pair[0].number == pair[1].number) {
            return Err(ResultsError::SameNumber(twice[0].number));
        }
        for block in &blocks {
            check(block, entrants)?;
        }
        Ok(Results { entrants, blocks })
    }

    /// How many entrants there are, whether they played or not.
    pub fn entrants(&self) -> usize {
        self.entrants
    }

    /// The blocks, by number.
    pub fn blocks(&self) -> &[&'a BlockResult] {
        &self.blocks
    }

    /// The mean margin of an entrant in each block that it played against others in, with the block's number, by number.
    ///
    /// The margin of a seat is the mean of the points of the seats of other entrants less its own: pips a game, more is
    /// better.
    pub fn block_margins(&self, entrant: EntrantId) -> Vec<(u32, f64)> {
        let mean = |block: &&BlockResult| {
            let margins = block.games.iter().flat_map(|game| margin::of_entrant(game, entrant));
            let (sum, count) = margins.fold((0.0, 0u32), |(sum, count), margin| (sum + margin, count + 1));
            (count > 0).then(|| (block.number, sum / f64::from(count)))
        };
        self.blocks.iter().filter_map(mean).collect()
    }

    /// All games, in order.
    pub(crate) fn games(&self) -> impl Iterator<Item = &'a Game> {
        self.blocks.iter().flat_map(|block| &block.games)
    }
}

fn check(block: &BlockResult, entrants: usize) -> Result<(), ResultsError> {
    let seated = block.games.iter().flat_map(|game| &game.seating);
    if let Some(unknown) = seated.chain(&block.absent).find(|entrant| entrant.index() >= entrants) {
        return Err(ResultsError::UnknownEntrant { block: block.number, entrant: *unknown });
    }
    if block.games.iter().all(is_sound) { Ok(()) } else { Err(ResultsError::BadGame { block: block.number }) }
}

fn is_sound(game: &Game) -> bool {
    let seats = game.seating.len();
    let lengths = [game.points.len(), game.places.len(), game.clean_rounds.len(), game.lowest_round.len()];
    (2..=usize::from(u8::MAX)).contains(&seats)
        && lengths.iter().all(|length| *length == seats)
        && game.places.iter().all(|place| (1..=seats).contains(&usize::from(*place)))
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

impl std::fmt::Display for ResultsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ResultsError::SameNumber(number) => write!(f, "two blocks have the number {number}"),
            ResultsError::UnknownEntrant { block, entrant } => {
                write!(f, "block {block} speaks of the entrant {entrant}, which is not there")
            }
            ResultsError::BadGame { block } => write!(f, "block {block} has a game that cannot be"),
        }
    }
}

impl std::error::Error for ResultsError {}
