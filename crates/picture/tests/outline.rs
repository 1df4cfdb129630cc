//! Outlines of small tables, to be read by eye.
#![allow(clippy::unwrap_used)]

use chickenfoot_picture::{Outline, Style, Table};
use chickenfoot_rules::{Act, DrawnTile, End, LineId, Seat, Step, Terms};

/// Double-nine with two arms, after these tiles were laid on these numbers.
fn table(plays: &[(&str, u8)]) -> Table {
    let mut table = Table::new(&terms(2), 9);
    lay(&mut table, plays);
    table
}

fn terms(opening_arms: u8) -> Terms {
    Terms {
        max_pip: 9,
        players: 2,
        opening_arms,
        toes: 3,
        reserve: 2,
        drawn_tile: DrawnTile::MustPlay,
        double_blank: 0,
    }
}

fn lay(table: &mut Table, plays: &[(&str, u8)]) {
    for (tile, end) in plays {
        table.lay(tile.parse().unwrap(), *end, None).unwrap();
    }
}

fn ascii(table: &Table) -> String {
    Outline::default().render(table)
}

const TWO_ARMS: &[(&str, u8)] = &[("8-9", 9), ("4-9", 9)];

#[test]
fn in_the_opening_missing_arms_have_their_places() {
    let mut table = Table::new(&terms(4), 9);
    let bare = "\
[9|9]
|-(arm open: 9)
|-(arm open: 9)
|-(arm open: 9)
`-(arm open: 9)
";
    assert_eq!(ascii(&table), bare);
    lay(&mut table, TWO_ARMS);
    let half = "\
[9|9]
|-9-8 >8
|-9-4* >4
|-(arm open: 9)
`-(arm open: 9)
";
    assert_eq!(ascii(&table), half);
}

#[test]
fn a_foot_is_a_double_with_places_for_its_toes() {
    let mut table = table(TWO_ARMS);
    lay(&mut table, &[("8-8", 8)]);
    let bare = "\
[9|9]
|-9-8 [8|8]*
| |-(toe open: 8)
| |-(toe open: 8)
| `-(toe open: 8)
`-9-4 >4
";
    assert_eq!(ascii(&table), bare);
    lay(&mut table, &[("0-8", 8), ("8-7", 8)]);
    let unfinished = "\
[9|9]
|-9-8 [8|8]
| |-8-0 >0
| |-8-7* >7
| `-(toe open: 8)
`-9-4 >4
";
    assert_eq!(ascii(&table), unfinished);
}

#[test]
fn a_complete_foot_goes_on_at_its_toes() {
    let mut table = table(TWO_ARMS);
    lay(&mut table, &[("4-4", 4), ("0-4", 4), ("4-8", 4), ("1-4", 4), ("0-7", 0)]);
    let complete = "\
[9|9]
|-9-8 >8
`-9-4 [4|4]
  |-4-0 0-7* >7
  |-4-8 >8
  `-4-1 >1
";
    assert_eq!(ascii(&table), complete);
}

#[test]
fn feet_nest() {
    let table = table(&[
        ("8-9", 9),
        ("4-9", 9),
        ("1-8", 8),
        ("4-8", 4),
        ("1-1", 1),
        ("1-9", 1),
        ("1-7", 1),
        ("0-1", 1),
        ("5-9", 9),
        ("4-7", 7),
        ("1-4", 4),
        ("8-8", 8),
        ("2-8", 8),
        ("7-8", 8),
        ("3-8", 8),
        ("1-2", 2),
        ("6-7", 7),
        ("6-6", 6),
        ("0-6", 6),
        ("6-9", 6),
    ]);
    let nested = "\
[9|9]
|-9-8 8-1 [1|1]
| |-1-9 9-5 >5
| |-1-7 7-4 4-1 >1
| `-1-0 >0
`-9-4 4-8 [8|8]
  |-8-2 2-1 >1
  |-8-7 7-6 [6|6]
  | |-6-0 >0
  | |-6-9* >9
  | `-(toe open: 6)
  `-8-3 >3
";
    assert_eq!(ascii(&table), nested);
}

#[test]
fn an_unfinished_foot_keeps_its_places_when_the_round_is_blocked() {
    let mut table = table(TWO_ARMS);
    lay(&mut table, &[("8-8", 8), ("8-6", 8)]);
    let before = ascii(&table);
    table.finish(End::Blocked);
    assert_eq!(ascii(&table), before);
    assert!(before.contains("(toe open: 8)"));
}

#[test]
fn a_double_that_goes_out_has_no_toes() {
    let mut table = table(TWO_ARMS);
    lay(&mut table, &[("8-8", 8)]);
    table.finish(End::Out(Seat::new(0).unwrap()));
    let out = "\
[9|9]
|-9-8 [8|8]*
`-9-4 >4
";
    assert_eq!(ascii(&table), out);
}

#[test]
fn a_toe_that_goes_out_leaves_its_foot_unfinished() {
    let mut table = table(TWO_ARMS);
    lay(&mut table, &[("8-8", 8), ("8-6", 8)]);
    table.finish(End::Out(Seat::new(1).unwrap()));
    assert_eq!(ascii(&table).matches("(toe open: 8)").count(), 2);
}

#[test]
fn box_drawing_is_the_same_text() {
    let outline = Outline { style: Style::Unicode, ..Outline::default() };
    let mut table = table(TWO_ARMS);
    lay(&mut table, &[("8-8", 8), ("0-8", 8), ("8-7", 8)]);
    let boxes = "\
[9|9]
├─9-8 [8|8]
│ ├─8-0 >0
│ ├─8-7* >7
│ └─(toe open: 8)
└─9-4 >4
";
    assert_eq!(outline.render(&table), boxes);
}

#[test]
fn lines_have_their_numbers_on_demand() {
    let outline = Outline { line_ids: true, ..Outline::default() };
    let mut table = table(TWO_ARMS);
    lay(&mut table, &[("4-4", 4), ("2-4", 4), ("4-8", 4)]);
    let numbered = "\
[9|9]
|-9-8 >8 #1
`-9-4 [4|4]
  |-4-2 >2 #3
  |-4-8* >8 #4
  `-(toe open: 4)
";
    assert_eq!(outline.render(&table), numbered);
}

#[test]
fn a_long_run_goes_on_in_the_next_line() {
    let outline = Outline { width: 20, ..Outline::default() };
    let mut table = table(TWO_ARMS);
    lay(&mut table, &[("8-0", 8), ("0-7", 0), ("7-1", 7)]);
    let fits = "\
[9|9]
|-9-8 8-0 0-7
|   7-1* >1
`-9-4 >4
";
    assert_eq!(outline.render(&table), fits);
    lay(&mut table, &[("1-6", 1), ("6-6", 6), ("6-0", 6)]);
    let with_a_foot = "\
[9|9]
|-9-8 8-0 0-7 7-1
|   1-6 [6|6]
| |-6-0* >0
| |-(toe open: 6)
| `-(toe open: 6)
`-9-4 >4
";
    assert_eq!(outline.render(&table), with_a_foot);
}

#[test]
fn no_width_is_too_small() {
    let outline = Outline { width: 0, ..Outline::default() };
    let narrow = "\
[9|9]
|-9-8 >8
`-9-4
    4-0* >0
";
    let mut table = table(TWO_ARMS);
    lay(&mut table, &[("4-0", 4)]);
    assert_eq!(outline.render(&table), narrow);
}

#[test]
fn steps_lay_the_tiles_where_they_say() {
    let seat = Seat::new(0).unwrap();
    let play = |tile: &str, end, line| Act::Play {
        tile: tile.parse().unwrap(),
        end,
        line: LineId::new(line).unwrap(),
    };
    let acts = [
        Act::Draw,
        Act::Start,
        play("4-9", 9, 1),
        play("7-9", 9, 2),
        Act::Draw,
        Act::Pass,
        play("4-7", 7, 2),
        play("0-4", 4, 2),
    ];
    let steps = acts.map(|act| Step { seat, act });
    let drawn = "\
[9|9]
|-9-4 >4
`-9-7 7-4 4-0* >0
";
    assert_eq!(ascii(&Table::from_steps(&terms(2), 9, &steps)), drawn);
}
