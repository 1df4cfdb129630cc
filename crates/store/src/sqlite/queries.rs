use rusqlite::{Connection, ToSql};

use super::agent_row;
use super::error::store_error;
use super::log_row::StoredEntry;
use super::match_row::{SELECT, StoredMatch, state_texts};
use super::packed::unpack;
use crate::agent::AgentRow;
use crate::id::{AgentName, MatchId};
use crate::journal::{ListMatches, LogRow, StoreError};
use crate::matches::MatchRow;

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

pub(super) fn list(conn: &Connection, query: ListMatches) -> Result<Vec<MatchRow>, StoreError> {
    let state = query.state.map(|state| state_texts(state).0);
    let after = query.after.map(|(ms, id)| (i64::try_from(ms).unwrap_or(i64::MAX), id.0.to_be_bytes()));
    let mut conditions = Vec::new();
    let mut values: Vec<(&str, &dyn ToSql)> = Vec::new();
    if let Some(state) = &state {
        conditions.push("state = :state");
        values.push((":state", state));
    }
    if let Some((ms, id)) = &after {
        conditions.push("(created_ms, id) < (:ms, :id)");
        values.push((":ms", ms));
        values.push((":id", id));
    }
    let limit = i64::try_from(query.limit).unwrap_or(i64::MAX);
    values.push((":limit", &limit));
    let all = if conditions.is_empty() { "TRUE".to_owned() } else { conditions.join(" AND ") };
    let sql = format!("{} WHERE {all} ORDER BY created_ms DESC, id DESC LIMIT :limit", *SELECT);
    matches(conn, &sql, values.as_slice())
}

pub(super) fn of_agent(conn: &Connection, agent: &AgentName) -> Result<Vec<MatchRow>, StoreError> {
    let sql =
        format!("{} WHERE id IN (SELECT match_id FROM match_agents WHERE agent = ?1) ORDER BY id", *SELECT);
    matches(conn, &sql, [agent.as_str()])
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
    let mut rows = statement.query((after, i64::try_from(limit).unwrap_or(i64::MAX))).map_err(store_error)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(store_error)? {
        found.push(agent_row::decode(row)?.0);
    }
    Ok(found)
}
