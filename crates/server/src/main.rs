//! The server program: `serve` (default), `demo`, and `backup` and `check` for the database.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use chickenfoot_bot::stop_signal;
use chickenfoot_server::{
    Config, Flags, Log, LogFormat, Server, ServerError, StoreAt, TlsFiles, Traces, demo, start_log,
};
use chickenfoot_store::sqlite;
use clap::{Args, Parser, Subcommand};
use tokio::net::TcpListener;
use tracing::info;
use tracing::level_filters::LevelFilter;

/// The allocator of the program, and not of the library: see `crates/bench/README.md` for what it brings.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The exit code for a command line or configuration that is wrong, as clap's.
const USAGE: i32 = 2;

/// The Chicken Foot match service.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Flags,
}

#[derive(Subcommand)]
enum Command {
    /// Serve matches (the default)
    Serve(Flags),
    /// Copy the database to a new file, also while the server runs
    Backup {
        /// The database file
        from: PathBuf,
        /// The new file; it must not exist
        to: PathBuf,
    },
    /// Check a database file, every row of it; prints what it found
    Check {
        /// The database file
        file: PathBuf,
    },
    /// Start the service on a free local port, hold a tournament of six bots over gRPC, verify all records, and stop
    Demo(Demo),
}

#[derive(Args)]
struct Demo {
    /// Play one match of four bots instead
    #[arg(long, conflicts_with = "report")]
    r#match: bool,
    /// Where the tournament's report goes; else a file in the folder for temporary files
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Go on serving after the end, until Ctrl-C: what was played can be looked at in a browser
    #[arg(long)]
    serve: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        None => serve(&cli.serve).await,
        Some(Command::Serve(flags)) => serve(&flags).await,
        Some(Command::Backup { from, to }) => {
            start_log(Log { level: LevelFilter::WARN, format: LogFormat::Auto });
            sqlite::backup(from, to).map_err(ServerError::from)
        }
        Some(Command::Check { file }) => {
            start_log(Log { level: LevelFilter::WARN, format: LogFormat::Auto });
            check(&file)
        }
        Some(Command::Demo(Demo { r#match, report, serve })) => {
            start_log(Log { level: LevelFilter::WARN, format: LogFormat::Auto });
            let report = report.unwrap_or_else(|| std::env::temp_dir().join("chickenfoot-demo.html"));
            let show = if r#match { demo::Show::Match } else { demo::Show::Tournament { report: &report } };
            demo::run(show, serve.then(stop_signal), &mut std::io::stdout().lock()).await
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            tracing::error!(%error, "failed");
            ExitCode::FAILURE
        }
    }
}

/// Checks a database file and prints what is in it.
fn check(file: &Path) -> Result<(), ServerError> {
    let report = sqlite::check(file)?;
    Ok(writeln!(std::io::stdout(), "{report}")?)
}

async fn serve(flags: &Flags) -> Result<(), ServerError> {
    let config = or_exit(configure(flags))?;
    if flags.print_config {
        return Ok(write!(std::io::stdout(), "{}", config.to_toml())?);
    }
    let access = or_exit(config.access.read())?;
    let tls = or_exit(config.tls.as_ref().map(TlsFiles::read).transpose())?;
    start_log(config.log);
    let server = match &config.store {
        StoreAt::Memory => Server::in_memory(config.limits),
        StoreAt::File(path) => {
            info!(file = %path.display(), "agents and matches are kept in this file");
            Server::on_file(config.limits, path).map_err(|why| format!("{}: {why}", path.display()))?
        }
    };
    let traces = or_exit(config.traces.as_ref().map(Traces::to).transpose())?.unwrap_or_default();
    let listener = TcpListener::bind(config.listen).await?;
    let address = listener.local_addr()?;
    info!(%address, tls = tls.is_some(), "serving");
    if config.page {
        let scheme = if tls.is_some() { "https" } else { "http" };
        info!(address = %format_args!("{scheme}://{address}/"), "the page for spectators");
    }
    let mut server = server
        .with_drain(config.drain)
        .with_keep_matches(config.keep_matches)
        .with_access(access)
        .with_tls(tls)
        .with_page(config.page)
        .with_traces(traces);
    if let Some(admin) = config.admin_listen {
        let listener = TcpListener::bind(admin).await?;
        info!(address = %listener.local_addr()?, "metrics, liveness and readiness");
        server = server.with_admin(listener);
    }
    server.run(listener, stop()).await?;
    info!("stopped");
    Ok(())
}

/// Ends the program with a word on stderr if there is an error: there is no log yet.
fn or_exit<T>(result: Result<T, impl std::fmt::Display>) -> Result<T, ServerError> {
    match result {
        Ok(value) => Ok(value),
        Err(why) => {
            writeln!(std::io::stderr(), "error: {why}")?;
            std::process::exit(USAGE);
        }
    }
}

/// Flags, environment and file as one configuration.
fn configure(flags: &Flags) -> Result<Config, ServerError> {
    let env = |name: &str| std::env::var(name).ok();
    let Some(path) = &flags.config else {
        return Ok(Config::resolve(flags, env, None)?);
    };
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|why| format!("{name}: {why}"))?;
    Ok(Config::resolve(flags, env, Some((&name, &text)))?)
}

/// Ready at the first SIGINT or SIGTERM; a second one ends the process at once.
async fn stop() {
    stop_signal().await;
    info!("stopping; a second signal stops at once");
    tokio::spawn(async {
        stop_signal().await;
        std::process::exit(1);
    });
}
