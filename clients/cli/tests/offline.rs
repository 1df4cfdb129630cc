//! The real binary where it needs no service: records, usage, help.

mod binary;

use std::io::Write;
use std::process::{Command, Stdio};

use binary::{code, run, stderr, stdout};
use chickenfoot_bot::local::{LocalMatch, play};
use chickenfoot_bot::strategy_bots;
use chickenfoot_rules::{Preset, Record, RuleOptions, Seed};
use serde_json::{Value, json};

/// A match of two strategies, two rounds long.
fn record() -> Record {
    let rules = RuleOptions { rounds: Some(2), ..RuleOptions::new(Preset::Trains, 2) };
    let seat = |name: &str| {
        let mut make = strategy_bots(name, 1).expect("a strategy of that name");
        let make: chickenfoot_bot::local::MakeBot = Box::new(move |game| make(game));
        (name.to_owned(), make)
    };
    play(LocalMatch {
        rules: rules.resolve().expect("a preset fits"),
        seed: Seed::new([3; 32]),
        seats: vec![seat("greedy"), seat("random")],
    })
    .expect("two seats for two players")
}

#[test]
fn a_good_record_verifies_with_its_digest() {
    let record = record();
    let output = run(&["record", "verify", "-"], &record.to_json());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), format!("ok {}\n", record.digest));
    let output = run(&["record", "verify", "-", "--json"], &record.to_json());
    let answer: Value = serde_json::from_str(stdout(&output)).expect("one JSON object");
    assert_eq!(answer, json!({"ok": true, "match_id": "local", "digest": record.digest.to_string()}));
}

#[test]
fn a_record_is_read_from_a_file_too() {
    let path = std::env::temp_dir().join(format!("chickenfoot-record-{}.json", std::process::id()));
    std::fs::write(&path, record().to_json()).expect("a temporary file can be written");
    let output = run(&["record", "verify", path.to_str().expect("a plain path")], "");
    std::fs::remove_file(&path).expect("the file was just written");
    assert_eq!(code(&output), 0, "{}", stderr(&output));
}

#[test]
fn every_flaw_is_named_with_its_place() {
    type Spoil = fn(&mut Record);
    let flaws: [(&str, Spoil); 6] = [
        ("format:", |r| r.format.push('!')),
        ("commitment:", |r| r.seed.0[0] ^= 1),
        ("round 2, starting_double:", |r| {
            r.rounds[1].starting_double = 3;
        }),
        ("round 1, move 3:", |r| {
            r.rounds[0].moves.remove(2);
        }),
        ("round 1, scores:", |r| r.rounds[0].scores[0] += 1),
        ("digest:", |r| r.digest.0[31] ^= 1),
    ];
    for (place, spoil) in flaws {
        let mut record = record();
        spoil(&mut record);
        let output = run(&["record", "verify", "-"], &record.to_json());
        assert_eq!(code(&output), 1, "{place}");
        assert_eq!(stdout(&output), "", "{place}");
        let said = stderr(&output);
        assert!(said.starts_with(&format!("error: the record is not right: {place}")), "{said}");
    }
}

#[test]
fn programs_get_a_flaw_as_json_on_stderr() {
    let mut record = record();
    record.totals[0] += 1;
    let output = run(&["--json", "record", "verify", "-"], &record.to_json());
    assert_eq!(code(&output), 1);
    let error: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
    assert_eq!(error["code"], "DATA_LOSS");
    assert_eq!(error["reason"], "RECORD_FLAWED");
    assert_eq!(error["metadata"]["place"], "totals");
    assert!(error["message"].is_string());
}

#[test]
fn what_is_no_record_or_no_file_fails_with_its_reason() {
    let reason = |args: &[&str], stdin: &str| {
        let output = run(args, stdin);
        assert_eq!(code(&output), 1, "{args:?}");
        let error: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
        (error["code"].clone(), error["reason"].clone())
    };
    let malformed = (json!("INVALID_ARGUMENT"), json!("RECORD_MALFORMED"));
    assert_eq!(reason(&["--json", "record", "verify", "-"], "{}"), malformed);
    assert_eq!(reason(&["--json", "record", "show", "-"], "no JSON"), malformed);
    assert_eq!(
        reason(&["--json", "record", "show", "/no/such/file"], ""),
        (json!("NOT_FOUND"), json!("FILE_UNREADABLE"))
    );
}

#[test]
fn a_record_is_shown_with_seats_moves_scores_and_tables() {
    let record = record();
    let output = run(&["record", "show", "-"], &record.to_json());
    assert_eq!(code(&output), 0, "{}", stderr(&output));
    let text = stdout(&output);
    for part in [
        "match local: finished",
        "round 1 on double-9",
        "[9|9]\n",
        "[8|8]\n",
        "0 greedy",
        " starts with 9-9",
        " plays ",
        "round 2 ends: ",
        "place 1",
    ] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    let moves: usize = record.rounds.iter().map(|round| round.moves.len()).sum();
    assert!(text.lines().count() > moves);
    assert!(!text.contains('\x1b'), "colours are for terminals");
}

#[test]
fn a_reader_that_stops_early_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_chickenfoot"))
        .args(["record", "show", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    // Closed before there is anything to write, so that the first write fails.
    drop(child.stdout.take());
    let mut pipe = child.stdin.take().expect("stdin is piped");
    pipe.write_all(record().to_json().as_bytes()).expect("the command reads all of stdin");
    drop(pipe);
    let output = child.wait_with_output().expect("the command ends by itself");
    assert_eq!(code(&output), 0);
    assert_eq!(stderr(&output), "");
}

#[test]
fn wrong_usage_exits_with_64() {
    for args in [
        &[][..],
        &["nonsense"],
        &["match", "create"],
        &["match", "create", "--seats", "agent:"],
        &["match", "create", "--seats", "open", "--decision-time", "5h"],
        &["match", "create", "--seats", "open", "--seed", "12"],
        &["match", "list", "--state", "lost"],
        &["agent", "run", "me", "--strategy", "nonsense"],
        &["--server", "http:// no address", "agent", "list"],
        &["--json", "match", "play", "1"],
    ] {
        let output = run(args, "");
        assert_eq!(code(&output), 64, "{args:?}: {}", stderr(&output));
        assert_eq!(stdout(&output), "", "{args:?}");
        assert!(!stderr(&output).is_empty(), "{args:?}");
    }
}

#[test]
fn programs_get_wrong_usage_as_json_too() {
    let output = run(&["--json", "match", "create"], "");
    assert_eq!(code(&output), 64);
    let error: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
    assert_eq!(error["reason"], "USAGE");
}

#[test]
fn a_service_that_is_not_there_is_a_failure() {
    // Port 1 is reserved; nothing listens there.
    let output = run(&["--server", "127.0.0.1:1", "--json", "agent", "list"], "");
    assert_eq!(code(&output), 1);
    let error: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
    assert_eq!(error["code"], "UNAVAILABLE");
    assert_eq!(error["reason"], "CONNECTION_FAILED");
}

#[test]
fn help_goes_to_stdout_and_lists_the_exit_codes_but_no_token() {
    let output = Command::new(env!("CARGO_BIN_EXE_chickenfoot"))
        .arg("--help")
        .env("CHICKENFOOT_TOKEN", "a-secret")
        .output()
        .expect("the binary was built for this test");
    assert_eq!(code(&output), 0);
    let text = stdout(&output);
    for part in ["Exit codes:", "  0  ", "  1  ", " 64  ", "CHICKENFOOT_TOKEN"] {
        assert!(text.contains(part), "{part:?} is missing in\n{text}");
    }
    assert!(!text.contains("a-secret"));
    assert_eq!(code(&run(&["--version"], "")), 0);
}

#[test]
fn a_service_that_is_not_there_is_named_by_its_address() {
    // Nobody listens on port 1, which takes an administrator.
    let server = "http://127.0.0.1:1";
    let output = run(&["agent", "list", "--server", server], "");
    assert_eq!(code(&output), 1);
    let said = stderr(&output);
    assert!(said.starts_with("error: no connection to the service at http://127.0.0.1:1: "), "{said}");
    let output = run(&["agent", "list", "--server", server, "--json"], "");
    let error: Value = serde_json::from_str(stderr(&output)).expect("one JSON object");
    assert_eq!(
        (&error["reason"], &error["metadata"]),
        (&json!("CONNECTION_FAILED"), &json!({"address": server}))
    );
}

#[test]
fn a_program_that_is_not_there_is_named_before_anything_is_connected() {
    let output = run(&["agent", "exec", "me", "--json", "--", "no-such-program"], "");
    assert_eq!(code(&output), 1);
    let error = stderr(&output).lines().last().expect("an error");
    let error: Value = serde_json::from_str(error).expect("one JSON object");
    assert_eq!(error["reason"], "PROGRAM_NOT_FOUND");
    assert_eq!(error["metadata"], json!({"program": "no-such-program"}));
    // Without a program the usage is wrong.
    assert_eq!(code(&run(&["agent", "exec", "me", "--token", "t"], "")), 64);
}
