use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;

/// A small disk in memory, mounted at a folder of its own. Unmounted when dropped.
pub(crate) struct Tmpfs {
    folder: tempfile::TempDir,
}

impl Tmpfs {
    /// Mounts one; the error says why the system does not let us, as it does only for root.
    pub(crate) fn mount(mebibytes: u32) -> Result<Tmpfs, Failure> {
        let folder = tempfile::tempdir()?;
        let size = format!("size={mebibytes}m");
        // Nothing is unmounted unless this succeeds.
        run(Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "chickenfoot-trial"])
            .arg(folder.path()))?;
        Ok(Tmpfs { folder })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    /// From now on nothing can be written.
    pub(crate) fn make_read_only(&self) -> Result<(), Failure> {
        run(Command::new("mount").args(["-o", "remount,ro"]).arg(self.path()))
    }
}

impl Drop for Tmpfs {
    fn drop(&mut self) {
        // A file may still be open where a trial has failed; then the disk goes when it is closed.
        if run(Command::new("umount").arg(self.path())).is_err() {
            let _ = run(Command::new("umount").arg("-l").arg(self.path()));
        }
    }
}

fn run(command: &mut Command) -> Result<(), Failure> {
    let output = command.output()?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).trim().to_owned().into())
}
