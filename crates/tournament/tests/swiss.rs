//! Rematches in a Swiss tournament, against an oracle that looks at every way to pair.

#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashMap;

use chickenfoot_tournament::{Block, EntrantId, Format, Schedule, State};
use common::{absence, entrants, ids, play, result, setup};

type Met = HashMap<(u32, u32), u32>;

/// How often these two met; in `Met` an entrant with itself stands for its byes.
fn met(met: &Met, a: u32, b: u32) -> u32 {
    met.get(&(a.min(b), a.max(b))).copied().unwrap_or(0)
}

/// The fewest rematches, each counted as often as the two met before, of all ways to seat these at tables of these sizes.
/// A table of 1 is a bye.
fn fewest(free: &[u32], sizes: &[usize], known: &Met) -> u32 {
    let Some((&first, others)) = free.split_first() else { return 0 };
    let mut best = u32::MAX;
    for (at, &size) in sizes.iter().enumerate() {
        if sizes[..at].contains(&size) {
            continue;
        }
        let mut rest = sizes.to_vec();
        rest.remove(at);
        for mut table in choices(others, size - 1) {
            let left: Vec<u32> = others.iter().copied().filter(|it| !table.contains(it)).collect();
            table.push(first);
            best = best.min(rematches(&table, known) + fewest(&left, &rest, known));
        }
    }
    best
}

fn choices(from: &[u32], count: usize) -> Vec<Vec<u32>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (at, &one) in from.iter().enumerate() {
        for mut more in choices(&from[at + 1..], count - 1) {
            more.push(one);
            all.push(more);
        }
    }
    all
}

fn rematches(table: &[u32], known: &Met) -> u32 {
    if let [alone] = table {
        return met(known, *alone, *alone);
    }
    let pairs = table.iter().enumerate().flat_map(|(at, &a)| table[at + 1..].iter().map(move |&b| (a, b)));
    pairs.map(|(a, b)| met(known, a, b)).sum()
}

/// The tables of a round, with whoever sits out as a table of 1.
fn tables(blocks: &[Block], count: u32) -> Vec<Vec<u32>> {
    let mut tables: Vec<Vec<u32>> =
        blocks.iter().map(|block| block.seatings[0].iter().map(|it| it.0).collect()).collect();
    let out = (0..count).find(|it| !tables.iter().flatten().any(|other| other == it));
    tables.extend(out.map(|it| vec![it]));
    tables
}

#[test]
fn rematches_and_second_byes_happen_only_where_they_cannot_be_avoided() {
    for (table, count) in (2..=8).flat_map(|table| (3..=10).map(move |count| (table, count))) {
        let mut schedule = Schedule::new(setup(Format::Swiss { rounds: 6 }, table), entrants(count)).unwrap();
        let mut known = Met::new();
        while schedule.state() == State::Running {
            let blocks = schedule.take_ready(usize::MAX);
            let tables = tables(&blocks, count);
            let found: u32 = tables.iter().map(|table| rematches(table, &known)).sum();
            let sizes: Vec<usize> = tables.iter().map(Vec::len).collect();
            let all: Vec<u32> = (0..count).collect();
            assert_eq!(found, fewest(&all, &sizes, &known), "{count} at {table}, stage {}", blocks[0].stage);
            for table in &tables {
                for (at, &a) in table.iter().enumerate() {
                    let with = if table.len() == 1 { &table[..] } else { &table[at + 1..] };
                    for &b in with {
                        *known.entry((a.min(b), a.max(b))).or_default() += 1;
                    }
                }
            }
            for block in &blocks {
                schedule.record(result(block)).unwrap();
            }
        }
    }
}

#[test]
fn larger_fields_have_no_rematch_in_a_usual_number_of_rounds() {
    for (count, table, rounds) in
        [(64, 2, 8), (63, 2, 8), (300, 2, 7), (24, 3, 4), (64, 4, 5), (60, 5, 4), (100, 8, 3)]
    {
        let mut schedule = Schedule::new(setup(Format::Swiss { rounds }, table), entrants(count)).unwrap();
        play(&mut schedule);
        let quality = chickenfoot_tournament::validate::judge(schedule.blocks(), &ids(count));
        assert_eq!(quality.meetings.most, 1, "{count} at {table}");
    }
}

#[test]
fn those_of_like_score_meet() {
    let mut schedule = Schedule::new(setup(Format::Swiss { rounds: 3 }, 2), entrants(32)).unwrap();
    for _ in 0..2 {
        for block in schedule.take_ready(99) {
            schedule.record(result(&block)).unwrap();
        }
    }
    let scores: HashMap<EntrantId, u64> =
        schedule.places().unwrap().into_iter().map(|place| (place.entrant, place.score)).collect();
    let apart = |block: &Block| scores[&block.seatings[0][0]].abs_diff(scores[&block.seatings[0][1]]);
    let blocks = schedule.take_ready(99);
    let worst = blocks.iter().map(apart).max().unwrap();
    assert!(worst <= chickenfoot_tournament::FULL_SCORE / 2, "{worst}");
}

fn score(schedule: &Schedule, entrant: EntrantId) -> u64 {
    schedule.places().unwrap().into_iter().find(|place| place.entrant == entrant).unwrap().score
}

#[test]
fn the_absent_score_nothing_and_their_table_the_mean_of_its_own_rounds() {
    let mut schedule = Schedule::new(setup(Format::Swiss { rounds: 2 }, 3), entrants(6)).unwrap();
    let first = schedule.take_ready(99);
    let absent = first[0].seatings[0][0];
    let others = &first[0].seatings[0][1..];
    schedule.record(absence(&first[0], absent)).unwrap();
    schedule.record(result(&first[1])).unwrap();
    let second = schedule.take_ready(99);
    for block in &second {
        schedule.record(result(block)).unwrap();
    }
    let of_round = |entrant: EntrantId| {
        let block = second.iter().find(|block| block.seatings[0].contains(&entrant)).unwrap();
        mean_share(block, entrant)
    };
    assert_eq!(score(&schedule, absent), of_round(absent));
    for &other in others {
        assert_eq!(score(&schedule, other), 2 * of_round(other));
    }
}

/// The share of opponents beaten, ties half, in 1/1680, from the block's dice.
fn mean_share(block: &Block, entrant: EntrantId) -> u64 {
    let games = result(block).games;
    let of_game = |game: &chickenfoot_tournament::Game| {
        let own = game.seating.iter().position(|&it| it == entrant).unwrap();
        let half = |&place: &u8| match place.cmp(&game.places[own]) {
            std::cmp::Ordering::Greater => 2,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Less => 0,
        };
        let halves: u64 = game.places.iter().map(half).sum::<u64>() - 1;
        halves * 840 / (game.seating.len() as u64 - 1)
    };
    games.iter().map(of_game).sum::<u64>() / games.len() as u64
}

#[test]
fn a_bye_scores_the_mean_of_ones_own_rounds() {
    let mut schedule = Schedule::new(setup(Format::Swiss { rounds: 3 }, 2), entrants(5)).unwrap();
    play(&mut schedule);
    let blocks = schedule.blocks().to_vec();
    for entrant in ids(5) {
        let own: Vec<&Block> = blocks.iter().filter(|block| block.seatings[0].contains(&entrant)).collect();
        let sum: u64 = own.iter().map(|block| mean_share(block, entrant)).sum();
        let byes = 3 - own.len() as u64;
        assert_eq!(score(&schedule, entrant), sum + byes * (sum / own.len() as u64));
    }
    let byes = blocks.chunks(2).flat_map(|round| tables(round, 5)).filter(|table| table.len() == 1);
    assert_eq!(byes.collect::<std::collections::BTreeSet<_>>().len(), 3, "three byes, of three entrants");
}
