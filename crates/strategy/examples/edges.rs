//! Measures how many points a round one strategy is better than another, as a table in Markdown:
//! `cargo run --release -p chickenfoot-strategy --example edges -- [DEALS [FIRST]]`

#[path = "../tests/duplicate/mod.rs"]
mod duplicate;

use std::io::{self, Write};

use chickenfoot_rules::Preset;

fn main() -> io::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |at: usize| args.get(at).and_then(|text| text.parse::<u32>().ok());
    let (deals, first) = (number(0).unwrap_or(200).max(2), number(1).unwrap_or(0));
    if let [_, _, preset, players, one, others] = args.as_slice() {
        let preset = if preset == "classic" { Preset::Classic } else { Preset::Trains };
        return line(preset, players.parse().unwrap_or(2), one, others, first, deals);
    }
    writeln!(io::stdout(), "| rules | players | step | points a round |\n| --- | --- | --- | --- |")?;
    for preset in [Preset::Trains, Preset::Classic] {
        for players in [2, 3, 4, 6] {
            for (one, others) in [("random", "lowest"), ("greedy", "random"), ("dead-foot", "greedy")] {
                line(preset, players, one, others, first, deals)?;
            }
        }
    }
    Ok(())
}

fn line(preset: Preset, players: u8, one: &str, others: &str, first: u32, deals: u32) -> io::Result<()> {
    let name = match preset {
        Preset::Trains => "trains",
        Preset::Classic => "classic",
    };
    let edge = duplicate::edge(duplicate::rules(preset, players), one, others, first, deals);
    let (points, error) = (edge.points, edge.error);
    writeln!(io::stdout(), "| {name} | {players} | {one} over {others} | {points:+.2} ± {error:.2} |")
}
