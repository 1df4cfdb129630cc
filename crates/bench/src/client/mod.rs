//! The client process: all agents of a run, and their figures.

mod agents;
mod hub;
mod measure;
mod service;
mod session;
mod starter;
mod tally;
mod thin;
mod watchers;

use std::time::Duration;

use clap::Args;
use tonic::transport::{Channel, Endpoint};

use crate::job::{Job, Target};
use crate::{CONNECTION_WINDOW, Failure, STREAM_WINDOW, echo, say};

pub(crate) use hub::Hub;
pub(crate) use measure::measure;

/// Plays as its job says and prints what it measured as JSON.
#[derive(Args)]
pub(crate) struct Client {
    /// The job, in JSON.
    job: String,
}

impl Client {
    pub(crate) async fn run(self) -> Result<(), Failure> {
        let job: Job = serde_json::from_str(&self.job)?;
        let outcome = match job.target {
            Target::Service => service::run(&job).await?,
            Target::Echo { up } => echo::run(&job, up).await?,
        };
        say(&serde_json::to_string(&outcome)?)
    }
}

/// So many connections to an address.
pub(crate) async fn channels(address: &str, count: u32) -> Result<Vec<Channel>, Failure> {
    let mut channels = Vec::new();
    for _ in 0..count.max(1) {
        let endpoint = Endpoint::from_shared(format!("http://{address}"))?
            .connect_timeout(Duration::from_secs(10))
            .tcp_nodelay(true)
            .initial_connection_window_size(CONNECTION_WINDOW)
            .initial_stream_window_size(STREAM_WINDOW);
        channels.push(endpoint.connect().await?);
    }
    Ok(channels)
}
