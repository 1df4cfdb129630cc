use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, Command};
use tokio::task::JoinSet;

use crate::group::Group;

/// How long the server may take to listen.
const START: Duration = Duration::from_secs(20);

/// How long a killed process may take to be gone.
const DEATH: Duration = Duration::from_secs(2);

/// Lines of its log that are kept for the case that it fails.
const LOG_LINES: usize = 20;

/// The real server program, on a port of its own and a store of its own. It ends with this value.
pub(crate) struct Service {
    program: PathBuf,
    store: PathBuf,
    process: Option<Child>,
    address: String,
    log: Arc<Mutex<VecDeque<String>>>,
    /// Reads the log of the running process.
    reading: JoinSet<()>,
}

impl Service {
    /// A server that is not started yet, with its store in this folder.
    pub(crate) fn new(program: &Path, folder: &Path) -> Service {
        Service {
            program: program.to_owned(),
            store: folder.join("chickenfoot.db"),
            process: None,
            address: String::new(),
            log: Arc::default(),
            reading: JoinSet::new(),
        }
    }

    /// Where the running server listens.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Whether it was started and not killed since.
    pub(crate) fn is_running(&self) -> bool {
        self.process.is_some()
    }

    /// Starts the program and waits until it listens.
    ///
    /// # Errors
    /// It cannot be started or ends by itself: with the last lines that it logged.
    pub(crate) async fn start(&mut self) -> Result<(), String> {
        let mut process =
            self.command().spawn().map_err(|why| format!("{}: {why}", self.program.display()))?;
        let log = process.stderr.take().ok_or("the server's log cannot be read")?;
        self.process = Some(process);
        let mut lines = BufReader::new(log).lines();
        let found = tokio::time::timeout(START, self.listens(&mut lines)).await;
        self.address = match found {
            Ok(Some(address)) => format!("http://{address}"),
            Ok(None) => return Err(format!("{} ended: {}", self.program.display(), self.last_words())),
            Err(_) => {
                return Err(format!("{} does not listen: {}", self.program.display(), self.last_words()));
            }
        };
        let kept = Arc::clone(&self.log);
        self.reading.spawn(async move {
            while let Ok(Some(line)) = lines.next_line().await {
                keep(&kept, line);
            }
        });
        Ok(())
    }

    /// Ends the process as a loss of power would.
    ///
    /// # Errors
    /// The system does not let it.
    pub(crate) async fn kill(&mut self) -> Result<(), String> {
        self.reading.abort_all();
        match self.process.take() {
            Some(mut process) => {
                process.kill().await.map_err(|why| format!("the server cannot be killed: {why}"))
            }
            None => Ok(()),
        }
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        let store = self.store.display().to_string();
        command.args(["serve", "--listen", "127.0.0.1:0", "--heartbeat", "1", "--drain", "1"]);
        command.args(["--log-format", "json", "--log-level", "info", "--store", &store]);
        // What the caller configured for servers of its own is not meant for this one.
        let own = std::env::vars_os().map(|(name, _)| name);
        for name in
            own.filter(|name| name.to_string_lossy().starts_with("CHICKENFOOT_") || name == "RUST_LOG")
        {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).kill_on_drop(true);
        Group::lead(&mut command);
        command
    }

    /// Reads the log up to the line that tells the address; none if the log ends before.
    async fn listens(&self, lines: &mut Lines<BufReader<ChildStderr>>) -> Option<String> {
        while let Ok(Some(line)) = lines.next_line().await {
            let told: Value = serde_json::from_str(&line).unwrap_or_default();
            if told["message"] == "serving"
                && let Some(address) = told["address"].as_str()
            {
                return Some(address.to_owned());
            }
            keep(&self.log, line);
        }
        None
    }

    fn last_words(&self) -> String {
        let log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        log.iter().cloned().collect::<Vec<_>>().join("; ")
    }
}

impl Drop for Service {
    /// Ends the process, and waits until it has ended: until then it may write into a folder that is being removed.
    fn drop(&mut self) {
        let Some(mut process) = self.process.take() else { return };
        // It may have ended by itself.
        let _ = process.start_kill();
        let given_up = std::time::Instant::now() + DEATH;
        while matches!(process.try_wait(), Ok(None)) && std::time::Instant::now() < given_up {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

fn keep(log: &Mutex<VecDeque<String>>, line: String) {
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    if log.len() == LOG_LINES {
        log.pop_front();
    }
    log.push_back(line);
}
