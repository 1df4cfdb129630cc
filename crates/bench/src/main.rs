//! How fast the service and its parts are, each beside a baseline in the same run.

mod client;
mod echo;
mod figures;
mod job;
mod load;
mod process;
mod usage;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Bytes that a connection may have under way, at both ends: those of the service.
const CONNECTION_WINDOW: u32 = 16 * 1024 * 1024;

/// Bytes that one stream may have under way, at both ends: those of the service.
const STREAM_WINDOW: u32 = 1024 * 1024;

/// How fast the service and its parts are, each beside a baseline in the same run. Tables are in Markdown.
#[derive(Parser)]
struct Cli {
    /// The server program; else it is built and found beside this one
    #[arg(long, value_name = "FILE", global = true)]
    server: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Load(load::Load),
    #[command(hide = true)]
    EchoServer(echo::EchoServer),
    #[command(hide = true)]
    Client(client::Client),
}

/// What ends a benchmark.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    match run(Cli::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            note(&format!("error: {why}"));
            ExitCode::FAILURE
        }
    }
}

fn run(cli: Cli) -> Result<(), Failure> {
    let server = || cli.server.clone().map_or_else(process::build, Ok);
    match cli.command {
        Command::Load(load) => load.run(&server()?),
        Command::EchoServer(echo) => tokio::runtime::Runtime::new()?.block_on(echo.run()),
        Command::Client(client) => tokio::runtime::Runtime::new()?.block_on(client.run()),
    }
}

/// Prints a result.
fn say(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout();
    writeln!(out, "{text}")?;
    Ok(out.flush()?)
}

/// Tells what is going on.
fn note(text: &str) {
    // Nobody may be listening.
    let _ = writeln!(std::io::stderr(), "{text}");
}
