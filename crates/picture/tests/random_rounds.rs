//! What holds of the outline of any table: random rounds with every set, and steps that make no sense.
#![allow(clippy::unwrap_used)]

#[expect(dead_code, reason = "other tests use more of it")]
mod common;
mod drawn;
mod reading;

use chickenfoot_picture::{Double, Layout, Outline, Style, Table};
use chickenfoot_rules::{
    Contributor, Entry, ForcedMoves, Hex32, LineId, MAX_TILES, Match, MatchSetup, MatchStart, Preset, Round,
    RuleOptions, Seed, Step, Terms, Tile,
};
use common::{Play, rule_sets};
use proptest::prelude::*;
use reading::{Reading, parts};

const WIDE: Outline = Outline { style: Style::Ascii, width: usize::MAX, line_ids: false };
const TERMINAL: Outline = Outline { width: 80, ..WIDE };
const PHONE: Outline = Outline { width: 32, ..WIDE };

/// Calls `check` with every table of some random rounds.
fn for_every_table(rounds: u64, mut check: impl FnMut(&Table, &Round)) {
    for rules in rule_sets() {
        for seed in 0..rounds {
            let mut play = Play::deal(&rules, seed);
            let mut table = Table::new(&play.terms, play.round.hub());
            check(&table, &play.round);
            while let Some(step) = play.step() {
                table.step(step).unwrap();
                if let Some(end) = play.round.end() {
                    table.finish(end);
                }
                check(&table, &play.round);
            }
        }
    }
}

/// Calls `check` with the table at the end of random rounds.
fn for_every_last_table(rounds: u64, mut check: impl FnMut(&Table)) {
    for rules in rule_sets() {
        for seed in 0..rounds {
            let mut play = Play::deal(&rules, seed);
            let end = play.finish();
            let mut table = Table::from_steps(&play.terms, play.round.hub(), &play.steps);
            table.finish(end);
            check(&table);
        }
    }
}

#[test]
fn every_tile_and_every_open_end_is_written_once() {
    for_every_table(2, |table, round| {
        let read = Reading::of(&PHONE.render(table));
        let laid: Vec<Tile> = table.tiles().iter().collect();
        assert_eq!(read.tiles, laid);
        assert_eq!(&read.ends, round.ends());
        assert_eq!(read.newest, table.newest());
    });
}

#[test]
fn every_missing_arm_and_toe_has_its_place() {
    for_every_table(1, |table, round| {
        let read = Reading::of(&TERMINAL.render(table));
        let arms = vec![round.hub(); usize::from(round.arms_left())];
        let toes = match round.foot() {
            Some(foot) if round.arms_left() == 0 => vec![foot.number; usize::from(foot.missing)],
            Some(_) | None => Vec::new(),
        };
        assert_eq!((read.arms_open, read.toes_open), (arms, toes));
    });
}

#[test]
fn no_line_is_too_long_that_could_be_shorter() {
    for_every_last_table(3, |table| {
        for width in [16, 32, 48, 80, 120] {
            let outline = Outline { width, ..WIDE };
            for line in outline.render(table).lines() {
                let place = line.ends_with(')');
                assert!(line.len() <= width || place || parts(line) == 1, "{width}: {line}");
            }
        }
    });
}

#[test]
fn no_line_ends_in_a_space() {
    for_every_last_table(3, |table| {
        for outline in [WIDE, TERMINAL, PHONE] {
            assert!(outline.render(table).lines().all(|line| !line.ends_with(' ')));
        }
    });
}

#[test]
fn there_is_a_line_for_each_arm_and_toe_and_few_wrap() {
    for_every_last_table(8, |table| {
        let missing = |double: &Double| usize::from(double.missing);
        let doubles = table.runs().iter().filter_map(|run| run.double.as_ref());
        let places: usize = doubles.chain([table.hub()]).map(missing).sum();
        let lines = 1 + table.runs().len() + places;
        assert_eq!(WIDE.render(table).lines().count(), lines);
        let wrapped = TERMINAL.render(table).lines().count() - lines;
        assert!(wrapped <= table.tiles().len() / 10, "{}", TERMINAL.render(table));
    });
}

#[test]
fn a_double_nine_table_of_48_tiles_has_about_20_lines() {
    let rules = RuleOptions::new(Preset::Trains, 4).resolve().unwrap();
    let mut counts = Vec::new();
    for seed in 0..400 {
        let mut play = Play::deal(&rules, seed);
        play.finish();
        let table = Table::from_steps(&play.terms, play.round.hub(), &play.steps);
        if (46..=50).contains(&table.tiles().len()) {
            counts.push(TERMINAL.render(&table).lines().count());
        }
    }
    counts.sort_unstable();
    let median = counts[counts.len() / 2];
    assert!((17..=23).contains(&median), "{counts:?}");
}

/// Without the mark of the newest tile, two outlines in succession differ in one place: the last lines of the run
/// that was added to, and the places that a double brings.
#[test]
fn a_play_changes_one_run_and_leaves_all_other_lines_as_they_were() {
    for outline in [WIDE, TERMINAL, PHONE] {
        let mut before: Vec<String> = Vec::new();
        for_every_table(1, |table, _| {
            let after: Vec<String> = outline.render(table).lines().map(unmarked).collect();
            // Between rounds there is nothing to compare.
            if table.newest().is_some() {
                let (old, new) = difference(&before, &after);
                assert!(old <= 2 && new <= 5, "{before:#?} {after:#?}");
            }
            before = after;
        });
    }
}

fn unmarked(line: &str) -> String {
    line.replace('*', "")
}

/// How many lines of each are neither at the common beginning nor at the common end.
fn difference(before: &[String], after: &[String]) -> (usize, usize) {
    let same = |pair: &(&String, &String)| pair.0 == pair.1;
    let first = before.iter().zip(after).take_while(same).count();
    let (before, after) = (&before[first..], &after[first..]);
    let last = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    (before.len() - last, after.len() - last)
}

#[test]
fn both_styles_are_the_same_text() {
    for_every_last_table(3, |table| {
        let boxes = Outline { style: Style::Unicode, ..PHONE };
        let mut text = boxes.render(table);
        for (from, to) in [("├─", "|-"), ("└─", "`-"), ("│", "|")] {
            text = text.replace(from, to);
        }
        assert_eq!(text, PHONE.render(table));
    });
}

#[test]
fn a_view_shows_the_table_that_its_steps_built() {
    let rules = RuleOptions::new(Preset::Classic, 4).resolve().unwrap();
    let seed = Seed::new([7; 32]);
    let seats: Vec<Contributor> = ["north", "east", "south", "west"].map(contributor).into();
    let mut events = Vec::new();
    let mut game = Match::start(
        MatchSetup::seeded(MatchStart::new(rules, "picture", &seed, seats), &seed, ForcedMoves::Automatic),
        &mut events,
    )
    .unwrap();
    while let Some(view) = game.view() {
        let table = Table::from(&view);
        assert_eq!(table.tiles(), view.table);
        assert_eq!(Reading::of(&TERMINAL.render(&table)).ends, view.ends);
        let action = view.moves().next().unwrap();
        game.commit(Entry::Choice(action.into()), &mut events).unwrap();
    }
}

fn contributor(name: &str) -> Contributor {
    Contributor { name: name.to_owned(), entropy: Hex32([0; 32]) }
}

prop_compose! {
    /// Any play at all, though rather one that may fit.
    fn any_play()(
        index in 0..MAX_TILES as u8,
        side in any::<bool>(),
        odd_end in prop::option::weighted(0.1, any::<u8>()),
        line in prop::option::weighted(0.1, 0..9_u8),
    ) -> (Tile, u8, Option<LineId>) {
        let tile = Tile::from_index(index).unwrap();
        let end = if side { tile.low() } else { tile.high() };
        (tile, odd_end.unwrap_or(end), line.and_then(LineId::new))
    }
}

prop_compose! {
    /// The steps of a round with some twice and some out of turn.
    fn garbled_round()(
        seed in 0..100_u64,
        picks in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) -> (Terms, u8, Vec<Step>) {
        let rules = RuleOptions::new(Preset::Trains, 2).resolve().unwrap();
        let mut play = Play::deal(&rules, seed);
        play.finish();
        let count = play.steps.len();
        let mut steps = play.steps.clone();
        for pair in picks.chunks(2) {
            steps.swap(pair[0].index(count), pair[pair.len() - 1].index(count));
        }
        for pick in picks {
            steps.push(steps[pick.index(count)]);
        }
        (play.terms, play.round.hub(), steps)
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nonsense_is_refused_or_drawn_and_never_a_panic(
        plays in prop::collection::vec(any_play(), 0..900),
        (hub, opening_arms, toes) in (0..20_u8, 0..6_u8, 0..5_u8),
    ) {
        let rules = RuleOptions::new(Preset::Trains, 2).resolve().unwrap();
        let terms = Terms { opening_arms, toes, ..Terms::from(&rules) };
        let (mut table, mut layout) = (Table::new(&terms, hub), Layout::new(&terms, hub));
        for (tile, end, line) in plays {
            let before = table.tiles();
            let laid = table.lay(tile, end, line).is_ok();
            prop_assert_eq!(layout.place(tile, end, line).is_ok(), laid);
            prop_assert_eq!(table.tiles().len(), before.len() + usize::from(laid));
        }
        prop_assert_eq!(layout.table(), &table);
        prop_assert_eq!(drawn::overlap(&layout), None);
        let count = WIDE.render(&table).split_whitespace().filter(|word| word.starts_with('>')).count();
        prop_assert_eq!(count, table.runs().iter().filter(|run| run.tip().is_some()).count());
    }

    #[test]
    fn of_a_garbled_round_what_fits_is_drawn((terms, hub, steps) in garbled_round()) {
        let table = Table::from_steps(&terms, hub, &steps);
        let laid: Vec<Tile> = table.tiles().iter().collect();
        prop_assert_eq!(Reading::of(&TERMINAL.render(&table)).tiles, laid);
    }
}
