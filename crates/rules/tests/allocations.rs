//! Rounds are played without a single allocation, from the deal to the scores.
#![allow(clippy::unwrap_used, missing_docs)]

use std::hint::black_box;

use allocation_counter::measure;
use chickenfoot_rules::{Preset, Round, RuleOptions, Rules, Seat, Terms, Tile, TileSet};
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

/// Rounds that are played of each table.
const ROUNDS: u32 = 200;

#[test]
fn random_rounds_allocate_nothing() {
    let trains = |players| RuleOptions::new(Preset::Trains, players).resolve().unwrap();
    for players in [2, 4, 8] {
        assert_plays_without::<1>(trains(players));
    }
    let large = RuleOptions { max_pip: Some(18), ..RuleOptions::new(Preset::Classic, 4) };
    assert_plays_without::<3>(large.resolve().unwrap());
}

#[test]
fn an_allocation_would_be_counted() {
    assert_eq!(measure(|| drop(black_box(Box::new(1)))).count_total, 1);
}

fn assert_plays_without<const W: usize>(rules: Rules) {
    let mut rng = SmallRng::seed_from_u64(3);
    let mut tiles: Vec<Tile> = Tile::set(rules.max_pip()).collect();
    let mut moves = 0;
    let counted = measure(|| {
        for _ in 0..ROUNDS {
            moves += play::<W>(&rules, &mut tiles, &mut rng);
        }
    });
    // Rounds were really played: there were more moves than seats.
    assert!(moves >= ROUNDS * u32::from(rules.players()), "{moves} moves");
    assert_eq!(counted.count_total, 0, "{} players, {moves} moves", rules.players());
}

/// Shuffles, deals, plays at random and scores. Returns the number of moves.
fn play<const W: usize>(rules: &Rules, tiles: &mut [Tile], rng: &mut SmallRng) -> u32 {
    let (players, size) = (usize::from(rules.players()), usize::from(rules.hand_size()));
    let hub = Tile::double(rules.max_pip()).unwrap();
    tiles.shuffle(rng);
    let at = tiles.iter().position(|tile| *tile == hub).unwrap();
    tiles.swap(0, at);
    let mut hands = [TileSet::<W>::EMPTY; 16];
    for (set, dealt) in hands.iter_mut().zip(tiles[1..].chunks(size)).take(players) {
        *set = dealt.iter().copied().collect();
    }
    let first = Seat::new(rng.random_range(0..rules.players())).unwrap();
    let boneyard = &tiles[1 + players * size..];
    let mut round =
        Round::new(Terms::from(rules), rules.max_pip(), first, &hands[..players], boneyard).unwrap();
    let mut moves = 0;
    while round.end().is_none() {
        let options = round.moves();
        let n = rng.random_range(0..options.total() as u32) as usize;
        // Searching players copy rounds too.
        round = *black_box(&round);
        round.apply(options.pick(n).unwrap()).unwrap();
        moves += 1;
    }
    for seat in Seat::all(rules.players()) {
        black_box(round.hand_score(seat));
    }
    moves
}
