//! Measures how many points a round one strategy is better than another.
#[path = "../tests/duplicate/mod.rs"]
mod duplicate;
use chickenfoot_rules::Preset;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let deals: u32 = args[1].parse().unwrap();
    for preset in [Preset::Trains, Preset::Classic] {
        for players in [2, 3, 4, 6] {
            for (a, b) in [("random", "lowest"), ("greedy", "random"), ("dead-foot", "greedy")] {
                let e = duplicate::edge(duplicate::rules(preset, players), a, b, 0, deals);
                println!("{preset:?} {players} {a} over {b}: {:.3} +- {:.3}", e.points, e.error);
            }
        }
    }
}
