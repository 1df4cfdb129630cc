mod lists;

use std::sync::LazyLock;

use rusqlite::Connection;

use super::agent_row;
use super::error::{clamped, corrupt, store_error};
use super::log_row::StoredEntry;
use super::match_row::{SELECT, StoredMatch};
use super::packed::unpack;
use crate::agent::AgentRow;
use crate::id::{AgentName, MatchId, TournamentId};
use crate::journal::{LogRow, StoreError};
use crate::matches::MatchRow;

pub(super) use lists::list;

/// The first two terms are those of the index, in its words. Left to itself, SQLite might sort all finished matches instead.
static RATED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{} INDEXED BY matches_rated WHERE rated = 1 AND state = 'finished' AND (ended_ms, id) > (?1, ?2) \
        ORDER BY ended_ms, id LIMIT ?3",
        *SELECT
    )
});

const LAST_RATED: &str = "SELECT coalesce(max(ended_ms), 0) FROM matches INDEXED BY matches_rated \
    WHERE rated = 1 AND state = 'finished'";

/// The first term is that of the index, in its words.
static SEALED: LazyLock<String> = LazyLock::new(|| {
    format!(
        "{} INDEXED BY matches_sealed WHERE sealed = 1 AND tournament = ?1 AND id > ?2 ORDER BY id LIMIT ?3",
        *SELECT
    )
});

pub(super) fn row(conn: &Connection, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
    Ok(StoredMatch::load(conn, id)?.map(|stored| stored.row))
}

/// The log from a position on. The rows of a running match are read first: if it ends in between, they are gone from
/// there and all in the row of the match.
pub(super) fn log(conn: &Connection, id: MatchId, from: u32) -> Result<Vec<LogRow>, StoreError> {
    let entries = StoredEntry::load(conn, id, from)?;
    if !entries.is_empty() {
        return Ok(entries.into_iter().map(|entry| entry.row).collect());
    }
    let stored = StoredMatch::load(conn, id)?;
    let Some(ended) = stored.and_then(|stored| stored.ended) else {
        return Ok(Vec::new());
    };
    let mut rows = unpack(&ended.log)?;
    Ok(rows.split_off(rows.len().min(from as usize)))
}

pub(super) fn of_agent(conn: &Connection, agent: &AgentName) -> Result<Vec<MatchRow>, StoreError> {
    let sql =
        format!("{} WHERE id IN (SELECT match_id FROM match_agents WHERE agent = ?1) ORDER BY id", *SELECT);
    matches(conn, &sql, [agent.as_str()])
}

pub(super) fn rated(
    conn: &Connection,
    after: Option<(u64, MatchId)>,
    limit: usize,
) -> Result<Vec<MatchRow>, StoreError> {
    // No match ended before 1970.
    let (ms, id) = after.map_or((-1, [0; 16]), |(ms, id)| (clamped(ms), id.0.to_be_bytes()));
    matches(conn, &RATED, (ms, id, clamped(limit as u64)))
}

/// When the last of them ended, in milliseconds since 1970; 0 if there is none.
pub(super) fn last_rated(conn: &Connection) -> Result<u64, StoreError> {
    let last: i64 = conn.query_row(LAST_RATED, (), |row| row.get(0)).map_err(store_error)?;
    u64::try_from(last).map_err(|_| corrupt("the time at which a match ended is negative"))
}

pub(super) fn sealed(
    conn: &Connection,
    id: TournamentId,
    after: Option<MatchId>,
    limit: usize,
) -> Result<Vec<MatchRow>, StoreError> {
    // Nothing comes before an empty value, and every id after it.
    let after = after.map(|id| id.0.to_be_bytes().to_vec()).unwrap_or_default();
    matches(conn, &SEALED, (id.0.to_be_bytes(), after, clamped(limit as u64)))
}

fn matches(conn: &Connection, sql: &str, values: impl rusqlite::Params) -> Result<Vec<MatchRow>, StoreError> {
    let mut statement = conn.prepare_cached(sql).map_err(store_error)?;
    let mut rows = statement.query(values).map_err(store_error)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(store_error)? {
        found.push(StoredMatch::decode(row)?.row);
    }
    Ok(found)
}

pub(super) fn agents(
    conn: &Connection,
    after: Option<&AgentName>,
    limit: usize,
) -> Result<Vec<AgentRow>, StoreError> {
    // No name is empty, so all come after that.
    let after = after.map_or("", AgentName::as_str);
    let mut statement = conn.prepare_cached(agent_row::SELECT_AFTER).map_err(store_error)?;
    let mut rows = statement.query((after, clamped(limit as u64))).map_err(store_error)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(store_error)? {
        found.push(agent_row::decode(row)?.0);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema::migrated;

    #[test]
    fn what_may_be_long_is_read_from_an_index_in_its_order() {
        let conn = migrated();
        let plan = |sql: &str| -> String {
            let mut statement = conn.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
            let mut rows = statement.raw_query();
            let mut steps = Vec::new();
            while let Some(row) = rows.next().unwrap() {
                steps.push(row.get::<_, String>(3).unwrap());
            }
            steps.join("; ")
        };
        for (sql, index) in [(RATED.as_str(), "matches_rated"), (SEALED.as_str(), "matches_sealed")] {
            let plan = plan(sql);
            assert!(plan.contains(&format!("SEARCH matches USING INDEX {index}")), "{plan}");
            assert!(!plan.contains("TEMP B-TREE"), "{plan}");
        }
        let plan = plan(LAST_RATED);
        assert!(plan.contains("SEARCH matches USING COVERING INDEX matches_rated"), "{plan}");
    }
}
