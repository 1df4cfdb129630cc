use rusqlite::types::Value;
use rusqlite::{Connection, Row};

use super::checksum::{Kind, seal, verify};
use super::error::{corrupt, integer, store_error};
use crate::agent::{AgentRow, Role};
use crate::journal::StoreError;

pub(super) const SELECT_BY_NAME: &str =
    "SELECT name, token_hash, role, created_ms, checksum FROM agents WHERE name = ?1";

pub(super) const SELECT_BY_TOKEN: &str =
    "SELECT name, token_hash, role, created_ms, checksum FROM agents WHERE token_hash = ?1";

/// In the order of names, which is that of their bytes: the table's collation is BINARY.
pub(super) const SELECT_AFTER: &str =
    "SELECT name, token_hash, role, created_ms, checksum FROM agents WHERE name > ?1 ORDER BY name LIMIT ?2";

const REPLACE: &str = "INSERT INTO agents VALUES (?1, ?2, ?3, ?4, ?5) \
    ON CONFLICT (name) DO UPDATE SET token_hash = ?2, role = ?3, created_ms = ?4, checksum = ?5";

/// Stores an agent, in the place of the one of its name if there is one; returns the checksum.
pub(super) fn put(row: &AgentRow, conn: &Connection) -> Result<i64, StoreError> {
    let mut values: Vec<Value> = vec![
        row.name.to_string().into(),
        row.token_hash.map(|hash| hash.to_vec()).into(),
        role_text(row.role).to_owned().into(),
        integer(row.created_ms)?.into(),
    ];
    let sum = seal(Kind::Agents, &mut values);
    conn.prepare_cached(REPLACE)
        .and_then(|mut statement| statement.execute(rusqlite::params_from_iter(values)))
        .map_err(store_error)?;
    Ok(sum)
}

/// Reads at most one agent with one of the statements of this module, and its checksum.
pub(super) fn find(
    conn: &Connection,
    sql: &str,
    key: impl rusqlite::ToSql,
) -> Result<Option<(AgentRow, i64)>, StoreError> {
    let mut statement = conn.prepare_cached(sql).map_err(store_error)?;
    let mut rows = statement.query([key]).map_err(store_error)?;
    rows.next().map_err(store_error)?.map(decode).transpose()
}

/// Reads a row, and returns its checksum with it.
pub(super) fn decode(row: &Row<'_>) -> Result<(AgentRow, i64), StoreError> {
    let checksum = verify(Kind::Agents, row)?;
    let read = || {
        Ok::<_, rusqlite::Error>((
            row.get::<_, String>(0)?,
            row.get::<_, Option<[u8; 32]>>(1)?,
            row.get::<_, String>(2)?,
            row.get::<_, i64>(3)?,
        ))
    };
    let (name, token_hash, role, created_ms) = read().map_err(store_error)?;
    let bad = || corrupt(format!("the row of agent {name:?} makes no sense"));
    let agent = AgentRow {
        name: name.parse().map_err(|_| bad())?,
        token_hash,
        role: role_of(&role).ok_or_else(bad)?,
        created_ms: created_ms.try_into().map_err(|_| bad())?,
    };
    Ok((agent, checksum))
}

fn role_text(role: Role) -> &'static str {
    match role {
        Role::Agent => "agent",
        Role::Organiser => "organiser",
        Role::Admin => "admin",
    }
}

fn role_of(text: &str) -> Option<Role> {
    match text {
        "agent" => Some(Role::Agent),
        "organiser" => Some(Role::Organiser),
        "admin" => Some(Role::Admin),
        _ => None,
    }
}
