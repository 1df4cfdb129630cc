//! The real server beside a bare echo: how much of the transport's speed is left to a decision.

mod case;
mod report;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::job::Way;
use crate::process::Store;
use crate::{Failure, note, say};
use case::{Case, Runs, sizes};

/// Measure the server under load, and a bare echo beside it
///
/// Plays matches of four agents, as many at once as a line of the table says and a new one for each that ends, and
/// exchanges messages of the same sizes on as many streams with an echo, in turns. Prints tables in Markdown.
#[derive(Args)]
pub(crate) struct Load {
    /// A subset that takes less than two minutes
    #[arg(long)]
    quick: bool,
    /// A few seconds that tell whether it works, not how fast it is
    #[arg(long, conflicts_with = "quick")]
    smoke: bool,
    /// Matches at once [default: 1,16,64,256,1024,4096]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    matches: Vec<u32>,
    /// Stores [default: both]
    #[arg(long, value_name = "STORE,...", value_delimiter = ',')]
    store: Vec<Store>,
    /// How answers go up [default: both]
    #[arg(long, value_name = "WAY,...", value_delimiter = ',')]
    way: Vec<Way>,
    /// Connections that the sessions share [default: 1,16]
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    connections: Vec<u32>,
    /// Agents, each with a session; a multiple of four. Never more than matches have seats [default: 64]
    #[arg(long, value_name = "N", default_value_t = 64, hide_default_value = true,
        value_parser = clap::value_parser!(u32).range(4..=16_384))]
    sessions: u32,
    /// How often each case is measured, in turns [default: 5]
    #[arg(long, value_name = "N")]
    runs: Option<u32>,
    /// Seconds of each run that count [default: 5]
    #[arg(long, value_name = "SECONDS")]
    seconds: Option<f64>,
    /// Seconds of each run that do not, before those [default: 1]
    #[arg(long, value_name = "SECONDS")]
    warm_up: Option<f64>,
    /// Leave out the runs at half load
    #[arg(long)]
    no_half: bool,
    /// Where the SQLite files are made [default: the system's folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// What is measured, once the flags are read.
struct Plan {
    cases: Vec<Case>,
    runs: u32,
    seconds: f64,
    warm_up: f64,
    half: bool,
    half_runs: u32,
    folder: PathBuf,
}

impl Load {
    pub(crate) fn run(&self, program: &Path) -> Result<(), Failure> {
        let plan = self.plan();
        let mut all: Vec<Runs> = plan.cases.iter().map(|case| Runs::of(*case)).collect();
        for turn in 1..=plan.runs {
            for index in 0..all.len() {
                let case = all[index].case;
                note(&format!("run {turn} of {}: {case}", plan.runs));
                let sizes = sizes(&all, case);
                all[index].measure(&plan, program, sizes)?;
            }
        }
        if plan.half {
            for turn in 1..=plan.half_runs {
                for index in 0..all.len() {
                    let case = all[index].case;
                    if case.is_halved() {
                        note(&format!("run {turn} of {} at half load: {case}", plan.half_runs));
                        let sizes = sizes(&all, case);
                        all[index].measure_half(&plan, program, sizes)?;
                    }
                }
            }
        }
        say(&report::speeds(&all))?;
        say(&report::delays(&all))?;
        if plan.half {
            say(&report::halves(&all))?;
        }
        say(&report::sizes(&all))?;
        report::check(&all)
    }

    fn plan(&self) -> Plan {
        let quick = self.quick || self.smoke;
        let or = |given: &[u32], few: &[u32], all: &[u32]| match (given.is_empty(), quick) {
            (false, _) => given.to_vec(),
            (true, true) => few.to_vec(),
            (true, false) => all.to_vec(),
        };
        let few: &[u32] = if self.smoke { &[8] } else { &[256, 4096] };
        let matches = or(&self.matches, few, &[1, 16, 64, 256, 1024, 4096]);
        let connections = or(&self.connections, &[16], &[1, 16]);
        let stores =
            if self.store.is_empty() { vec![Store::Memory, Store::Sqlite] } else { self.store.clone() };
        let ways = match (self.way.is_empty(), self.quick) {
            (false, _) => self.way.clone(),
            (true, true) => vec![Way::Session],
            (true, false) => vec![Way::Session, Way::Unary],
        };
        let mut cases = Vec::new();
        for &way in &ways {
            for &connections in &connections {
                for &matches in &matches {
                    let sessions = (matches * 4).min(self.sessions / 4 * 4);
                    let case =
                        Case { way, connections: connections.min(sessions), matches, sessions, store: None };
                    // The echo comes after, with the sizes that were seen.
                    cases.extend(stores.iter().map(|store| Case { store: Some(*store), ..case }));
                    cases.push(case);
                }
            }
        }
        cases.dedup();
        let [runs, half_runs] = match (self.runs, self.smoke, self.quick) {
            (Some(runs), _, _) => [runs, runs],
            (None, true, _) => [1, 1],
            (None, false, true) => [3, 1],
            (None, false, false) => [5, 5],
        };
        let (seconds, warm_up) = match (self.smoke, self.quick) {
            (true, _) => (0.2, 0.1),
            (false, true) => (1.5, 0.5),
            (false, false) => (5.0, 1.0),
        };
        Plan {
            cases,
            runs,
            half_runs,
            seconds: self.seconds.unwrap_or(seconds),
            warm_up: self.warm_up.unwrap_or(warm_up),
            half: !self.no_half && !self.smoke,
            folder: self.folder.clone().unwrap_or_else(std::env::temp_dir),
        }
    }
}
