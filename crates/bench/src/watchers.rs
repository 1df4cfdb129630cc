use std::path::Path;

use clap::Args;

use crate::figures::{Figure, Table};
use crate::job::{Job, Part, Target, Until};
use crate::process::{Server, Store, client};
use crate::{Failure, note, say};

/// A set with which a match lasts longer than its measurement.
const LONG: u32 = 18;

/// Measure what readers of a match cost
///
/// One long match is played at a steady pace while 0, 100 and 1000 streams of WatchMatch read it; the first line is what
/// the others are compared with.
#[derive(Args)]
pub(crate) struct Watchers {
    /// Decisions a second
    #[arg(long, value_name = "N", default_value_t = 100.0)]
    rate: f64,
    /// Seconds that are measured
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    seconds: f64,
    /// How often each number of readers is measured, in turns
    #[arg(long, value_name = "N", default_value_t = 3)]
    runs: u32,
    /// Numbers of readers
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "0,100,1000")]
    readers: Vec<u32>,
}

impl Watchers {
    pub(crate) fn run(&self, program: &Path) -> Result<(), Failure> {
        let mut all: Vec<Vec<Part>> = vec![Vec::new(); self.readers.len()];
        for turn in 1..=self.runs {
            for (parts, &readers) in all.iter_mut().zip(&self.readers) {
                note(&format!("run {turn} of {}: {readers} readers", self.runs));
                let server = Server::service(program, Store::Memory, &std::env::temp_dir())?;
                let outcome = client(&Job {
                    connections: 16,
                    rate: Some(self.rate),
                    max_pip: Some(LONG),
                    watchers: readers,
                    ..Job::new(&server, Target::Service, 1, Until::Seconds(self.seconds))
                })?;
                parts.extend(outcome.part);
            }
        }
        let mut table = Table::new(&[
            "readers",
            "decisions/s",
            "events read/s",
            "server us/decision",
            "server us/event read",
            "p50, us",
            "p99, us",
        ]);
        let alone = all.first().map(|parts| Figure::new(parts.iter().map(Part::server_us)).median());
        for (parts, readers) in all.iter().zip(&self.readers) {
            let figure = |value: &dyn Fn(&Part) -> f64| Figure::new(parts.iter().map(value)).to_string();
            let more = |part: &Part| {
                let cpu = (part.server_us() - alone.unwrap_or_default()) * part.decisions as f64;
                cpu / part.watched as f64
            };
            table.row([
                readers.to_string(),
                figure(&Part::rate),
                figure(&|part| part.watched as f64 / part.seconds),
                figure(&Part::server_us),
                if *readers == 0 { String::new() } else { figure(&more) },
                figure(&|part| part.p50),
                figure(&|part| part.p99),
            ]);
        }
        say(&format!("Readers of one match, and how soon its players' choices are acknowledged:\n\n{table}"))
    }
}
