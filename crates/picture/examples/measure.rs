//! What layouts of random rounds measure, for every size of set: `cargo run --release -p chickenfoot-picture --example
//! measure -- [ROUNDS]`.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

#[path = "../tests/common/mod.rs"]
#[expect(dead_code, reason = "tests use more of it")]
mod common;

use std::error::Error;
use std::time::{Duration, Instant};

use chickenfoot_picture::Layout;
use chickenfoot_rules::Rules;
use common::{Play, layout_of, round_rules};

fn main() -> Result<(), Box<dyn Error>> {
    let rounds: u64 = std::env::args().nth(1).map_or(Ok(1000), |text| text.parse())?;
    println!(
        "double  rounds   tiles  connectors  stems  side p50  p95  max  us/tile  ms/round max  comparisons/tile"
    );
    for max_pip in [6, 9, 12, 15, 18] {
        let rules = round_rules(max_pip);
        let mut sum = Sum::default();
        for seed in 0..rounds {
            sum.add(&rules[seed as usize % rules.len()], seed);
        }
        sum.print(max_pip);
    }
    Ok(())
}

fn time(play: &Play) -> Duration {
    let start = Instant::now();
    std::hint::black_box(layout_of(play));
    start.elapsed()
}

#[derive(Default)]
struct Sum {
    tiles: usize,
    stems: usize,
    connectors: usize,
    sides: Vec<i32>,
    time: Duration,
    longest: Duration,
    comparisons: u64,
    most: u64,
}

impl Sum {
    fn add(&mut self, rules: &Rules, seed: u64) {
        let mut play = Play::deal(rules, seed);
        play.finish();
        // The least of several runs: other programs can only make one longer.
        let took = (0..5).map(|_| time(&play)).min().unwrap_or_default();
        self.time += took;
        self.longest = self.longest.max(took);
        self.count(&layout_of(&play));
    }

    fn count(&mut self, layout: &Layout) {
        let stems = || layout.tiles().iter().filter_map(|placed| placed.stem);
        self.tiles += layout.tiles().len();
        self.stems += stems().count();
        self.connectors += stems().filter(|stem| stem.is_connector).count();
        let bounds = layout.bounds();
        self.sides.push(bounds.width().max(bounds.height()));
        self.comparisons += layout.comparisons();
        self.most = self.most.max(layout.comparisons());
    }

    fn print(&mut self, max_pip: u8) {
        self.sides.sort_unstable();
        let side = |share: usize| {
            f64::from(self.sides[(self.sides.len() * share / 100).min(self.sides.len() - 1)]) / 1000.0
        };
        println!(
            "{max_pip:>6} {:>7} {:>7} {:>10.2}% {:>5.1}% {:>8.1} {:>5.1} {:>5.1} {:>7.1} {:>9.2} {:>12} {:>12}",
            self.sides.len(),
            self.tiles,
            100.0 * self.connectors as f64 / self.tiles as f64,
            100.0 * self.stems as f64 / self.tiles as f64,
            side(50),
            side(95),
            side(100),
            self.time.as_secs_f64() * 1e6 / self.tiles as f64,
            self.longest.as_secs_f64() * 1e3,
            self.comparisons / self.tiles as u64,
            self.most
        );
    }
}
