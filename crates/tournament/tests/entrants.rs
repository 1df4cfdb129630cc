//! Late entrants, withdrawals, and what is refused.

#![allow(clippy::unwrap_used)]

mod common;

use chickenfoot_tournament::{
    Arrangement, Block, EntrantId, Error, Format, SameOwner, Schedule, Seeding, State,
};
use common::{absence, entrant, entrants, play, result, setup};

fn sits(block: &Block, entrant: u32) -> bool {
    block.seatings[0].contains(&EntrantId(entrant))
}

#[test]
fn a_late_entrant_plays_from_the_next_swiss_round_on() {
    let mut schedule = Schedule::new(setup(Format::Swiss { rounds: 3 }, 2), entrants(7)).unwrap();
    let first = schedule.take_ready(99);
    assert_eq!(schedule.enter(entrant("late", "")), Ok(2));
    for block in &first {
        assert!(!sits(block, 7));
        schedule.record(result(block)).unwrap();
    }
    let second = schedule.take_ready(99);
    assert_eq!(second.len(), 4);
    assert!(second.iter().any(|block| sits(block, 7)));
    for block in &second {
        schedule.record(result(block)).unwrap();
    }
    assert_eq!(schedule.enter(entrant("later", "")), Ok(3));
    schedule.take_ready(99);
    assert_eq!(schedule.enter(entrant("too late", "")), Err(Error::TooLate));
    assert_eq!(schedule.entrants().len(), 9);
}

#[test]
fn a_late_entrant_plays_in_a_later_block_of_a_ladder() {
    let format = Format::Ladder { blocks: 20, same_owner: SameOwner::Apart };
    let mut schedule = Schedule::new(setup(format, 2), entrants(6)).unwrap();
    let begun = schedule.take_ready(3);
    assert_eq!(begun.len(), 3);
    assert_eq!(schedule.enter(entrant("late", "")), Ok(4));
    for block in begun {
        schedule.record(result(&block)).unwrap();
    }
    play(&mut schedule);
    let own: Vec<u32> =
        schedule.blocks().iter().filter(|block| sits(block, 6)).map(|block| block.number).collect();
    assert_eq!(own[0], 3, "nothing is known of it, so it is first");
    assert!(own.len() >= 5, "{own:?}");
}

#[test]
fn formats_with_a_fixed_list_take_nobody_in_once_they_began() {
    let candidate = EntrantId(0);
    let shared = Arrangement::Shared;
    for format in [
        Format::RoundRobin { cycles: 1 },
        Format::Gauntlet { candidate, blocks: 9 },
        Format::Elimination { advance: 1, blocks: 1, seeding: Seeding::Entry },
        Format::Ab { candidate, base: EntrantId(1), arrangement: shared, blocks: 9 },
    ] {
        let mut schedule = Schedule::new(setup(format, 3), entrants(6)).unwrap();
        assert_eq!(schedule.enter(entrant("early", "")), Ok(1), "{format:?}");
        schedule.take_ready(1);
        assert_eq!(schedule.enter(entrant("late", "")), Err(Error::TooLate), "{format:?}");
        let mut late = entrants(6);
        late[3].from_stage = 2;
        assert_eq!(Schedule::new(setup(format, 3), late).err(), Some(Error::TooLate), "{format:?}");
    }
}

#[test]
fn a_withdrawn_entrant_leaves_the_rest_of_a_round_robin() {
    let mut schedule = Schedule::new(setup(Format::RoundRobin { cycles: 1 }, 2), entrants(6)).unwrap();
    let begun = schedule.take_ready(4);
    let leaving = begun[3].seatings[0][0];
    assert_eq!(schedule.withdraw(leaving), Ok(3), "it has a block in the second round");
    for block in begun {
        schedule.record(result(&block)).unwrap();
    }
    play(&mut schedule);
    // Of its five opponents it met two; the others' ten meetings are all played.
    assert_eq!(schedule.blocks().len(), 12);
    assert_eq!(schedule.blocks().iter().filter(|block| sits(block, leaving.0)).count(), 2);
}

#[test]
fn the_others_of_a_table_play_on_without_one_who_withdrew() {
    let mut schedule = Schedule::new(setup(Format::RoundRobin { cycles: 3 }, 4), entrants(4)).unwrap();
    schedule.take_ready(1);
    schedule.withdraw(EntrantId(1)).unwrap();
    let rest = schedule.take_ready(9);
    assert_eq!(rest.iter().map(|block| block.seatings.len()).collect::<Vec<_>>(), [3, 3]);
}

#[test]
fn a_tournament_of_which_one_is_left_is_over() {
    let ladder = Format::Ladder { blocks: 9, same_owner: SameOwner::Together };
    for format in [Format::RoundRobin { cycles: 2 }, Format::Swiss { rounds: 4 }, ladder] {
        let mut schedule = Schedule::new(setup(format, 2), entrants(3)).unwrap();
        let block = schedule.take_ready(1).remove(0);
        schedule.withdraw(EntrantId(0)).unwrap();
        schedule.withdraw(EntrantId(2)).unwrap();
        assert_eq!(schedule.state(), State::Running, "{format:?}");
        schedule.record(result(&block)).unwrap();
        assert_eq!(schedule.state(), State::Over, "{format:?}");
        assert_eq!(schedule.take_ready(9), [], "{format:?}");
    }
    let gauntlet = Format::Gauntlet { candidate: EntrantId(0), blocks: 9 };
    let mut schedule = Schedule::new(setup(gauntlet, 2), entrants(3)).unwrap();
    schedule.withdraw(EntrantId(0)).unwrap();
    assert_eq!((schedule.state(), schedule.total_blocks()), (State::Over, 0));
}

#[test]
fn the_absent_are_last_in_their_heat() {
    let format = Format::Elimination { advance: 1, blocks: 2, seeding: Seeding::Entry };
    let mut schedule = Schedule::new(setup(format, 2), entrants(4)).unwrap();
    for block in schedule.take_ready(99) {
        let outcome = if sits(&block, 0) { absence(&block, EntrantId(0)) } else { result(&block) };
        schedule.record(outcome).unwrap();
    }
    let bracket = schedule.bracket().unwrap();
    assert_eq!(bracket.stages[0].heats[0].order, [EntrantId(3), EntrantId(0)]);
    assert_eq!(bracket.stages[0].heats[0].advanced, [EntrantId(3)]);
}

#[test]
fn the_place_of_one_who_withdrew_after_a_heat_goes_to_the_best_loser() {
    let format = Format::Elimination { advance: 1, blocks: 1, seeding: Seeding::Entry };
    let mut schedule = Schedule::new(setup(format, 2), entrants(4)).unwrap();
    for block in schedule.take_ready(99) {
        schedule.record(result(&block)).unwrap();
    }
    let first = schedule.bracket().unwrap().stages[0].clone();
    let winners: Vec<EntrantId> = first.heats.iter().flat_map(|heat| heat.advanced.clone()).collect();
    assert_eq!(winners.len(), 2);
    assert_eq!(schedule.withdraw(winners[0]), Ok(2));
    let last = schedule.take_ready(99);
    assert_eq!(last.len(), 1);
    assert!(sits(&last[0], winners[1].0) && !sits(&last[0], winners[0].0));
    assert_eq!(schedule.bracket().unwrap().stages[0].best_losers.len(), 1);
}

fn refused(format: Format, table: u8, count: u32) -> Error {
    Schedule::new(setup(format, table), entrants(count)).err().unwrap()
}

#[test]
fn impossible_settings_are_refused_by_name_and_bound() {
    let robin = Format::RoundRobin { cycles: 1 };
    let elimination = |advance, blocks| Format::Elimination { advance, blocks, seeding: Seeding::Lot };
    let ab = |candidate, base, arrangement| Format::Ab {
        candidate: EntrantId(candidate),
        base: EntrantId(base),
        arrangement,
        blocks: 5,
    };
    let (halves, shared) = (Arrangement::Halves, Arrangement::Shared);
    let gauntlet = Format::Gauntlet { candidate: EntrantId(9), blocks: 5 };
    let many = Format::RoundRobin { cycles: 1_000 };
    for (error, text) in [
        (refused(robin, 1, 4), "table is 1, must be 2 to 8"),
        (refused(robin, 9, 4), "table is 9, must be 2 to 8"),
        (refused(Format::RoundRobin { cycles: 0 }, 2, 4), "cycles is 0, must be 1 to 1000000"),
        (refused(Format::Swiss { rounds: 1_001 }, 2, 4), "rounds is 1001, must be 1 to 1000"),
        (refused(elimination(4, 1), 4, 9), "advance is 4, must be 1 to 3 at this table"),
        (refused(elimination(0, 1), 2, 9), "advance is 0, must be 1 to 1 at this table"),
        (refused(elimination(1, 0), 2, 9), "blocks is 0, must be 1 to 1000000"),
        (refused(robin, 2, 1), "there are 1 entrants, must be at least 2"),
        (refused(ab(0, 1, shared), 4, 3), "there are 3 entrants, must be at least 4"),
        (refused(ab(0, 1, halves), 4, 3), "there are 3 entrants, must be at most 2"),
        (refused(ab(0, 1, halves), 5, 2), "table is 5, must be even to be filled half and half"),
        (refused(ab(1, 1, shared), 2, 2), "candidate and base are both entrant #1"),
        (refused(ab(0, 2, shared), 2, 2), "there is no entrant #2"),
        (refused(gauntlet, 2, 9), "there is no entrant #9"),
        (refused(many, 2, 10_000), "all blocks together are more than 4294967295"),
        (refused(robin, 2, 65_537), "there are 65537 entrants, must be at most 65536"),
    ] {
        assert_eq!(error.to_string(), text);
    }
    let mut setup = setup(robin, 2);
    setup.lookahead = 10_001;
    assert_eq!(Schedule::new(setup.clone(), entrants(2)).err(), Some(Error::Lookahead { lookahead: 10_001 }));
    setup.lookahead = 0;
    let twins = vec![entrant("x", ""), entrant("x", "")];
    assert_eq!(Schedule::new(setup, twins).err(), Some(Error::SameName { name: "x".to_owned() }));
}

#[test]
fn results_that_do_not_fit_are_refused_and_the_block_stays_open() {
    let mut schedule = Schedule::new(setup(Format::Swiss { rounds: 2 }, 2), entrants(4)).unwrap();
    let blocks = schedule.take_ready(99);
    let good = result(&blocks[0]);
    let mut short = good.clone();
    short.games.pop();
    let mut place = good.clone();
    place.games[0].places[0] = 3;
    let mut other = result(&blocks[1]);
    other.number = 0;
    let mut stranger = absence(&blocks[0], blocks[1].seatings[0][0]);
    for wrong in [short, place, other, stranger.clone()] {
        assert_eq!(schedule.record(wrong), Err(Error::NotThisBlock { number: 0 }));
    }
    assert_eq!(schedule.finished_blocks(), 0);
    schedule.record(good.clone()).unwrap();
    schedule.record(good).unwrap();
    assert_eq!(schedule.finished_blocks(), 1);
    stranger.absent = vec![blocks[0].seatings[0][0]];
    assert_eq!(schedule.record(stranger), Err(Error::Finished { number: 0 }));
    let mut beyond = result(&blocks[1]);
    beyond.number = 99;
    schedule.record(beyond).unwrap();
    assert_eq!(schedule.unplaced(), [99]);
    let mut gauntlet =
        Schedule::new(setup(Format::Gauntlet { candidate: EntrantId(0), blocks: 3 }, 2), entrants(4))
            .unwrap();
    let mut beyond = result(&blocks[0]);
    beyond.number = 3;
    assert_eq!(gauntlet.record(beyond), Err(Error::NoSuchBlock { number: 3 }));
    assert_eq!(schedule.withdraw(EntrantId(4)), Err(Error::NoSuchEntrant { entrant: EntrantId(4) }));
    assert_eq!(schedule.enter(entrant(0, "")), Err(Error::SameName { name: "0".to_owned() }));
}
