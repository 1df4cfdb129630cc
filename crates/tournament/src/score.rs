//! What a block is worth where a format needs one number for it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::standing::FULL_SCORE;
use crate::{BlockResult, EntrantId};

/// The score of one who is neither better nor worse than the others.
pub(crate) const HALF_SCORE: u64 = FULL_SCORE / 2;

/// Each entrant's score of a block: the share of its opponents that it beat, ties half, averaged over the matches, in
/// 1 / [`FULL_SCORE`]. By places, so it does not depend on how many points a deal is good for. Empty for a block without
/// matches.
pub(crate) fn block_scores(result: &BlockResult) -> BTreeMap<EntrantId, u64> {
    let mut sums: BTreeMap<EntrantId, (u64, u64)> = BTreeMap::new();
    for game in &result.games {
        let opponents = game.seating.len().saturating_sub(1).max(1) as u64;
        for (&entrant, place) in game.seating.iter().zip(&game.places) {
            let beaten = game.places.iter().filter(|&other| other > place).count() as u64;
            let tied = game.places.iter().filter(|&other| other == place).count() as u64 - 1;
            let (sum, seats) = sums.entry(entrant).or_default();
            // Whole for all tables; so is the mean over n matches at a table of n.
            *sum += (2 * beaten + tied) * FULL_SCORE / (2 * opponents);
            *seats += 1;
        }
    }
    sums.into_iter().map(|(entrant, (sum, seats))| (entrant, sum / seats)).collect()
}

/// What ranks the entrants of a heat, the best first: score, then points, then the game's tie-breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Merit {
    score: Reverse<u64>,
    /// Points a match, in thousandths, so that tables of different size compare.
    points: u64,
    clean_rounds: Reverse<u64>,
    lowest_round: u32,
    lot: u64,
}

impl Merit {
    /// Over all blocks of a heat. One who was absent from a block scores nothing in it.
    pub(crate) fn of<'a>(
        entrant: EntrantId,
        blocks: impl Iterator<Item = &'a BlockResult> + Clone,
        lot: u64,
    ) -> Self {
        let score = blocks.clone().map(|block| block_scores(block).get(&entrant).copied().unwrap_or(0)).sum();
        let games = blocks.flat_map(|block| &block.games);
        let seats = games.flat_map(|game| {
            (0..game.seating.len())
                .filter(move |&seat| game.seating[seat] == entrant)
                .map(move |seat| (game, seat))
        });
        let count = seats.clone().count().max(1) as u64;
        let points: u64 = seats.clone().map(|(game, seat)| u64::from(game.points[seat])).sum();
        let clean: u64 = seats.clone().map(|(game, seat)| u64::from(game.clean_rounds[seat])).sum();
        let lowest = seats.filter_map(|(game, seat)| game.lowest_round[seat]).min();
        Self {
            score: Reverse(score),
            points: points * 1000 / count,
            clean_rounds: Reverse(clean * 1000 / count),
            lowest_round: lowest.unwrap_or(u32::MAX),
            lot,
        }
    }

    pub(crate) fn score(&self) -> u64 {
        self.score.0
    }

    /// Whether nothing but the lot parts the two.
    pub(crate) fn ties(&self, other: &Merit) -> bool {
        Merit { lot: 0, ..*self } == Merit { lot: 0, ..*other }
    }
}
