use crate::{EntrantId, Error};

/// The smallest table.
pub const MIN_TABLE: u8 = 2;
/// The largest table.
pub const MAX_TABLE: u8 = 8;
/// The most entrants of a tournament.
pub const MAX_ENTRANTS: u32 = 65_536;
/// The most cycles of a round robin.
pub const MAX_CYCLES: u32 = 1_000_000;
/// The most rounds of a Swiss tournament.
pub const MAX_ROUNDS: u32 = 1_000;
/// The most blocks that a format with a number of its own may be told to play.
pub const MAX_BLOCKS: u32 = 1_000_000;
/// The most blocks that a ladder or an A/B test may run ahead of its results.
pub const MAX_LOOKAHEAD: u32 = 10_000;

/// What fixes a tournament, apart from its entrants and results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Who meets whom.
    pub format: Format,
    /// Seats of a full table, 2 to 8. Where the number of entrants does not divide, some tables have one seat less;
    /// with fewer entrants than seats there is one table of all.
    pub table: u8,
    /// The public seed: every lot of the schedule is drawn from it.
    pub seed: [u8; 32],
    /// How far a ladder or an A/B test runs ahead of its results: block k is offered when all blocks below
    /// k - `lookahead` are finished, and a ladder pairs it by those alone. So `lookahead` + 1 blocks can be under way at
    /// once; 0 plays one after the other. The other formats pay no heed to it. At most [`MAX_LOOKAHEAD`].
    pub lookahead: u32,
}

/// A tournament format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Everybody meets everybody equally often, as nearly as tables allow.
    RoundRobin {
        /// How often that is done, 1 to [`MAX_CYCLES`]. With a single table of all entrants, one cycle is one block.
        cycles: u32,
    },
    /// One entrant against all others, which sit down with it equally often.
    Gauntlet {
        /// Who sits at every table.
        candidate: EntrantId,
        /// Blocks to play, 1 to [`MAX_BLOCKS`].
        blocks: u32,
    },
    /// Rounds in which those of like score meet, and nobody meets anybody again while that can be avoided.
    ///
    /// A round scores the share of opponents beaten in the block, ties half, up to [`crate::FULL_SCORE`]. A bye, or a
    /// block that somebody else was absent from, scores the mean of one's own other rounds; being absent scores 0, and so
    /// do the rounds that a late entrant missed. Equal scores are parted by the mean score of the opponents, then by lot.
    Swiss {
        /// Rounds to play, 1 to [`MAX_ROUNDS`].
        rounds: u32,
    },
    /// Heats: the best of each table go on, until one table is left.
    ///
    /// A heat is ranked by the share of opponents beaten over all its blocks, then by points, by rounds without any, by
    /// the lowest other round, and by lot; who was absent from a block comes after all who were not. The best of those
    /// left behind go on too, where that fills the tables of a stage that has fewer of them.
    Elimination {
        /// How many of a heat go on, 1 up to one less than a table has seats. A smaller heat sends all but its last.
        advance: u8,
        /// Blocks that a heat plays, 1 to [`MAX_BLOCKS`].
        blocks: u32,
        /// What the heats of the first stage are spread by.
        seeding: Seeding,
    },
    /// Goes on as long as it is told, always with those that least is known of, among near equals.
    ///
    /// Least is known of whoever sat at fewest tables. Its opponents are the nearest in strength, which is estimated from
    /// blocks below k - `lookahead` for block k; having met often counts as distance.
    Ladder {
        /// Blocks to play, 1 to [`MAX_BLOCKS`].
        blocks: u32,
        /// Whether entrants of one owner may meet.
        same_owner: SameOwner,
    },
    /// Is the candidate better than the base? Offers blocks in order, until [`crate::Schedule::stop_after`] is called.
    Ab {
        /// The version under test.
        candidate: EntrantId,
        /// The version that it is compared with.
        base: EntrantId,
        /// Who else sits at their tables.
        arrangement: Arrangement,
        /// Blocks to play at most, 1 to [`MAX_BLOCKS`].
        blocks: u32,
    },
}

/// What decides who is kept apart in the first heats of an elimination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seeding {
    /// The order of the entrants, the strongest first.
    Entry,
    /// A lot from the public seed.
    Lot,
}

/// Whether a ladder sets entrants of one owner at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SameOwner {
    /// Never, even if a table stays smaller or an entrant waits for it.
    Apart,
    /// As with any two entrants.
    Together,
}

/// The tables of an A/B test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Candidate and base on a seat each, the others on the remaining seats in turn. A block has the rotations of one
    /// order, and those again with candidate and base swapped: 2 n matches at a table of n, and 2 at a table of 2.
    Shared,
    /// Half of the seats to the candidate, half to the base, nobody else. A block is a pattern and the same with both
    /// swapped: 2 matches. The patterns take turns, so that all pairs of seats are alike and unlike equally often. Only
    /// for an even number of seats: with an odd one, the swapped match is not the mirror of the first.
    Halves,
}

impl Setup {
    /// Refuses settings that cannot be honoured, whoever enters.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if !(MIN_TABLE..=MAX_TABLE).contains(&self.table) {
            return Err(Error::Table { table: self.table });
        }
        if self.lookahead > MAX_LOOKAHEAD {
            return Err(Error::Lookahead { lookahead: self.lookahead });
        }
        match self.format {
            Format::RoundRobin { cycles } => within(cycles, MAX_CYCLES).ok_or(Error::Cycles { cycles }),
            Format::Swiss { rounds } => within(rounds, MAX_ROUNDS).ok_or(Error::Rounds { rounds }),
            Format::Gauntlet { blocks, .. } | Format::Ladder { blocks, .. } => check_blocks(blocks),
            Format::Elimination { advance, blocks, .. } => {
                if advance == 0 || advance >= self.table {
                    return Err(Error::Advance { advance, at_most: self.table - 1 });
                }
                check_blocks(blocks)
            }
            Format::Ab { candidate, base, arrangement, blocks } => {
                if candidate == base {
                    return Err(Error::SameVersion { entrant: base });
                }
                if arrangement == Arrangement::Halves && self.table % 2 == 1 {
                    return Err(Error::OddTable { table: self.table });
                }
                check_blocks(blocks)
            }
        }
    }
}

fn within(value: u32, at_most: u32) -> Option<()> {
    (1..=at_most).contains(&value).then_some(())
}

fn check_blocks(blocks: u32) -> Result<(), Error> {
    within(blocks, MAX_BLOCKS).ok_or(Error::Blocks { blocks })
}
