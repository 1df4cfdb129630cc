use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::Failure;
use crate::job::{Job, Outcome, Part};

/// How long a server may take to listen.
const START: Duration = Duration::from_secs(30);

/// What the server logs: where it listens, and what is wrong. Lines for every match and session would be measured too.
const LOG: &str =
    "warn,chickenfoot_server=info,chickenfoot_server::matches=warn,chickenfoot_server::session=warn";

/// Limits that a run goes beyond, and what they are raised to. All else is as the server has it by itself.
const RAISED: [(&str, u32); 8] = [
    ("max-agent-calls", 1_000_000),
    ("max-peer-calls", 1_000_000),
    ("max-open-matches", 1_000_000),
    ("max-matches", 1_000_000),
    ("max-open-matches-per-agent", 1_000_000),
    ("max-matches-per-agent", 1_000_000),
    ("max-pending", 65_536),
    ("session-in-queue", 65_536),
];

/// Where the server keeps its data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub(crate) enum Store {
    /// In memory.
    Memory,
    /// In a SQLite file.
    Sqlite,
}

impl Store {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Store::Memory => "memory",
            Store::Sqlite => "SQLite",
        }
    }
}

/// A process that is killed when dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A server as a process of its own. Killed when dropped, with its data.
pub(crate) struct Server {
    process: Process,
    pub(crate) address: String,
    _folder: TempDir,
}

impl Server {
    /// Starts the match service with its data in `folder`.
    pub(crate) fn service(program: &Path, store: Store, folder: &Path) -> Result<Server, Failure> {
        let folder = tempfile::tempdir_in(folder)?;
        let place = match store {
            Store::Memory => "memory".to_owned(),
            Store::Sqlite => folder.path().join("matches.db").display().to_string(),
        };
        let log = folder.path().join("server.log");
        let mut command = Command::new(program);
        command.args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json", "--store", &place]);
        for (limit, value) in RAISED {
            command.arg(format!("--{limit}={value}"));
        }
        command.env("RUST_LOG", LOG).stdin(Stdio::null()).stdout(Stdio::null());
        let mut process = Process(command.stderr(std::fs::File::create(&log)?).spawn()?);
        let start = Instant::now();
        loop {
            let text = std::fs::read_to_string(&log)?;
            if let Some(address) = listens(&text) {
                return Ok(Server { process, address, _folder: folder });
            }
            if process.0.try_wait()?.is_some() || start.elapsed() > START {
                return Err(format!("the server does not listen: {text}").into());
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Starts the bare echo, whose answers have so many bytes.
    pub(crate) fn echo(bytes: u32) -> Result<Server, Failure> {
        let mut process = Command::new(std::env::current_exe()?)
            .args(["echo-server", "--bytes", &bytes.to_string()])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map(Process)?;
        let mut line = String::new();
        let out = process.0.stdout.take().ok_or("no output")?;
        BufReader::new(out).read_line(&mut line)?;
        Ok(Server { process, address: line.trim().to_owned(), _folder: tempfile::tempdir()? })
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.0.id()
    }
}

/// Where a server listens by its log.
fn listens(log: &str) -> Option<String> {
    let line = log.lines().find(|line| line.contains("\"serving\""))?;
    let start = line.find("127.0.0.1:")?;
    let address: String =
        line[start..].chars().take_while(|c| c.is_ascii_digit() || ".:".contains(*c)).collect();
    // The line may not be whole yet.
    line.ends_with('}').then_some(address)
}

/// Lets a client process do a job.
pub(crate) fn client(job: &Job) -> Result<Outcome, Failure> {
    let output = client_command(job)?.stdin(Stdio::null()).output()?;
    if !output.status.success() {
        return Err(format!("the clients failed at {job:?}").into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// A client process that plays so many matches whenever it is told. Killed when dropped.
pub(crate) struct Players {
    _process: Process,
    orders: ChildStdin,
    figures: BufReader<ChildStdout>,
}

impl Players {
    /// Starts one, whose job lasts until [`Until::Told`](crate::job::Until::Told).
    pub(crate) fn start(job: &Job) -> Result<Players, Failure> {
        let mut process = Process(client_command(job)?.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?);
        let orders = process.0.stdin.take().ok_or("no input")?;
        let figures = BufReader::new(process.0.stdout.take().ok_or("no output")?);
        Ok(Players { _process: process, orders, figures })
    }

    /// Lets so many more matches end.
    pub(crate) fn play(&mut self, matches: u64) -> Result<Part, Failure> {
        writeln!(self.orders, "{matches}")?;
        let mut line = String::new();
        if self.figures.read_line(&mut line)? == 0 {
            return Err("the clients failed".into());
        }
        Ok(serde_json::from_str(&line)?)
    }
}

fn client_command(job: &Job) -> Result<Command, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["client", &serde_json::to_string(job)?]).stderr(Stdio::inherit());
    Ok(command)
}
