//! What a run says beyond its schedule: that a test ends, and whom the lot has parted.

#![allow(clippy::unwrap_used)]

mod common;

use chickenfoot_tournament::statistics::{AbPlan, Effect, Verdict};
use chickenfoot_tournament::{
    AbTest, Arrangement, Block, BlockResult, EntrantId, Figures, Format, Game, Run, Seeding,
};
use common::{absence, entrants, setup};

const CANDIDATE: EntrantId = EntrantId(0);
const BASE: EntrantId = EntrantId(1);

/// A block in which all are equal.
fn even(block: &Block) -> BlockResult {
    let game = |seating: &Vec<EntrantId>| Game {
        seating: seating.clone(),
        places: vec![1; seating.len()],
        points: vec![10; seating.len()],
        clean_rounds: vec![0; seating.len()],
        lowest_round: vec![Some(10); seating.len()],
    };
    let games = block.seatings.iter().map(game).collect();
    BlockResult { number: block.number, absent: Vec::new(), games }
}

/// A block that the lower id won.
fn won(block: &Block) -> BlockResult {
    let mut result = even(block);
    for game in &mut result.games {
        let best = game.seating.iter().min().unwrap();
        game.points = game.seating.iter().map(|it| if it == best { 0 } else { 20 }).collect();
        game.places = game.points.iter().map(|points| if *points == 0 { 1 } else { 2 }).collect();
    }
    result
}

/// A test of two, of eight blocks at most.
fn test() -> Run {
    let plan = AbPlan::new(Effect::StandardDeviations(0.3), 0.05, 0.05, 8, 8).unwrap();
    let format =
        Format::Ab { candidate: CANDIDATE, base: BASE, arrangement: Arrangement::Halves, blocks: plan.cap() };
    let test = AbTest { plan, candidate: CANDIDATE, base: BASE };
    Run::new(setup(format, 2), Some(test), entrants(2)).unwrap()
}

#[test]
fn a_test_that_has_nothing_left_to_play_is_undecided_though_a_block_was_not_played() {
    let mut run = test();
    while let Some(block) = run.take_ready(1).pop() {
        assert_eq!(run.ab_report().unwrap().verdict, Verdict::Running);
        let result = if block.number == 3 { absence(&block, BASE) } else { even(&block) };
        run.record(result).unwrap();
    }
    assert!(run.is_over());
    let report = run.ab_report().unwrap();
    assert_eq!((report.verdict, report.decided_at, report.blocks), (Verdict::Undecided, Some(7), 7));
}

#[test]
fn a_test_that_one_of_both_leaves_is_undecided() {
    let mut run = test();
    let block = run.take_ready(1).remove(0);
    run.record(even(&block)).unwrap();
    run.withdraw(CANDIDATE).unwrap();
    assert!(run.is_over());
    assert_eq!(run.ab_report().unwrap().verdict, Verdict::Undecided);
}

/// Who is parted from a neighbour by lot alone, from the first place to the last.
fn by_lot(run: &Run) -> Vec<bool> {
    Figures::of(run).unwrap().standings.rows.iter().map(|row| row.by_lot).collect()
}

#[test]
fn the_lot_is_told_where_a_format_has_an_order_of_its_own() {
    let mut swiss = Run::new(setup(Format::Swiss { rounds: 2 }, 2), None, entrants(4)).unwrap();
    assert_eq!(by_lot(&swiss), [true; 4], "nothing is played yet");
    let blocks = swiss.take_ready(9);
    for block in &blocks {
        swiss.record(even(block)).unwrap();
    }
    assert_eq!(by_lot(&swiss), [true; 4]);
    let mut swiss = Run::new(setup(Format::Swiss { rounds: 2 }, 2), None, entrants(4)).unwrap();
    for _ in 0..2 {
        for block in swiss.take_ready(9) {
            swiss.record(won(&block)).unwrap();
        }
    }
    // One won twice and one lost twice; whether the lot parts the others is for their opponents' scores.
    let told = by_lot(&swiss);
    assert!(!told[0] && !told[3] && told[1] == told[2], "{told:?}");

    let format = Format::Elimination { advance: 1, blocks: 1, seeding: Seeding::Entry };
    let mut cup = Run::new(setup(format, 2), None, entrants(4)).unwrap();
    let first = cup.take_ready(9);
    assert_eq!(by_lot(&cup), [false; 4], "by their seeds");
    for block in &first {
        cup.record(even(block)).unwrap();
    }
    assert_eq!(by_lot(&cup), [true; 4]);
    for block in cup.take_ready(9) {
        cup.record(won(&block)).unwrap();
    }
    assert!(cup.is_over());
    // The final was won, and nothing parts those who lost to its players but the lot.
    assert_eq!(by_lot(&cup), [false, false, true, true]);
}
