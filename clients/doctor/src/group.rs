use tokio::process::{Child, Command};

/// A process and all that it started and that did not leave its group. They are killed when this is dropped.
pub(crate) struct Group {
    #[cfg(unix)]
    leader: Option<rustix::process::Pid>,
}

#[cfg(unix)]
impl Group {
    /// Lets the process lead a group of its own. So Ctrl-C on the terminal does not reach it, which is the doctor's to deal
    /// with.
    pub(crate) fn lead(command: &mut Command) {
        command.process_group(0);
    }

    /// The group that the process leads.
    pub(crate) fn of(child: &Child) -> Group {
        let id = child.id().and_then(|id| i32::try_from(id).ok());
        Group { leader: id.and_then(rustix::process::Pid::from_raw) }
    }

    /// Asks the leader to end, by SIGTERM.
    pub(crate) fn ask_leader(&self) {
        if let Some(leader) = self.leader {
            // It may end at this moment.
            let _ = rustix::process::kill_process(leader, rustix::process::Signal::TERM);
        }
    }
}

#[cfg(unix)]
impl Drop for Group {
    fn drop(&mut self) {
        if let Some(leader) = self.leader {
            // Also when the leader has ended by itself: what it started may go on. Fails if nobody is left.
            let _ = rustix::process::kill_process_group(leader, rustix::process::Signal::KILL);
        }
    }
}

/// There are no groups here: a process ends alone, when it is dropped.
#[cfg(not(unix))]
impl Group {
    pub(crate) fn lead(_: &mut Command) {}

    pub(crate) fn of(_: &Child) -> Group {
        Group {}
    }

    pub(crate) fn ask_leader(&self) {}
}
