//! What holds of the layout of any round: random rounds with every set and every number of players.
#![allow(clippy::unwrap_used)]

#[expect(dead_code, reason = "other tests use more of it")]
mod common;
mod drawn;

use chickenfoot_picture::{Layout, Placed, Slot, SlotKind};
use chickenfoot_rules::{Act, End, Seat};
use common::{Play, layout_of, round_rules, stress};

const ROUNDS: u64 = 1000;

/// Calls `check` with the layouts of random rounds with one set.
fn for_every_round(max_pip: u8, rounds: u64, mut check: impl FnMut(u64, &Play, &Layout)) {
    let rules = round_rules(max_pip);
    for seed in 0..rounds {
        let mut play = Play::deal(&rules[seed as usize % rules.len()], seed);
        play.finish();
        check(seed, &play, &layout_of(&play));
    }
}

fn no_tiles_overlap_and_toes_keep_to_their_slots(max_pip: u8) {
    for_every_round(max_pip, ROUNDS, |seed, _, layout| {
        assert_eq!(drawn::overlap(layout), None, "double-{max_pip}, seed {seed}");
        assert!(toes_off_their_slots(layout).is_empty(), "double-{max_pip}, seed {seed}");
    });
}

#[test]
fn double_six_has_no_overlap() {
    no_tiles_overlap_and_toes_keep_to_their_slots(6);
}

#[test]
fn double_nine_has_no_overlap() {
    no_tiles_overlap_and_toes_keep_to_their_slots(9);
}

#[test]
fn double_twelve_has_no_overlap() {
    no_tiles_overlap_and_toes_keep_to_their_slots(12);
}

#[test]
fn double_fifteen_has_no_overlap() {
    no_tiles_overlap_and_toes_keep_to_their_slots(15);
}

#[test]
fn double_eighteen_has_no_overlap() {
    no_tiles_overlap_and_toes_keep_to_their_slots(18);
}

/// Toes that do not begin within half a tile and two steps of where they were promised to.
fn toes_off_their_slots(layout: &Layout) -> Vec<Placed> {
    let promised = |at: usize| {
        layout.slots().iter().find(|slot| slot.until == Some(at + 1) && slot.kind == SlotKind::Toe)
    };
    let toes = layout.tiles().iter().enumerate().filter_map(|(at, placed)| Some((*placed, promised(at)?)));
    toes.filter(|(toe, slot)| {
        let turned = i32::from(toe.area.heading.steps()) - i32::from(slot.area.heading.steps());
        let turned = turned.rem_euclid(24);
        turned.min(24 - turned) > 2
    })
    .map(|(toe, _)| toe)
    .collect()
}

#[test]
fn a_round_has_as_many_toe_slots_as_toes_and_places_for_them() {
    let mut toes = 0;
    for_every_round(9, 100, |_, _, layout| {
        let begun = layout.table().runs().iter().filter(|run| run.parent.is_some()).count();
        let taken = layout.slots().iter().filter(|slot| slot.kind == SlotKind::Toe && slot.until.is_some());
        assert!(taken.count() >= begun);
        toes += begun;
    });
    assert!(toes > 500, "{toes}");
}

#[test]
fn the_layout_of_a_prefix_is_the_prefix_of_the_layout() {
    for max_pip in [6, 9, 12, 15, 18] {
        for_every_round(max_pip, 8, |_, play, layout| {
            let plays = play.steps.iter().filter(|step| matches!(step.act, Act::Play { .. })).count();
            for count in 0..=plays {
                let mut prefix = Layout::new(&play.terms, play.round.hub());
                let acts = play.steps.iter().filter_map(|step| match step.act {
                    Act::Play { tile, end, line } => Some((tile, end, line)),
                    Act::Start | Act::Draw | Act::Pass => None,
                });
                for (tile, end, line) in acts.take(count) {
                    prefix.place(tile, end, Some(line)).unwrap();
                }
                assert_eq!(prefix.tiles(), &layout.tiles()[..=count]);
                let open = |layout: &Layout, tiles| {
                    let slots = layout.slots().iter().filter(|slot| slot.is_open(tiles));
                    slots.map(|slot| slot.area).collect::<Vec<_>>()
                };
                // At the end, a double that went out has no toes.
                if count < plays {
                    assert_eq!(open(&prefix, count + 1), open(layout, count + 1));
                }
            }
        });
    }
}

#[test]
fn tables_of_all_tiles_that_fit_have_no_overlap_either() {
    for max_pip in 6..=18 {
        for arms in 2..=8.min(max_pip) {
            for seed in 0..3 {
                let layout = stress(max_pip, arms, seed);
                assert_eq!(drawn::overlap(&layout), None, "double-{max_pip}, {arms} arms, seed {seed}");
                assert!(toes_off_their_slots(&layout).is_empty());
            }
        }
    }
}

#[test]
fn double_nine_is_small_and_simple_and_takes_little_work() {
    let (mut tiles, mut connectors, mut sides, mut most) = (0, 0, Vec::new(), 0);
    for_every_round(9, ROUNDS, |_, _, layout| {
        tiles += layout.tiles().len();
        let stems = layout.tiles().iter().filter_map(|placed| placed.stem);
        connectors += stems.filter(|stem| stem.is_connector).count();
        let bounds = layout.bounds();
        sides.push(bounds.width().max(bounds.height()));
        most = most.max(layout.comparisons());
    });
    sides.sort_unstable();
    assert!(sides[sides.len() * 95 / 100] <= 31_000, "{sides:?}");
    assert!(1000 * connectors <= 5 * tiles, "{connectors} of {tiles}");
    // No load of the machine changes this figure, which is about 2 milliseconds.
    assert!(most <= 250_000, "{most}");
}

#[test]
fn every_open_end_and_every_missing_toe_has_a_slot() {
    for_every_round(9, 200, |_, play, layout| {
        let tiles = layout.tiles().len();
        let open = layout.slots().iter().filter(|slot| slot.is_open(tiles));
        let (ends, places): (Vec<&Slot>, Vec<&Slot>) =
            open.partition(|slot| matches!(slot.kind, SlotKind::End(_)));
        let tips = layout.table().runs().iter().filter_map(|run| run.tip());
        let mut tips: Vec<u8> = tips.collect();
        let mut shown: Vec<u8> = ends.iter().map(|slot| slot.number).collect();
        tips.sort_unstable();
        shown.sort_unstable();
        assert_eq!(shown, tips);
        let doubles = layout.table().runs().iter().filter_map(|run| run.double.as_ref());
        let missing: usize =
            doubles.chain([layout.table().hub()]).map(|double| usize::from(double.missing)).sum();
        assert_eq!(places.len(), missing, "{:?}", play.round.end());
    });
}

#[test]
fn a_double_that_goes_out_keeps_no_slots() {
    let rules = &round_rules(9)[0];
    let play = Play::deal(rules, 0);
    let mut layout = Layout::new(&chickenfoot_rules::Terms { opening_arms: 2, ..play.terms }, 9);
    for (tile, end) in [("4-9", 9), ("8-9", 9), ("8-8", 8)] {
        layout.place(tile.parse().unwrap(), end, None).unwrap();
    }
    let open = |layout: &Layout| layout.slots().iter().filter(|slot| slot.is_open(4)).count();
    assert_eq!(open(&layout), 4);
    layout.finish(End::Out(Seat::new(0).unwrap()));
    assert_eq!(open(&layout), 1);
}

#[test]
fn what_does_not_fit_changes_nothing() {
    let play = Play::deal(&round_rules(9)[0], 1);
    let mut layout = Layout::new(&play.terms, 9);
    layout.place("4-9".parse().unwrap(), 9, None).unwrap();
    let before = layout.clone();
    for (tile, end) in [("4-9", 9), ("4-5", 4), ("5-5", 9), ("3-9", 3)] {
        assert!(layout.place(tile.parse().unwrap(), end, None).is_err(), "{tile}");
        assert_eq!((layout.tiles(), layout.slots()), (before.tiles(), before.slots()));
    }
}
