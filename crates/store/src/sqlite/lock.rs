use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::Path;

use super::schema::{beside, io_failure};
use crate::journal::StoreError;

/// The right to be the only server on a file: an advisory lock on a second file beside it.
///
/// SQLite's own locks would let two servers take turns, each with its own idea of the matches. The lock ends with the
/// process, however that ends; the file stays, and says who held it last.
pub(super) struct Lock(#[expect(dead_code, reason = "held, not used")] File);

impl Lock {
    pub(super) fn take(database: &Path) -> Result<Lock, StoreError> {
        let path = beside(database, ".lock");
        // Who reads it knows the database by name, and not the lock.
        let failed = |why: &std::io::Error| {
            io_failure(format!("{}: it cannot be locked: {why}", database.display()), why)
        };
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|why| failed(&why))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut pid = String::new();
                // Only for the message; on some systems a locked file cannot be read.
                let _ = file.read_to_string(&mut pid);
                let pid = pid.trim();
                let pid = if pid.is_empty() { "unknown" } else { pid };
                return Err(StoreError::Unavailable(format!(
                    "{} is in use by another server (pid {pid})",
                    database.display()
                )));
            }
            Err(TryLockError::Error(why)) => return Err(failed(&why)),
        }
        let pid = format!("{}\n", std::process::id());
        file.set_len(0)
            .and_then(|()| file.rewind())
            .and_then(|()| file.write_all(pid.as_bytes()))
            .map_err(|why| failed(&why))?;
        Ok(Lock(file))
    }
}
