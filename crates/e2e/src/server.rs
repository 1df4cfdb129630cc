use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio::net::TcpStream;

use crate::Failure;
use crate::admin::Admin;

/// How long the server may take to listen.
const START: Duration = Duration::from_secs(30);

/// The server program as a process of its own. Killed when dropped.
pub(crate) struct Server {
    program: PathBuf,
    arguments: Vec<String>,
    log: PathBuf,
    port: u16,
    admin_port: u16,
    process: Option<Child>,
}

impl Server {
    /// A server on the database file `store` that is not started yet. What it logs goes to a file beside it.
    pub(crate) async fn on(program: &Path, store: &Path, more: &[&str]) -> Result<Server, Failure> {
        let log = store.with_extension("log");
        Server::with_log(program, &store.display().to_string(), log, more).await
    }

    /// A server that is not started yet, with its store as the flag says it, and its log in this file.
    pub(crate) async fn with_log(
        program: &Path,
        store: &str,
        log: PathBuf,
        more: &[&str],
    ) -> Result<Server, Failure> {
        let port = free_port().await?;
        let admin_port = loop {
            let other = free_port().await?;
            if other != port {
                break other;
            }
        };
        let mut arguments: Vec<String> = vec!["serve".to_owned()];
        arguments.extend(["--listen".to_owned(), format!("127.0.0.1:{port}")]);
        arguments.extend(["--admin-listen".to_owned(), format!("127.0.0.1:{admin_port}")]);
        arguments.extend(["--store".to_owned(), store.to_owned()]);
        arguments.extend(more.iter().map(|word| (*word).to_owned()));
        Ok(Server { program: program.to_owned(), arguments, log, port, admin_port, process: None })
    }

    /// The operator's port.
    pub(crate) fn admin(&self) -> Admin {
        Admin(self.admin_port)
    }

    /// The process, while it runs.
    pub(crate) fn process(&mut self) -> Option<u32> {
        let process = self.process.as_mut()?;
        matches!(process.try_wait(), Ok(None)).then(|| process.id())
    }

    /// What was logged.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Starts the process and waits until it listens.
    pub(crate) async fn start(&mut self) -> Result<(), Failure> {
        let log = std::fs::File::options().create(true).append(true).open(&self.log)?;
        let process = Command::new(&self.program)
            .args(&self.arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?;
        self.process = Some(process);
        let listens = async {
            loop {
                if TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                    return Ok(());
                }
                if let Some(status) = self.process.as_mut().map(Child::try_wait).transpose()?.flatten() {
                    let log = self.log();
                    let last: Vec<&str> = log.lines().rev().take(5).collect();
                    return Err(format!("the server ended with {status}: {last:?}").into());
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(START, listens).await.map_err(|_| "the server does not listen")?
    }

    /// Ends the process as a loss of power would.
    pub(crate) fn kill(&mut self) -> Result<(), Failure> {
        if let Some(mut process) = self.process.take() {
            process.kill()?;
            process.wait()?;
        }
        Ok(())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended by itself.
        let _ = self.kill();
    }
}

/// A port that is free now, below those that the system gives to clients, if it has any there for all: one of those might
/// be taken by a client while the server is down.
async fn free_port() -> Result<u16, Failure> {
    let below = Some(first_client_port()).filter(|first| *first > 4_000).unwrap_or(32_000);
    for _ in 0..100 {
        let port = rand::random_range(below / 2..below);
        if tokio::net::TcpListener::bind(("127.0.0.1", port)).await.is_ok() {
            return Ok(port);
        }
    }
    Err("no port is free".into())
}

/// The first port that the system gives to clients; Linux' default where it does not say.
fn first_client_port() -> u16 {
    let range = std::fs::read_to_string("/proc/sys/net/ipv4/ip_local_port_range").unwrap_or_default();
    range.split_whitespace().next().and_then(|first| first.parse().ok()).unwrap_or(32_768)
}
