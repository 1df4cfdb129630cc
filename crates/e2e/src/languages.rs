use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use chickenfoot_bot::Client;
use clap::Args;

mod checked;
mod same;
mod tournament;

use crate::guest::Guest;
use crate::server::Server;
use crate::{Failure, Verdict};
use checked::Checked;

/// Who makes the matches and the tournament, and plays in none.
const HOST: &str = "host";

/// Lets programs of several languages, which all play alike, play the same match one after another, and then a
/// tournament with each other.
#[derive(Args)]
pub(crate) struct Languages {
    /// A program that plays, once for each: `COMMAND NAME` is started with CHICKENFOOT_SERVER and CHICKENFOOT_TOKEN, and
    /// has to play all matches in which NAME has a seat until SIGTERM, and then end with exit code 0
    #[arg(long = "bot", value_name = "NAME=COMMAND", required = true)]
    bots: Vec<Program>,
    /// A player of the house that takes part in the tournament
    #[arg(long, default_value = "greedy", value_name = "STRATEGY")]
    house: String,
    /// A program that verifies records too: it is given their files and has to end with exit code 0
    #[arg(long, value_name = "COMMAND")]
    verify: Vec<String>,
    /// Where the records are written to; else to a temporary folder
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
}

/// A bot of some language.
#[derive(Clone)]
struct Program {
    name: String,
    command: String,
}

impl FromStr for Program {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Program, &'static str> {
        let (name, command) = text.split_once('=').ok_or("it takes a name, '=' and a command")?;
        Ok(Program { name: name.to_owned(), command: command.to_owned() })
    }
}

/// What came of the trial.
struct Report {
    same: Vec<same::Played>,
    matches: usize,
    faults: Vec<String>,
    records: usize,
}

impl Languages {
    pub(crate) async fn run(&self, program: &Path) -> Result<Verdict, Failure> {
        let folder = tempfile::tempdir()?;
        let records = self.records.clone().unwrap_or_else(|| folder.path().join("records"));
        std::fs::create_dir_all(&records)?;
        let mut server = Server::on(program, &folder.path().join("matches.db"), &[]).await?;
        server.start().await?;
        let address = server.address();
        let token = Client::connect(&address, None)?.register(HOST).await?;
        let host = Client::connect(&address, Some(&token))?;
        let mut checked = Checked::new(host.clone(), records);
        let same = same::play(&address, &host, &self.bots, &mut checked).await?;
        let tournament = tournament::hold(&address, &host, &self.bots, &self.house, &mut checked).await?;
        for command in &self.verify {
            checked.verify_with(command)?;
        }
        let (matches, faults) = (tournament.matches, tournament.faults);
        let report = Report { same, matches, faults, records: checked.count() };
        Ok(Verdict { text: report.to_string(), clean: report.is_clean() })
    }
}

impl Report {
    fn is_clean(&self) -> bool {
        let first = self.same.first().map(|played| &played.digests);
        self.faults.is_empty() && self.same.iter().all(|played| Some(&played.digests) == first)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for same::Played { name, digests } in &self.same {
            let short = digests.iter().map(|digest| digest.to_string()[..16].to_owned());
            writeln!(f, "{name:<24}{}", short.collect::<Vec<_>>().join("  "))?;
        }
        writeln!(f, "tournament matches      {}", self.matches)?;
        writeln!(f, "records verified        {}", self.records)?;
        write!(f, "faults                  {}", self.faults.len())?;
        self.faults.iter().try_for_each(|fault| write!(f, "\n  {fault}"))
    }
}

/// Registers an agent and starts its program.
async fn start(address: &str, program: &Program) -> Result<Guest, Failure> {
    let token = Client::connect(address, None)?.register(&program.name).await?;
    Guest::start(&program.command, &program.name, address, &token)
}
