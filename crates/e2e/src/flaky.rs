use std::path::Path;
use std::time::Duration;

use clap::Args;
use tokio::time::{Instant, sleep};

use crate::Failure;
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
}

impl Flaky {
    pub(crate) async fn run(&self, program: &Path) -> Result<Report, Failure> {
        let folder = tempfile::tempdir()?;
        let mut server = Server::on(program, &folder.path().join("matches.db"), &[]).await?;
        server.start().await?;
        let proxy = Proxy::before(server.port()).await?;
        let mut table = Table::open(&proxy.address()).await?;
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
}
