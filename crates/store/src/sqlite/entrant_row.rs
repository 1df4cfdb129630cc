use chickenfoot_rules::Hex32;
use rusqlite::types::Value;
use rusqlite::{Connection, Params, Row};

use super::checksum::{Kind, seal, verify};
use super::error::{clamped, corrupt, integer, store_error};
use super::seat_text::occupant_of;
use crate::id::{AgentName, MatchId, TournamentId};
use crate::journal::StoreError;
use crate::tournament::{EntrantRow, EntrantState};

/// What every statement that reads entrants begins with.
pub(super) const SELECT: &str = "SELECT tournament, number, name, who, entropy, joined_ms, state, check_match, \
    position, from_stage, until_stage, checksum FROM entrants";

const INSERT: &str = "INSERT INTO entrants VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";

const REMOVE: &str = "DELETE FROM entrants WHERE tournament = ?1 AND number = ?2 RETURNING checksum";

/// Stores a new entrant; returns the checksum.
pub(super) fn insert(id: TournamentId, entrant: &EntrantRow, conn: &Connection) -> Result<i64, StoreError> {
    let mut values: Vec<Value> = vec![
        id.0.to_be_bytes().to_vec().into(),
        i64::from(entrant.number).into(),
        entrant.name.to_string().into(),
        entrant.who.name().into(),
        entrant.entropy.0.to_vec().into(),
        integer(entrant.joined_ms)?.into(),
        state_text(entrant.state).to_owned().into(),
        entrant.check.map(|id| id.0.to_be_bytes().to_vec()).into(),
        entrant.position.map(i64::from).into(),
        i64::from(entrant.from_stage).into(),
        entrant.until_stage.map(i64::from).into(),
    ];
    let sum = seal(Kind::Entrants, &mut values);
    conn.prepare_cached(INSERT)
        .and_then(|mut statement| statement.execute(rusqlite::params_from_iter(values)))
        .map_err(store_error)?;
    Ok(sum)
}

/// Deletes an entrant; returns the checksum if it was there.
pub(super) fn remove(id: TournamentId, number: u32, conn: &Connection) -> Result<Option<i64>, StoreError> {
    let mut statement = conn.prepare_cached(REMOVE).map_err(store_error)?;
    let mut sums =
        statement.query_map((id.0.to_be_bytes(), number), |row| row.get::<_, i64>(0)).map_err(store_error)?;
    sums.next().transpose().map_err(store_error)
}

/// How many entrants a tournament has.
pub(super) fn count(id: TournamentId, conn: &Connection) -> Result<usize, StoreError> {
    conn.prepare_cached("SELECT count(*) FROM entrants WHERE tournament = ?1")
        .and_then(|mut statement| statement.query_row([id.0.to_be_bytes()], |row| row.get::<_, u32>(0)))
        .map(|count| count as usize)
        .map_err(store_error)
}

/// The number of the entrant of that name.
pub(super) fn number_of(
    id: TournamentId,
    name: &AgentName,
    conn: &Connection,
) -> Result<Option<u32>, StoreError> {
    let mut statement = conn
        .prepare_cached("SELECT number FROM entrants WHERE tournament = ?1 AND name = ?2")
        .map_err(store_error)?;
    let mut numbers = statement
        .query_map((id.0.to_be_bytes(), name.as_str()), |row| row.get::<_, u32>(0))
        .map_err(store_error)?;
    numbers.next().transpose().map_err(store_error)
}

/// Whether there is an entrant of that number.
pub(super) fn is_there(id: TournamentId, number: u32, conn: &Connection) -> Result<bool, StoreError> {
    conn.prepare_cached("SELECT 1 FROM entrants WHERE tournament = ?1 AND number = ?2")
        .and_then(|mut statement| statement.exists((id.0.to_be_bytes(), number)))
        .map_err(store_error)
}

/// Reads up to `limit` entrants in the order of their numbers.
pub(super) fn page(
    conn: &Connection,
    id: TournamentId,
    from: u32,
    limit: usize,
) -> Result<Vec<EntrantRow>, StoreError> {
    let sql = format!("{SELECT} WHERE tournament = ?1 AND number >= ?2 ORDER BY number LIMIT ?3");
    read(conn, &sql, (id.0.to_be_bytes(), from, clamped(limit as u64)))
}

/// Reads the entrant of that name.
pub(super) fn find(
    conn: &Connection,
    id: TournamentId,
    name: &AgentName,
) -> Result<Option<EntrantRow>, StoreError> {
    let sql = format!("{SELECT} WHERE tournament = ?1 AND name = ?2");
    Ok(read(conn, &sql, (id.0.to_be_bytes(), name.as_str()))?.pop())
}

fn read(conn: &Connection, sql: &str, values: impl Params) -> Result<Vec<EntrantRow>, StoreError> {
    let mut statement = conn.prepare_cached(sql).map_err(store_error)?;
    let mut rows = statement.query(values).map_err(store_error)?;
    let mut found = Vec::new();
    while let Some(row) = rows.next().map_err(store_error)? {
        found.push(decode(row)?.row);
    }
    Ok(found)
}

/// A row of the table of entrants.
pub(super) struct StoredEntrant {
    pub(super) tournament: TournamentId,
    pub(super) row: EntrantRow,
    /// The checksum that it was read with.
    pub(super) checksum: i64,
}

/// Reads a row of [`SELECT`].
pub(super) fn decode(row: &Row<'_>) -> Result<StoredEntrant, StoreError> {
    let checksum = verify(Kind::Entrants, row)?;
    let tournament = TournamentId(u128::from_be_bytes(row.get(0).map_err(store_error)?));
    let number: u32 = row.get(1).map_err(store_error)?;
    let bad =
        |what: &str| corrupt(format!("entrant {number} of tournament {tournament}: {what} makes no sense"));
    let text = |column| row.get::<_, String>(column).map_err(store_error);
    let joined_ms: i64 = row.get(5).map_err(store_error)?;
    let check: Option<[u8; 16]> = row.get(7).map_err(store_error)?;
    let row = EntrantRow {
        number,
        name: text(2)?.parse().map_err(|_| bad("the name"))?,
        who: occupant_of(&text(3)?).ok_or_else(|| bad("who it is"))?,
        entropy: Hex32(row.get(4).map_err(store_error)?),
        joined_ms: joined_ms.try_into().map_err(|_| bad("the time"))?,
        state: state_of(&text(6)?).ok_or_else(|| bad("the state"))?,
        check: check.map(|id| MatchId(u128::from_be_bytes(id))),
        position: row.get(8).map_err(store_error)?,
        from_stage: row.get(9).map_err(store_error)?,
        until_stage: row.get(10).map_err(store_error)?,
    };
    Ok(StoredEntrant { tournament, row, checksum })
}

fn state_text(state: EntrantState) -> &'static str {
    match state {
        EntrantState::Invited => "invited",
        EntrantState::Checking => "checking",
        EntrantState::Rejected => "rejected",
        EntrantState::Entered => "entered",
        EntrantState::Withdrawn => "withdrawn",
    }
}

fn state_of(text: &str) -> Option<EntrantState> {
    match text {
        "invited" => Some(EntrantState::Invited),
        "checking" => Some(EntrantState::Checking),
        "rejected" => Some(EntrantState::Rejected),
        "entered" => Some(EntrantState::Entered),
        "withdrawn" => Some(EntrantState::Withdrawn),
        _ => None,
    }
}
