use rusqlite::types::Value;
use rusqlite::{Connection, Row};

use super::checksum::{Kind, seal, verify};
use super::error::{clamped, corrupt, integer, store_error};
use crate::id::TournamentId;
use crate::journal::StoreError;
use crate::tournament::BlockRow;

/// What every statement that reads blocks begins with.
pub(super) const SELECT: &str = "SELECT tournament, number, ended_ms, outcome, checksum FROM blocks";

const INSERT: &str = "INSERT INTO blocks VALUES (?1, ?2, ?3, ?4, ?5)";

/// Stores a new block; returns the checksum.
pub(super) fn insert(row: &BlockRow, conn: &Connection) -> Result<i64, StoreError> {
    let outcome = serde_json::to_string(&row.outcome)
        .map_err(|why| StoreError::Unavailable(format!("the outcome of a block as JSON: {why}")))?;
    let mut values: Vec<Value> = vec![
        row.tournament.0.to_be_bytes().to_vec().into(),
        i64::from(row.number).into(),
        integer(row.ended_ms)?.into(),
        outcome.into(),
    ];
    let sum = seal(Kind::Blocks, &mut values);
    conn.prepare_cached(INSERT)
        .and_then(|mut statement| statement.execute(rusqlite::params_from_iter(values)))
        .map_err(store_error)?;
    Ok(sum)
}

/// Whether there is a block of that number.
pub(super) fn is_there(id: TournamentId, number: u32, conn: &Connection) -> Result<bool, StoreError> {
    conn.prepare_cached("SELECT 1 FROM blocks WHERE tournament = ?1 AND number = ?2")
        .and_then(|mut statement| statement.exists((id.0.to_be_bytes(), number)))
        .map_err(store_error)
}

/// Reads up to `limit` blocks in the order of their numbers.
pub(super) fn page(
    conn: &Connection,
    id: TournamentId,
    from: u32,
    limit: usize,
) -> Result<Vec<BlockRow>, StoreError> {
    let sql = format!("{SELECT} WHERE tournament = ?1 AND number >= ?2 ORDER BY number LIMIT ?3");
    let mut statement = conn.prepare_cached(&sql).map_err(store_error)?;
    let values = (id.0.to_be_bytes(), from, clamped(limit as u64));
    let mut rows = statement.query(values).map_err(store_error)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(store_error)? {
        found.push(decode(row)?.0);
    }
    Ok(found)
}

/// Reads a row of [`SELECT`], and returns its checksum with it.
pub(super) fn decode(row: &Row<'_>) -> Result<(BlockRow, i64), StoreError> {
    let checksum = verify(Kind::Blocks, row)?;
    let tournament = TournamentId(u128::from_be_bytes(row.get(0).map_err(store_error)?));
    let number: u32 = row.get(1).map_err(store_error)?;
    let ended_ms: i64 = row.get(2).map_err(store_error)?;
    let outcome: String = row.get(3).map_err(store_error)?;
    let bad = |why: &dyn std::fmt::Display| {
        corrupt(format!("block {number} of tournament {tournament} makes no sense: {why}"))
    };
    let block = BlockRow {
        tournament,
        number,
        ended_ms: ended_ms.try_into().map_err(|why| bad(&why))?,
        outcome: serde_json::from_str(&outcome).map_err(|why| bad(&why))?,
    };
    Ok((block, checksum))
}
