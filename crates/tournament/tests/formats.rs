//! What holds of every format, for all numbers of entrants and sizes of tables.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeSet;

use chickenfoot_tournament::validate::{Fault, LEAN_UNIT, Quality, Range, judge};
use chickenfoot_tournament::{Arrangement, Block, EntrantId, Format, SameOwner, Schedule, Seeding, State};
use common::{entrant, entrants, ids, play, setup};

/// Numbers of entrants from 2 to 64: all small ones, then a few.
fn numbers() -> impl Iterator<Item = u32> {
    (2..=14).chain([17, 23, 31, 48, 63, 64])
}

fn played(format: Format, table: u8, count: u32) -> Schedule {
    let mut schedule = Schedule::new(setup(format, table), entrants(count)).unwrap();
    play(&mut schedule);
    schedule
}

fn quality(schedule: &Schedule) -> Quality {
    judge(schedule.blocks(), &ids(schedule.entrants().len() as u32))
}

/// The least number of seats that tables have with so many entrants: all but a few are full or lack one.
fn fewest_seats(count: u32, table: u8) -> usize {
    (count / count.div_ceil(table.into())) as usize
}

fn stages(blocks: &[Block]) -> Vec<&[Block]> {
    blocks.chunk_by(|a, b| a.stage == b.stage).collect()
}

/// Everybody sits once in a stage, but for one at tables of 2.
fn assert_seated_once(stage: &[Block], count: u32, table: u8) {
    let seated: Vec<EntrantId> = stage.iter().flat_map(|block| block.seatings[0].clone()).collect();
    let distinct: BTreeSet<_> = seated.iter().collect();
    assert_eq!(distinct.len(), seated.len(), "{count} at {table}");
    assert_eq!(seated.len() as u32, if table == 2 { count / 2 * 2 } else { count }, "{count} at {table}");
    let fewest = if table == 2 { 2 } else { fewest_seats(count, table) };
    assert!(stage.iter().all(|block| (fewest..=fewest + 1).contains(&block.seatings[0].len())));
    assert!(stage.iter().all(|block| block.seatings[0].len() <= table.into()), "{count} at {table}");
}

fn assert_sound(schedule: &Schedule, context: &str) -> Quality {
    let quality = quality(schedule);
    assert_eq!(quality.faults, [], "{context}");
    assert_eq!(quality.seat_spread, 0, "{context}");
    assert_eq!(schedule.total_blocks(), schedule.blocks().len() as u32, "{context}");
    quality
}

#[test]
fn a_round_robin_seats_all_equally_often_and_nobody_twice() {
    for table in 2..=8 {
        for count in (2..=16).chain([27, 64]) {
            let expected =
                Schedule::new(setup(Format::RoundRobin { cycles: 1 }, table), entrants(count)).unwrap();
            let schedule = played(Format::RoundRobin { cycles: 1 }, table, count);
            let context = format!("{count} at {table}");
            assert_eq!(expected.total_blocks(), schedule.total_blocks(), "{context}");
            let quality = assert_sound(&schedule, &context);
            assert_eq!(quality.blocks.least, quality.blocks.most, "{context}");
            for stage in stages(schedule.blocks()) {
                assert_seated_once(stage, count, table);
            }
        }
    }
}

#[test]
fn known_designs_are_perfect_meetings_and_neighbours_too() {
    for (count, table) in [(9, 3), (15, 3), (25, 5), (49, 7), (64, 8), (3, 3), (5, 5), (7, 7), (8, 8)] {
        let cycles = u32::from(table) - 1;
        let schedule = played(Format::RoundRobin { cycles }, table, count);
        let quality = assert_sound(&schedule, &format!("{count} at {table}"));
        assert_eq!(quality.meetings, Range { least: cycles, most: cycles }, "{count} at {table}");
        assert_eq!(quality.meetings, quality.meetings_bound);
        assert_eq!(quality.neighbour_lean, 0, "{count} at {table}");
    }
}

#[test]
fn tables_of_four_and_six_are_nearly_even_after_all_their_orders() {
    for (count, table, cycles) in [(16, 4, 6), (4, 4, 6), (6, 6, 120)] {
        let schedule = played(Format::RoundRobin { cycles }, table, count);
        let quality = assert_sound(&schedule, &format!("{count} at {table}"));
        assert_eq!(quality.meetings, Range { least: cycles, most: cycles });
        // Of 6 there is a block at most that is not evened out.
        let most = if table == 4 { 0 } else { LEAN_UNIT * 6 };
        assert!(quality.neighbour_lean <= most, "{count} at {table}: {}", quality.neighbour_lean);
    }
}

#[test]
fn a_gauntlet_seats_its_candidate_always_and_the_field_equally_often() {
    for table in 2..=8 {
        for count in numbers() {
            let format = Format::Gauntlet { candidate: EntrantId(1), blocks: 40 };
            let schedule = played(format, table, count);
            assert_sound(&schedule, &format!("{count} at {table}"));
            assert_eq!(schedule.blocks().len(), 40);
            assert!(schedule.blocks().iter().all(|block| block.seatings[0].contains(&EntrantId(1))));
            let field: Vec<EntrantId> = ids(count).into_iter().filter(|&it| it != EntrantId(1)).collect();
            let without: Vec<Block> = schedule.blocks().to_vec();
            let sat = |it: &EntrantId| without.iter().filter(|block| block.seatings[0].contains(it)).count();
            let counts: Vec<usize> = field.iter().map(sat).collect();
            assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1, "{count} at {table}");
            let seats = usize::from(table).min(count as usize);
            assert!(schedule.blocks().iter().all(|block| block.seatings[0].len() == seats));
        }
    }
}

#[test]
fn a_swiss_tournament_seats_all_in_every_round_with_equal_byes() {
    for table in 2..=8 {
        for count in numbers() {
            let schedule = played(Format::Swiss { rounds: 4 }, table, count);
            let quality = assert_sound(&schedule, &format!("{count} at {table}"));
            assert!(quality.blocks.most - quality.blocks.least <= if count == 3 { 2 } else { 1 });
            let stages = stages(schedule.blocks());
            assert_eq!(stages.len(), 4);
            for stage in stages {
                assert_seated_once(stage, count, table);
            }
        }
    }
}

#[test]
fn an_elimination_goes_down_to_one_table_and_the_best_of_each_heat_go_on() {
    for table in 2..=8 {
        for count in numbers() {
            for advance in [1, table / 2, table - 1] {
                let format = Format::Elimination { advance, blocks: 2, seeding: Seeding::Entry };
                let expected = Schedule::new(setup(format, table), entrants(count)).unwrap().total_blocks();
                let schedule = played(format, table, count);
                let context = format!("{count} at {table}, {advance} go on");
                assert_sound(&schedule, &context);
                assert_eq!(schedule.total_blocks(), expected, "{context}");
                assert_bracket(&schedule, count, advance, &context);
            }
        }
    }
}

fn assert_bracket(schedule: &Schedule, count: u32, advance: u8, context: &str) {
    let bracket = schedule.bracket().unwrap();
    let mut alive: BTreeSet<EntrantId> = ids(count).into_iter().collect();
    for stage in &bracket.stages {
        let seated: Vec<EntrantId> = stage.heats.iter().flat_map(|heat| heat.entrants.clone()).collect();
        assert_eq!(seated.len(), alive.len(), "{context}");
        assert_eq!(BTreeSet::from_iter(seated.clone()), alive, "{context}");
        let sizes: BTreeSet<usize> = stage.heats.iter().map(|heat| heat.entrants.len()).collect();
        assert!(sizes.last().unwrap() - sizes.first().unwrap() <= 1, "{context}");
        for heat in &stage.heats {
            assert_eq!(heat.blocks.len(), if heat.entrants.len() > 1 { 2 } else { 0 }, "{context}");
            for &number in &heat.blocks {
                let block = schedule.block(number).unwrap();
                assert_eq!(BTreeSet::from_iter(&block.seatings[0]), BTreeSet::from_iter(&heat.entrants));
            }
            assert!(heat.order.starts_with(&heat.advanced), "{context}");
        }
        let went: Vec<EntrantId> = stage
            .heats
            .iter()
            .flat_map(|heat| heat.advanced.clone())
            .chain(stage.best_losers.clone())
            .collect();
        if stage.heats.len() > 1 {
            assert!(stage.heats.iter().all(|heat| heat.advanced.len() <= advance.into()));
            assert!(stage.heats.iter().all(|heat| !heat.advanced.is_empty()), "{context}");
            assert!(went.len() < alive.len(), "{context}");
        }
        alive = went.into_iter().collect();
    }
    let last = bracket.stages.last().unwrap();
    assert_eq!(last.heats.len(), 1, "{context}");
    let places = schedule.places().unwrap();
    let ranked: Vec<EntrantId> = places.iter().map(|place| place.entrant).collect();
    assert!(ranked.starts_with(&last.heats[0].order), "{context}");
    assert_eq!(BTreeSet::from_iter(ranked).len() as u32, count, "{context}");
}

#[test]
fn elimination_keeps_the_best_seeds_apart() {
    let format = Format::Elimination { advance: 1, blocks: 1, seeding: Seeding::Entry };
    let mut schedule = Schedule::new(setup(format, 4), entrants(14)).unwrap();
    let blocks = schedule.take_ready(99);
    let tables: Vec<Vec<u32>> = blocks
        .iter()
        .map(|block| {
            let mut table: Vec<u32> = block.seatings[0].iter().map(|it| it.0).collect();
            table.sort_unstable();
            table
        })
        .collect();
    assert_eq!(tables, [vec![0, 7, 8], vec![1, 6, 9], vec![2, 5, 10, 13], vec![3, 4, 11, 12]]);
}

#[test]
fn a_ladder_seats_all_about_equally_often_and_owners_apart() {
    for table in 2..=8 {
        for count in numbers() {
            let format = Format::Ladder { blocks: 60, same_owner: SameOwner::Apart };
            let field = (0..count)
                .map(|at| entrant(at, if at % 3 == 0 { "" } else { ["a", "b"][at as usize % 3 - 1] }));
            let mut schedule = Schedule::new(setup(format, table), field.collect()).unwrap();
            play(&mut schedule);
            let context = format!("{count} at {table}");
            let quality = assert_sound(&schedule, &context);
            assert_eq!(schedule.blocks().len(), 60, "{context}");
            assert!(quality.blocks.least > 0, "{context}");
            for block in schedule.blocks() {
                for owner in [1, 2] {
                    let own = block.seatings[0].iter().filter(|it| it.0 % 3 == owner).count();
                    assert!(own <= 1, "{context}: {block:?}");
                }
            }
        }
    }
}

#[test]
fn a_ladder_sets_near_equals_together_once_it_knows_them() {
    let format = Format::Ladder { blocks: 1_200, same_owner: SameOwner::Apart };
    let mut schedule = Schedule::new(setup(format, 4), entrants(40)).unwrap();
    play(&mut schedule);
    let width = |blocks: &[Block]| {
        let width = |block: &Block| {
            let ids = || block.seatings[0].iter().map(|it| it.0);
            ids().max().unwrap() - ids().min().unwrap()
        };
        blocks.iter().map(width).sum::<u32>() / blocks.len() as u32
    };
    // Four of 40 drawn by lot are 24 apart on average.
    let (early, late) = (width(&schedule.blocks()[..60]), width(&schedule.blocks()[600..]));
    assert!(early > 18 && late < 16, "{early}, then {late}");
    let quality = assert_sound(&schedule, "ladder");
    assert!(quality.blocks.most - quality.blocks.least <= 40, "{quality:?}");
}

#[test]
fn ladder_entrants_of_one_owner_meet_when_asked() {
    let field = || vec![entrant("x", "a"), entrant("y", "a")];
    let format = |same_owner| setup(Format::Ladder { blocks: 3, same_owner }, 2);
    let mut schedule = Schedule::new(format(SameOwner::Together), field()).unwrap();
    assert_eq!(schedule.take_ready(9).len(), 3);
    let mut schedule = Schedule::new(format(SameOwner::Apart), field()).unwrap();
    assert_eq!(schedule.state(), State::Over);
    assert!(schedule.take_ready(9).is_empty());
}

fn ab(arrangement: Arrangement) -> Format {
    Format::Ab { candidate: EntrantId(1), base: EntrantId(0), arrangement, blocks: 70 }
}

#[test]
fn an_ab_test_shares_tables_and_plays_each_order_again_with_the_two_swapped() {
    for table in 2..=8 {
        for count in numbers().filter(|&count| count >= u32::from(table)) {
            let schedule = played(ab(Arrangement::Shared), table, count);
            assert_sound(&schedule, &format!("{count} at {table}"));
            for block in schedule.blocks() {
                assert_eq!(block.seatings.len(), if table == 2 { 2 } else { 2 * usize::from(table) });
                for seating in &block.seatings {
                    let swapped: Vec<EntrantId> =
                        seating.iter().map(|it| if it.0 < 2 { EntrantId(1 - it.0) } else { *it }).collect();
                    assert!(block.seatings.contains(&swapped), "{count} at {table}: {block:?}");
                }
            }
        }
    }
}

#[test]
fn an_ab_test_half_and_half_has_both_on_every_seat_and_all_patterns() {
    for (table, patterns) in [(2, 1), (4, 3), (6, 10), (8, 35)] {
        let schedule = played(ab(Arrangement::Halves), table, 2);
        let quality = quality(&schedule);
        let other = |fault: &&Fault| !matches!(fault, Fault::Twice { .. });
        assert_eq!(quality.faults.iter().find(other), None);
        assert_eq!(quality.seat_spread, 0);
        for pass in schedule.blocks().chunks_exact(patterns) {
            let seen: BTreeSet<_> = pass.iter().flat_map(|block| block.seatings.clone()).collect();
            assert_eq!(seen.len(), 2 * patterns, "table of {table}");
        }
    }
}

#[test]
fn an_ab_test_stops_after_the_block_it_is_told_and_runs_no_further_ahead_than_allowed() {
    let mut schedule = Schedule::new(setup(ab(Arrangement::Halves), 4), entrants(2)).unwrap();
    let ready = schedule.take_ready(99);
    assert_eq!(ready.len(), 3, "a lookahead of two");
    schedule.record(common::result(&ready[1])).unwrap();
    assert!(schedule.take_ready(99).is_empty());
    schedule.record(common::result(&ready[0])).unwrap();
    let ready_then = schedule.take_ready(99);
    assert_eq!(ready_then.iter().map(|block| block.number).collect::<Vec<_>>(), [3, 4]);
    schedule.record(common::result(&ready_then[1])).unwrap();
    schedule.stop_after(2);
    assert_eq!((schedule.state(), schedule.total_blocks()), (State::Running, 3));
    schedule.record(common::result(&ready[2])).unwrap();
    assert_eq!(schedule.state(), State::Over);
    assert!(schedule.take_ready(99).is_empty());
    assert_eq!(schedule.results().map(|result| result.number).collect::<Vec<_>>(), [0, 1, 2]);
    assert!(!schedule.counts(4));
}
