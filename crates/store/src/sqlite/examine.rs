use std::collections::BTreeSet;
use std::fmt;
use std::path::Path;

use rusqlite::{Connection, Row};

use super::checksum::{Kind, verify};
use super::error::{corrupt, store_error};
use super::log_row::{self, StoredEntry};
use super::match_row::{SELECT, StoredMatch};
use super::options::{Examine, Options};
use super::packed::unpack;
use super::schema::{io_error, open_reader, require_current};
use super::totals::Totals;
use super::{agent_row, block_row, entrant_row, seat_index, tournament_row};
use crate::id::{AgentName, MatchId, TournamentId};
use crate::journal::StoreError;
use crate::matches::MatchState;

/// What a file was found to hold, all of it sound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Registered agents.
    pub agents: u64,
    /// Matches that are not over.
    pub live: u64,
    /// Matches that are over.
    pub over: u64,
    /// Entries in the logs of running matches.
    pub entries: u64,
    /// Remembered requests.
    pub requests: u64,
    /// Tournaments, over or not.
    pub tournaments: u64,
    /// Their entrants.
    pub entrants: u64,
    /// Their blocks that are over.
    pub blocks: u64,
    /// How often a server has been started on the file.
    pub servers: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { agents, live, over, entries, requests, tournaments, entrants, blocks, servers } = self;
        writeln!(f, "The file is sound.")?;
        writeln!(f, "Agents: {agents}.")?;
        writeln!(f, "Matches that are over: {over}.")?;
        writeln!(f, "Matches that are not over: {live}, with {entries} entries in their logs.")?;
        writeln!(f, "Tournaments: {tournaments}, with {entrants} entrants and {blocks} finished blocks.")?;
        writeln!(f, "Remembered answers to requests: {requests}.")?;
        write!(f, "Times that a server was started on it: {servers}.")
    }
}

/// Examines every page, index and row of a file; a server may be using it meanwhile.
///
/// # Errors
/// [`StoreError::Corrupt`] says the first thing that is wrong. The file is not one of this service or of another
/// version, or it cannot be read.
pub fn check(path: impl AsRef<Path>) -> Result<Report, StoreError> {
    let path = path.as_ref();
    // SQLite only says that it "cannot open".
    std::fs::File::open(path).map_err(|why| io_error(path, &why))?;
    let conn = open_reader(path, Options::default().busy_timeout)?;
    require_current(&conn)?;
    examine(&conn, Examine::Everything)
}

/// Examines a file of the current version, as of one moment.
pub(super) fn examine(conn: &Connection, what: Examine) -> Result<Report, StoreError> {
    let snapshot = conn.unchecked_transaction().map_err(store_error)?;
    match what {
        Examine::Everything => pragma(conn, "PRAGMA integrity_check(1)")?,
        Examine::Live => {
            pragma(conn, "PRAGMA quick_check(1)")?;
            // The indexes of what is live are compared with their tables too; the largest table has only its structure
            // looked at.
            for table in [
                "agents",
                "match_agents",
                "log",
                "requests",
                "servers",
                "totals",
                "tournaments",
                "entrants",
                "blocks",
            ] {
                pragma(conn, &format!("PRAGMA integrity_check({table})"))?;
            }
        }
    }
    let mut counted = Totals::default();
    agents(conn, &mut counted)?;
    let running = matches(conn, what, &mut counted)?;
    logs(conn, &running, &mut counted)?;
    tournaments(conn, &mut counted)?;
    for (kind, table) in [(Kind::Requests, "requests"), (Kind::Servers, "servers")] {
        each(conn, &format!("SELECT * FROM {table}"), |row| {
            counted.add(kind, verify(kind, row)?);
            Ok(())
        })?;
    }
    let stored = Totals::load(conn)?;
    let kinds: Vec<Kind> =
        Kind::ALL.into_iter().filter(|kind| what == Examine::Everything || *kind != Kind::Over).collect();
    stored.compare(&counted, &kinds)?;
    snapshot.finish().map_err(store_error)?;
    Ok(Report {
        agents: stored.rows(Kind::Agents),
        live: stored.rows(Kind::Live),
        over: stored.rows(Kind::Over),
        entries: stored.rows(Kind::Log),
        requests: stored.rows(Kind::Requests),
        tournaments: stored.rows(Kind::LiveTournaments) + stored.rows(Kind::OverTournaments),
        entrants: stored.rows(Kind::Entrants),
        blocks: stored.rows(Kind::Blocks),
        servers: stored.rows(Kind::Servers),
    })
}

/// Asks SQLite itself: it answers with one row, `ok`, or with what is wrong.
fn pragma(conn: &Connection, sql: &str) -> Result<(), StoreError> {
    let found: String = conn.query_row(sql, (), |row| row.get(0)).map_err(store_error)?;
    if found == "ok" { Ok(()) } else { Err(corrupt(found)) }
}

fn each(
    conn: &Connection,
    sql: &str,
    mut look: impl FnMut(&Row<'_>) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let mut statement = conn.prepare(sql).map_err(store_error)?;
    let mut rows = statement.query(()).map_err(store_error)?;
    while let Some(row) = rows.next().map_err(store_error)? {
        look(row)?;
    }
    Ok(())
}

fn agents(conn: &Connection, counted: &mut Totals) -> Result<(), StoreError> {
    each(conn, "SELECT name, token_hash, role, created_ms, checksum FROM agents", |row| {
        counted.add(Kind::Agents, agent_row::decode(row)?.1);
        Ok(())
    })
}

/// Decodes the matches and compares the index of their agents; returns which of them are running.
fn matches(conn: &Connection, what: Examine, counted: &mut Totals) -> Result<BTreeSet<MatchId>, StoreError> {
    let mut running = BTreeSet::new();
    let mut concerned: BTreeSet<(AgentName, MatchId)> = BTreeSet::new();
    let mut seats: i64 = 0;
    let all = match what {
        Examine::Everything => "TRUE",
        Examine::Live => "state IN ('open', 'running')",
    };
    each(conn, &format!("{} WHERE {all}", *SELECT), |row| {
        let stored = StoredMatch::decode(row)?;
        let id = stored.row.id;
        counted.add(stored.kind(), stored.checksum);
        if !stored.row.state.is_over() {
            concerned.extend(stored.row.concerned().into_iter().map(|agent| (agent, id)));
        }
        if stored.row.state == MatchState::Running {
            running.insert(id);
        }
        for entry in seat_index::entries(&stored.row) {
            seats += 1;
            if !entry.is_there(conn)? {
                return Err(corrupt(format!("match {id} is not in the index of the agents' seats")));
            }
        }
        ended(&stored)?;
        if StoredMatch::load(conn, id)?.is_none() {
            return Err(corrupt(format!("match {id} is not in the index of ids")));
        }
        Ok(())
    })?;
    if what == Examine::Everything {
        let stored: i64 =
            conn.query_row("SELECT count(*) FROM match_seats", (), |row| row.get(0)).map_err(store_error)?;
        if stored != seats {
            return Err(corrupt(format!("the index of the agents' seats has {stored} rows, not {seats}")));
        }
    }
    let mut indexed = 0;
    each(conn, "SELECT agent, match_id FROM match_agents", |row| {
        let read = || Ok::<_, rusqlite::Error>((row.get::<_, String>(0)?, row.get::<_, [u8; 16]>(1)?));
        let (agent, id) = read().map_err(store_error)?;
        let id = MatchId(u128::from_be_bytes(id));
        let fits = agent.parse().is_ok_and(|agent| concerned.contains(&(agent, id)));
        indexed += 1;
        if fits { Ok(()) } else { Err(corrupt(format!("match {id} does not concern {agent:?}"))) }
    })?;
    if indexed == concerned.len() {
        Ok(running)
    } else {
        Err(corrupt("the index of the agents' matches has holes"))
    }
}

/// A match is over with its log, before it began, or because it left nobody a choice.
fn ended(stored: &StoredMatch) -> Result<(), StoreError> {
    let id = stored.row.id;
    if stored.row.state.is_over() != stored.row.ended_ms.is_some() {
        return Err(corrupt(format!("match {id} is over without a time, or has one and is not")));
    }
    let Some(ended) = &stored.ended else {
        return Ok(());
    };
    if !stored.row.state.is_over() {
        return Err(corrupt(format!("match {id} goes on after its end")));
    }
    if unpack(&ended.log)?.len() == ended.entries as usize {
        Ok(())
    } else {
        Err(corrupt(format!("the log of match {id} has another length")))
    }
}

/// Decodes the logs of the running matches: each has no holes.
fn logs(conn: &Connection, running: &BTreeSet<MatchId>, counted: &mut Totals) -> Result<(), StoreError> {
    let mut next = (MatchId(0), 0);
    let sql = format!("{} ORDER BY match_id, position", log_row::SELECT);
    each(conn, &sql, |row| {
        let entry = StoredEntry::decode(row)?;
        counted.add(Kind::Log, entry.checksum);
        if entry.match_id != next.0 {
            next = (entry.match_id, 0);
            if !running.contains(&entry.match_id) {
                return Err(corrupt(format!("match {} has a log and is not running", entry.match_id)));
            }
        }
        if entry.position != next.1 {
            return Err(corrupt(format!("the log of match {} has a hole at {}", entry.match_id, next.1)));
        }
        next.1 += 1;
        Ok(())
    })
}

/// Decodes the tournaments, their entrants and their blocks.
fn tournaments(conn: &Connection, counted: &mut Totals) -> Result<(), StoreError> {
    let mut known: BTreeSet<TournamentId> = BTreeSet::new();
    each(conn, tournament_row::SELECT, |row| {
        let (tournament, sum) = tournament_row::decode(row)?;
        counted.add(tournament_row::kind(&tournament), sum);
        known.insert(tournament.id);
        Ok(())
    })?;
    let has = |what: &str, id: TournamentId| {
        if known.contains(&id) { Ok(()) } else { Err(corrupt(format!("{what} of no tournament: {id}"))) }
    };
    each(conn, entrant_row::SELECT, |row| {
        let entrant = entrant_row::decode(row)?;
        counted.add(Kind::Entrants, entrant.checksum);
        has("an entrant", entrant.tournament)
    })?;
    each(conn, block_row::SELECT, |row| {
        let (block, sum) = block_row::decode(row)?;
        counted.add(Kind::Blocks, sum);
        has("a block", block.tournament)
    })
}
