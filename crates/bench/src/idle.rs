use std::path::{Path, PathBuf};

use clap::Args;

use crate::figures::{Table, short};
use crate::job::{Job, Target, Until};
use crate::process::{Server, Store, client};
use crate::{Failure, note, say};

/// Measure the memory of matches in which nobody moves
///
/// Begins many matches of four agents and answers no decision. What the server has grown by since the agents' sessions
/// were open, divided by the matches, is what a match costs.
#[derive(Args)]
pub(crate) struct Idle {
    /// Matches that are open at once
    #[arg(long, value_name = "N", default_value_t = 100_000, value_parser = clap::value_parser!(u32).range(1..=500_000))]
    matches: u32,
    /// Where the SQLite file is made [default: the system's folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Idle {
    pub(crate) fn run(&self, program: &Path) -> Result<(), Failure> {
        let mut table = Table::new(&["store", "matches", "before, MiB", "with all, MiB", "KiB a match"]);
        for store in [Store::Memory, Store::Sqlite] {
            note(&format!("{} idle matches, {}", self.matches, store.name()));
            let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
            let server = Server::service(program, store, &folder)?;
            let outcome = client(&Job::new(&server, Target::Service, self.matches, Until::Begun))?;
            let (before, after) = (outcome.memory_before as f64, outcome.memory_after as f64);
            table.row([
                store.name().to_owned(),
                self.matches.to_string(),
                short(before / 1024.0 / 1024.0),
                short(after / 1024.0 / 1024.0),
                short((after - before) / 1024.0 / f64::from(self.matches)),
            ]);
        }
        say(&format!("Memory of the server (resident) with idle matches:\n\n{table}"))
    }
}
