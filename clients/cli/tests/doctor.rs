//! The real binary: what `chickenfoot doctor` says without a bot. The crate `chickenfoot-doctor` tests examinations.

mod binary;

use binary::{code, run, stderr, stdout};
use chickenfoot_doctor::CHECKS;
use serde_json::Value;

#[test]
fn the_list_has_every_check_for_people_and_for_programs() {
    let text = run(&["doctor", "--list"], "");
    let names: Vec<&str> = stdout(&text).lines().filter_map(|line| line.split(' ').next()).collect();
    let expected: Vec<&str> = CHECKS.iter().map(|check| check.name).collect();
    assert_eq!((code(&text), names), (0, expected.clone()));
    let json = run(&["doctor", "--list", "--json"], "");
    let lines = stdout(&json).lines().map(|line| serde_json::from_str(line).expect("each line is JSON"));
    let names: Vec<String> =
        lines.map(|line: Value| line["check"].as_str().expect("a text").to_owned()).collect();
    assert_eq!(names, expected);
}

#[test]
fn what_cannot_be_meant_is_wrong_usage() {
    for (args, word) in [
        (&["doctor"][..], "which bot?"),
        (&["doctor", "--only", "hallo", "--", "true"], "there is no check \"hallo\""),
        (&["doctor", "--decision-time", "5m", "--", "true"], "must be 100ms to 60s"),
    ] {
        let output = run(args, "");
        assert_eq!(code(&output), 64, "{args:?}");
        assert!(stderr(&output).contains(word), "{args:?}: {}", stderr(&output));
    }
}

#[test]
fn without_a_server_program_nothing_can_be_examined() {
    let args = ["doctor", "--json", "--server-program", "./no-such-server", "--", "true"];
    let output = run(&args, "");
    let told: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
    assert_eq!((code(&output), told["reason"].as_str()), (1, Some("EXAMINATION_FAILED")));
}
