//! The real binary: what is said of a record.

mod binary;

use std::path::{Path, PathBuf};
use std::process::Output;

use binary::{code, run, stderr, stdout};
use chickenfoot_rules::Record;
use serde_json::Value;

fn path(of: &Path) -> &str {
    of.to_str().expect("a plain path")
}

/// The record of a match of one round, in this folder.
fn record(folder: &Path) -> PathBuf {
    let args = ["simulate", "--players", "greedy,random", "--deals", "1", "--rounds", "1", "--records"];
    let output = run(&[&args[..], &[path(folder)]].concat(), "");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    folder.join("000000-1.json")
}

fn analyse(file: &Path, more: &[&str]) -> Output {
    let asked = ["record", "analyse", path(file), "--rollouts", "30", "--shuffles", "2"];
    run(&[&asked[..], more].concat(), "")
}

#[test]
fn every_turn_is_told_with_its_options_and_its_luck() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = record(folder.path());
    let page = folder.path().join("match.html");
    let output = analyse(&file, &["--html", path(&page)]);
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    for part in ["match 000000-1\n", "round 1 on double-9", "gave away ", "luck ", "decisions"] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    let html = std::fs::read_to_string(&page).expect("the page was written");
    assert!(html.starts_with("<!DOCTYPE html>") && html.contains("house:random"));
}

#[test]
fn programs_get_one_object_whatever_the_threads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = record(folder.path());
    let found = |threads| -> Value {
        let output = analyse(&file, &["--json", "--strategy", "monte-carlo", "--threads", threads]);
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        serde_json::from_str(stdout(&output)).expect("one JSON object")
    };
    let one = found("1");
    assert_eq!(one["match_id"], "000000-1");
    assert_eq!(one["method"]["strategy"], "monte-carlo");
    assert_eq!(one["seats"].as_array().map(Vec::len), Some(2));
    assert_eq!(one, found("3"));
}

#[test]
fn what_cannot_be_analysed_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let text = std::fs::read_to_string(record(folder.path())).expect("it is there");
    let mut record = Record::from_json(&text).expect("a record");
    record.digest.0[0] ^= 1;
    let output = run(&["record", "analyse", "-", "--json"], &record.to_json());
    assert_eq!(code(&output), 1);
    let error: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
    assert_eq!(error["reason"], "RECORD_FLAWED");
    for args in
        [&["--rollouts", "0"][..], &["--shuffles", "0"], &["--strategy", "greedy"], &["--threads", "0"]]
    {
        let output = run(&[&["record", "analyse", "-"], args].concat(), "{}");
        assert_eq!(code(&output), 64, "{args:?}: {}", stderr(&output));
    }
}
