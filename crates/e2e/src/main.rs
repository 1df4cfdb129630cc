//! Trials of the real server, as a process of its own, under real clients.

mod crash;
mod flaky;
mod ledger;
mod proxy;
mod server;
mod table;
mod watcher;

use std::io::Write;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
}

/// What goes wrong in a trial itself, rather than in the server.
type Failure = Box<dyn std::error::Error + Send + Sync>;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = run(cli).await;
    let mut out = std::io::stdout();
    let told = match &outcome {
        Ok(report) => writeln!(out, "{report}"),
        Err(why) => writeln!(std::io::stderr(), "error: {why}"),
    };
    match (outcome, told) {
        (Ok(report), Ok(())) if report.is_clean() => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    }
}

async fn run(cli: Cli) -> Result<ledger::Report, Failure> {
    let program = match cli.server {
        Some(program) => program,
        None => server::build()?,
    };
    match cli.trial {
        Trial::Crash(trial) => trial.run(&program).await,
        Trial::Flaky(trial) => trial.run(&program).await,
    }
}
