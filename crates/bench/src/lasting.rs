use std::path::{Path, PathBuf};

use clap::Args;

use crate::figures::{Table, short};
use crate::job::{Job, Part, Target, Until};
use crate::process::{Server, Store, client};
use crate::{Failure, note, say};

/// Measure whether a decision costs the same after many matches as at first
///
/// Plays one match after the other, 256 at once, and measures the first tenth, the second, and so on. The first is what
/// the others are compared with. A million matches of one round take some ten minutes with each store.
#[derive(Args)]
pub(crate) struct Lasting {
    /// Matches in all
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    matches: u64,
    /// Matches at once
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=16_384))]
    at_once: u32,
    /// Rounds of a match
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10))]
    rounds: u32,
    /// Parts that are measured apart
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=1000))]
    parts: u32,
    /// Stores
    #[arg(long, value_name = "STORE,...", value_delimiter = ',', default_value = "memory,sqlite")]
    store: Vec<Store>,
    /// Where the SQLite file is made [default: the system's folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Lasting {
    pub(crate) fn run(&self, program: &Path) -> Result<(), Failure> {
        for &store in &self.store {
            note(&format!("{} matches, {}", self.matches, store.name()));
            let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
            let server = Server::service(program, store, &folder)?;
            let until = Until::Matches { matches: self.matches, parts: self.parts };
            let outcome = client(&Job {
                rounds: Some(self.rounds),
                ..Job::new(&server, Target::Service, self.at_once, until)
            })?;
            let mut table = Table::new(&[
                "matches so far",
                "decisions",
                "decisions/s",
                "server us/decision",
                "of the first part's",
                "p99, us",
            ]);
            let first = outcome.parts.first().map_or(f64::NAN, Part::server_us);
            let mut ended = 0;
            for part in &outcome.parts {
                ended += part.matches;
                table.row([
                    ended.to_string(),
                    part.decisions.to_string(),
                    short(part.rate()),
                    short(part.server_us()),
                    short(part.server_us() / first),
                    short(part.p99),
                ]);
            }
            let grown = (outcome.memory_after as f64 - outcome.memory_before as f64) / ended as f64;
            say(&format!(
                "One match after the other, {} at once, {} each, {}; the server grew by {} bytes for each match:\n\n{table}",
                self.at_once,
                if self.rounds == 1 { "a round".to_owned() } else { format!("{} rounds", self.rounds) },
                store.name(),
                short(grown),
            ))?;
        }
        Ok(())
    }
}
