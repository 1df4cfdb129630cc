//! Duplicate matches: two strategies meet over the same deals with the seats changed round, so that the luck of the
//! deal falls on both alike.

#![allow(dead_code, clippy::unwrap_used)]

use chickenfoot_rules::{
    Contributor, Entropy, Entry, ForcedMoves, Match, MatchSetup, MatchStart, Move, Preset, Round,
    RuleOptions, Rules, Seat, Seed, Terms, TileSet, View,
};
use chickenfoot_strategy::{Strategy, by_name, seat_seed};

/// How many points a round one strategy is better than another.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The mean over all deals.
    pub points: f64,
    /// Its standard error.
    pub error: f64,
}

/// A preset as it is.
pub fn rules(preset: Preset, players: u8) -> Rules {
    RuleOptions::new(preset, players).resolve().unwrap()
}

/// By how many points a round `one` ends below the mean of the others at its table, all of whom play as `others`.
///
/// A deal is a whole match, played once for each seat that `one` can have. The deals count as independent of one
/// another, not the matches of a deal. They follow from `first`, the number of the first one.
pub fn edge(rules: Rules, one: &str, others: &str, first: u32, deals: u32) -> Edge {
    let per_deal: Vec<f64> = (first..first + deals)
        .map(|number| {
            let of_seat = |lone: Seat| {
                let names = |seat| if seat == lone { one } else { others };
                difference(&totals(rules, number, names), lone)
            };
            let sum: f64 = Seat::all(rules.players()).map(of_seat).sum();
            sum / f64::from(rules.players()) / f64::from(rules.rounds())
        })
        .collect();
    let n = f64::from(deals);
    let points = per_deal.iter().sum::<f64>() / n;
    let variance = per_deal.iter().map(|x| (x - points).powi(2)).sum::<f64>() / (n - 1.0);
    Edge { points, error: (variance / n).sqrt() }
}

/// The mean of the others' totals less one's own.
fn difference(totals: &[u32], seat: Seat) -> f64 {
    let own = f64::from(totals[seat.index()]);
    let all: f64 = totals.iter().map(|total| f64::from(*total)).sum();
    (all - own) / (totals.len() - 1) as f64 - own
}

/// The final totals of the match of this number with these players.
pub fn totals<'a>(rules: Rules, number: u32, names: impl Fn(Seat) -> &'a str) -> Vec<u32> {
    let mut game = start(rules, number, ForcedMoves::Automatic);
    let mut players = players(&game, names);
    play(&mut game, |view| players[view.seat.index()].choose(view));
    game.totals().to_vec()
}

/// Fresh players of a match, by seat.
pub fn players<'a>(game: &Match, names: impl Fn(Seat) -> &'a str) -> Vec<Box<dyn Strategy>> {
    let commitment = game.setup().commitment;
    Seat::all(game.setup().rules.players())
        .map(|seat| by_name(names(seat), seat_seed(1, &commitment, seat)).unwrap())
        .collect()
}

/// The match of this number at its first decision.
pub fn start(rules: Rules, number: u32, forced: ForcedMoves) -> Match {
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&number.to_be_bytes());
    let seed = Seed::new(bytes);
    let seats: Vec<Contributor> = Seat::all(rules.players())
        .map(|seat| Contributor { name: seat.to_string(), entropy: Entropy::default() })
        .collect();
    let setup = MatchSetup::seeded(MatchStart::new(rules, "duplicate", &seed, seats), &seed, forced);
    Match::start(setup, &mut Vec::new()).unwrap()
}

/// Plays the first round of the match of this number for two, with both the round and the view to choose by. The
/// points of each seat.
pub fn round_with(number: u32, mut choose: impl FnMut(&Round<1>, &View<'_>) -> Move) -> [u16; 2] {
    let mut game = start(rules(Preset::Trains, 2), number, ForcedMoves::Automatic);
    let deal = game.deal(1);
    let hands: Vec<TileSet<1>> = deal.hands.iter().map(|hand| hand.iter().copied().collect()).collect();
    let terms = Terms::from(&game.setup().rules);
    let mut round =
        Round::new(terms, deal.starting_double, deal.starter.unwrap(), &hands, &deal.boneyard).unwrap();
    let mut events = Vec::new();
    while round.end().is_none() {
        let moves = round.moves();
        let action = match game.view() {
            Some(view) if moves.total() > 1 => choose(&round, &view),
            _ => moves.pick(0).unwrap(),
        };
        if moves.total() > 1 {
            game.commit(Entry::Choice(action.into()), &mut events).unwrap();
        }
        round.apply(action).unwrap();
    }
    [0, 1].map(|seat| round.hand_score(Seat::new(seat).unwrap()))
}

/// Plays a match to its end. Panics at a move that the match refuses.
pub fn play(game: &mut Match, mut choose: impl FnMut(&View<'_>) -> Move) {
    let mut events = Vec::new();
    while let Some(view) = game.view() {
        let action = choose(&view);
        if let Err(why) = game.commit(Entry::Choice(action.into()), &mut events) {
            panic!("{action}: {why}");
        }
        events.clear();
    }
}
