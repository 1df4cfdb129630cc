//! The A/B test on the game itself, at tables of four.

use chickenfoot_rules::{
    Contributor, Entropy, Entry, ForcedMoves, Match, MatchSetup, MatchStart, Preset, RuleOptions, Seat, Seed,
};
use chickenfoot_strategy::{by_name, seat_seed};
use chickenfoot_tournament::BlockResult;
use chickenfoot_tournament::EntrantId;
use chickenfoot_tournament::statistics::{AbPlan, AbReport, Verdict};

use crate::simulation::{block_of, game, results};

/// The points of a whole match of the deal of this number.
fn points(deal: u32, seating: &[usize], strategies: [&str; 2]) -> Vec<u32> {
    let rules = RuleOptions::new(Preset::Trains, seating.len() as u8).resolve().unwrap();
    let mut bytes = [0; 32];
    bytes[..4].copy_from_slice(&deal.to_be_bytes());
    let seats: Vec<Contributor> = Seat::all(rules.players())
        .map(|seat| Contributor { name: seat.to_string(), entropy: Entropy::default() })
        .collect();
    let seed = Seed::new(bytes);
    let start = MatchStart::new(rules, "ab", &seed, seats);
    let commitment = start.commitment;
    let setup = MatchSetup::seeded(start, &seed, ForcedMoves::Automatic);
    let mut events = Vec::new();
    let mut game = Match::start(setup, &mut events).unwrap();
    let mut players: Vec<_> = Seat::all(rules.players())
        .map(|seat| {
            // Its own chance for each entrant, so that two of a kind do not play alike.
            let who = seating[seat.index()];
            by_name(strategies[who], seat_seed(who as u64, &commitment, seat)).unwrap()
        })
        .collect();
    while let Some(view) = game.view() {
        let choice = players[view.seat.index()].choose(&view);
        events.clear();
        game.commit(Entry::Choice(choice.into()), &mut events).unwrap();
    }
    game.totals().to_vec()
}

/// Two against two, who then change places.
fn block(number: u32, strategies: [&str; 2]) -> BlockResult {
    let seatings = [[0, 1, 0, 1], [1, 0, 1, 0]];
    let games = seatings.map(|seating| game(&seating, points(number, &seating, strategies)));
    block_of(number, &games)
}

fn test(strategies: [&str; 2], blocks: u32) -> AbReport {
    let blocks: Vec<BlockResult> = (0..blocks).map(|number| block(number, strategies)).collect();
    AbReport::of(&AbPlan::default(), &results(2, &blocks), EntrantId(0), EntrantId(1))
}

#[test]
fn greedy_is_found_better_than_random_within_60_blocks() {
    let report = test(["greedy", "random"], 16);
    assert_eq!(report.verdict, Verdict::Better, "{report:?}");
    let interval = report.margin.unwrap().interval.unwrap();
    assert!(interval.low > 0.0, "{interval:?}");
}

#[test]
fn greedy_and_random_are_not_found_better_than_themselves() {
    for strategy in ["greedy", "random"] {
        let report = test([strategy; 2], 40);
        assert_ne!(report.verdict, Verdict::Better, "{strategy}: {report:?}");
    }
}
