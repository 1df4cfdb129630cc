use std::path::Path;
use std::time::Duration;

use clap::Args;
use tokio::time::{Instant, sleep};

use crate::Failure;
use crate::digests::Digests;
use crate::ledger::Report;
use crate::proxy::Proxy;
use crate::server::Server;
use crate::table::Table;

/// Lets bots play over bad connections.
#[derive(Args)]
pub(crate) struct Flaky {
    /// For how long new matches are begun
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    seconds: u64,
    /// Matches that are played at once
    #[arg(long, default_value_t = 16, value_name = "N")]
    matches: usize,
    /// A program that plays too, once for each time it is given: `COMMAND NAME` is started with CHICKENFOOT_SERVER and
    /// CHICKENFOOT_TOKEN, and has to play all matches in which NAME has a seat, the same way whenever the view is the
    /// same, until SIGTERM, and then end with exit code 0
    #[arg(long = "bot", value_name = "COMMAND")]
    bots: Vec<String>,
}

impl Flaky {
    pub(crate) async fn run(&self, program: &Path) -> Result<Report, Failure> {
        let digests = if self.bots.is_empty() { Digests::default() } else { self.calm(program).await? };
        let folder = tempfile::tempdir()?;
        let mut server = Server::on(program, &folder.path().join("matches.db"), &[]).await?;
        server.start().await?;
        let proxy = Proxy::before(server.port()).await?;
        let mut table = Table::with_guests(&server.address(), &proxy.address(), &self.bots, digests).await?;
        let mut report = Report::default();
        let end = Instant::now() + Duration::from_secs(self.seconds);
        while Instant::now() < end {
            table.fill(self.matches);
            sleep(Duration::from_millis(200)).await;
            table.collect(&mut report).await?;
        }
        let mut report = table.close(report).await?;
        report.disturbances = proxy.disturbances();
        Ok(report)
    }

    /// Plays each of the matches once with nothing between bots and server: what a program does then, it has to do over
    /// bad connections too.
    async fn calm(&self, program: &Path) -> Result<Digests, Failure> {
        let folder = tempfile::tempdir()?;
        let mut server = Server::on(program, &folder.path().join("matches.db"), &[]).await?;
        server.start().await?;
        let digests = Digests::of_guests(self.matches);
        let address = server.address();
        let mut table = Table::with_guests(&address, &address, &self.bots, digests.clone()).await?;
        table.fill(self.matches);
        let report = table.close(Report::default()).await?;
        if report.is_clean() { Ok(digests) } else { Err(format!("without disturbance:\n{report}").into()) }
    }
}
