use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::Command;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::group::Group;
use crate::transcript::{Happened, Transcript};

/// Longest part of a line that is kept, in bytes.
const LINE: usize = 4096;

/// A program that the doctor started, with all that it starts in turn. All of them end with this value.
pub(crate) struct Program {
    /// Killed when this is dropped.
    group: Group,
    ended: watch::Receiver<Option<ExitStatus>>,
    /// Waits for the end and reads what it writes.
    _tasks: JoinSet<()>,
}

impl Program {
    /// Starts `command` with more arguments and variables. What it writes and its end go to the transcript.
    ///
    /// # Errors
    /// There is no such program, or it may not be run.
    pub(crate) fn start(
        command: &[String],
        name: &str,
        variables: &[(&str, &str)],
        transcript: &Transcript,
    ) -> Result<Program, String> {
        let [program, arguments @ ..] = command else {
            return Err("there is no command".to_owned());
        };
        let mut command = Command::new(program);
        command.args(arguments).arg(name).envs(variables.iter().copied()).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Group::lead(&mut command);
        let mut child = command.spawn().map_err(|why| format!("{program} cannot be run: {why}"))?;
        let group = Group::of(&child);
        let mut tasks = JoinSet::new();
        if let Some(out) = child.stdout.take() {
            tasks.spawn(read(out, transcript.clone()));
        }
        if let Some(errors) = child.stderr.take() {
            tasks.spawn(read(errors, transcript.clone()));
        }
        let (tell, ended) = watch::channel(None);
        let transcript = transcript.clone();
        tasks.spawn(async move {
            if let Ok(status) = child.wait().await {
                transcript.push(Happened::Exited(format!("the program ended: {status}")));
                tell.send_replace(Some(status));
            }
            // Who waits sees that it is over even if the system did not say how.
        });
        Ok(Program { group, ended, _tasks: tasks })
    }

    /// Whether it has ended.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended.borrow().is_some()
    }

    /// Asks it to stop and waits so long for it. None if it did not end.
    pub(crate) async fn stop(&mut self, within: Duration) -> Option<ExitStatus> {
        if !self.has_ended() {
            self.group.ask_leader();
        }
        let ended = tokio::time::timeout(within, self.ended.wait_for(Option::is_some)).await;
        ended.ok()?.ok().and_then(|status| *status)
    }
}

/// Takes over all lines that a program writes.
async fn read(from: impl AsyncRead + Unpin, transcript: Transcript) {
    let mut from = BufReader::with_capacity(LINE, from);
    loop {
        let mut line = Vec::new();
        let mut ended = false;
        while !ended {
            let Ok(part) = from.fill_buf().await else { return };
            if part.is_empty() {
                if line.is_empty() {
                    return;
                }
                break;
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let used = end.map_or(part.len(), |end| end + 1);
            ended = end.is_some();
            let room = LINE - line.len().min(LINE);
            line.extend_from_slice(&part[..used.min(room)]);
            from.consume(used);
        }
        let text = String::from_utf8_lossy(&line).trim_end().to_owned();
        transcript.push(Happened::Wrote(text));
    }
}
