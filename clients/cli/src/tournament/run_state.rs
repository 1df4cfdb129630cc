use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use chickenfoot_bot::request_id;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::report::unwritable;
use crate::error::Failure;
use crate::json::hex;

/// The form of the file, so that another version does not take it for something else.
const FORM: &str = "chickenfoot/run/1";

/// What a run has to know to come back to its tournament. It is in a file from before the tournament is made until all
/// is done, so that an end at any moment leaves enough behind.
#[derive(Debug)]
pub(crate) struct RunState {
    path: PathBuf,
    /// What is in the file.
    pub(crate) saved: Saved,
}

/// The content of the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    form: String,
    /// The service's address.
    server: String,
    /// The SHA-256 of the tournament's file.
    file: String,
    /// Makes it safe to ask for the tournament again when it is not known whether it was made.
    pub(crate) request_id: String,
    /// The token of the agent that was registered for this run; `null` if the caller has one of its own.
    pub(crate) token: Option<String>,
    /// The tournament, once it is made.
    pub(crate) tournament: Option<String>,
}

impl RunState {
    /// The state of an interrupted run, or that of a new one, of which nothing is written yet. `text` is that of the
    /// tournament's file.
    ///
    /// # Errors
    /// There is a state that cannot be read, or it is that of another service or of another text.
    pub(crate) fn find(path: PathBuf, server: &str, text: &str) -> Result<RunState, Failure> {
        let file = hex(&Sha256::digest(text.as_bytes()));
        let read = match fs::read_to_string(&path) {
            Ok(read) => read,
            Err(why) if why.kind() == ErrorKind::NotFound => {
                return Ok(RunState::new(path, server, file));
            }
            Err(why) => return Err(Failure::File { path: path.display().to_string(), why }),
        };
        let unusable = |why: String| Failure::RunState { path: path.display().to_string(), why };
        let saved: Saved =
            serde_json::from_str(&read).map_err(|why| unusable(format!("it is not that of a run: {why}")))?;
        if saved.form != FORM {
            return Err(unusable(format!("it is of another version: {:?}", saved.form)));
        }
        if saved.server != server {
            return Err(unusable(format!("the run was at {}, not at {server}", saved.server)));
        }
        if saved.file != file {
            return Err(unusable("the tournament's file has changed since".to_owned()));
        }
        Ok(RunState { path, saved })
    }

    /// The state of a new run, whatever there was before.
    pub(crate) fn fresh(path: PathBuf, server: &str, text: &str) -> RunState {
        RunState::new(path, server, hex(&Sha256::digest(text.as_bytes())))
    }

    fn new(path: PathBuf, server: &str, file: String) -> RunState {
        let saved = Saved {
            form: FORM.to_owned(),
            server: server.to_owned(),
            file,
            request_id: request_id(),
            token: None,
            tournament: None,
        };
        RunState { path, saved }
    }

    /// Where it is kept.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes it, whole or not at all, for nobody else to read: it may hold a token.
    ///
    /// # Errors
    /// It cannot be written.
    pub(crate) fn save(&self) -> Result<(), Failure> {
        let mut new = self.path.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        let write = || {
            // A left-over may be readable for others.
            match fs::remove_file(&new) {
                Err(why) if why.kind() != ErrorKind::NotFound => return Err(why),
                _ => {}
            }
            let mut file = private(&new)?;
            serde_json::to_writer_pretty(&mut file, &self.saved)?;
            file.write_all(b"\n")?;
            file.sync_all()?;
            fs::rename(&new, &self.path)
        };
        write().map_err(|why| unwritable(&self.path, why))
    }

    /// Takes it away: the run is done.
    ///
    /// # Errors
    /// It cannot be taken away.
    pub(crate) fn remove(&self) -> Result<(), Failure> {
        match fs::remove_file(&self.path) {
            // Another run of the same tournament was done first.
            Err(why) if why.kind() != ErrorKind::NotFound => Err(unwritable(&self.path, why)),
            _ => Ok(()),
        }
    }
}

fn private(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("t.toml.run");
        (directory, path)
    }

    #[test]
    fn what_was_saved_is_found_again_until_it_is_removed() {
        let (_directory, path) = state();
        let mut first = RunState::find(path.clone(), "here", "text").unwrap();
        assert!(!path.exists(), "nothing is written before there is something to come back to");
        first.saved.token = Some("secret".to_owned());
        first.save().unwrap();
        first.saved.tournament = Some("f0".to_owned());
        first.save().unwrap();
        let again = RunState::find(path.clone(), "here", "text").unwrap();
        assert_eq!(again.saved, first.saved);
        first.remove().unwrap();
        again.remove().unwrap();
        assert_ne!(RunState::find(path, "here", "text").unwrap().saved.request_id.len(), 0);
    }

    #[test]
    fn two_runs_ask_for_two_tournaments() {
        let (_directory, path) = state();
        let one = RunState::find(path.clone(), "here", "text").unwrap();
        let other = RunState::fresh(path, "here", "text");
        assert_ne!(one.saved.request_id, other.saved.request_id);
    }

    #[test]
    fn a_state_of_another_service_file_or_form_is_refused() {
        let (_directory, path) = state();
        RunState::fresh(path.clone(), "here", "text").save().unwrap();
        for (server, text) in [("there", "text"), ("here", "other")] {
            let refused = RunState::find(path.clone(), server, text);
            assert!(matches!(refused, Err(Failure::RunState { .. })), "{server}, {text}");
        }
        let spoilt = fs::read_to_string(&path).unwrap().replace(FORM, "chickenfoot/run/2");
        for content in [&spoilt, "", "{}"] {
            fs::write(&path, content).unwrap();
            let refused = RunState::find(path.clone(), "here", "text");
            assert!(matches!(refused, Err(Failure::RunState { .. })), "{content}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn nobody_else_reads_the_token() {
        use std::os::unix::fs::PermissionsExt;
        let (_directory, path) = state();
        fs::write(path.with_extension("run.new"), "left over").unwrap();
        RunState::fresh(path.clone(), "here", "text").save().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
}
