//! Random play reaches what the laws are about; else they would hold of nothing.

use std::collections::BTreeMap;

use chickenfoot_rules::{End, Move};

use crate::play::{Position, choose, rounds, small_rounds};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;

#[test]
fn random_play_reaches_every_rule() {
    let mut runner = TestRunner::deterministic();
    let mut seen: BTreeMap<&'static str, u32> = BTreeMap::new();
    let positions = rounds().boxed().prop_union(small_rounds().boxed());
    for _ in 0..500 {
        let position = positions.new_tree(&mut runner).unwrap().current();
        *seen.entry("a dead foot").or_default() += super::feet::dead_feet_stay(&position);
        for what in happens(&position) {
            *seen.entry(what).or_default() += 1;
        }
    }
    for what in [
        "a dead foot",
        "a whole foot",
        "a double as the last tile",
        "a drawn tile played",
        "a drawn tile kept",
        "a drawn tile that does not fit",
        "a pass without a draw",
        "a tile that fits two ends",
        "out",
        "out in the opening",
        "blocked",
        "blocked in the opening",
        "blocked with a foot",
        "blocked by a draw that does not fit",
        "over before the first turn",
    ] {
        let times = seen.get(what).copied().unwrap_or(0);
        assert!(times > 0, "{what}: never; the rest: {seen:?}");
    }
}

fn happens(position: &Position) -> Vec<&'static str> {
    let mut rng = position.rng();
    let mut round = position.round::<3>();
    let mut seen = Vec::new();
    if round.end().is_some() {
        seen.push("over before the first turn");
    }
    while let Some(action) = choose(&round, &mut rng) {
        let before = round;
        round.apply(action).unwrap();
        match action {
            Move::Play { tile, .. } => {
                if before.foot().is_some() && round.foot().is_none() {
                    seen.push("a whole foot");
                }
                if before.drawn().is_some() {
                    seen.push("a drawn tile played");
                }
                if tile.is_double() && round.end().is_some() {
                    seen.push("a double as the last tile");
                }
                let numbers = before.open_numbers();
                if !tile.is_double() && numbers.contains(tile.low()) && numbers.contains(tile.high()) {
                    seen.push("a tile that fits two ends");
                }
            }
            Move::Draw => {
                if round.drawn().is_none() {
                    seen.push("a drawn tile that does not fit");
                }
                if round.end().is_some() {
                    seen.push("blocked by a draw that does not fit");
                }
            }
            Move::Pass if before.yard_size() <= before.terms().reserve => seen.push("a pass without a draw"),
            Move::Pass => {}
            Move::Keep => seen.push("a drawn tile kept"),
        }
    }
    match round.end() {
        Some(End::Out(_)) if round.arms_left() > 0 => seen.push("out in the opening"),
        Some(End::Out(_)) => seen.push("out"),
        Some(End::Blocked) if round.arms_left() > 0 => seen.push("blocked in the opening"),
        Some(End::Blocked) if round.foot().is_some() => seen.push("blocked with a foot"),
        Some(End::Blocked) => seen.push("blocked"),
        None => {}
    }
    seen
}
