//! What the determiniser promises: samples that agree with all that is known, each deal as likely as any other.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../duplicate/mod.rs"]
mod duplicate;
mod enumerate;
mod replay;

use std::collections::{BTreeMap, BTreeSet};

use chickenfoot_rules::{
    Act, DrawnTile, ForcedMoves, Move, Preset, RuleOptions, Rules, Seat, Starter, Step, Tile, TileSet, View,
};
use chickenfoot_strategy::{Determiniser, FullDeal};
use duplicate::{play, players, start};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

#[test]
fn every_sample_is_of_a_deal_from_which_the_history_is_legal() {
    let (mut decisions, mut kept, mut tables) = (0, 0, BTreeSet::new());
    for (number, rules) in variants().into_iter().enumerate() {
        tables.insert((
            rules.starter() == Starter::Lot,
            rules.drawn_tile() == DrawnTile::MayPlay,
            rules.players(),
        ));
        every_view(rules, number as u32, |view, rng| {
            decisions += 1;
            kept += u32::from(has_kept(view));
            if view.rules.max_pip() <= 9 {
                check_samples::<1>(view, rng);
            } else {
                check_samples::<3>(view, rng);
            }
        });
    }
    assert!(decisions > 500 && kept > 20, "{decisions} decisions, {kept} after a seat may have kept a tile");
    // Both presets, both rules for a drawn tile, up to eight seats.
    assert_eq!(tables.len(), 2 * 2 * PLAYERS.len());
}

/// Whether a seat passed with a tile just drawn where it might have played it.
fn has_kept(view: &View<'_>) -> bool {
    let steps = view.history.windows(2);
    let passed =
        |pair: &[Step]| pair[0].seat == pair[1].seat && pair[0].act == Act::Draw && pair[1].act == Act::Pass;
    view.rules.drawn_tile() == DrawnTile::MayPlay && steps.into_iter().any(passed)
}

fn check_samples<const W: usize>(view: &View<'_>, rng: &mut ChaCha8Rng) {
    let mut sampler = Determiniser::<W>::new(view, rng).expect("a view of a match can be sampled");
    for _ in 0..2 {
        let round = *sampler.sample(rng);
        let deal = sampler.deal(rng);
        replay::assert_same(view, &round, &replay::replay(view, &deal));
    }
}

#[test]
fn the_samples_of_small_positions_are_spread_as_all_deals_are() {
    let (mut positions, mut chi_square, mut freedom, mut uneven, mut of_eight) = (0, 0.0, 0.0, 0, 0);
    for (number, rules) in tiny_variants().into_iter().enumerate() {
        // With eight seats few positions are small enough.
        let matches = if rules.players() == 8 { 6 } else { 3 };
        for of_rules in 0..matches {
            let mut found = 0;
            every_view(rules, 100 + 20 * number as u32 + of_rules, |view, rng| {
                // Of eight seats each holds a tile at least, so that more must be left out by what they have shown.
                let (most, most_keys) = if rules.players() == 8 { (1e11, 1000) } else { (200_000.0, 400) };
                if found == 4
                    || !(4.0..=most).contains(&enumerate::ways(view))
                    || !enumerate::are_few(view, 2000)
                {
                    return;
                }
                let deals = enumerate::all_deals(view);
                let weights: BTreeMap<_, f64> =
                    deals.iter().map(|(key, (count, _))| (key, *count as f64)).collect();
                for (_, deal) in deals.values().take(3) {
                    replay::replay(view, deal);
                }
                if (2..=most_keys).contains(&weights.len()) {
                    found += 1;
                    positions += 1;
                    of_eight += u32::from(rules.players() == 8);
                    uneven +=
                        u32::from(weights.values().any(|w| *w != weights.values().next().copied().unwrap()));
                    chi_square += statistic(view, rng, &weights);
                    freedom += (weights.len() - 1) as f64;
                }
            });
        }
    }
    assert!(positions >= 50 && uneven >= 5, "{positions} positions, {uneven} of them uneven");
    assert!(of_eight >= 3, "{of_eight} positions of eight seats");
    // The sum is that of a chi-square distribution: this far above its mean only once in some ten thousand seeds.
    let bound = freedom + 4.0 * f64::sqrt(2.0 * freedom);
    assert!(chi_square < bound, "{chi_square:.1} at {freedom} degrees of freedom, {positions} positions");
}

fn statistic(view: &View<'_>, rng: &mut ChaCha8Rng, weights: &BTreeMap<&enumerate::Hidden, f64>) -> f64 {
    let mut sampler = Determiniser::<1>::new(view, rng).unwrap();
    let total: f64 = weights.values().sum();
    let samples = 20 * weights.len().max(50);
    let mut seen: BTreeMap<enumerate::Hidden, u32> = BTreeMap::new();
    for _ in 0..samples {
        for _ in 0..4 {
            sampler.sample(rng);
        }
        let round = sampler.sample(rng);
        let hands: Vec<TileSet<1>> = Seat::all(view.rules.players()).map(|seat| round.hand(seat)).collect();
        let boneyard: Vec<Tile> = round.boneyard().collect();
        *seen.entry(enumerate::hidden(view, &hands, &boneyard)).or_default() += 1;
    }
    assert!(seen.keys().all(|key| weights.contains_key(key)), "a sample that no deal explains");
    let part = |(key, weight): (&&enumerate::Hidden, &f64)| {
        let expected = samples as f64 * weight / total;
        (f64::from(seen.get(*key).copied().unwrap_or(0)) - expected).powi(2) / expected
    };
    weights.iter().map(part).sum()
}

#[test]
fn the_same_chance_gives_the_same_samples() {
    every_view(duplicate::rules(Preset::Trains, 4), 3, |view, rng| {
        let sample = |mut rng: ChaCha8Rng| {
            let mut sampler = Determiniser::<1>::new(view, &mut rng).unwrap();
            *sampler.sample(&mut rng)
        };
        assert_eq!(sample(rng.clone()), sample(rng.clone()));
    });
}

#[test]
fn a_history_that_no_deal_explains_is_sampled_all_the_same() {
    every_view(duplicate::rules(Preset::Trains, 3), 4, |view, rng| {
        let mut view = view.clone().into_owned();
        // Everybody passes on everything, and yet holds tiles.
        let open = view.history.len();
        for seat in Seat::all(3) {
            view.history.to_mut().insert(open, Step { seat, act: Act::Pass });
        }
        let mut sampler = Determiniser::<1>::new(&view, rng).unwrap();
        let round = sampler.sample(rng);
        assert_eq!(round.hand(view.seat).widen(), view.hand);
    });
}

#[test]
fn a_view_that_contradicts_itself_is_refused() {
    every_view(duplicate::rules(Preset::Trains, 2), 5, |view, rng| {
        let mut more = view.clone().into_owned();
        more.boneyard += 1;
        assert!(Determiniser::<1>::new(&more, rng).is_none());
        let mut fewer = view.clone().into_owned();
        fewer.seats[1 - view.seat.index()].tiles -= 1;
        assert!(Determiniser::<1>::new(&fewer, rng).is_none());
    });
    let wide = RuleOptions { max_pip: Some(12), ..RuleOptions::new(Preset::Trains, 2) }.resolve().unwrap();
    every_view(wide, 6, |view, rng| assert!(Determiniser::<1>::new(view, rng).is_none()));
}

#[test]
fn a_deal_has_the_hands_that_were_dealt() {
    every_view(duplicate::rules(Preset::Trains, 4), 7, |view, rng| {
        let mut sampler = Determiniser::<1>::new(view, rng).unwrap();
        let deal: FullDeal<1> = sampler.deal(rng);
        for seat in Seat::all(4) {
            assert_eq!(deal.hand(seat).len(), usize::from(view.rules.hand_size()));
        }
        assert!(deal.hand(Seat::new(9).unwrap()).is_empty());
    });
}

/// Plays a match and looks at every decision of it. Forced moves are asked for, so that these views come too.
fn every_view(rules: Rules, number: u32, mut look: impl FnMut(&View<'_>, &mut ChaCha8Rng)) {
    let mut game = start(rules, number, ForcedMoves::Asked);
    let names = ["random", "greedy", "dead-foot"];
    let mut players = players(&game, |seat| names[(seat.index() + number as usize) % names.len()]);
    let mut rng = ChaCha8Rng::seed_from_u64(number.into());
    play(&mut game, |view| -> Move {
        look(view, &mut rng);
        players[view.seat.index()].choose(view)
    });
}

/// The tables that are looked at.
const PLAYERS: [u8; 4] = [2, 3, 4, 8];

fn variants() -> Vec<Rules> {
    let mut all = Vec::new();
    for preset in [Preset::Trains, Preset::Classic] {
        for players in PLAYERS {
            for max_pip in [6, 9, 18] {
                for drawn_tile in [DrawnTile::MustPlay, DrawnTile::MayPlay] {
                    let options = RuleOptions {
                        max_pip: Some(max_pip),
                        drawn_tile: Some(drawn_tile),
                        rounds: Some(if max_pip <= 9 { 2 } else { 1 }),
                        // Seven tiles for each of eight are more than a small set has.
                        hand_size: (preset == Preset::Classic && players == 8 && max_pip <= 9)
                            .then_some(max_pip / 2),
                        ..RuleOptions::new(preset, players)
                    };
                    all.extend(options.resolve());
                }
            }
        }
    }
    // Few tiles dealt: the starting double is often looked for in the boneyard.
    for hand_size in [1, 2, 3] {
        let options = RuleOptions {
            hand_size: Some(hand_size),
            reserve: Some(8),
            ..RuleOptions::new(Preset::Classic, 3)
        };
        all.extend(options.resolve());
    }
    all
}

/// Double-six with most tiles dealt, so that few are hidden near the end of a round.
fn tiny_variants() -> Vec<Rules> {
    let mut all = Vec::new();
    for (preset, players, hand_size) in [
        (Preset::Trains, 2, 9),
        (Preset::Trains, 2, 12),
        (Preset::Trains, 3, 7),
        (Preset::Trains, 8, 3),
        (Preset::Classic, 2, 12),
        (Preset::Classic, 8, 3),
    ] {
        for drawn_tile in [DrawnTile::MustPlay, DrawnTile::MayPlay] {
            for starter in [Starter::Lot, Starter::Holder] {
                let options = RuleOptions {
                    max_pip: Some(6),
                    hand_size: Some(hand_size),
                    drawn_tile: Some(drawn_tile),
                    starter: Some(starter),
                    // The presets differ in this too: what is never drawn, and whether there is such a thing.
                    reserve: Some(if preset == Preset::Trains { 1 } else { 0 }),
                    ..RuleOptions::new(preset, players)
                };
                all.extend(options.resolve());
            }
        }
    }
    all
}
