//! How fast the service and its parts are, each beside a baseline in the same run.

mod all;
mod client;
mod echo;
mod figures;
mod idle;
mod job;
mod lasting;
mod load;
mod parts;
mod process;
mod usage;
mod watchers;

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
    All(all::All),
    Load(load::Load),
    Idle(idle::Idle),
    Watchers(watchers::Watchers),
    Lasting(lasting::Lasting),
    Store(parts::Store),
    /// Measure how fast tournaments are paired, beside a loop that shuffles and cuts
    Schedule(parts::Effort),
    /// Measure how fast the figures of tournaments are computed, beside a loop that adds up points
    Statistics(parts::Effort),
    /// Measure how fast records are verified, beside a hash of the same bytes
    Verify(parts::Effort),
    /// Measure the steps of a round, beside a whole move of random play
    Rules(parts::Effort),
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
    let server = || cli.server.clone().map_or_else(chickenfoot_programs::server, Ok::<_, std::io::Error>);
    match cli.command {
        Command::All(all) => all.run(&server()?),
        Command::Load(load) => load.run(&server()?),
        Command::Idle(idle) => idle.run(&server()?),
        Command::Watchers(watchers) => watchers.run(&server()?),
        Command::Lasting(lasting) => lasting.run(&server()?),
        Command::Store(store) => store.run(),
        Command::Schedule(effort) => parts::schedule(&effort),
        Command::Statistics(effort) => parts::statistics(&effort),
        Command::Verify(effort) => parts::verify(&effort),
        Command::Rules(effort) => parts::rules(&effort),
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
