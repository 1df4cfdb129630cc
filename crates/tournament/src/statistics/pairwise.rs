use std::collections::BTreeMap;

use super::ratio::Ratio;
use super::{Estimate, Results};
use crate::{BlockResult, EntrantId};

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
    /// The chance that the one does better, ties counting half, from 0 to 1: the figure of Mann and Whitney (1947), which
    /// Grissom and Kim (2005) call probability of superiority. Its interval is Wilson's, over blocks.
    pub superiority: Estimate,
    /// The other's points less the one's: pips a game, above 0 where the one is better. Its interval is Student's, over
    /// blocks.
    pub margin: Estimate,
}

impl Pairwise {
    /// All pairs that met.
    pub fn of(results: &Results<'_>) -> Pairwise {
        let mut meetings: BTreeMap<(EntrantId, EntrantId), Meetings> = BTreeMap::new();
        for block in results.blocks() {
            for (pair, sums) in block_sums(block) {
                meetings.entry(pair).or_default().push(&sums);
            }
        }
        Pairwise { pairs: meetings.into_iter().filter_map(|(pair, meetings)| meetings.pair(pair)).collect() }
    }

    /// The pairs that met, each once and with the lower entrant as `one`, by entrants.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// `one` against `other`, if they met.
    pub fn get(&self, one: EntrantId, other: EntrantId) -> Option<Pair> {
        let pair = (one.min(other), one.max(other));
        let index = self.pairs.binary_search_by_key(&pair, |pair| (pair.one, pair.other)).ok()?;
        let pair = &self.pairs[index];
        Some(if one <= other { pair.clone() } else { pair.reversed() })
    }
}

impl Pair {
    /// The same from the other's side.
    pub fn reversed(&self) -> Pair {
        Pair {
            one: self.other,
            other: self.one,
            wins: self.losses,
            losses: self.wins,
            superiority: self.superiority.mirrored(1.0),
            margin: self.margin.mirrored(0.0),
            ..self.clone()
        }
    }
}

/// What a pair's meetings in one block add up to.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    wins: u32,
    ties: u32,
    losses: u32,
    margin: i64,
}

/// The pairs that met in a block, the lower entrant first. There are few, so a list is searched.
fn block_sums(block: &BlockResult) -> Vec<((EntrantId, EntrantId), Sums)> {
    let mut found: Vec<((EntrantId, EntrantId), Sums)> = Vec::new();
    for game in &block.games {
        for (i, one) in game.seating.iter().enumerate() {
            for (j, other) in game.seating.iter().enumerate().filter(|(_, other)| one < *other) {
                let pair = (*one, *other);
                let index = found.iter().position(|(met, _)| *met == pair).unwrap_or_else(|| {
                    found.push((pair, Sums::default()));
                    found.len() - 1
                });
                let sums = &mut found[index].1;
                match game.places[i].cmp(&game.places[j]) {
                    std::cmp::Ordering::Less => sums.wins += 1,
                    std::cmp::Ordering::Equal => sums.ties += 1,
                    std::cmp::Ordering::Greater => sums.losses += 1,
                }
                sums.margin += i64::from(game.points[j]) - i64::from(game.points[i]);
            }
        }
    }
    found
}

/// A pair's meetings over all blocks.
#[derive(Clone, Debug, Default)]
struct Meetings {
    sums: Sums,
    superiority: Ratio,
    margin: Ratio,
}

impl Meetings {
    fn push(&mut self, block: &Sums) {
        self.sums.wins += block.wins;
        self.sums.ties += block.ties;
        self.sums.losses += block.losses;
        let games = block.wins + block.ties + block.losses;
        self.superiority.push(games, f64::from(block.wins) + 0.5 * f64::from(block.ties));
        self.margin.push(games, block.margin as f64);
    }

    fn pair(&self, (one, other): (EntrantId, EntrantId)) -> Option<Pair> {
        let Sums { wins, ties, losses, .. } = self.sums;
        Some(Pair {
            one,
            other,
            blocks: self.margin.blocks(),
            games: wins + ties + losses,
            wins,
            ties,
            losses,
            superiority: self.superiority.proportion()?,
            margin: self.margin.estimate()?,
        })
    }
}
