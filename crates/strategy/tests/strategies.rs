//! What the strategies promise.
#![allow(clippy::unwrap_used, missing_docs)]

mod duplicate;

use chickenfoot_rules::{ForcedMoves, Move, Preset, RuleOptions, Seat};
use chickenfoot_strategy::{NAMES, by_name, seat_seed};
use duplicate::{edge, play, players, rules, start, totals};

#[test]
fn each_step_up_the_ladder_is_worth_points() {
    // The deals are fixed, and with them the outcome; the edges are those of the README, at eight errors and more.
    for players in [2, 4] {
        for (one, others) in [("random", "lowest"), ("greedy", "random"), ("dead-foot", "greedy")] {
            let edge = edge(rules(Preset::Trains, players), one, others, 0, 16);
            assert!(edge.points > 4.0 * edge.error, "{one} over {others} at {players}: {edge:?}");
        }
    }
}

#[test]
fn a_strategy_has_no_edge_over_itself() {
    // The sum over all seats of a deal is zero but for rounding: the measure favours no seat.
    let edge = edge(rules(Preset::Classic, 3), "greedy", "greedy", 0, 4);
    assert!(edge.points.abs() < 1e-9, "{edge:?}");
}

#[test]
fn every_move_is_legal_at_every_table() {
    for preset in [Preset::Trains, Preset::Classic] {
        for count in 2..=16 {
            for max_pip in [6, 9, 12, 15, 18] {
                let options = RuleOptions {
                    max_pip: Some(max_pip),
                    rounds: Some(1),
                    ..RuleOptions::new(preset, count)
                };
                let Ok(rules) = options.resolve() else { continue };
                let mut game = start(rules, u32::from(count), ForcedMoves::Asked);
                let mut players = players(&game, |seat| NAMES[seat.index() % NAMES.len()]);
                play(&mut game, |view| players[view.seat.index()].choose(view));
            }
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_match() {
    for name in NAMES {
        let rules = rules(Preset::Classic, 3);
        assert_eq!(totals(rules, 7, |_| name), totals(rules, 7, |_| name), "{name}");
    }
}

#[test]
fn a_fresh_player_goes_on_as_the_old_one_would_have() {
    for name in NAMES {
        let rules = rules(Preset::Trains, 2);
        let mut game = start(rules, 3, ForcedMoves::Automatic);
        let commitment = game.setup().commitment;
        let fresh = |seat| by_name(name, seat_seed(1, &commitment, seat)).unwrap();
        let mut old: Vec<_> = Seat::all(2).map(fresh).collect();
        play(&mut game, |view| {
            let action = old[view.seat.index()].choose(view);
            assert_eq!(fresh(view.seat).choose(view), action, "{name}");
            action
        });
    }
}

#[test]
fn random_plays_what_it_always_played() {
    let mut game = start(rules(Preset::Trains, 2), 1, ForcedMoves::Automatic);
    let mut players = players(&game, |_| "random");
    let mut moves: Vec<String> = Vec::new();
    play(&mut game, |view| {
        let action = players[view.seat.index()].choose(view);
        moves.push(action.to_string());
        action
    });
    assert_eq!(moves[..GOLDEN.len()], GOLDEN);
}

/// The first moves of that match. Another sequence would change what recorded seeds replay to.
const GOLDEN: [&str; 8] =
    ["7-9 on 9", "8-9 on 9", "3-8 on 8", "3-7 on 3", "4-7 on 7", "4-8 on 4", "2-7 on 7", "2-2 on 2"];

#[test]
fn an_option_that_empties_the_hand_is_taken() {
    for name in ["greedy", "dead-foot"] {
        let mut game = start(rules(Preset::Trains, 4), 5, ForcedMoves::Automatic);
        let mut players = players(&game, |_| name);
        play(&mut game, |view| {
            let action = players[view.seat.index()].choose(view);
            if view.hand.len() == 1 && view.drawn.is_none() {
                assert!(matches!(action, Move::Play { .. }), "{name}");
            }
            action
        });
    }
}

#[test]
fn an_unknown_name_is_nobody() {
    for name in ["", "Greedy", "oracle"] {
        assert!(by_name(name, [0; 32]).is_none(), "{name}");
    }
}
