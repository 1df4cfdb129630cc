use super::super::confidence::ConfidenceSequence;
use super::super::ratio::Ratio;
use super::super::{Results, margin};
use super::Standing;
use crate::{BlockResult, EntrantId, Game};

/// What an entrant's games add up to.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    games: u32,
    points: u64,
    margins: Mean,
    block_margins: ConfidenceSequence,
    firsts: Ratio,
    places: Vec<u32>,
    clean_rounds: u64,
    lowest_round: Option<u32>,
    absences: u32,
}

#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    fn push(&mut self, value: f64) {
        self.sum += value;
        self.count += 1;
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / f64::from(self.count))
    }
}

impl Tally {
    /// The tally of each entrant.
    pub(super) fn of(results: &Results<'_>) -> Vec<Tally> {
        let largest = results.games().map(|game| game.seating.len()).max().unwrap_or(0);
        let mut tallies = vec![Tally { places: vec![0; largest], ..Tally::default() }; results.entrants()];
        for block in results.blocks() {
            for entrant in entrants(block) {
                tallies[entrant.index()].push(block, entrant);
            }
            block.absent.iter().for_each(|entrant| tallies[entrant.index()].absences += 1);
        }
        tallies
    }

    fn push(&mut self, block: &BlockResult, entrant: EntrantId) {
        let (mut margins, mut games, mut firsts) = (Mean::default(), 0, 0.0);
        for game in &block.games {
            margin::of_entrant(game, entrant).for_each(|margin| margins.push(margin));
            let winners = game.places.iter().filter(|place| **place == 1).count();
            for seat in (0..game.seating.len()).filter(|seat| game.seating[*seat] == entrant) {
                games += 1;
                firsts += if game.places[seat] == 1 { 1.0 / winners as f64 } else { 0.0 };
                self.push_seat(game, seat);
            }
        }
        self.firsts.push(games, firsts);
        if let Some(mean) = margins.value() {
            self.margins.sum += margins.sum;
            self.margins.count += margins.count;
            self.block_margins.push(mean);
        }
    }

    fn push_seat(&mut self, game: &Game, seat: usize) {
        self.games += 1;
        self.points += u64::from(game.points[seat]);
        self.places[usize::from(game.places[seat]) - 1] += 1;
        self.clean_rounds += u64::from(game.clean_rounds[seat]);
        let lowest = self.lowest_round.into_iter().chain(game.lowest_round[seat]);
        self.lowest_round = lowest.min();
    }

    /// The entrant's line, as far as its own games say it.
    pub(super) fn standing((entrant, tally): (EntrantId, &Tally)) -> Standing {
        let games = f64::from(tally.games);
        let a_game = |sum: f64| (tally.games > 0).then(|| sum / games);
        let places: f64 =
            (1u32..).zip(&tally.places).map(|(place, count)| f64::from(place) * f64::from(*count)).sum();
        Standing {
            entrant,
            place: 0,
            by_lot: false,
            score: None,
            group: None,
            blocks: tally.firsts.blocks(),
            games: tally.games,
            points: tally.points,
            mean_points: a_game(tally.points as f64),
            raw_margin: tally.margins.value(),
            anytime: tally.block_margins.estimate().and_then(|estimate| estimate.interval),
            margin: None,
            firsts: tally.firsts.proportion(),
            mean_place: a_game(places),
            places: tally.places.clone(),
            clean_rounds: tally.clean_rounds,
            lowest_round: tally.lowest_round,
            byes: 0,
            absences: tally.absences,
        }
    }
}

/// Who played in a block, each once.
fn entrants(block: &BlockResult) -> Vec<EntrantId> {
    let mut seated: Vec<EntrantId> = block.games.iter().flat_map(|game| &game.seating).copied().collect();
    seated.sort_unstable();
    seated.dedup();
    seated
}
