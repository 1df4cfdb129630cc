//! Learns the weights of `search`'s policy from self-play and prints them as `src/weights.rs`, in a few minutes:
//! `cargo run --release -p chickenfoot-strategy --example learn -- [ROUNDS] > weights.rs`
//!
//! ROUNDS is how many of a lesson at the table of four; others in proportion. What each lesson brought goes to standard
//! error.

use std::io::{self, Write};

use chickenfoot_rules::{Preset, RuleOptions, Rules};
use chickenfoot_strategy::Lessons;

/// The players of each table, its name, the lessons, and the rounds of each for one of the table of four.
const TABLES: [(u8, &str, u32, f64); 3] = [(2, "TWO", 4, 1.25), (4, "FOUR", 3, 1.0), (7, "SEVEN", 3, 0.6)];

/// Deals by which a lesson is judged.
const DEALS: u32 = 4000;

fn main() -> io::Result<()> {
    let rounds: f64 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(4000.0);
    let (mut out, mut log) = (io::stdout(), io::stderr());
    writeln!(
        out,
        "//! Made by `examples/learn.rs`: what the features of a move are worth, in sixteenths of a point.\n"
    )?;
    writeln!(out, "use crate::learnt::Weights;")?;
    for (players, name, lessons, part) in TABLES {
        let rules = |preset| RuleOptions::new(preset, players).resolve().map_err(io::Error::other);
        let (trains, classic): (Rules, Rules) = (rules(Preset::Trains)?, rules(Preset::Classic)?);
        let of_trains = (rounds * part) as u32;
        let mut school = Lessons::new(vec![(trains, of_trains), (classic, of_trains / 3)], players.into());
        for lesson in 1..=lessons {
            school.learn();
            let edge = |rules| {
                let (points, error) = school.edge(rules, DEALS, 77);
                format!("{points:+.2} ± {error:.2}")
            };
            let (choices, trains, classic) = (school.choices(), edge(&trains), edge(&classic));
            writeln!(log, "| {players} | {lesson} | {choices} | {trains} | {classic} |")?;
        }
        writeln!(out, "\n#[rustfmt::skip]\npub(crate) static {name}: Weights = [")?;
        for row in school.weights().chunks(24) {
            let row: Vec<String> = row.iter().map(i16::to_string).collect();
            writeln!(out, "    {},", row.join(","))?;
        }
        writeln!(out, "];")?;
    }
    Ok(())
}
