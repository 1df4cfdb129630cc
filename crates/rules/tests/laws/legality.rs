//! The list of legal moves and what is accepted are the same.

use chickenfoot_rules::{Illegal, MAX_PIP, Move, Round, Tile};
use proptest::strategy::Strategy;
use rand::RngExt;

use crate::play::{choose, for_all, rounds, small_rounds};

#[test]
fn exactly_the_listed_moves_are_accepted_and_a_refused_one_changes_nothing() {
    // One state in so many is looked at: a set of 190 tiles has some thousand imaginable moves.
    for_all(40, rounds(), |position| {
        let mut rng = position.rng();
        let mut round = position.round::<3>();
        while let Some(action) = choose(&round, &mut rng) {
            if rng.random_ratio(30, position.set_size() as u32 * 5) {
                accepts_exactly_the_list(&round);
            }
            round.apply(action).unwrap();
        }
        accepts_exactly_the_list(&round);
    });
    for_all(150, small_rounds(), |position| {
        let mut rng = position.rng();
        let mut round = position.round::<1>();
        while let Some(action) = choose(&round, &mut rng) {
            accepts_exactly_the_list(&round);
            round.apply(action).unwrap();
        }
    });
}

fn accepts_exactly_the_list<const W: usize>(round: &Round<W>) {
    let listed: Vec<Move> = round.moves().collect();
    let set = round.terms().max_pip;
    let beyond = [MAX_PIP, MAX_PIP + 1, 31, 32, u8::MAX];
    let numbers: Vec<u8> = (0..=set + 1).chain(beyond).collect();
    // Tiles beyond the set are imaginable too.
    let others = [Tile::new(0, MAX_PIP), Tile::double(MAX_PIP)].into_iter().flatten();
    let plays = Tile::set(set)
        .chain(others)
        .flat_map(|tile| numbers.iter().map(move |end| Move::Play { tile, end: *end }));
    for action in plays.chain([Move::Draw, Move::Pass, Move::Keep]) {
        let mut next = *round;
        match next.apply(action) {
            Ok(()) => assert!(listed.contains(&action), "{action} is accepted and not listed"),
            Err(why) => {
                assert!(!listed.contains(&action), "{action} is listed and refused: {why}");
                assert!(next == *round, "{action} was refused and changed the round");
                assert_eq!(why == Illegal::RoundOver, round.end().is_some());
            }
        }
    }
}

#[test]
fn the_list_is_in_canonical_order_without_repetition_and_counted_right() {
    let all = rounds().boxed();
    for_all(150, all.prop_union(small_rounds().boxed()), |position| {
        let mut rng = position.rng();
        let mut round = position.round::<3>();
        while let Some(action) = choose(&round, &mut rng) {
            let mut moves = round.moves();
            let listed: Vec<Move> = moves.clone().collect();
            assert!(listed.is_sorted_by(|a, b| key(a) < key(b)), "{listed:?}");
            assert_eq!(moves.total(), listed.len());
            moves.next();
            assert_eq!(moves.total(), listed.len(), "the total is of the whole list");

            let mut picked: Vec<Move> = (0..listed.len()).filter_map(|n| moves.pick(n)).collect();
            picked.sort();
            assert_eq!(picked, listed, "picked by number");
            assert_eq!(moves.pick(listed.len()), None);
            round.apply(action).unwrap();
        }
        assert_eq!((round.moves().total(), round.moves().next()), (0, None));
    });
}

/// The canonical order, spelt out: plays by tile, then by end, before everything else.
fn key(action: &Move) -> (u8, u8, u8, u8) {
    match action {
        Move::Play { tile, end } => (0, tile.low(), tile.high(), *end),
        Move::Draw => (1, 0, 0, 0),
        Move::Pass => (2, 0, 0, 0),
        Move::Keep => (3, 0, 0, 0),
    }
}

#[test]
fn applying_with_and_without_the_check_leads_to_the_same() {
    for_all(100, rounds(), |position| {
        let mut rng = position.rng();
        let mut round = position.round::<3>();
        while let Some(action) = choose(&round, &mut rng) {
            let mut unchecked = round;
            unchecked.apply_unchecked(action);
            round.apply(action).unwrap();
            assert!(round == unchecked, "{action}");
        }
    });
}
