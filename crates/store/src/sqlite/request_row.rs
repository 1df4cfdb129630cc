use rusqlite::types::Value;
use rusqlite::{Connection, Row};

use super::checksum::{Kind, seal, verify};
use super::error::{corrupt, integer, store_error};
use crate::journal::StoreError;
use crate::request::{Remembered, RequestKey};

const SELECT: &str = "SELECT caller, method, id_hash, request_hash, answer, at_ms, checksum FROM requests \
    WHERE caller = ?1 AND method = ?2 AND id_hash = ?3";

const INSERT: &str = "INSERT INTO requests VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO NOTHING";

const FORGET: &str = "DELETE FROM requests WHERE at_ms < ?1 RETURNING checksum";

/// Stores an answer unless there is one already; returns the checksum if it was stored.
pub(super) fn insert(request: &Remembered, conn: &Connection) -> Result<Option<i64>, StoreError> {
    let mut values: Vec<Value> = vec![
        request.key.caller.clone().into(),
        request.key.method.to_owned().into(),
        request.key.id_hash.to_vec().into(),
        request.request_hash.to_vec().into(),
        request.answer.clone().into(),
        integer(request.at_ms)?.into(),
    ];
    let sum = seal(Kind::Requests, &mut values);
    let inserted = conn
        .prepare_cached(INSERT)
        .and_then(|mut statement| statement.execute(rusqlite::params_from_iter(values)))
        .map_err(store_error)?;
    Ok((inserted > 0).then_some(sum))
}

/// Deletes what is older than a moment; returns the checksums of what was deleted.
pub(super) fn forget(before_ms: u64, conn: &Connection) -> Result<Vec<i64>, StoreError> {
    let before = i64::try_from(before_ms).unwrap_or(i64::MAX);
    let mut statement = conn.prepare_cached(FORGET).map_err(store_error)?;
    let sums = statement.query_map([before], |row| row.get(0)).map_err(store_error)?;
    sums.collect::<Result<_, _>>().map_err(store_error)
}

/// Reads the answer to a request.
pub(super) fn find(conn: &Connection, key: &RequestKey) -> Result<Option<Remembered>, StoreError> {
    let mut statement = conn.prepare_cached(SELECT).map_err(store_error)?;
    let mut rows = statement.query((&key.caller, key.method, key.id_hash)).map_err(store_error)?;
    let Some(row) = rows.next().map_err(store_error)? else {
        return Ok(None);
    };
    verify(Kind::Requests, row)?;
    decode(row, key.clone()).map(Some)
}

fn decode(row: &Row<'_>, key: RequestKey) -> Result<Remembered, StoreError> {
    let at_ms: i64 = row.get(5).map_err(store_error)?;
    Ok(Remembered {
        key,
        request_hash: row.get(3).map_err(store_error)?,
        answer: row.get(4).map_err(store_error)?,
        at_ms: at_ms.try_into().map_err(|_| corrupt("the time of a remembered request is negative"))?,
    })
}
