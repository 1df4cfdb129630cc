use std::path::{Path, PathBuf};
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::{corrupt, store_error};
use super::options::Options;
use crate::journal::StoreError;

/// Marks a file as a store of this service: "CkFt".
const APPLICATION_ID: i32 = 0x436b_4674;

/// The scripts that lead from one version of the schema to the next: the first makes version 1 of an empty file. A
/// script that was released is never changed.
pub(super) const MIGRATIONS: &[&str] = &[
    include_str!("migrations/0001.sql"),
    include_str!("migrations/0002.sql"),
    include_str!("migrations/0003.sql"),
    include_str!("migrations/0004.sql"),
];

/// The file's pages that the write-ahead log may hold before they are copied: 16 MiB.
const CHECKPOINT_PAGES: u32 = 4096;

/// Opens the connection that writes, and brings the schema up to date.
pub(super) fn open_writer(path: &Path, options: &Options) -> Result<Connection, StoreError> {
    let conn = open_or_create(path)?;
    conn.busy_timeout(options.busy_timeout).map_err(store_error)?;
    // Before anything is written to a file that may be somebody else's.
    let version = version(&conn)?;
    let mode: String =
        conn.query_row("PRAGMA journal_mode = WAL", (), |row| row.get(0)).map_err(store_error)?;
    if mode != "wal" {
        return Err(StoreError::Unavailable(format!(
            "{}: no write-ahead log is possible here (journal mode {mode})",
            path.display()
        )));
    }
    let set = |name: &str, value: i64| conn.pragma_update(None, name, value).map_err(store_error);
    // What was committed survives the loss of power.
    set("synchronous", 2)?;
    set("fullfsync", 1)?;
    set("checkpoint_fullfsync", 1)?;
    set("cell_size_check", 1)?;
    set("trusted_schema", 0)?;
    set("wal_autocheckpoint", i64::from(CHECKPOINT_PAGES))?;
    set("journal_size_limit", 64 << 20)?;
    // In KiB if negative: 64 MiB.
    set("cache_size", -(64 << 10))?;
    if let Some(bytes) = options.max_bytes {
        let page: u32 = conn.query_row("PRAGMA page_size", (), |row| row.get(0)).map_err(store_error)?;
        set("max_page_count", i64::try_from(bytes / u64::from(page.max(1))).unwrap_or(i64::MAX))?;
    }
    conn.set_prepared_statement_cache_capacity(64);
    migrate(&conn, version, MIGRATIONS)?;
    Ok(conn)
}

/// Opens a connection that only reads.
pub(super) fn open_reader(path: &Path, busy_timeout: Duration) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(store_error)?;
    conn.busy_timeout(busy_timeout).map_err(store_error)?;
    let set = |name: &str, value: i64| conn.pragma_update(None, name, value).map_err(store_error);
    set("cell_size_check", 1)?;
    set("trusted_schema", 0)?;
    conn.set_prepared_statement_cache_capacity(64);
    Ok(conn)
}

/// The version of a file that must be one of ours and of this version.
pub(super) fn require_current(conn: &Connection) -> Result<(), StoreError> {
    let version = version(conn)?;
    if version == MIGRATIONS.len() {
        return Ok(());
    }
    Err(StoreError::Unavailable(format!(
        "the file has version {version} of the schema; a server of this version has to open it once, for version {}",
        MIGRATIONS.len()
    )))
}

fn open_or_create(path: &Path) -> Result<Connection, StoreError> {
    let length = std::fs::metadata(path).map_or(0, |file| file.len());
    let log = beside(path, "-wal");
    if length == 0 && std::fs::metadata(&log).is_ok_and(|file| file.len() > 0) {
        // SQLite would take the file for a new one and delete the log.
        return Err(corrupt(format!(
            "{} is empty or missing, but {} is there",
            path.display(),
            log.display()
        )));
    }
    create_private(path)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let conn = Connection::open_with_flags(path, flags).map_err(store_error)?;
    // SQLite opens what it may not write as read-only, without a word.
    if conn.is_readonly("main").map_err(store_error)? {
        return Err(StoreError::ReadOnly(path.display().to_string()));
    }
    Ok(conn)
}

/// Creates the file if it is not there. It holds secrets: hashes of tokens, and the seeds of matches under way.
fn create_private(path: &Path) -> Result<(), StoreError> {
    let mut open = std::fs::File::options();
    open.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut open, 0o600);
    open.open(path).map(|_| ()).map_err(|why| io_error(path, &why))
}

/// Says in the store's words why a file cannot be used.
pub(super) fn io_error(path: &Path, why: &std::io::Error) -> StoreError {
    io_failure(format!("{}: {why}", path.display()), why)
}

/// Says in the store's words that something could not be done with a file.
pub(super) fn io_failure(text: String, why: &std::io::Error) -> StoreError {
    use std::io::ErrorKind;
    match why.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem | ErrorKind::StorageFull => {
            StoreError::ReadOnly(text)
        }
        _ => StoreError::Unavailable(text),
    }
}

/// The path with something added to its last part.
pub(super) fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// The version of the schema: 0 of a new file.
fn version(conn: &Connection) -> Result<usize, StoreError> {
    let number = |sql: &str| conn.query_row(sql, (), |row| row.get::<_, i64>(0)).map_err(store_error);
    let (id, version) = (number("PRAGMA application_id")?, number("PRAGMA user_version")?);
    let things = number("SELECT count(*) FROM sqlite_schema")?;
    if id == 0 && version == 0 && things == 0 {
        return Ok(0);
    }
    if id != i64::from(APPLICATION_ID) {
        return Err(StoreError::Unavailable(
            "the file is a database, but not one of this service".to_owned(),
        ));
    }
    match usize::try_from(version) {
        Ok(version) if version > MIGRATIONS.len() => Err(StoreError::Unavailable(format!(
            "the file was written by a newer version of this service: it has version {version} of the schema, this \
             program knows it up to version {}",
            MIGRATIONS.len()
        ))),
        Ok(version) if version > 0 && things > 0 => Ok(version),
        _ => Err(corrupt(format!("version {version} of the schema with {things} parts"))),
    }
}

/// Runs the scripts from a version on, each in a transaction of its own.
fn migrate(conn: &Connection, from: usize, scripts: &[&str]) -> Result<(), StoreError> {
    for (script, version) in scripts.iter().zip(1..).skip(from) {
        let step = format!(
            "BEGIN IMMEDIATE; {script}; PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {version}; COMMIT"
        );
        if let Err(why) = conn.execute_batch(&step) {
            if !conn.is_autocommit() {
                // What the failed step did must not be there when the file is closed; if this fails too, it is not.
                let _ = conn.execute_batch("ROLLBACK");
            }
            return Err(store_error(why));
        }
    }
    Ok(())
}

/// A new database in memory, of the current version.
#[cfg(test)]
pub(super) fn migrated() -> Connection {
    let conn = Connection::open_in_memory().unwrap();
    migrate_to(&conn, MIGRATIONS.len());
    conn
}

/// Brings a database to a version.
#[cfg(test)]
pub(super) fn migrate_to(conn: &Connection, to: usize) {
    let from: i64 = conn.query_row("PRAGMA user_version", (), |row| row.get(0)).unwrap();
    migrate(conn, from as usize, &MIGRATIONS[..to]).unwrap();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_that_fails_leaves_the_version_before_it() {
        let conn = Connection::open_in_memory().unwrap();
        let steps = ["CREATE TABLE a (x)", "CREATE TABLE b (x); CREATE TABLE a (x)"];
        assert!(migrate(&conn, 0, &steps).is_err());
        let version: i64 = conn.query_row("PRAGMA user_version", (), |row| row.get(0)).unwrap();
        let tables: i64 = conn.query_row("SELECT count(*) FROM sqlite_schema", (), |row| row.get(0)).unwrap();
        assert_eq!((version, tables), (1, 1));
        let steps = ["", "CREATE TABLE b (x)", "CREATE TABLE c (x)"];
        assert_eq!(migrate(&conn, 1, &steps), Ok(()));
        let version: i64 = conn.query_row("PRAGMA user_version", (), |row| row.get(0)).unwrap();
        assert_eq!(version, 3);
    }
}
