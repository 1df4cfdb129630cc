//! Measures whether a budget in milliseconds is kept: how long decisions take, as a ratio to the budget, and how long a
//! search works between two questions whether it may go on, in microseconds; the time before the first and after the
//! last one counts as well.
//! `cargo run --release -p chickenfoot-strategy --example decision_times -- [NAME [MILLISECONDS [MATCHES]]]`
//!
//! Tables of 2, 4 and 8, both presets, and of 16 with the largest set, in turn; `greedy` plays against one seat of NAME.
//! On a core that others use too the ratios say how long the others had it, and so do the longest gaps.

use std::error::Error;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use chickenfoot_rules::{ForcedMoves, Preset, RuleOptions, Rules};
use chickenfoot_strategy::by_name;

#[path = "../tests/duplicate/mod.rs"]
mod duplicate;

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let name = args.first().map_or("search", String::as_str);
    let milliseconds: u32 = args.get(1).map_or(Ok(20), |text| text.parse())?;
    let matches: u32 = args.get(2).map_or(Ok(1), |text| text.parse())?;
    let player = format!("{name}:{milliseconds}ms");
    if by_name(&player, [0; 32]).is_none() {
        return Err(format!("{player} is no strategy that searches").into());
    }
    let mut out = io::stdout();
    writeln!(out, "| rules | set | players | decisions | p50 | p99 | max | gaps | p50 | p99 | max |")?;
    writeln!(out, "|{}", " --- |".repeat(11))?;
    for (preset, label) in [(Preset::Trains, "trains"), (Preset::Classic, "classic")] {
        for (players, max_pip) in [(2, 9), (4, 9), (8, 12), (16, 18)] {
            let options =
                RuleOptions { max_pip: Some(max_pip), rounds: Some(4), ..RuleOptions::new(preset, players) };
            let Ok(rules) = options.resolve() else { continue };
            let mut seen = Seen::default();
            for number in 0..matches {
                seen.watch(rules, number, &player, Duration::from_millis(milliseconds.into()));
            }
            let (ratios, gaps) = (figures(&mut seen.ratios, 3), figures(&mut seen.gaps, 0));
            writeln!(out, "| {label} | double-{max_pip} | {players} | {ratios} | {gaps} |")?;
        }
    }
    Ok(())
}

/// How many there are, the median, the 99th percentile and the highest, with so many digits.
fn figures(all: &mut [f64], digits: usize) -> String {
    all.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let place = (all.len().saturating_sub(1) as f64 * part).ceil() as usize;
        all.get(place).map_or_else(|| "-".to_owned(), |x| format!("{x:.digits$}"))
    };
    format!("{} | {} | {} | {}", all.len(), at(0.5), at(0.99), at(1.0))
}

/// What was measured at a table.
#[derive(Default)]
struct Seen {
    /// What part of its budget each decision took.
    ratios: Vec<f64>,
    /// Microseconds between two questions.
    gaps: Vec<f64>,
}

impl Seen {
    /// Plays a match and measures each decision of its first seat.
    fn watch(&mut self, rules: Rules, number: u32, player: &str, budget: Duration) {
        let mut game = duplicate::start(rules, number, ForcedMoves::Automatic);
        let mut players = duplicate::players(&game, |seat| if seat.index() == 0 { player } else { "greedy" });
        duplicate::play(&mut game, |view| {
            let strategy = &mut players[view.seat.index()];
            if view.seat.index() != 0 {
                return strategy.choose(view);
            }
            let begun = Instant::now();
            let mut last = begun;
            let gaps = &mut self.gaps;
            let mut gap = |now: Instant| {
                gaps.push((now - last).as_secs_f64() * 1e6);
                last = now;
            };
            let action = strategy.choose_while(view, &mut || {
                let now = Instant::now();
                gap(now);
                now - begun < budget
            });
            let end = Instant::now();
            gap(end);
            self.ratios.push((end - begun).as_secs_f64() / budget.as_secs_f64());
            action
        });
    }
}
