use std::time::Duration;

use chickenfoot_rules::Entry;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Row};

use super::checksum::{Kind, checksum, verify};
use super::error::{corrupt, integer, store_error};
use super::packed::{cause_number, cause_of, micros};
use crate::id::{EntryId, Incarnation, MatchId};
use crate::journal::{LogRow, StoreError};

/// A row of the table of logs.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredEntry {
    pub(super) match_id: MatchId,
    pub(super) position: u32,
    pub(super) id: EntryId,
    pub(super) writer: Incarnation,
    pub(super) row: LogRow,
    /// The checksum that it was read with.
    pub(super) checksum: i64,
}

/// What every statement that reads entries begins with.
pub(super) const SELECT: &str =
    "SELECT match_id, position, entry_id, writer, entry, cause, think_us, illegal, checksum FROM log";

const INSERT: &str = "INSERT INTO log VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";

const FROM: &str = "SELECT match_id, position, entry_id, writer, entry, cause, think_us, illegal, checksum FROM log \
    WHERE match_id = ?1 AND position >= ?2 ORDER BY position";

const LAST: &str = "SELECT match_id, position, entry_id, writer, entry, cause, think_us, illegal, checksum FROM log \
    WHERE match_id = ?1 ORDER BY position DESC LIMIT 1";

impl StoredEntry {
    /// Stores it; returns its checksum.
    pub(super) fn insert(&self, conn: &Connection) -> Result<i64, StoreError> {
        let (id, entry) = (self.match_id.0.to_be_bytes(), self.row.entry.to_bytes());
        let values = [
            ValueRef::Blob(&id),
            ValueRef::Integer(i64::from(self.position)),
            // An id may be any 64 bits: they are stored as they are.
            ValueRef::Integer(self.id.0 as i64),
            ValueRef::Integer(integer(self.writer.0)?),
            ValueRef::Blob(&entry),
            ValueRef::Integer(i64::from(cause_number(self.row.cause))),
            ValueRef::Integer(integer(micros(self.row.think))?),
            ValueRef::Integer(i64::from(self.row.illegal)),
        ];
        let sum = checksum(Kind::Log, values);
        let values = values.into_iter().chain([ValueRef::Integer(sum)]);
        conn.prepare_cached(INSERT)
            .and_then(|mut statement| {
                statement.execute(rusqlite::params_from_iter(values.map(ToSqlOutput::Borrowed)))
            })
            .map_err(store_error)?;
        Ok(sum)
    }

    /// The log of a running match from a position on.
    pub(super) fn load(conn: &Connection, id: MatchId, from: u32) -> Result<Vec<StoredEntry>, StoreError> {
        let mut statement = conn.prepare_cached(FROM).map_err(store_error)?;
        let mut rows = statement.query((id.0.to_be_bytes(), from)).map_err(store_error)?;
        let mut entries: Vec<StoredEntry> = Vec::new();
        while let Some(row) = rows.next().map_err(store_error)? {
            let entry = StoredEntry::decode(row)?;
            if entry.position as usize != from as usize + entries.len() {
                return Err(corrupt(format!("the log of match {id} has a hole before {}", entry.position)));
            }
            entries.push(entry);
        }
        Ok(entries)
    }

    /// The last entry of a running match.
    pub(super) fn last(conn: &Connection, id: MatchId) -> Result<Option<StoredEntry>, StoreError> {
        let mut statement = conn.prepare_cached(LAST).map_err(store_error)?;
        let mut rows = statement.query([id.0.to_be_bytes()]).map_err(store_error)?;
        match rows.next().map_err(store_error)? {
            Some(row) => StoredEntry::decode(row).map(Some),
            None => Ok(None),
        }
    }

    /// The id of the entry in a position of a running match.
    pub(super) fn id_at(conn: &Connection, id: MatchId, position: u32) -> Result<EntryId, StoreError> {
        let read = conn
            .prepare_cached("SELECT entry_id FROM log WHERE match_id = ?1 AND position = ?2")
            .and_then(|mut statement| {
                statement.query_row((id.0.to_be_bytes(), position), |row| row.get::<_, i64>(0))
            });
        match read {
            Ok(entry_id) => Ok(EntryId(entry_id as u64)),
            Err(rusqlite::Error::QueryReturnedNoRows) => {
                Err(corrupt(format!("the log of match {id} has a hole at {position}")))
            }
            Err(why) => Err(store_error(why)),
        }
    }

    /// Reads a row of [`SELECT`].
    pub(super) fn decode(row: &Row<'_>) -> Result<StoredEntry, StoreError> {
        let checksum = verify(Kind::Log, row)?;
        let read = || {
            Ok::<_, rusqlite::Error>((
                row.get::<_, [u8; 16]>(0)?,
                row.get::<_, u32>(1)?,
                row.get::<_, i64>(2)?,
                row.get::<_, i64>(3)?,
                row.get::<_, [u8; 4]>(4)?,
                row.get::<_, u8>(5)?,
                row.get::<_, i64>(6)?,
                row.get::<_, u32>(7)?,
            ))
        };
        let (match_id, position, id, writer, entry, cause, think, illegal) = read().map_err(store_error)?;
        let match_id = MatchId(u128::from_be_bytes(match_id));
        let bad = || corrupt(format!("entry {position} of match {match_id} makes no sense"));
        Ok(StoredEntry {
            match_id,
            position,
            id: EntryId(id as u64),
            writer: Incarnation(writer.try_into().map_err(|_| bad())?),
            row: LogRow {
                entry: Entry::from_bytes(entry).ok_or_else(bad)?,
                cause: cause_of(cause).ok_or_else(bad)?,
                think: Duration::from_micros(think.try_into().map_err(|_| bad())?),
                illegal,
            },
            checksum,
        })
    }
}
