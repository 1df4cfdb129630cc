//! The demonstration: the real service on a free port, bots over real gRPC, every record verified.

mod one_match;
mod tournament;

use std::future::Future;
use std::io::Write;
use std::path::Path;

use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::config::Limits;
use crate::server::{Server, ServerError};

/// What is shown.
#[derive(Clone, Copy, Debug)]
pub enum Show<'a> {
    /// One match of four bots.
    Match,
    /// A tournament of six bots, whose report goes to this file.
    Tournament {
        /// The file; it is replaced.
        report: &'a Path,
    },
}

/// Runs the demonstration and writes what happens to `out`. If there is `serve_until`, the service goes on after the end
/// until that is ready.
///
/// # Errors
/// Anything that goes wrong, a record that does not verify above all.
pub async fn run(
    show: Show<'_>,
    serve_until: Option<impl Future<Output = ()>>,
    out: &mut impl Write,
) -> Result<(), ServerError> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    let address = format!("http://{}", listener.local_addr()?);
    let stop = CancellationToken::new();
    let server =
        tokio::spawn(Server::in_memory(Limits::default()).run(listener, stop.clone().cancelled_owned()));
    let until = if serve_until.is_some() { "" } else { ", until this ends; with --serve it goes on" };
    writeln!(out, "The service is at {address}/ for browsers too{until}.")?;
    match show {
        Show::Match => one_match::play(&address, out).await?,
        Show::Tournament { report } => tournament::hold(&address, report, out).await?,
    }
    if let Some(serve_until) = serve_until {
        writeln!(out, "\nThe service goes on at {address}/ until Ctrl-C.")?;
        out.flush()?;
        serve_until.await;
    }
    stop.cancel();
    server.await??;
    Ok(())
}
