use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use chickenfoot_bot::{Client, Error};
use chickenfoot_protocol::v1::{self, seat_spec::Who};
use clap::Args;
use tokio::time::{Instant, sleep};

use crate::ledger::Report;
use crate::server::Server;
use crate::table::Table;
use crate::tmpfs::{NotAllowed, Tmpfs};
use crate::{Failure, Verdict};

/// How long the service may take to notice that the disk is full, or is no longer full.
const NOTICE: Duration = Duration::from_secs(45);

/// How long the disk stays full after both were seen.
const STAYS_FULL: Duration = Duration::from_secs(5);

/// Fills the disk under the database while bots play, makes room again, and makes it read-only.
#[derive(Args)]
pub(crate) struct Disk {
    /// Size of the disk
    #[arg(long, default_value_t = 48, value_name = "MIB")]
    size: u32,
    /// Matches that are played at once
    #[arg(long, default_value_t = 16, value_name = "N")]
    matches: usize,
}

/// What was seen while the disk was full and after.
#[derive(Default)]
struct Seen {
    refused: Option<String>,
    /// How many matches were refused, and made, while the disk was full.
    tries: [u32; 2],
    not_ready: Option<String>,
    ready_again: Option<Duration>,
    survived: bool,
}

impl Disk {
    pub(crate) async fn run(&self, program: &Path) -> Result<Verdict, Failure> {
        // Dropped after the servers, which are declared later.
        let disk = match Tmpfs::mount(self.size)? {
            Ok(disk) => disk,
            Err(NotAllowed(why)) => {
                let text = format!("SKIPPED: this machine lets us mount no disk of our own: {why}");
                return Ok(Verdict { text, clean: true });
            }
        };
        let logs = tempfile::tempdir()?;
        let (seen, report) = self.full(program, &disk, logs.path()).await?;
        let refused = read_only(program, &disk, logs.path()).await?;
        let named = |what: &Option<String>| what.clone().unwrap_or_else(|| "no".to_owned());
        let text = format!(
            "disk full: refused      {}\n\
             refused, made           {:?}\n\
             disk full: not ready    {}\n\
             same process            {}\n\
             ready again after       {}\n\
             {report}\n\
             read-only, clean file   {}\n\
             read-only, after a kill {}",
            named(&seen.refused),
            seen.tries,
            named(&seen.not_ready),
            seen.survived,
            seen.ready_again.map_or("never".to_owned(), |time| format!("{:.1} s", time.as_secs_f64())),
            refused[0],
            refused[1],
        );
        let said =
            |why: &String| ["read-only", "readonly", "Read-only"].iter().any(|word| why.contains(word));
        let clean = report.is_clean()
            && seen.refused.is_some()
            && seen.not_ready.is_some()
            && seen.ready_again.is_some()
            && seen.survived
            && refused.iter().all(said);
        Ok(Verdict { text, clean })
    }

    async fn full(&self, program: &Path, disk: &Tmpfs, logs: &Path) -> Result<(Seen, Report), Failure> {
        let store = disk.file("matches.db").display().to_string();
        let mut server = Server::with_log(program, &store, logs.join("full.log"), &[]).await?;
        server.start().await?;
        let process = server.process();
        let mut table = Table::open(&server.address()).await?;
        let token = Client::connect(&server.address(), None)?.register("late-comer").await?;
        let client = Client::connect(&server.address(), Some(&token))?;
        let (mut seen, mut report) = (Seen::default(), Report { disturbances: 1, ..Report::default() });
        let playing = Instant::now();
        while playing.elapsed() < Duration::from_secs(3) {
            table.fill(self.matches);
            sleep(Duration::from_millis(100)).await;
            table.collect(&mut report).await?;
        }
        // No new matches from here on: those that run are to be caught in the middle.
        table.fill(self.matches);
        let ballast = disk.file("ballast");
        let filling = Instant::now();
        while filling.elapsed() < NOTICE && (seen.refused.is_none() || seen.not_ready.is_none()) {
            // Again and again: the database frees pages and takes them back.
            fill(&ballast)?;
            let refused = refused(&client).await;
            seen.tries[usize::from(refused.is_none())] += 1;
            seen.refused = seen.refused.or(refused);
            seen.not_ready = seen.not_ready.or(server.admin().not_ready().await?);
            sleep(Duration::from_millis(100)).await;
        }
        // What plays meanwhile has to wait, with its clocks and its unanswered choices.
        sleep(STAYS_FULL).await;
        std::fs::remove_file(&ballast)?;
        let freed = Instant::now();
        while freed.elapsed() < NOTICE && seen.ready_again.is_none() {
            let ready = server.admin().not_ready().await?.is_none();
            seen.ready_again = ready.then(|| freed.elapsed());
            sleep(Duration::from_millis(100)).await;
        }
        seen.survived = process.is_some() && server.process() == process;
        if !seen.survived {
            return Err(format!("the server is gone: {}", server.log()).into());
        }
        Ok((seen, table.close(report).await?))
    }
}

/// Takes all room that is left.
fn fill(ballast: &Path) -> Result<(), Failure> {
    let mut file = std::fs::File::options().create(true).append(true).open(ballast)?;
    for size in [64 * 1024, 4096, 1] {
        while file.write_all(&vec![0x5e; size]).is_ok() {}
    }
    Ok(())
}

/// Tries to make a match and returns how that was refused, if it was.
async fn refused(client: &Client) -> Option<String> {
    let house = v1::SeatSpec { who: Some(Who::House("lowest".to_owned())) };
    let config = v1::MatchConfig { seats: vec![house.clone(), house], ..v1::MatchConfig::default() };
    match client.create_match(config).await {
        Err(why @ Error::Refused { .. }) => Some(format!("{} {why}", why.code_name())),
        _ => None,
    }
}

/// What the server says when it is to start on a disk that is read-only: on a file that was closed in order, and on one
/// that it was killed on.
async fn read_only(program: &Path, disk: &Tmpfs, logs: &Path) -> Result<[String; 2], Failure> {
    let (killed, clean) = (disk.file("matches.db"), disk.file("clean.db"));
    let output = Command::new(program).arg("backup").args([&killed, &clean]).output()?;
    if !output.status.success() {
        return Err(format!("no backup: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    disk.make_read_only()?;
    let mut said = [String::new(), String::new()];
    for ((said, file), log) in said.iter_mut().zip([clean, killed]).zip(["clean.log", "killed.log"]) {
        let store = file.display().to_string();
        let more = ["--log-level", "error", "--log-format", "json"];
        let mut server = Server::with_log(program, &store, logs.join(log), &more).await?;
        *said = match server.start().await {
            Ok(()) => "the server started".to_owned(),
            Err(why) => why.to_string(),
        };
    }
    Ok(said)
}
