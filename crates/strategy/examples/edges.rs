//! Measures how many points a round one strategy is better than another, as a table in Markdown:
//! `cargo run --release -p chickenfoot-strategy --example edges -- [DEALS [FIRST]]`

#[path = "../tests/duplicate/mod.rs"]
mod duplicate;

use std::io::{self, Write};

use chickenfoot_rules::Preset;

fn main() -> io::Result<()> {
    let mut numbers = std::env::args().skip(1).map_while(|text| text.parse().ok());
    let deals = numbers.next().unwrap_or(200).max(2);
    let first = numbers.next().unwrap_or(0);
    let mut out = io::stdout();
    writeln!(out, "| rules | players | step | points a round |\n| --- | --- | --- | --- |")?;
    for (preset, name) in [(Preset::Trains, "trains"), (Preset::Classic, "classic")] {
        for players in [2, 3, 4, 6] {
            for (one, others) in [("random", "lowest"), ("greedy", "random"), ("dead-foot", "greedy")] {
                let rules = duplicate::rules(preset, players);
                let edge = duplicate::edge(rules, one, others, first, deals);
                let (points, error) = (edge.points, edge.error);
                writeln!(out, "| {name} | {players} | {one} over {others} | {points:+.2} ± {error:.2} |")?;
            }
        }
    }
    Ok(())
}
