use std::path::Path;
use std::time::Duration;

use clap::Args;
use tokio::time::sleep;

use crate::Failure;
use crate::ledger::Report;
use crate::server::Server;
use crate::table::Table;

/// Kills the server again and again while bots play, and looks for anything that it had promised and lost.
#[derive(Args)]
pub(crate) struct Crash {
    /// How often the server is killed
    #[arg(long, default_value_t = 100, value_name = "N")]
    kills: u64,
    /// Matches that are played at once
    #[arg(long, default_value_t = 16, value_name = "N")]
    matches: usize,
}

impl Crash {
    pub(crate) async fn run(&self, program: &Path) -> Result<Report, Failure> {
        let folder = tempfile::tempdir()?;
        let mut server = Server::on(program, &folder.path().join("matches.db"), &[]).await?;
        server.start().await?;
        let mut table = Table::open(&server.address()).await?;
        let mut report = Report::default();
        for _ in 0..self.kills {
            table.fill(self.matches);
            // Long enough for clients to come back and play, and never the same moment twice.
            sleep(Duration::from_millis(rand::random_range(100..900))).await;
            table.collect(&mut report).await?;
            server.kill()?;
            report.disturbances += 1;
            server.start().await?;
        }
        table.close(report).await
    }
}
