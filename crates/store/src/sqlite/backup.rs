use std::fs::File;
use std::path::Path;

use super::error::store_error;
use super::schema::{io_error, open_reader, require_current};
use crate::journal::StoreError;

/// Copies a store, as of one moment, into a new file, which is on the disk when this returns. A server may be using the
/// store meanwhile. This blocks for as long as it takes; [`Sqlite::backup`](crate::Sqlite::backup) does not.
///
/// # Errors
/// There is a file of that name already; it is never overwritten. The store cannot be read or the copy not be written.
pub fn backup(from: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<(), StoreError> {
    let (from, to) = (from.as_ref(), to.as_ref());
    let text = to.to_str().ok_or_else(|| {
        StoreError::Unavailable(format!("{}: the name of the copy is not UTF-8", to.display()))
    })?;
    let conn = open_reader(from, super::Options::default().busy_timeout)?;
    require_current(&conn)?;
    let mut create = File::options();
    create.write(true).create_new(true);
    // The copy holds the same secrets.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut create, 0o600);
    let file = create.open(to).map_err(|why| io_error(to, &why))?;
    // SQLite writes into a file that is there only if it is empty, and does not wait for the disk.
    let copied = conn
        .execute("VACUUM INTO ?1", [text])
        .map_err(store_error)
        .and_then(|_| file.sync_all().map_err(|why| io_error(to, &why)))
        .and_then(|()| sync_directory(to));
    if copied.is_err() {
        // Half a copy is worse than none; if it cannot even be removed, the error below says enough.
        let _ = std::fs::remove_file(to);
    }
    copied
}

/// Waits until the name of a new file is on the disk.
fn sync_directory(path: &Path) -> Result<(), StoreError> {
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    if cfg!(unix) {
        File::open(parent)
            .and_then(|directory| directory.sync_all())
            .map_err(|why| io_error(parent, &why))?;
    }
    Ok(())
}
