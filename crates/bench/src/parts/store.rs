use std::fs::File;
use std::io::Write;
use std::path::PathBuf;

use chickenfoot_store::{Appended, Journal, Sqlite, sqlite};
use clap::Args;

use super::rows::{append, running};
use super::{Effort, Subject};
use crate::{Failure, say};

/// Entries that are stored with one wait for the disk.
const BATCHES: [u32; 3] = [1, 32, 256];

/// Measure how fast decisions are stored
///
/// Appends an entry to each of as many matches as a batch has and waits until all are on the disk; beside it, as many bytes
/// are appended to a file and synced.
#[derive(Args)]
pub(crate) struct Store {
    #[command(flatten)]
    effort: Effort,
    /// Where the files are made [default: the system's folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Store {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let folder = self.folder.clone().unwrap_or_else(std::env::temp_dir);
        let runtime = tokio::runtime::Runtime::new()?;
        for batch in BATCHES {
            let folder = tempfile::tempdir_in(&folder)?;
            let path = folder.path().join("store.db");
            let store = Sqlite::open(&path, &sqlite::Options::default())?;
            let ids = 1..=u128::from(batch);
            runtime.block_on(async {
                for id in ids.clone() {
                    store.create(running(id)?, None).await?;
                }
                Ok::<(), Failure>(())
            })?;
            let mut raw = File::create(folder.path().join("raw"))?;
            let bytes = vec![1_u8; BYTES * batch as usize];
            let mut position = 0;
            let table = self.effort.compare(
                "entries",
                &mut [
                    Subject::new("SQLite", || {
                        let entries = ids.clone().map(|id| append(id, position)).collect();
                        position += 1;
                        let appended = runtime.block_on(store.append(entries));
                        if appended.iter().any(|appended| *appended != Appended::Appended) {
                            return Err("an entry was not stored".into());
                        }
                        Ok(u64::from(batch))
                    }),
                    Subject::new("file and fdatasync", || {
                        raw.write_all(&bytes)?;
                        raw.sync_data()?;
                        Ok(u64::from(batch))
                    }),
                ],
            )?;
            say(&format!(
                "Stored in batches of {batch}; the raw file gets {BYTES} bytes an entry:\n\n{table}"
            ))?;
        }
        Ok(())
    }
}

/// What the raw file gets for an entry: about what the packed entry has with its keys.
const BYTES: usize = 32;
