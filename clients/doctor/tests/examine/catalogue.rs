//! The list of checks, as the README has it.

use std::collections::BTreeSet;

use chickenfoot_doctor::{CHECKS, Error, Promise, Subject, examine};

use crate::support::{Ready, plan};

#[test]
fn the_readme_lists_the_checks_in_their_order() {
    let readme = include_str!("../../README.md");
    let told: Vec<&str> = readme.lines().filter(|line| line.starts_with("| `")).collect();
    let expected: Vec<String> =
        CHECKS.iter().map(|check| format!("| `{}` | {} |", check.name, check.proves)).collect();
    assert_eq!(told, expected);
}

#[test]
fn every_check_has_a_name_of_its_own() {
    let names: BTreeSet<&str> = CHECKS.iter().map(|check| check.name).collect();
    assert_eq!(names.len(), CHECKS.len());
    let is_name = |name: &&str| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    assert!(names.iter().all(is_name), "{names:?}");
}

#[test]
fn a_promise_is_told_as_what_a_good_bot_does() {
    assert_eq!(Promise::TileInHand.words(), "it lays only tiles that it holds");
}

#[tokio::test]
async fn a_check_that_there_is_not_is_refused_with_those_that_there_are() {
    let subject = Subject::Agent { name: "a".to_owned(), command: None };
    let refused = examine(&plan(subject, &["hallo"]), &mut Ready(|_: &str, _: &str| {})).await;
    let Err(Error::Plan(why)) = refused else { panic!("{refused:?}") };
    assert!(why.contains("\"hallo\"") && why.contains("hello, seat"), "{why}");
}
