use std::path::PathBuf;
use std::process::Command;

use chickenfoot_bot::Client;
use chickenfoot_rules::Record;

use crate::Failure;

/// The records of a trial: each is verified as it comes and written to a file, for others to verify it.
pub(super) struct Checked {
    client: Client,
    folder: PathBuf,
    files: Vec<PathBuf>,
}

impl Checked {
    pub(super) fn new(client: Client, folder: PathBuf) -> Checked {
        Checked { client, folder, files: Vec::new() }
    }

    /// The record of a match that is over, verified.
    pub(super) async fn record(&mut self, match_id: &str) -> Result<Record, Failure> {
        let record = self.client.record(match_id).await?;
        record.verify().map_err(|flaw| format!("the record of {match_id} is wrong: {flaw}"))?;
        let file = self.folder.join(format!("{match_id}.json"));
        std::fs::write(&file, record.to_json())?;
        self.files.push(file);
        Ok(record)
    }

    pub(super) fn count(&self) -> usize {
        self.files.len()
    }

    /// Lets a program verify all the records: the command, words of a shell, gets their files.
    pub(super) fn verify_with(&self, command: &str) -> Result<(), Failure> {
        let output = Command::new("sh")
            .args(["-c", &format!("exec {command} \"$@\""), "sh"])
            .args(&self.files)
            .output()?;
        if output.status.success() {
            return Ok(());
        }
        let told = String::from_utf8_lossy(&output.stderr);
        let last = told.lines().last().unwrap_or_default();
        Err(format!("{command}: {}: {last}", output.status).into())
    }
}
