//! Writes the vectors that the tests compare with, after a change of the layout that is meant: `cargo run --release -p
//! chickenfoot-picture --example vectors > crates/picture/tests/vectors/layouts.jsonl`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/common/mod.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod common;
#[path = "../tests/vectors/mod.rs"]
mod form;

use chickenfoot_rules::{Act, Step};
use common::{Play, round_rules};
use form::Vector;

fn main() {
    for max_pip in [6, 9, 12, 15, 18] {
        for (rules, seed) in round_rules(max_pip).iter().cycle().step_by(3).zip(0..4) {
            let mut play = Play::deal(rules, seed);
            play.finish();
            let plays: Vec<String> = play.steps.iter().filter_map(text).collect();
            let vector = Vector::of(max_pip, play.terms.opening_arms, play.round.hub(), &plays);
            println!("{}", serde_json::to_string(&vector).unwrap());
        }
    }
}

fn text(step: &Step) -> Option<String> {
    match step.act {
        Act::Play { tile, end, line } => Some(format!("{tile} {end} {}", line.number())),
        Act::Start | Act::Draw | Act::Pass => None,
    }
}
