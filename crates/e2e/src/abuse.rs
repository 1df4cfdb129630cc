use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chickenfoot_protocol::v1;
use clap::Args;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

mod calls;
mod dials;

use crate::ledger::Report;
use crate::noise::Noise;
use crate::server::Server;
use crate::table::Table;
use crate::{Failure, Verdict};
use calls::Mallory;

/// Connections that the server is told to take.
const CONNECTIONS: usize = 12_000;

/// Connections of that number that are left to those who do something with them.
const BUSY: usize = 1_000;

/// How many dial at once and say nothing.
const DIALLERS: usize = 16;

/// How long the server may take to notice that all are gone.
const GIVEN_BACK: Duration = Duration::from_secs(30);

/// Lets clients do all that no client should, at once, while honest ones play: the server must go on, in bounded
/// memory, and the honest must not notice but for the time it takes.
#[derive(Args)]
pub(crate) struct Abuse {
    /// For how long
    #[arg(long, default_value_t = 20, value_name = "SECONDS")]
    seconds: u64,
    /// Honest matches that are played at once
    #[arg(long, default_value_t = 4, value_name = "N")]
    matches: usize,
    /// Memory that the server may take
    #[arg(long, default_value_t = 600, value_name = "MIB")]
    memory: u64,
    /// Connections that do nothing; fewer if the system does not give as many
    #[arg(long, default_value_t = CONNECTIONS - BUSY, value_name = "N")]
    idle: usize,
}

impl Abuse {
    pub(crate) async fn run(&self, program: &Path) -> Result<Verdict, Failure> {
        let folder = tempfile::tempdir()?;
        let most = CONNECTIONS.to_string();
        let more = ["--max-connections", &most, "--log-level", "warn"];
        let mut server = Server::on(program, &folder.path().join("matches.db"), &more).await?;
        server.start().await?;
        let process = server.process().ok_or("the server is gone")?;
        let mut table = Table::open(&server.address()).await?;
        table.fill(self.matches);
        let begin = resident(process);
        // Ended when dropped.
        let mut abusers = JoinSet::new();
        let counts = abuse(&server, self.idle, &mut abusers).await?;
        let (mut report, mut peak) = (Report::default(), begin);
        let end = Instant::now() + Duration::from_secs(self.seconds);
        while Instant::now() < end && server.process() == Some(process) {
            table.fill(self.matches);
            sleep(Duration::from_millis(200)).await;
            table.collect(&mut report).await?;
            peak = peak.max(resident(process));
            if let Some(ended) = abusers.try_join_next() {
                // None ends before its time; one that could not begin has abused nothing.
                ended??;
            }
        }
        let alive = server.process() == Some(process);
        if !alive {
            return Err(format!("the server is gone: {}", last(&server.log())).into());
        }
        let connections = server.admin().metric("chickenfoot_connections").await?;
        report.disturbances = counts.iter().map(|(_, count)| count.load(Ordering::Relaxed)).sum();
        drop(abusers);
        let report = table.close(report).await?;
        peak = peak.max(resident(process));
        // All that was taken is given back when those who took it are gone.
        let gone = Instant::now();
        while held(&server).await? != [0.0; 3] && gone.elapsed() < GIVEN_BACK {
            sleep(Duration::from_millis(200)).await;
        }
        let (took, left) = (gone.elapsed(), held(&server).await?);
        let panics = server.log().matches("panicked").count();
        let faults = server.admin().metric("chickenfoot_server_faults_total").await?;
        let same = server.process() == Some(process);
        let mut text = String::new();
        for (name, count) in &counts {
            writeln!(text, "{name:<24}{}", count.load(Ordering::Relaxed))?;
        }
        writeln!(text, "open connections        {connections}")?;
        writeln!(
            text,
            "left after {:>4.1} s       {left:?} connections, sessions, watches",
            took.as_secs_f64()
        )?;
        writeln!(text, "same process            {same}")?;
        writeln!(text, "panics, server faults   {panics}, {faults}")?;
        let (after, most) = (resident(process), self.memory);
        writeln!(
            text,
            "memory, MiB             {begin} before, {peak} at most, {after} after (bound {most})"
        )?;
        write!(text, "{report}")?;
        let kept = same && left == [0.0; 3] && panics == 0 && faults == 0.0 && peak <= self.memory;
        let clean = report.is_clean() && kept;
        Ok(Verdict { text, clean })
    }
}

/// Connections, sessions and watches that the server holds.
async fn held(server: &Server) -> Result<[f64; 3], Failure> {
    let metric = |name| server.admin().metric(name);
    Ok([
        metric("chickenfoot_connections").await?,
        metric("chickenfoot_sessions").await?,
        metric("chickenfoot_watches").await?,
    ])
}

type Counts = Vec<(&'static str, Arc<AtomicU64>)>;

/// Begins all abuse. Returns how much there was of each kind.
async fn abuse(
    server: &Server,
    idle: usize,
    all: &mut JoinSet<Result<(), Failure>>,
) -> Result<Counts, Failure> {
    let address = server.address();
    let mut counts = Counts::new();
    let mut count = |name| {
        let count = Arc::new(AtomicU64::new(0));
        counts.push((name, Arc::clone(&count)));
        count
    };
    // Registered before the flood of those without a token takes what their address may ask for.
    let mut mallories = Vec::new();
    for number in 0..13 {
        mallories.push(Mallory::new(&address, &format!("mallory-{number}")).await?);
    }
    let mut words: Vec<String> = mallories.iter().map(|mallory| mallory.name.clone()).collect();
    words.extend(mallories.iter().flat_map(|mallory| mallory.matches.iter().take(3).cloned()));
    // The honest ones' matches are public, and nothing that can be done to them by others may harm them.
    let page = mallories[0].client.matches(v1::MatchState::Running, "").await?;
    words.extend(page.entries.into_iter().map(|game| game.id).take(8));
    let noise = Arc::new(Noise::new(words)?);
    let silence = count("idle connections");
    let most = idle.min(files() / 2);
    for _ in 0..DIALLERS {
        all.spawn(dials::silent(server.port(), most / DIALLERS, Arc::clone(&silence)));
    }
    let (sessions, watches) = (count("unread sessions"), count("unread watches"));
    for mallory in mallories.drain(..4) {
        all.spawn(calls::unread(mallory, Arc::clone(&sessions), Arc::clone(&watches)));
    }
    let flood = count("choices in floods");
    for mallory in mallories.drain(..2) {
        all.spawn(calls::choices(mallory, Arc::clone(&flood)));
    }
    all.spawn(calls::oversize(mallories.remove(0), count("oversize messages")));
    let calls = count("calls in floods");
    for number in 0..16 {
        all.spawn(calls::calls_of(mallories[number % 2].clone(), number, Arc::clone(&calls)));
    }
    let random = count("random messages");
    for number in 0..8 {
        all.spawn(calls::messages(
            mallories[2 + number % 4].clone(),
            Arc::clone(&noise),
            Arc::clone(&random),
        ));
    }
    let port = server.port();
    let bytes = count("random bytes, dials");
    for _ in 0..4 {
        all.spawn(dials::random_bytes(port, Arc::clone(&bytes)));
    }
    all.spawn(dials::pings(port, count("unread pings, KiB")));
    Ok(counts)
}

/// How many files, and so connections, a process may have open.
fn files() -> usize {
    let limits = std::fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let line = limits.lines().find(|line| line.starts_with("Max open files"));
    line.and_then(|line| line.split_whitespace().nth(3)?.parse().ok()).unwrap_or(1024)
}

/// The memory of a process that is resident, in MiB; 0 where the system has no `/proc`.
fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok()).unwrap_or_default() / 1024
}

/// The end of a log.
fn last(log: &str) -> String {
    let lines: Vec<&str> = log.lines().rev().take(5).collect();
    lines.join("\n")
}
