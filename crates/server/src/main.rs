//! The server program: `serve` (default) and `demo`.

use std::io::IsTerminal;
use std::process::ExitCode;

use chickenfoot_server::{Config, Server, ServerError, demo};
use clap::{Parser, Subcommand};
use tokio::net::TcpListener;
use tracing::info;
use tracing_subscriber::EnvFilter;

/// The Chicken Foot match service.
#[derive(Parser)]
#[command(version, args_conflicts_with_subcommands = true)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: Config,
}

#[derive(Subcommand)]
enum Command {
    /// Serve matches (the default)
    Serve(Config),
    /// Start the service on a free local port, let four bots play a match over gRPC, verify its record, and stop
    Demo,
}

#[tokio::main]
async fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        None => serve(cli.serve).await,
        Some(Command::Serve(config)) => serve(config).await,
        Some(Command::Demo) => {
            log("warn");
            demo::run(&mut std::io::stdout().lock()).await
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

async fn serve(config: Config) -> Result<(), ServerError> {
    log("info");
    let access = config.access.read(|name| Some(std::env::var_os(name)?.to_string_lossy().into_owned()))?;
    let tls = config.tls.read()?;
    let listener = TcpListener::bind(config.listen).await?;
    info!(address = %listener.local_addr()?, tls = tls.is_some(), "serving");
    let server = Server::in_memory(config.limits).with_access(access).with_tls(tls);
    server.run(listener, stop_signal()).await?;
    info!("stopped");
    Ok(())
}

/// Ready at the first SIGINT or SIGTERM; a second one ends the process at once.
async fn stop_signal() {
    signal().await;
    info!("stopping; a second signal stops at once");
    tokio::spawn(async {
        signal().await;
        std::process::exit(1);
    });
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        // Without signals the process is ended from outside.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

#[cfg(not(unix))]
async fn signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending().await
    }
}

/// Logs to stderr: text on a terminal, JSON elsewhere. `RUST_LOG` overrides the level.
fn log(level: &str) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    if std::io::stderr().is_terminal() {
        builder.with_target(false).init();
    } else {
        builder.json().flatten_event(true).init();
    }
}
