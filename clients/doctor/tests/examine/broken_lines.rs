//! Broken programs of the line protocol.

use std::time::Duration;

use chickenfoot_doctor::{Failure, Promise, Subject};

use crate::support::{assert_failed, examined, plan};

fn broken(mode: &str) -> Subject {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/broken.py");
    let command = ["python3", script, mode].map(str::to_owned).to_vec();
    Subject::Lines { name: "broken".to_owned(), command }
}

/// The program must fail in this check, with this promise and these words.
async fn fails(mode: &str, check: &str, promise: Promise, words: &str) -> Failure {
    assert_failed(&examined(&plan(broken(mode), &[check])).await, promise, words)
}

/// As `fails`, for a program that never answers: the shorter it is waited for, the better.
async fn never_answers(mode: &str) {
    let mut plan = plan(broken(mode), &["first-decision"]);
    plan.patience = Duration::from_secs(1);
    assert_failed(&examined(&plan).await, Promise::AnswersInTime, "");
}

#[tokio::test]
async fn a_wrong_tile_is_named() {
    let failure = fails("wrong-tile", "first-decision", Promise::TileInHand, "is none of the options").await;
    let marked = failure.transcript.iter().filter(|line| line.starts_with("=>")).count();
    assert_eq!(marked, 1, "{:#?}", failure.transcript);
}

#[tokio::test]
async fn a_wrong_end_is_named() {
    fails("wrong-end", "first-decision", Promise::EndThatFits, "is none of the options").await;
}

#[tokio::test]
async fn an_option_that_there_is_not_is_named() {
    fails("out-of-range", "first-decision", Promise::OptionInRange, "option must be from 0").await;
}

#[tokio::test]
async fn two_answers_to_one_decision_are_named() {
    fails("twice", "first-decision", Promise::OneAnswer, "the decision is answered").await;
}

#[tokio::test]
async fn numbers_of_its_own_are_named() {
    fails("own-numbers", "first-decision", Promise::OpenDecision, "is open").await;
}

#[tokio::test]
async fn a_program_that_dies_at_the_double_blank_is_told_with_its_last_words() {
    let failure = fails("dies-at-blank", "blanks", Promise::KeepsRunning, "no pips at all").await;
    let traced = failure.transcript.iter().any(|line| line.contains("Traceback"));
    assert!(traced, "{:#?}", failure.transcript);
}

#[tokio::test]
async fn a_program_that_blocks_is_named() {
    never_answers("blocks").await;
}

#[tokio::test]
async fn a_program_that_never_reads_is_named() {
    never_answers("never-reads").await;
}

#[tokio::test]
async fn a_flood_is_named() {
    fails("floods", "first-decision", Promise::NoFlood, "").await;
}

#[tokio::test]
async fn garbage_is_named() {
    fails("garbage", "first-decision", Promise::SpeaksTheProtocol, "thinking about").await;
}

#[tokio::test]
async fn a_program_that_ends_in_the_middle_of_a_match_is_named() {
    fails("exits", "whole-match", Promise::KeepsRunning, "exit status: 3").await;
}

#[tokio::test]
async fn a_program_that_outlives_its_stdin_is_named() {
    fails("stays", "clean-stop", Promise::StopsCleanly, "stdin has ended").await;
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let command = vec!["./no-such-bot".to_owned()];
    let subject = Subject::Lines { name: "nobody".to_owned(), command };
    let report = examined(&plan(subject, &["first-decision"])).await;
    assert_failed(&report, Promise::KeepsRunning, "./no-such-bot cannot be run");
}
