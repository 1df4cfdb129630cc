//! Chicken feet.

use chickenfoot_rules::{End, Foot, Move, Round, Seat, Tile, Tiles};
use proptest::strategy::Strategy;

use crate::play::{Position, choose, for_all, rounds, small_rounds};

#[test]
fn a_foot_follows_each_double_and_takes_its_toes_before_anything_else() {
    for_all(200, rounds(), |position| toes_before_anything_else(&position));
    for_all(200, small_rounds(), |position| toes_before_anything_else(&position));
}

fn toes_before_anything_else(position: &Position) {
    let mut rng = position.rng();
    let mut round = position.round::<3>();
    let mut foot: Option<Foot> = None;
    while let Some(action) = choose(&round, &mut rng) {
        assert_eq!(round.foot(), foot);
        let opening = round.arms_left() > 0;
        let Move::Play { tile, end } = action else {
            round.apply(action).unwrap();
            continue;
        };
        round.apply(action).unwrap();
        foot = match foot {
            Some(Foot { number, missing }) => {
                assert_eq!(end, number, "laid elsewhere than on the foot");
                assert!(!tile.is_double(), "a double as a toe");
                let missing = missing - 1;
                (missing > 0).then_some(Foot { number, missing })
            }
            None if tile.is_double() => {
                assert!(!opening, "a double as an arm");
                let missing = position.terms.toes;
                // As the last tile of a hand it ends the round and opens nothing.
                let out = matches!(round.end(), Some(End::Out(_)));
                (!out).then_some(Foot { number: end, missing })
            }
            None => None,
        };
    }
    assert_eq!(round.foot(), foot);
}

#[test]
fn a_dead_foot_never_completes() {
    for position in [rounds().boxed(), small_rounds().boxed()] {
        for_all(400, position, |position| {
            dead_feet_stay(&position);
        });
    }
}

/// Plays to the end. Returns how many feet became dead.
pub fn dead_feet_stay(position: &Position) -> u32 {
    let mut rng = position.rng();
    let mut round = position.round::<3>();
    let mut dead = None;
    while let Some(action) = choose(&round, &mut rng) {
        let before = round.foot();
        round.apply(action).unwrap();
        if let Some(number) = dead {
            assert_eq!(round.foot().map(|foot| foot.number), Some(number), "it was dead");
        } else if let Some(Foot { number, missing }) = round.foot() {
            let lacking = reach(&round, number) < usize::from(missing);
            if before.is_none() {
                assert_eq!(missing, position.terms.toes, "a new foot lacks all its toes");
            }
            dead = lacking.then_some(number);
        }
    }
    u32::from(dead.is_some())
}

/// How many tiles with this number can still come to the table: those of the hands and of the boneyard without its
/// reserve.
fn reach(round: &Round<3>, number: u8) -> usize {
    let drawable = usize::from(round.yard_size().saturating_sub(round.terms().reserve));
    let mut there: Tiles = round.boneyard().take(drawable).collect();
    for seat in Seat::all(round.terms().players) {
        there = there.or(round.hand(seat));
    }
    there.iter().filter(|tile: &Tile| tile.has(number)).count()
}
