//! What positions promise, and what draws bring.

#![allow(clippy::unwrap_used, missing_docs)]

use chickenfoot_rules::{DrawnTile, Move, Preset, Round, RuleOptions, Seat, Terms, Tile, TileSet};
use chickenfoot_strategy::Outlook;

/// A round in which seat 0 has nothing that fits and draws.
fn round(yard_first: usize) -> (Round<1>, Vec<Tile>) {
    let terms = Terms {
        max_pip: 6,
        drawn_tile: DrawnTile::MustPlay,
        ..Terms::from(&RuleOptions::new(Preset::Trains, 2).resolve().unwrap())
    };
    let double = Tile::double(6);
    let (fits, others): (Vec<Tile>, Vec<Tile>) =
        Tile::set(6).filter(|tile| Some(*tile) != double).partition(|tile| tile.high() == 6);
    // Seat 1 has three of the double's, the boneyard the others.
    let hands: [TileSet<1>; 2] =
        [others[..7].iter().copied().collect(), fits[..3].iter().chain(&others[7..11]).copied().collect()];
    let mut yard: Vec<Tile> = fits[3..].iter().chain(&others[11..]).copied().collect();
    let all = yard.clone();
    yard.swap(0, yard_first);
    (Round::new(terms, 6, Seat::try_from(0).unwrap(), &hands, &yard).unwrap(), all)
}

fn outlook() -> Outlook {
    Outlook { shuffles: 20, seed: [3; 32] }
}

#[test]
fn what_all_tiles_would_have_brought_adds_up_to_nothing() {
    let (round_0, tiles) = round(0);
    assert!(round_0.moves().all(|action| action == Move::Draw));
    let mut sums = [0.0; 2];
    let mut most = 0.0_f64;
    for first in 0..tiles.len() {
        let luck = outlook().draw(&round(first).0, 1).unwrap().by_seat;
        assert!((luck[0] + luck[1]).abs() < 1e-9);
        most = most.max(luck[0].abs());
        for (sum, luck) in sums.iter_mut().zip(luck) {
            *sum += luck;
        }
    }
    // The shuffles are of another order each time, so this holds about.
    let each = sums[0] / tiles.len() as f64;
    assert!(each.abs() < 0.2 * most, "{each} a tile, up to {most}");
}

#[test]
fn an_outlook_follows_from_its_seed_and_not_from_the_order_of_the_boneyard() {
    let margins = |first: usize, at: u64| outlook().margins(&round(first).0, at);
    assert_eq!(margins(0, 1), margins(0, 1));
    assert_ne!(margins(0, 1), margins(0, 2));
    assert!((margins(0, 1)[0] + margins(0, 1)[1]).abs() < 1e-9);
    let many = Outlook { shuffles: 4000, ..outlook() };
    let (one, other) = (many.margins(&round(0).0, 1)[0], many.margins(&round(4).0, 1)[0]);
    assert!((one - other).abs() < 1.0, "{one} {other}");
}

#[test]
fn who_does_not_draw_has_no_luck() {
    let mut over = round(0).0;
    over.apply(Move::Draw).unwrap();
    assert_eq!(outlook().draw(&over, 1), None);
}
