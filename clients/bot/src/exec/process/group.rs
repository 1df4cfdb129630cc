use std::path::Path;

use tokio::process::Child;

/// A process and all that it started and that did not leave its group. When it is dropped, they are killed.
pub(super) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

#[cfg(unix)]
impl Group {
    /// The group that the process leads.
    pub(super) fn of(child: &Child) -> Group {
        let leader =
            child.id().and_then(|id| i32::try_from(id).ok()).and_then(rustix::process::Pid::from_raw);
        Group { leader }
    }

    /// Asks all of it to end.
    pub(super) fn terminate(&self) {
        self.signal(rustix::process::Signal::TERM);
    }

    /// Ends all of it.
    pub(super) fn kill(&self) {
        self.signal(rustix::process::Signal::KILL);
    }

    fn signal(&self, signal: rustix::process::Signal) {
        if let Some(leader) = self.leader {
            // Fails if nobody is left.
            let _ = rustix::process::kill_process_group(leader, signal);
        }
    }
}

/// There are no groups here: a process is ended alone.
#[cfg(not(unix))]
impl Group {
    pub(super) fn of(_: &Child) -> Group {
        Group {}
    }

    pub(super) fn terminate(&self) {}

    pub(super) fn kill(&self) {}
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Whether a file may be run.
#[cfg(unix)]
pub(super) fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0)
}

/// Whether a file may be run, which nothing tells here.
#[cfg(not(unix))]
pub(super) fn is_executable(_: &Path) -> bool {
    true
}
