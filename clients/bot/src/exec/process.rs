use std::ffi::{OsStr, OsString};
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::Duration;

use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{mpsc, oneshot};

use super::program::{Limits, Program};

mod group;
mod reader;
mod stderr;

use group::Group;
use stderr::LastWords;

/// Lines of a process that may wait to be looked at; it waits in its turn.
const OUTPUT: usize = 64;

/// Room for lines to a process: more than any bound that is kept on them.
const INPUT: usize = 32 * 1024;

/// How long the pipes of a process that has ended may stay open in others' hands.
const AFTERMATH: Duration = Duration::from_secs(1);

/// What comes from a process.
#[derive(Debug)]
pub(super) enum Output {
    /// A line, without its line feed.
    Line(Vec<u8>),
    /// A line, or so much of one, that was too long.
    TooLong,
    /// It ended, and how. The last of all.
    Ended(String),
}

/// A running process. If it is dropped, the process and all that it started are killed.
pub(super) struct Running {
    pub(super) input: mpsc::Sender<String>,
    pub(super) output: mpsc::Receiver<Output>,
    /// How long it may take to end; dropped: no time at all.
    pub(super) stop: oneshot::Sender<Duration>,
}

/// Starts processes.
pub(super) trait Launch: Send + 'static {
    /// Starts one.
    fn launch(&mut self) -> io::Result<Running>;
}

/// Starts the processes of a program.
pub(super) struct Launcher {
    pub(super) program: Program,
    pub(super) label: String,
}

impl Running {
    /// How many lines wait to be read.
    pub(super) fn unread(&self) -> usize {
        self.input.max_capacity() - self.input.capacity()
    }

    /// Closes stdin, and waits until the process has ended: by itself, by SIGTERM after `time`, by SIGKILL after as much
    /// again.
    pub(super) async fn stop(self, time: Duration) {
        let Running { input, mut output, stop } = self;
        drop(input);
        // Fails only if it has ended.
        let _ = stop.send(time);
        // What it still writes must not hold it up.
        while let Some(output) = output.recv().await {
            if let Output::Ended(_) = output {
                return;
            }
        }
    }
}

impl Launch for Launcher {
    fn launch(&mut self) -> io::Result<Running> {
        let mut child = command(&self.program).spawn()?;
        let group = Group::of(&child);
        let (input, lines) = mpsc::channel(INPUT);
        let (heard, output) = mpsc::channel(OUTPUT);
        let (stop, stopped) = oneshot::channel();
        if let Some(stdin) = child.stdin.take() {
            tokio::spawn(write(stdin, lines));
        }
        let reader = child.stdout.take().map(|out| tokio::spawn(reader::read(out, heard.clone())));
        let words = LastWords::default();
        let errors = stderr::Sink::new(&self.program, &self.label, words.clone());
        let errors = child.stderr.take().map(|err| tokio::spawn(errors.drain(err)));
        tokio::spawn(async move {
            let end = guard(child, group, stopped).await;
            for mut pipe in [reader, errors].into_iter().flatten() {
                if tokio::time::timeout(AFTERMATH, &mut pipe).await.is_err() {
                    pipe.abort();
                }
            }
            let _ = heard.send(Output::Ended(words.behind(end))).await;
        });
        Ok(Running { input, output, stop })
    }
}

/// Waits for the end of a process, or brings it about, and says how it ended.
async fn guard(mut child: Child, group: Group, mut stop: oneshot::Receiver<Duration>) -> String {
    let end = tokio::select! {
        end = child.wait() => end,
        time = &mut stop => end(&mut child, &group, time.ok()).await,
    };
    // Whatever it has started ends with it.
    drop(group);
    match end {
        Ok(status) => status.to_string(),
        Err(why) => why.to_string(),
    }
}

async fn end(
    child: &mut Child,
    group: &Group,
    time: Option<Duration>,
) -> io::Result<std::process::ExitStatus> {
    if let Some(time) = time {
        if let Ok(end) = tokio::time::timeout(time, child.wait()).await {
            return end;
        }
        group.terminate();
        if let Ok(end) = tokio::time::timeout(time, child.wait()).await {
            return end;
        }
    }
    group.kill();
    // Where there are no groups.
    let _ = child.start_kill();
    child.wait().await
}

/// Writes lines to a process, as fast as it reads. Ends when all are written and no more can come, which closes stdin.
async fn write(mut stdin: ChildStdin, mut lines: mpsc::Receiver<String>) {
    use tokio::io::AsyncWriteExt;
    let mut batch = Vec::new();
    while lines.recv_many(&mut batch, 64).await > 0 {
        // A process that has closed its stdin is not to be told anything.
        if stdin.write_all(batch.concat().as_bytes()).await.is_err() {
            return;
        }
        batch.clear();
    }
}

fn command(program: &Program) -> Command {
    let (name, args) = limited(&program.command, &program.args, program.limits);
    let mut command = Command::new(name);
    command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
    // The token is the bridge's: a program that has it could act as the agent elsewhere.
    command.env_remove("CHICKENFOOT_TOKEN");
    // Ctrl-C on the terminal is for the bridge, which then tells the program.
    #[cfg(unix)]
    command.process_group(0);
    command
}

/// The command line, behind a shell that sets the limits if there are any.
fn limited(command: &OsStr, args: &[OsString], limits: Limits) -> (OsString, Vec<OsString>) {
    let settings: Vec<String> = [("-t", limits.cpu), ("-v", limits.memory)]
        .into_iter()
        .filter_map(|(option, limit)| limit.map(|limit| format!("ulimit {option} {limit} && ")))
        .collect();
    if settings.is_empty() {
        return (command.to_owned(), args.to_vec());
    }
    let script = format!("{}exec \"$0\" \"$@\"", settings.concat());
    let shell = [OsString::from("-c"), script.into(), command.to_owned()];
    ("sh".into(), shell.into_iter().chain(args.iter().cloned()).collect())
}

impl Program {
    /// Whether there is such a program, before any is started.
    pub(super) fn find(&self) -> io::Result<()> {
        let path = PathBuf::from(&self.command);
        let places: Vec<PathBuf> = if path.components().count() > 1 {
            vec![path]
        } else {
            let folders = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&folders).map(|folder| folder.join(&path)).collect()
        };
        let found = places.iter().find(|place| place.is_file());
        let file = found.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        group::is_executable(file).then_some(()).ok_or_else(|| io::ErrorKind::PermissionDenied.into())
    }
}
