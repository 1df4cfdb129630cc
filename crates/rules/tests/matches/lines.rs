//! Which of several equal ends a tile is laid on.

use std::cell::Cell;

use chickenfoot_rules::{Choice, Event, ForcedMoves, LineId, Move};
use rand::seq::IndexedRandom;

use crate::play::{choice, for_all, matches, play, rng, start};

#[test]
fn a_tile_lies_where_it_was_laid_and_else_at_the_oldest_end() {
    let chosen = Cell::new(0);
    for_all(30, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Asked);
        while let Some(decision) = game.decision().cloned() {
            let choice = choice(&game, &mut rng);
            let expected = match choice.action {
                Move::Play { end, .. } => {
                    let places = game.view().unwrap().lines().places(end);
                    chosen.set(chosen.get() + u32::from(choice.line.is_some() && places.len() > 1));
                    Some(choice.line.unwrap_or(*places.iter().min().unwrap()))
                }
                Move::Draw | Move::Pass | Move::Keep => None,
            };
            let at = events.len();
            let entry = game.check(decision.number, decision.seat, choice).unwrap();
            game.commit(entry, &mut events).unwrap();
            let found = match &events[at] {
                Event::Played { line, .. } => Some(*line),
                _ => None,
            };
            assert_eq!(found, expected);
        }
    });
    assert!(chosen.get() > 100, "only {} real choices of a line", chosen.get());
}

#[test]
fn lines_are_numbered_in_the_order_in_which_they_are_begun() {
    for_all(20, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (_, _, events) = play(rules, &deals, ForcedMoves::Automatic, |game| choice(game, &mut rng));
        let mut highest = 0;
        for event in events {
            match event {
                Event::RoundStarted { .. } => highest = 0,
                Event::Played { line, .. } => {
                    assert!(line.number() <= highest + 1);
                    highest = highest.max(line.number());
                }
                _ => {}
            }
        }
    });
}

#[test]
fn the_choice_among_equal_ends_changes_nothing_but_the_lines() {
    for_all(30, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let mut actions = Vec::new();
        let (_, _, oldest) = play(rules, &deals, ForcedMoves::Automatic, |game| {
            let Choice { action, .. } = choice(game, &mut rng);
            actions.push(action);
            Choice { action, line: None }
        });
        let mut actions = actions.into_iter();
        let (_, _, anywhere) = play(rules, &deals, ForcedMoves::Automatic, |game| {
            let action = actions.next().unwrap();
            let line = match action {
                Move::Play { end, .. } => game.view().unwrap().lines().places(end).choose(&mut rng).copied(),
                Move::Draw | Move::Pass | Move::Keep => None,
            };
            Choice { action, line }
        });
        assert_eq!(without_lines(oldest), without_lines(anywhere));
    });
}

fn without_lines(mut events: Vec<Event>) -> Vec<Event> {
    for event in &mut events {
        if let Event::Played { line, .. } = event {
            *line = LineId::new(1).unwrap();
        }
    }
    events
}
