//! Ten thousand entrants are paired in bounded work. Nothing is timed here; a pairing in cubic time would not end.

#![allow(clippy::unwrap_used)]

mod common;

use chickenfoot_tournament::validate::judge;
use chickenfoot_tournament::{EntrantId, Error, Format, SameOwner, Schedule, Seeding};
use common::{entrants, ids, result, setup};

const ENTRANTS: u32 = 10_000;

fn schedule(format: Format, table: u8) -> Schedule {
    let mut setup = setup(format, table);
    setup.lookahead = 500;
    Schedule::new(setup, entrants(ENTRANTS)).unwrap()
}

#[test]
fn swiss_rounds_of_ten_thousand_have_no_rematch() {
    for (table, rounds) in [(2, 3), (4, 3)] {
        let mut schedule = schedule(Format::Swiss { rounds }, table);
        for _ in 0..rounds {
            let blocks = schedule.take_ready(usize::MAX);
            assert_eq!(blocks.len() as u32, ENTRANTS / u32::from(table));
            for block in blocks {
                schedule.record(result(&block)).unwrap();
            }
        }
        assert_eq!(judge(schedule.blocks(), &ids(ENTRANTS)).meetings.most, 1);
    }
}

#[test]
fn the_first_blocks_of_a_round_robin_of_ten_thousand_do_not_need_the_others() {
    for (table, total) in [(2, 49_995_000), (4, 8_362_500)] {
        let mut schedule = schedule(Format::RoundRobin { cycles: 1 }, table);
        assert!(schedule.total_blocks().abs_diff(total) < total / 50, "{}", schedule.total_blocks());
        let blocks = schedule.take_ready(12_000);
        let quality = judge(&blocks, &ids(ENTRANTS));
        assert_eq!(quality.meetings.most, 1);
        assert!(quality.blocks.most - quality.blocks.least <= 1, "{:?}", quality.blocks);
    }
}

#[test]
fn a_ladder_of_ten_thousand_seats_all_before_any_twice() {
    let format = Format::Ladder { blocks: 3_000, same_owner: SameOwner::Apart };
    let mut schedule = schedule(format, 4);
    while schedule.blocks().len() < 1_000 {
        for block in schedule.take_ready(usize::MAX) {
            schedule.record(result(&block)).unwrap();
        }
    }
    assert_eq!(judge(schedule.blocks(), &ids(ENTRANTS)).blocks.most, 1);
}

#[test]
fn an_elimination_has_at_most_two_hundred_thousand_blocks() {
    // Of 1,024 in pairs one remains after 1,023 heats.
    let schedule = |blocks| {
        let format = Format::Elimination { advance: 1, blocks, seeding: Seeding::Lot };
        Schedule::new(setup(format, 2), entrants(1024))
    };
    assert_eq!(schedule(195).unwrap().take_ready(usize::MAX).len(), 195 * 512);
    assert_eq!(schedule(196).unwrap_err(), Error::TooManyBlocks { at_most: 200_000 });
}

#[test]
fn an_elimination_and_a_gauntlet_of_ten_thousand_begin() {
    let mut elimination = schedule(Format::Elimination { advance: 1, blocks: 1, seeding: Seeding::Lot }, 4);
    assert_eq!(elimination.take_ready(usize::MAX).len(), 2_500);
    let mut gauntlet = schedule(Format::Gauntlet { candidate: EntrantId(0), blocks: 200 }, 4);
    assert_eq!(gauntlet.take_ready(usize::MAX).len(), 200);
}
