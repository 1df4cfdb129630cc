use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::Failure;

/// A small disk in memory, mounted at a folder of its own. Unmounted when dropped.
pub(crate) struct Tmpfs {
    folder: tempfile::TempDir,
}

impl Tmpfs {
    /// Mounts one, or says why the system does not let us, as it does only for root.
    ///
    /// # Errors
    /// It did not work for another reason.
    pub(crate) fn mount(mebibytes: u32) -> Result<Result<Tmpfs, NotAllowed>, Failure> {
        let folder = tempfile::tempdir()?;
        let size = format!("size={mebibytes}m");
        let output = Command::new("mount")
            .args(["-t", "tmpfs", "-o", &size, "chickenfoot-trial"])
            .arg(folder.path())
            // The words that are looked for below.
            .env("LC_ALL", "C")
            .output();
        let output = match output {
            Err(why) if why.kind() == ErrorKind::NotFound => {
                return Ok(Err(NotAllowed("there is no program `mount`".to_owned())));
            }
            output => output?,
        };
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        // Nothing is unmounted unless this succeeds.
        if output.status.success() {
            Ok(Ok(Tmpfs { folder }))
        } else if ["superuser", "ermission denied", "not permitted"].iter().any(|word| said.contains(word)) {
            Ok(Err(NotAllowed(said.lines().next().unwrap_or_default().to_owned())))
        } else {
            Err(said.into())
        }
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

/// Why we may not mount anything here.
pub(crate) struct NotAllowed(pub(crate) String);

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
