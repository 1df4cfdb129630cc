//! Tournaments played by dice, for the tests of schedules.
#![allow(clippy::unwrap_used)]
#![allow(dead_code, reason = "each test file uses a part of it")]

use chickenfoot_tournament::{Block, BlockResult, Entrant, EntrantId, Format, Game, Schedule, Setup, State};

/// A small generator of well-mixed numbers (SplitMix64), so that the tests do not share one with the crate.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}

pub fn setup(format: Format, table: u8) -> Setup {
    Setup { format, table, seed: [5; 32], lookahead: 2 }
}

pub fn entrant(name: impl ToString, owner: &str) -> Entrant {
    Entrant { name: name.to_string(), owner: owner.to_owned(), from_stage: 1, until_stage: None }
}

pub fn entrants(count: u32) -> Vec<Entrant> {
    (0..count).map(|at| entrant(at, "")).collect()
}

pub fn ids(count: u32) -> Vec<EntrantId> {
    (0..count).map(EntrantId).collect()
}

/// A result that depends on the block alone. Lower ids play better, by a margin that luck often outweighs.
pub fn result(block: &Block) -> BlockResult {
    let game = |(at, seating): (usize, &Vec<EntrantId>)| {
        let points: Vec<u32> = (0..seating.len())
            .map(|seat| {
                let mut dice = Dice(u64::from(block.number) << 32 | (at * 8 + seat) as u64);
                seating[seat].0 % 100 + dice.below(120) as u32
            })
            .collect();
        let place = |own: &u32| 1 + points.iter().filter(|other| *other < own).count() as u8;
        Game {
            seating: seating.clone(),
            places: points.iter().map(place).collect(),
            clean_rounds: vec![0; seating.len()],
            lowest_round: vec![Some(1); seating.len()],
            points,
        }
    };
    let games = block.seatings.iter().enumerate().map(game).collect();
    BlockResult { number: block.number, absent: Vec::new(), games }
}

/// The result of a block that somebody did not come to.
pub fn absence(block: &Block, absent: EntrantId) -> BlockResult {
    BlockResult { number: block.number, absent: vec![absent], games: Vec::new() }
}

/// Plays to the end, always all blocks that are ready.
pub fn play(schedule: &mut Schedule) {
    play_with(schedule, result);
}

pub fn play_with(schedule: &mut Schedule, mut result: impl FnMut(&Block) -> BlockResult) {
    while schedule.state() == State::Running {
        let ready = schedule.take_ready(usize::MAX);
        assert!(
            !ready.is_empty(),
            "running, but nothing to play after {} blocks",
            schedule.finished_blocks()
        );
        for block in ready {
            schedule.record(result(&block)).unwrap();
        }
    }
    assert!(schedule.take_ready(1).is_empty());
    assert_eq!(schedule.finished_blocks(), schedule.blocks().len() as u32);
}
