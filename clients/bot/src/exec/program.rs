use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use super::error::Error;

/// A program, and how its processes are run.
#[derive(Clone, Debug)]
pub struct Program {
    pub(super) command: OsString,
    pub(super) args: Vec<OsString>,
    pub(super) limits: Limits,
    pub(super) logs: Option<PathBuf>,
    pub(super) log_bytes: u64,
    pub(super) show: bool,
    pub(super) queue: usize,
    pub(super) stop_time: Duration,
    pub(super) restarts: u32,
    pub(super) silence: Option<Duration>,
    pub(super) fallback: bool,
}

/// What each process may use. `sh` sets the limits by `ulimit` before it becomes the program, so they hold from the
/// first instruction on, on every Unix that has them; macOS accepts the one for memory and does not enforce it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Seconds of CPU time over the life of the process; at their end the system ends it.
    pub cpu: Option<u64>,
    /// Kibibytes of address space; beyond them the process gets no more memory.
    pub memory: Option<u64>,
}

impl Program {
    /// Lines that may wait to be read by a process, unless told otherwise.
    pub const QUEUE: usize = 1024;

    /// Longest line of a process, in bytes without its line feed.
    pub const LINE_BYTES: usize = 64 * 1024;

    /// The program of this path, or of this name in `PATH`, without arguments.
    pub fn new(command: impl AsRef<OsStr>) -> Program {
        Program {
            command: command.as_ref().to_owned(),
            args: Vec::new(),
            limits: Limits::default(),
            logs: None,
            log_bytes: 1024 * 1024,
            show: false,
            queue: Program::QUEUE,
            stop_time: Duration::from_secs(2),
            restarts: 10,
            silence: None,
            fallback: false,
        }
    }

    /// One more argument.
    #[must_use]
    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Program {
        self.args.push(arg.as_ref().to_owned());
        self
    }

    /// More arguments.
    #[must_use]
    pub fn args(self, args: impl IntoIterator<Item = impl AsRef<OsStr>>) -> Program {
        args.into_iter().fold(self, Program::arg)
    }

    /// What each process may use; without this as much as the caller.
    #[must_use]
    pub fn limits(self, limits: Limits) -> Program {
        Program { limits, ..self }
    }

    /// Keeps what processes write to stderr in this folder: the last `bytes` or so of each label, in `LABEL.stderr` and
    /// `LABEL.stderr.1`. The label is `program`, or the match.
    #[must_use]
    pub fn logs(self, folder: impl Into<PathBuf>, bytes: u64) -> Program {
        Program { logs: Some(folder.into()), log_bytes: bytes, ..self }
    }

    /// Shows on the caller's stderr what processes write to theirs, each line with its label before it.
    #[must_use]
    pub fn show_stderr(self) -> Program {
        Program { show: true, ..self }
    }

    /// Lines that may wait to be read by a process; with one more it is [`NotReading`](super::Fault::NotReading). At
    /// least 1.
    #[must_use]
    pub fn queue(self, lines: usize) -> Program {
        Program { queue: lines.max(1), ..self }
    }

    /// How long a process may take to end after it was told to, before SIGTERM and again before SIGKILL: 2 s.
    #[must_use]
    pub fn stop_time(self, time: Duration) -> Program {
        Program { stop_time: time, ..self }
    }

    /// How often in a row a process may end without a good run, until the program is given up: 10. A run is good if it
    /// gave an answer and lasted 10 s.
    #[must_use]
    pub fn restarts(self, restarts: u32) -> Program {
        Program { restarts, ..self }
    }

    /// Takes a process that owes an answer and has written nothing for so long for stuck, and starts it again. Without
    /// this it has until the decision's time is up.
    #[must_use]
    pub fn silence(self, time: Duration) -> Program {
        Program { silence: Some(time), ..self }
    }

    /// Has the first option answered shortly before a decision's time is up: a tenth of it, 50 ms to 1 s. Without this the
    /// match's clock decides, and the seat has a fault at the service.
    #[must_use]
    pub fn fallback_first(self) -> Program {
        Program { fallback: true, ..self }
    }

    /// Whether it can be run, as far as that can be told without running it. Makes the folder for logs.
    ///
    /// # Errors
    /// There is no such program, or it may not be run; or there can be no such folder.
    pub fn check(&self) -> Result<(), Error> {
        self.find().map_err(|why| Error::NoProgram { command: self.name(), why })?;
        if let Some(folder) = &self.logs {
            let failed = |why| Error::Logs { folder: folder.display().to_string(), why };
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        Ok(())
    }

    /// What it is called in messages.
    pub(super) fn name(&self) -> String {
        self.command.to_string_lossy().into_owned()
    }
}
