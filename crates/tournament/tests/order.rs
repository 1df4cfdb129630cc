//! A schedule is a function of the set of results: neither their order nor a restart changes it.

#![allow(clippy::unwrap_used)]

mod common;

use chickenfoot_tournament::{
    Arrangement, Block, BlockResult, Entrant, EntrantId, Format, SameOwner, Schedule, Seeding, Setup, State,
};
use common::{Dice, absence, entrant, entrants, play_with, result, setup};

fn formats() -> Vec<(Format, u8, u32)> {
    let ladder = Format::Ladder { blocks: 40, same_owner: SameOwner::Apart };
    let halves = Format::Ab {
        candidate: EntrantId(0),
        base: EntrantId(1),
        arrangement: Arrangement::Halves,
        blocks: 20,
    };
    let shared = Format::Ab {
        candidate: EntrantId(0),
        base: EntrantId(1),
        arrangement: Arrangement::Shared,
        blocks: 20,
    };
    vec![
        (Format::RoundRobin { cycles: 2 }, 3, 10),
        (Format::RoundRobin { cycles: 1 }, 2, 9),
        (Format::RoundRobin { cycles: 3 }, 3, 9),
        (Format::Gauntlet { candidate: EntrantId(2), blocks: 30 }, 4, 9),
        (Format::Swiss { rounds: 5 }, 2, 11),
        (Format::Swiss { rounds: 4 }, 4, 18),
        (Format::Elimination { advance: 2, blocks: 3, seeding: Seeding::Lot }, 4, 21),
        (ladder, 3, 12),
        (halves, 4, 2),
        (shared, 4, 7),
    ]
}

/// Some blocks nobody plays, as somebody is absent.
fn outcome(block: &Block) -> BlockResult {
    match block.number % 7 {
        3 => absence(block, block.seatings[0][0]),
        _ => result(block),
    }
}

fn reference(setup: &Setup, entrants: &[Entrant]) -> Vec<Block> {
    let mut schedule = Schedule::new(setup.clone(), entrants.to_vec()).unwrap();
    play_with(&mut schedule, outcome);
    schedule.blocks().to_vec()
}

#[test]
fn results_in_any_order_give_the_same_blocks() {
    for (format, table, count) in formats() {
        let (setup, entrants) = (setup(format, table), entrants(count));
        let expected = reference(&setup, &entrants);
        for seed in 0..5 {
            let mut dice = Dice(seed);
            let mut schedule = Schedule::new(setup.clone(), entrants.clone()).unwrap();
            let mut under_way: Vec<Block> = Vec::new();
            while schedule.state() == State::Running {
                let more = dice.below(4);
                under_way.extend(schedule.take_ready(more));
                if under_way.is_empty() {
                    under_way.extend(schedule.take_ready(1));
                    assert!(!under_way.is_empty(), "{format:?}: running, but nothing to play");
                }
                let block = under_way.swap_remove(dice.below(under_way.len()));
                schedule.record(outcome(&block)).unwrap();
            }
            assert_eq!(schedule.blocks(), expected, "{format:?}");
        }
    }
}

/// A stored tournament goes on under a newer server, so what a seed leads to must not change: other values here mean that
/// tournaments that are under way cannot go on.
#[test]
fn schedules_are_what_they_always_were() {
    let digests: Vec<u64> = formats()
        .into_iter()
        .map(|(format, table, count)| digest(&reference(&setup(format, table), &entrants(count))))
        .collect();
    let expected = [
        1172355852835324353,
        10784592021029696549,
        2076709368732179049,
        1073174170690659995,
        10607223181744777992,
        17877409181125789897,
        3459249581773510541,
        16171416969418619408,
        11310378065805577233,
        13806086927676036273,
    ];
    assert_eq!(digests, expected);
}

/// FNV-1a over everything that a block says.
fn digest(blocks: &[Block]) -> u64 {
    let numbers = blocks.iter().flat_map(|block| {
        let seats = block.seatings.iter().flatten().map(|entrant| entrant.0);
        [block.number, block.stage, block.table].into_iter().chain(seats)
    });
    let bytes = numbers.flat_map(u32::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3))
}

#[test]
fn a_restart_at_any_time_goes_on_with_the_same_blocks() {
    for (format, table, count) in formats() {
        let (setup, entrants) = (setup(format, table), entrants(count));
        let expected = reference(&setup, &entrants);
        let mut dice = Dice(77);
        let mut stored: Vec<BlockResult> = Vec::new();
        let mut restarts = 0;
        loop {
            let mut schedule = Schedule::new(setup.clone(), entrants.clone()).unwrap();
            dice.shuffle(&mut stored);
            for result in &stored {
                schedule.record(result.clone()).unwrap();
            }
            assert!(schedule.unplaced().is_empty(), "{format:?}");
            if schedule.state() == State::Over {
                assert_eq!(schedule.blocks(), expected, "{format:?}");
                break;
            }
            // Of what is ready some is played, in any order, before the server is killed again.
            let mut ready = schedule.take_ready(1 + dice.below(6));
            assert!(!ready.is_empty(), "{format:?}: nothing to play after {} blocks", stored.len());
            assert!(ready.iter().all(|block| !stored.iter().any(|done| done.number == block.number)));
            dice.shuffle(&mut ready);
            let played = 1 + dice.below(ready.len());
            stored.extend(ready[..played].iter().map(outcome));
            restarts += 1;
        }
        assert!(restarts > 2, "{format:?}");
    }
}

/// Entrants that come and go at random, with the server restarting after each change.
#[test]
fn entries_and_withdrawals_give_the_same_blocks_after_a_restart() {
    for (format, table, count) in formats().into_iter().filter(|(_, _, count)| *count > 2) {
        let setup = setup(format, table);
        let mut dice = Dice(13);
        let mut schedule = Schedule::new(setup.clone(), entrants(count)).unwrap();
        let mut events = 0;
        while schedule.state() == State::Running {
            let ready = schedule.take_ready(3);
            for block in &ready {
                schedule.record(outcome(block)).unwrap();
            }
            // Early in the tournament one withdraws now and then, and others try to come in.
            if events < 3 && dice.below(2) == 0 {
                events += 1;
                let leaving = EntrantId(3 + events);
                let until = schedule.withdraw(leaving).unwrap();
                assert_eq!(schedule.withdraw(leaving).unwrap(), until, "the second time changes nothing");
                let _ = schedule.enter(entrant(format!("late {events}"), ""));
            }
            let mut again = Schedule::new(setup.clone(), schedule.entrants().to_vec()).unwrap();
            let mut stored: Vec<BlockResult> = schedule.results().cloned().collect();
            dice.shuffle(&mut stored);
            for result in stored {
                again.record(result).unwrap();
            }
            assert_eq!(again.blocks(), schedule.blocks(), "{format:?}");
            schedule = again;
        }
        let by_then = schedule.blocks().to_vec();
        for (at, entrant) in schedule.entrants().iter().enumerate() {
            let own = by_then.iter().filter(|block| block.seatings[0].contains(&EntrantId(at as u32)));
            for block in own {
                assert!(block.stage >= entrant.from_stage, "{format:?}");
                assert!(entrant.until_stage.is_none_or(|until| block.stage < until), "{format:?}");
            }
        }
        assert!(by_then.iter().zip(0..).all(|(block, number)| block.number == number), "{format:?}");
    }
}
