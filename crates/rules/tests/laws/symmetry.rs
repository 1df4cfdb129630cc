//! Changes that must not matter: names of seats, names of numbers, the width of the tile sets.

use chickenfoot_rules::{End, Move, Seat, Tile};
use proptest::strategy::Strategy;
use rand::RngExt;
use rand::seq::SliceRandom;

use crate::play::{Position, choose, for_all, rounds};

#[test]
fn rotating_the_seats_changes_nothing_but_their_labels() {
    for_all(120, rounds(), |position| {
        let mut rng = position.rng();
        let players = position.terms.players;
        let by = rng.random_range(1..players);
        let turned = |seat: Seat| Seat::new((seat.number() + by) % players).unwrap();
        let mut other = Position { first: turned(position.first), ..position.clone() };
        other.hands.rotate_right(by.into());

        let (mut a, mut b) = (position.round::<3>(), other.round::<3>());
        while let Some(action) = choose(&a, &mut rng) {
            assert_eq!(b.turn(), turned(a.turn()));
            assert!(a.moves().eq(b.moves()));
            assert_eq!((a.ends(), a.foot(), a.drawn()), (b.ends(), b.foot(), b.drawn()));
            a.apply(action).unwrap();
            b.apply(action).unwrap();
        }
        let end = a.end().map(|end| match end {
            End::Out(seat) => End::Out(turned(seat)),
            End::Blocked => End::Blocked,
        });
        assert_eq!(b.end(), end);
        assert!(Seat::all(players).all(|seat| a.hand_score(seat) == b.hand_score(turned(seat))));
    });
}

#[test]
fn renaming_the_numbers_changes_nothing_but_the_tiles() {
    for_all(120, rounds(), |position| {
        let mut rng = position.rng();
        let mut names: Vec<u8> = (0..=position.terms.max_pip).collect();
        names.shuffle(&mut rng);
        let number = |n: u8| names[usize::from(n)];
        let tile = |tile: Tile| Tile::new(number(tile.low()), number(tile.high())).unwrap();
        let renamed = |action: Move| match action {
            Move::Play { tile: laid, end } => Move::Play { tile: tile(laid), end: number(end) },
            Move::Draw | Move::Pass | Move::Keep => action,
        };
        let mut other = position.clone();
        other.hub = number(position.hub);
        for all in other.hands.iter_mut().chain([&mut other.boneyard]) {
            all.iter_mut().for_each(|each| *each = tile(*each));
        }

        let (mut a, mut b) = (position.round::<3>(), other.round::<3>());
        while let Some(action) = choose(&a, &mut rng) {
            let mut moves: Vec<Move> = a.moves().map(renamed).collect();
            moves.sort();
            assert!(b.moves().eq(moves), "the same options, in their new order");
            assert_eq!(b.turn(), a.turn());
            a.apply(action).unwrap();
            b.apply(renamed(action)).unwrap();
        }
        assert_eq!(a.end(), b.end());
        assert_eq!(a.yard_size(), b.yard_size());
    });
}

#[test]
fn narrow_and_wide_rounds_agree() {
    let narrow = rounds().prop_filter("sets up to double-nine", Position::is_narrow);
    for_all(200, narrow, |position| {
        let mut rng = position.rng();
        let (mut a, mut b) = (position.round::<1>(), position.round::<3>());
        loop {
            assert!(a.moves().eq(b.moves()));
            assert_eq!(a.moves().total(), b.moves().total());
            assert_eq!((a.turn(), a.end(), a.drawn()), (b.turn(), b.end(), b.drawn()));
            assert_eq!((a.ends(), a.foot(), a.arms_left()), (b.ends(), b.foot(), b.arms_left()));
            assert!(a.boneyard().eq(b.boneyard()));
            for seat in Seat::all(position.terms.players) {
                assert_eq!(a.hand(seat).widen(), b.hand(seat));
                assert_eq!(a.hand_score(seat), b.hand_score(seat));
            }
            let Some(action) = choose(&a, &mut rng) else {
                return;
            };
            a.apply(action).unwrap();
            b.apply(action).unwrap();
        }
    });
}
