//! Trials of the real server, as a process of its own, under real clients.

mod abuse;
mod admin;
mod crash;
mod digests;
mod disk;
mod flaky;
mod guest;
mod languages;
mod ledger;
mod noise;
mod proxy;
mod recorded;
mod server;
mod table;
mod throughput;
mod tmpfs;
mod tournament_crash;
mod watcher;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use chickenfoot_bot::Error;
use clap::{Parser, Subcommand};
use tokio::time::sleep;

/// Trials of the real server under real clients. Each prints what it found and fails if anything was lost.
#[derive(Parser)]
struct Cli {
    /// The server program; else it is built and found beside this one
    #[arg(long, value_name = "FILE", global = true)]
    server: Option<std::path::PathBuf>,
    #[command(subcommand)]
    trial: Trial,
}

#[derive(Subcommand)]
enum Trial {
    /// Kill the server with SIGKILL at random moments and restart it on the same file
    Crash(crash::Crash),
    /// Cut, delay, throttle and half-close the connections between clients and server at random
    Flaky(flaky::Flaky),
    /// Kill the server with SIGKILL while it holds a tournament, and compare with one that nothing disturbs
    TournamentCrash(tournament_crash::TournamentCrash),
    /// Measure decisions a second in memory and in a file
    Throughput(throughput::Throughput),
    /// Let clients do what no client should while honest ones play
    Abuse(abuse::Abuse),
    /// Let bots of several languages play the same match, and then a tournament
    Languages(languages::Languages),
    /// Record what goes up and down between a client and the server: the client's bytes, and what it was answered
    Record(recorded::RecordSession),
    /// Send the bytes of recorded clients to the server: each has to be answered as it was then
    Replay(recorded::Replay),
    /// Fill the disk while bots play, and make it read-only; needs root
    Disk(disk::Disk),
}

/// What goes wrong in a trial itself, rather than in the server.
type Failure = Box<dyn std::error::Error + Send + Sync>;

/// What a trial tells.
struct Verdict {
    text: String,
    /// Whether every promise was kept.
    clean: bool,
}

impl From<ledger::Report> for Verdict {
    fn from(report: ledger::Report) -> Verdict {
        Verdict { text: report.to_string(), clean: report.is_clean() }
    }
}

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = run(cli).await;
    let mut out = std::io::stdout();
    let told = match &outcome {
        Ok(verdict) => writeln!(out, "{}", verdict.text),
        Err(why) => writeln!(std::io::stderr(), "error: {why}"),
    };
    match (outcome, told) {
        (Ok(Verdict { clean: true, .. }), Ok(())) => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

/// Calls until the service answers.
async fn patient<T, F: Future<Output = Result<T, Error>>>(call: impl Fn() -> F) -> Result<T, Failure> {
    loop {
        match call().await {
            Ok(answer) => return Ok(answer),
            Err(error) if error.is_passing() => sleep(Duration::from_millis(50)).await,
            Err(error) => return Err(error.into()),
        }
    }
}

async fn run(cli: Cli) -> Result<Verdict, Failure> {
    let program = match cli.server {
        Some(program) => program,
        None => chickenfoot_programs::server()?,
    };
    match cli.trial {
        Trial::Crash(trial) => trial.run(&program).await.map(Verdict::from),
        Trial::Flaky(trial) => trial.run(&program).await.map(Verdict::from),
        Trial::TournamentCrash(trial) => trial.run(&program).await,
        Trial::Throughput(trial) => trial.run(&program).await,
        Trial::Abuse(trial) => trial.run(&program).await,
        Trial::Languages(trial) => trial.run(&program).await,
        Trial::Record(trial) => trial.run(&program).await,
        Trial::Replay(trial) => trial.run(&program).await,
        Trial::Disk(trial) => trial.run(&program).await,
    }
}
