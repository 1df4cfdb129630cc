use std::io::Read;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use tempfile::NamedTempFile;
use tokio::time::{Instant, sleep};

use crate::Failure;

/// How long a program may take to end after it was asked to.
const STOP: Duration = Duration::from_secs(10);

/// Lines of a program's output that are told when it fails.
const LAST_LINES: usize = 15;

/// A bot that is a program of its own, in whatever language. Killed when dropped.
pub(crate) struct Guest {
    name: String,
    process: Child,
    output: NamedTempFile,
}

impl Guest {
    /// Starts `command NAME` for the agent of that name and token, as the example bots of all languages are started. The
    /// command is words of a shell.
    pub(crate) fn start(command: &str, name: &str, server: &str, token: &str) -> Result<Guest, Failure> {
        let output = NamedTempFile::new()?;
        let process = Command::new("sh")
            // In the shell's place, so that signals reach the program.
            .args(["-c", &format!("exec {command} \"$@\""), "sh", name])
            .env("CHICKENFOOT_SERVER", server)
            .env("CHICKENFOOT_TOKEN", token)
            .stdin(Stdio::null())
            .stdout(output.reopen()?)
            .stderr(output.reopen()?)
            .process_group(0)
            .spawn()?;
        Ok(Guest { name: name.to_owned(), process, output })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Fails if the program has ended by itself.
    pub(crate) fn check(&mut self) -> Result<(), Failure> {
        match self.process.try_wait()? {
            None => Ok(()),
            Some(status) => Err(self.failed(&format!("ended by itself with {status}"))),
        }
    }

    /// Asks the program to end, by SIGTERM. Fails if it does not, or not with exit code 0.
    pub(crate) async fn stop(mut self) -> Result<(), Failure> {
        self.check()?;
        signal("TERM", &self.process.id().to_string())?;
        let end = Instant::now() + STOP;
        let status: ExitStatus = loop {
            match self.process.try_wait()? {
                Some(status) => break status,
                None if Instant::now() > end => {
                    return Err(self.failed(&format!("did not end within {STOP:?} of SIGTERM")));
                }
                None => sleep(Duration::from_millis(20)).await,
            }
        };
        if status.success() { Ok(()) } else { Err(self.failed(&format!("ended on SIGTERM with {status}"))) }
    }

    /// What went wrong with the program, and what it wrote last.
    pub(crate) fn failed(&self, what: &str) -> Failure {
        let mut output = Vec::new();
        let read = self.output.reopen().and_then(|mut file| file.read_to_end(&mut output));
        let output = match read {
            Ok(_) => String::from_utf8_lossy(&output).into_owned(),
            Err(why) => format!("cannot be read: {why}"),
        };
        let lines: Vec<&str> = output.lines().collect();
        let last = lines[lines.len().saturating_sub(LAST_LINES)..].join("\n  ");
        format!("{} {what}; its last output:\n  {last}", self.name).into()
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        // With what it may have started itself; most have ended by now.
        if let Ok(None) = self.process.try_wait() {
            let _ = signal("KILL", &format!("-{}", self.process.id()));
            let _ = self.process.wait();
        }
    }
}

/// Sends a signal to a process, or to a group of them by its negative number.
fn signal(name: &str, process: &str) -> Result<(), Failure> {
    let status = Command::new("kill").args(["-s", name, "--", process]).stderr(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(format!("SIG{name} cannot be sent to {process}").into()) }
}
