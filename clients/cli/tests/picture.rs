//! The real binary: tables of a record as pictures.

mod binary;

use binary::{code, run, stderr, stdout};
use chickenfoot_rules::{Deed, Record};
use serde_json::Value;

/// The record of a match of two rounds.
fn record() -> Record {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().to_str().expect("a plain path");
    let args = ["simulate", "--players", "greedy,random", "--deals", "1", "--rounds", "2", "--records", path];
    let output = run(&args, "");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = std::fs::read_to_string(folder.path().join("000000-1.json")).expect("it is there");
    Record::from_json(&text).expect("a record")
}

fn picture(record: &Record, more: &[&str]) -> String {
    let output = run(&[&["record", "picture", "-"], more].concat(), &record.to_json());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    stdout(&output).to_owned()
}

fn tiles(svg: &str) -> usize {
    svg.matches("<g class=\"tile").count()
}

#[test]
fn the_last_round_is_drawn_or_the_one_asked_for_up_to_a_move() {
    let record = record();
    let laid = |moves: &[chickenfoot_rules::Made]| {
        1 + moves.iter().filter(|made| matches!(made.what, Deed::Play { .. })).count()
    };
    let whole = picture(&record, &[]);
    assert!(whole.starts_with("<?xml") && whole.contains("round 2 on double-8"));
    assert_eq!(tiles(&whole), laid(&record.rounds[1].moves));
    let first = picture(&record, &["--round", "1"]);
    assert_eq!(tiles(&first), laid(&record.rounds[0].moves));
    let early = picture(&record, &["--round", "1", "--move", "9", "--theme", "dark"]);
    assert_eq!(tiles(&early), laid(&record.rounds[0].moves[..9]));
    assert!(early.contains("after move 9") && !early.contains("prefers-color-scheme"));
    assert_eq!(tiles(&picture(&record, &["--move", "0"])), 1);
}

#[test]
fn a_file_is_written_and_told_of() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("table.svg");
    let path = file.to_str().expect("a plain path");
    let output = run(&["record", "picture", "-", "--output", path, "--json"], &record().to_json());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let said: Value = serde_json::from_str(stdout(&output)).expect("one JSON object");
    let text = std::fs::read_to_string(&file).expect("the picture was written");
    assert_eq!(said["bytes"], text.len());
    assert_eq!(said["file"], path);
    assert!(text.ends_with("</svg>\n"));
}

#[test]
fn what_is_not_there_is_refused_with_the_bound() {
    let text = record().to_json();
    for (args, said) in [
        (&["--round", "3"][..], "--round 3: the record has 2 rounds"),
        (&["--round", "0"], "--round 0: the record has 2 rounds"),
        (&["--round", "1", "--move", "1000"], "--move 1000: round 1 has "),
        (&["--json"], "--json takes --output FILE"),
        (&["--theme", "pink"], "pink"),
    ] {
        let output = run(&[&["record", "picture", "-"], args].concat(), &text);
        assert_eq!(code(&output), 64, "{args:?}");
        assert!(stderr(&output).contains(said), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn a_tile_that_has_no_place_is_named() {
    let mut record = record();
    let moves = &mut record.rounds[1].moves;
    let at = moves.iter().position(|made| matches!(made.what, Deed::Play { .. })).expect("a play");
    moves.push(moves[at]);
    let place = format!("round 2, move {}", moves.len());
    let output = run(&["record", "picture", "-", "--json", "--output", "x.svg"], &record.to_json());
    assert_eq!(code(&output), 1);
    let error: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
    assert_eq!((&error["reason"], &error["metadata"]["place"]), (&"RECORD_FLAWED".into(), &place.into()));
}
