//! Measures how many points a round one strategy is better than another:
//! `cargo run --release -p chickenfoot-strategy --example edges -- DEALS`
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/duplicate/mod.rs"]
mod duplicate;

use chickenfoot_rules::Preset;

fn main() {
    let deals: u32 = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(200);
    println!("| rules | players | step | points a round |\n| --- | --- | --- | --- |");
    for preset in [Preset::Trains, Preset::Classic] {
        for players in [2, 3, 4, 6] {
            for (one, others) in [("random", "lowest"), ("greedy", "random"), ("dead-foot", "greedy")] {
                let edge = duplicate::edge(duplicate::rules(preset, players), one, others, 0, deals);
                let name = format!("{preset:?}").to_lowercase();
                println!(
                    "| {name} | {players} | {one} over {others} | {:+.2} ± {:.2} |",
                    edge.points, edge.error
                );
            }
        }
    }
}
