mod order;
mod tally;

use super::{Estimate, Interval, Results, additive};
use crate::EntrantId;
use order::Order;
use tally::Tally;

/// The table of a tournament.
///
/// Its order is by [`Ranking`] first. Then come the tie-breaks of a match, carried over to a tournament: the higher mean
/// margin, where it was not the first criterion; more rounds a game scored 0; the lower smallest round score above 0. Then
/// head to head: the share of the meetings within the tied group that ended with the better place, ties counting half. Then
/// a lot. Figures that differ by less than a millionth count as equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Standings {
    /// The entrants from first to last.
    pub rows: Vec<Standing>,
    /// Groups of entrants that are joined by games, directly or through others. Margins compare within a group only; with
    /// more than one, the order between groups is a convention.
    pub groups: u32,
}

/// What a table is made by.
#[derive(Clone, Copy, Debug)]
pub struct StandingsOptions<'a> {
    /// The tournament's public seed: the lot and the bootstrap's chance follow from it. The lot goes to the entrant with the
    /// lower SHA-256(lp("chickenfoot/v1/lot") || lp(seed) || lp(entrant)), where lp(x) is the length of x as 4 bytes,
    /// big-endian, and then x, and the entrant's position is 4 bytes, big-endian.
    pub seed: &'a [u8],
    /// What the order is by.
    pub ranking: Ranking<'a>,
    /// How many byes each entrant had, by entrant; missing ones count as none.
    pub byes: &'a [u32],
}

/// What the order of a table is by, before the tie-breaks.
#[derive(Clone, Copy, Debug)]
pub enum Ranking<'a> {
    /// The mean margin of the additive model: how many pips a game an entrant ends below the others, with the strength of
    /// those that it met allowed for.
    Margin,
    /// A score that the format gives each entrant, more is better: Swiss points, or the stage that an entrant reached. An
    /// entrant without one has 0.
    Score(&'a [f64]),
}

/// An entrant's line in the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Standing {
    /// Who.
    pub entrant: EntrantId,
    /// Its place in the table, from 1, never shared.
    pub place: u32,
    /// Whether nothing but the lot parts it from a neighbour.
    pub by_lot: bool,
    /// The score that the order is by, where it is by one: see [`Ranking::Score`].
    pub score: Option<f64>,
    /// The group of entrants that it was compared with, from 0; none if it met nobody.
    pub group: Option<u32>,
    /// Blocks that it played in.
    pub blocks: u32,
    /// Games that it played; on several seats in one game counts as several.
    pub games: u32,
    /// All its points, in pips.
    pub points: u64,
    /// Points a game; none without a game.
    pub mean_points: Option<f64>,
    /// The mean of its margins as they were, whoever sat opposite: pips a game, more is better.
    pub raw_margin: Option<f64>,
    /// An interval around the mean of its margins in blocks that holds at all times at once, see
    /// [`ConfidenceSequence`](super::ConfidenceSequence): pips a game.
    pub anytime: Option<Interval>,
    /// Its margin against the mean of the others in its group, by the additive model: pips a game, more is better. The
    /// interval is a bootstrap's over blocks, right for a tournament that is over.
    pub margin: Option<Estimate>,
    /// The share of its games that it won, from 0 to 1, a first place shared by k counting as 1/k.
    pub firsts: Option<Estimate>,
    /// The mean of its places, from 1.
    pub mean_place: Option<f64>,
    /// How often it had each place, from the first; as long as the largest table.
    pub places: Vec<u32>,
    /// Rounds that it scored 0 in.
    pub clean_rounds: u64,
    /// Its lowest round score above 0.
    pub lowest_round: Option<u32>,
    /// Byes that it had. They change no mean: a bye scores the mean of one's own rounds.
    pub byes: u32,
    /// Blocks that it was not there for.
    pub absences: u32,
}

impl Standings {
    /// The table after these results.
    pub fn of(results: &Results<'_>, options: &StandingsOptions<'_>) -> Standings {
        let margins = additive::margins(results, options.seed);
        let tallies = Tally::of(results);
        let scores = match options.ranking {
            Ranking::Margin => None,
            Ranking::Score(scores) => Some(scores),
        };
        let mut rows: Vec<Standing> = (0u32..).map(EntrantId).zip(&tallies).map(Tally::standing).collect();
        for row in &mut rows {
            let index = row.entrant.index();
            (row.group, row.margin) = margins.of[index].unzip();
            row.score = scores.map(|scores| scores.get(index).copied().unwrap_or(0.0));
            row.byes = options.byes.get(index).copied().unwrap_or(0);
        }
        Order { results, seed: options.seed }.sort(&mut rows);
        Standings { rows, groups: margins.groups }
    }
}
