use chickenfoot_rules::Seed;
use rusqlite::types::Value;
use rusqlite::{Connection, Row, ToSql};

use super::checksum::{Kind, seal, verify};
use super::error::{clamped, corrupt, integer, store_error};
use crate::id::TournamentId;
use crate::journal::StoreError;
use crate::tournament::{ListTournaments, TournamentRow, TournamentState};

/// What every statement that reads tournaments begins with.
pub(super) const SELECT: &str = "SELECT id, creator, created_ms, started_ms, ended_ms, name, settings, seed, \
    fixed_seed, state, begun, message, tally, version, checksum FROM tournaments";

const INSERT: &str =
    "INSERT INTO tournaments VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";

const UPDATE: &str = "UPDATE tournaments SET creator = ?2, created_ms = ?3, started_ms = ?4, ended_ms = ?5, name = ?6, \
    settings = ?7, seed = ?8, fixed_seed = ?9, state = ?10, begun = ?11, message = ?12, tally = ?13, \
    version = ?14, checksum = ?15 \
    WHERE id = ?1";

/// Which kind of rows a tournament counts among.
pub(super) fn kind(row: &TournamentRow) -> Kind {
    if row.state.is_over() { Kind::OverTournaments } else { Kind::LiveTournaments }
}

/// Stores a new tournament; returns the checksum.
pub(super) fn insert(row: &TournamentRow, conn: &Connection) -> Result<i64, StoreError> {
    write(row, INSERT, conn)
}

/// Stores a tournament in the place of the row with its id; returns the checksum.
pub(super) fn replace(row: &TournamentRow, conn: &Connection) -> Result<i64, StoreError> {
    write(row, UPDATE, conn)
}

fn write(row: &TournamentRow, sql: &str, conn: &Connection) -> Result<i64, StoreError> {
    let optional = |number: Option<u64>| number.map(integer).transpose();
    let tally = serde_json::to_string(&row.tally)
        .map_err(|why| StoreError::Unavailable(format!("the tally of a tournament as JSON: {why}")))?;
    let mut values: Vec<Value> = vec![
        row.id.0.to_be_bytes().to_vec().into(),
        row.creator.to_string().into(),
        integer(row.created_ms)?.into(),
        optional(row.started_ms)?.into(),
        optional(row.ended_ms)?.into(),
        row.name.clone().into(),
        row.settings.clone().into(),
        row.seed.reveal().to_vec().into(),
        i64::from(row.fixed_seed).into(),
        state_text(row.state).to_owned().into(),
        i64::from(row.begun).into(),
        row.message.clone().into(),
        tally.into(),
        i64::from(row.version).into(),
    ];
    let sum = seal(kind(row), &mut values);
    conn.prepare_cached(sql)
        .and_then(|mut statement| statement.execute(rusqlite::params_from_iter(values)))
        .map_err(store_error)?;
    Ok(sum)
}

/// Reads a tournament, and its checksum.
pub(super) fn find(conn: &Connection, id: TournamentId) -> Result<Option<(TournamentRow, i64)>, StoreError> {
    let mut statement = conn.prepare_cached(&format!("{SELECT} WHERE id = ?1")).map_err(store_error)?;
    let mut rows = statement.query([id.0.to_be_bytes()]).map_err(store_error)?;
    rows.next().map_err(store_error)?.map(decode).transpose()
}

/// Reads a page of the list of tournaments.
pub(super) fn list(conn: &Connection, query: ListTournaments) -> Result<Vec<TournamentRow>, StoreError> {
    let state = query.state.map(state_text);
    let after = query.after.map(|(ms, id)| (clamped(ms), id.0.to_be_bytes()));
    let mut conditions = vec!["TRUE"];
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
    let limit = clamped(query.limit as u64);
    values.push((":limit", &limit));
    let conditions = conditions.join(" AND ");
    let sql = format!("{SELECT} WHERE {conditions} ORDER BY created_ms DESC, id DESC LIMIT :limit");
    let mut statement = conn.prepare_cached(&sql).map_err(store_error)?;
    let mut rows = statement.query(values.as_slice()).map_err(store_error)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(store_error)? {
        found.push(decode(row)?.0);
    }
    Ok(found)
}

/// Reads a row of [`SELECT`], and returns its checksum with it.
pub(super) fn decode(row: &Row<'_>) -> Result<(TournamentRow, i64), StoreError> {
    let checksum = verify(Kind::LiveTournaments, row)?;
    let id = TournamentId(u128::from_be_bytes(row.get(0).map_err(store_error)?));
    let bad = |what: &str| corrupt(format!("tournament {id}: {what} makes no sense"));
    let number = |column| -> Result<Option<u64>, StoreError> {
        let number: Option<i64> = row.get(column).map_err(store_error)?;
        number.map(|number| u64::try_from(number).map_err(|_| bad("a time"))).transpose()
    };
    let text = |column| row.get::<_, String>(column).map_err(store_error);
    let tournament = TournamentRow {
        id,
        creator: text(1)?.parse().map_err(|_| bad("the creator"))?,
        created_ms: number(2)?.ok_or_else(|| bad("a time"))?,
        started_ms: number(3)?,
        ended_ms: number(4)?,
        name: text(5)?,
        settings: text(6)?,
        seed: Seed::new(row.get(7).map_err(store_error)?),
        fixed_seed: row.get(8).map_err(store_error)?,
        state: state_of(&text(9)?).ok_or_else(|| bad("the state"))?,
        begun: row.get(10).map_err(store_error)?,
        message: text(11)?,
        tally: serde_json::from_str(&text(12)?).map_err(|_| bad("the tally"))?,
        version: row.get(13).map_err(store_error)?,
    };
    Ok((tournament, checksum))
}

fn state_text(state: TournamentState) -> &'static str {
    match state {
        TournamentState::Open => "open",
        TournamentState::Running => "running",
        TournamentState::Paused => "paused",
        TournamentState::Finished => "finished",
        TournamentState::Cancelled => "cancelled",
    }
}

fn state_of(text: &str) -> Option<TournamentState> {
    match text {
        "open" => Some(TournamentState::Open),
        "running" => Some(TournamentState::Running),
        "paused" => Some(TournamentState::Paused),
        "finished" => Some(TournamentState::Finished),
        "cancelled" => Some(TournamentState::Cancelled),
        _ => None,
    }
}
