use std::fs;
use std::path::Path;

use clap::{Args, Parser};

use crate::{Cli, Failure, run, say};

/// Measure everything, one after the other, and describe the machine
///
/// What it prints is the part of the crate's README with the figures. Takes some hours.
#[derive(Args)]
pub(crate) struct All {
    /// Less of everything, in some minutes
    #[arg(long)]
    quick: bool,
}

/// The commands by title, whole and quick.
const COMMANDS: [(&str, &str, &str); 9] = [
    ("Load", "load", "load --quick"),
    ("Idle matches", "idle", "idle --matches 5000"),
    ("Watchers", "watchers", "watchers --runs 1 --seconds 2"),
    ("A million matches", "lasting", "lasting --matches 20000"),
    ("Rules", "rules", "rules --runs 3 --seconds 0.1"),
    ("Store", "store", "store --runs 3 --seconds 0.2"),
    ("Schedules", "schedule", "schedule --runs 3 --seconds 0.1"),
    ("Statistics", "statistics", "statistics --runs 3 --seconds 0.1"),
    ("Verification", "verify", "verify --runs 3 --seconds 0.1"),
];

impl All {
    pub(crate) fn run(&self, program: &Path) -> Result<(), Failure> {
        say(&machine()?)?;
        for (title, whole, quick) in COMMANDS {
            let words = if self.quick { quick } else { whole };
            say(&format!("\n### {title}\n\n`cargo run --release -p chickenfoot-bench -- {words}`\n"))?;
            let words = std::iter::once("chickenfoot-bench").chain(words.split(' '));
            let cli = Cli::try_parse_from(words)?;
            run(Cli { server: Some(program.to_owned()), ..cli })?;
        }
        Ok(())
    }
}

/// The processor, its cores as far as they can be used, memory and kernel.
fn machine() -> Result<String, Failure> {
    let value = |text: &str, key: &str| {
        let line = text.lines().find(|line| line.starts_with(key));
        line.and_then(|line| line.split_once(':'))
            .map_or("unknown".to_owned(), |(_, value)| value.trim().to_owned())
    };
    let processor = value(&fs::read_to_string("/proc/cpuinfo")?, "model name");
    let memory = value(&fs::read_to_string("/proc/meminfo")?, "MemTotal");
    let kernel = fs::read_to_string("/proc/sys/kernel/osrelease")?;
    let cores = std::thread::available_parallelism()?;
    Ok(format!("Machine: {processor}, {cores} cores, {memory} of memory, Linux {}.", kernel.trim()))
}
