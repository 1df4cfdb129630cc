use std::sync::LazyLock;
use std::time::Duration;

use chickenfoot_rules::{ForcedMoves, Hex32, Rules, Seed};
use rusqlite::types::Value;
use rusqlite::{Connection, Row};

use super::checksum::{Kind, seal, verify};
use super::error::{corrupt, integer, store_error};
use super::packed::micros;
use super::seat_text::{StoredSeat, seats_of};
use crate::id::{EntryId, Incarnation, MatchId, TournamentId};
use crate::journal::StoreError;
use crate::matches::{AbortReason, BlockLink, ClockRules, FaultRules, MatchRow, MatchState, Summary};

/// A row of the table of matches.
#[derive(Clone, Debug)]
pub(super) struct StoredMatch {
    pub(super) row: MatchRow,
    pub(super) ended: Option<Ended>,
    /// The checksum that it was read with.
    pub(super) checksum: i64,
}

/// What a match that ended with an entry of its log has beside its row.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    /// How many entries the log has.
    pub(super) entries: u32,
    pub(super) last_entry: EntryId,
    pub(super) last_writer: Incarnation,
    /// The log, packed.
    pub(super) log: Vec<u8>,
}

const COLUMNS: [&str; 35] = [
    "id",
    "slot",
    "creator",
    "created_ms",
    "rules",
    "decision_us",
    "bank_us",
    "grace_us",
    "max_strikes",
    "strike_illegal",
    "strict",
    "forced",
    "seed",
    "fixed_seed",
    "deal_id",
    "seats",
    "state",
    "abort_reason",
    "version",
    "round",
    "head_seq",
    "digest",
    "ended_ms",
    "entries",
    "last_entry",
    "last_writer",
    "log",
    "spectator_delay",
    "tournament",
    "block",
    "game",
    "contributors",
    "sealed",
    "rated",
    "checksum",
];

/// What every statement that reads matches begins with: all columns in the order in which they are decoded.
pub(super) static SELECT: LazyLock<String> =
    LazyLock::new(|| format!("SELECT {} FROM matches", COLUMNS.join(", ")));

static INSERT: LazyLock<String> = LazyLock::new(|| {
    let places = vec!["?"; COLUMNS.len()].join(", ");
    format!("INSERT INTO matches ({}) VALUES ({places})", COLUMNS.join(", "))
});

static UPDATE: LazyLock<String> = LazyLock::new(|| {
    let places = vec!["?"; COLUMNS.len()].join(", ");
    format!("UPDATE matches SET ({}) = ({places}) WHERE id = ?1", COLUMNS.join(", "))
});

static SELECT_ONE: LazyLock<String> = LazyLock::new(|| format!("{} WHERE id = ?1", *SELECT));

impl StoredMatch {
    /// A match of which no log has ended.
    pub(super) fn new(row: MatchRow) -> StoredMatch {
        StoredMatch { row, ended: None, checksum: 0 }
    }

    /// Which kind of rows it counts among.
    pub(super) fn kind(&self) -> Kind {
        if self.row.state.is_over() { Kind::Over } else { Kind::Live }
    }

    /// Reads one match.
    pub(super) fn load(conn: &Connection, id: MatchId) -> Result<Option<StoredMatch>, StoreError> {
        let mut statement = conn.prepare_cached(&SELECT_ONE).map_err(store_error)?;
        let mut rows = statement.query([id.0.to_be_bytes()]).map_err(store_error)?;
        match rows.next().map_err(store_error)? {
            Some(row) => StoredMatch::decode(row).map(Some),
            None => Ok(None),
        }
    }

    /// Stores it as a new row.
    pub(super) fn insert(&mut self, conn: &Connection) -> Result<(), StoreError> {
        self.write(conn, &INSERT)
    }

    /// Stores it in the place of the row with its id.
    pub(super) fn replace(&mut self, conn: &Connection) -> Result<(), StoreError> {
        self.write(conn, &UPDATE)
    }

    fn write(&mut self, conn: &Connection, sql: &str) -> Result<(), StoreError> {
        let mut values = self.encode()?;
        self.checksum = seal(self.kind(), &mut values);
        conn.prepare_cached(sql)
            .and_then(|mut statement| statement.execute(rusqlite::params_from_iter(values)))
            .map_err(store_error)?;
        Ok(())
    }

    fn encode(&self) -> Result<Vec<Value>, StoreError> {
        let row = &self.row;
        let (state, reason) = state_texts(row.state);
        let seats = serde_json::to_string(&seats_of(row))
            .map_err(|why| StoreError::Unavailable(format!("the seats as JSON: {why}")))?;
        let contributors = row.block.as_ref().map(|link| serde_json::to_string(&link.contributors));
        let contributors = contributors
            .transpose()
            .map_err(|why| StoreError::Unavailable(format!("the contributors as JSON: {why}")))?;
        let (summary, ended, block) = (row.summary.as_ref(), self.ended.as_ref(), row.block.as_ref());
        let optional = |number: Option<u64>| number.map(integer).transpose();
        Ok(vec![
            row.id.0.to_be_bytes().to_vec().into(),
            i64::from(row.slot).into(),
            row.creator.to_string().into(),
            integer(row.created_ms)?.into(),
            row.rules.text().into(),
            integer(micros(row.clock.decision))?.into(),
            integer(micros(row.clock.bank))?.into(),
            integer(micros(row.clock.grace))?.into(),
            i64::from(row.faults.strikes).into(),
            i64::from(row.faults.illegal).into(),
            i64::from(row.faults.strict).into(),
            forced_text(row.forced).to_owned().into(),
            row.seed.reveal().to_vec().into(),
            i64::from(row.fixed_seed).into(),
            row.deal_id.clone().into(),
            seats.into(),
            state.to_owned().into(),
            reason.map(str::to_owned).into(),
            i64::from(row.version).into(),
            summary.map(|summary| i64::from(summary.round)).into(),
            optional(summary.map(|summary| summary.head_seq))?.into(),
            summary.map(|summary| summary.digest.0.to_vec()).into(),
            optional(row.ended_ms)?.into(),
            ended.map(|ended| i64::from(ended.entries)).into(),
            // An id may be any 64 bits: they are stored as they are.
            ended.map(|ended| ended.last_entry.0 as i64).into(),
            optional(ended.map(|ended| ended.last_writer.0))?.into(),
            ended.map(|ended| ended.log.clone()).into(),
            Some(row.spectator_delay).filter(|delay| *delay > 0).map(i64::from).into(),
            block.map(|link| link.tournament.0.to_be_bytes().to_vec()).into(),
            block.map(|link| i64::from(link.number)).into(),
            block.map(|link| i64::from(link.game)).into(),
            contributors.into(),
            block.map(|link| i64::from(link.sealed)).into(),
            row.rated.then_some(1_i64).into(),
        ])
    }

    /// Reads a row of [`SELECT`].
    pub(super) fn decode(row: &Row<'_>) -> Result<StoredMatch, StoreError> {
        let checksum = verify(Kind::Live, row)?;
        let read = Read(row);
        let id = MatchId(u128::from_be_bytes(read.0.get(0).map_err(store_error)?));
        let bad = |what: &str| corrupt(format!("match {id}: {what} makes no sense"));
        let rules: String = read.value(4)?;
        let rules = Rules::from_text(&rules).map_err(|why| corrupt(format!("match {id}: {why}")))?;
        let seats: Vec<StoredSeat> = serde_json::from_str(&read.value::<String>(15)?)
            .map_err(|why| corrupt(format!("match {id}: the seats: {why}")))?;
        if seats.len() != usize::from(rules.players()) {
            return Err(bad("the number of seats"));
        }
        let state = state_of(&read.value::<String>(16)?, read.value::<Option<String>>(17)?.as_deref())
            .ok_or_else(|| bad("the state"))?;
        let round: Option<u8> = read.value(19)?;
        let summary = match round {
            None => None,
            Some(round) => Some(Summary {
                round,
                totals: seats.iter().filter_map(|seat| seat.total).collect(),
                places: seats.iter().filter_map(|seat| seat.place).collect(),
                ledger: seats.iter().filter_map(StoredSeat::ledger).collect(),
                head_seq: read.number(20)?,
                digest: Hex32(read.value(21)?),
            }),
        };
        let ended_ms = match read.value::<Option<i64>>(22)? {
            None => None,
            Some(_) => Some(read.number(22)?),
        };
        let log: Option<Vec<u8>> = read.value(26)?;
        let ended = match log {
            None => None,
            Some(log) => Some(Ended {
                entries: read.value(23)?,
                last_entry: EntryId(read.value::<i64>(24)? as u64),
                last_writer: Incarnation(read.number(25)?),
                log,
            }),
        };
        let block = match read.value::<Option<[u8; 16]>>(28)? {
            None => None,
            Some(tournament) => Some(BlockLink {
                tournament: TournamentId(u128::from_be_bytes(tournament)),
                number: read.value(29)?,
                game: read.value(30)?,
                contributors: serde_json::from_str(&read.value::<String>(31)?)
                    .map_err(|why| corrupt(format!("match {id}: the contributors: {why}")))?,
                sealed: read.value(32)?,
            }),
        };
        let row = MatchRow {
            id,
            slot: read.value(1)?,
            creator: read.value::<String>(2)?.parse().map_err(|_| bad("the creator"))?,
            created_ms: read.number(3)?,
            rules,
            clock: ClockRules {
                decision: Duration::from_micros(read.number(5)?),
                bank: Duration::from_micros(read.number(6)?),
                grace: Duration::from_micros(read.number(7)?),
            },
            faults: FaultRules { strikes: read.value(8)?, illegal: read.value(9)?, strict: read.value(10)? },
            forced: forced_of(&read.value::<String>(11)?).ok_or_else(|| bad("who makes forced moves"))?,
            spectator_delay: read.value::<Option<u32>>(27)?.unwrap_or_default(),
            seed: Seed::new(read.value(12)?),
            fixed_seed: read.value(13)?,
            deal_id: read.value(14)?,
            seats: seats
                .into_iter()
                .map(StoredSeat::row)
                .collect::<Option<_>>()
                .ok_or_else(|| bad("a seat"))?,
            block,
            rated: read.value::<Option<bool>>(33)?.unwrap_or_default(),
            state,
            summary,
            ended_ms,
            version: read.value(18)?,
        };
        Ok(StoredMatch { row, ended, checksum })
    }
}

struct Read<'a, 'b>(&'a Row<'b>);

impl Read<'_, '_> {
    fn value<T: rusqlite::types::FromSql>(&self, column: usize) -> Result<T, StoreError> {
        self.0.get(column).map_err(store_error)
    }

    fn number(&self, column: usize) -> Result<u64, StoreError> {
        let number: i64 = self.value(column)?;
        u64::try_from(number).map_err(|_| corrupt(format!("{} of a match is negative", COLUMNS[column])))
    }
}

const REMOVE_ENDED: &str = "DELETE FROM matches WHERE rowid IN (SELECT rowid FROM matches WHERE ended_ms < ?1 \
    AND state IN ('finished', 'aborted') AND sealed IS NOT 1 AND rated IS NOT 1 ORDER BY ended_ms LIMIT ?2) \
    RETURNING id, checksum";

/// Deletes matches that were over before a moment, the oldest first; returns their ids as they are stored, and their
/// checksums. Nothing else of them is read, so one that is damaged goes like any other.
pub(super) fn remove_ended(
    conn: &Connection,
    before_ms: u64,
    limit: usize,
) -> Result<Vec<(Vec<u8>, i64)>, StoreError> {
    let bounds = (i64::try_from(before_ms).unwrap_or(i64::MAX), i64::try_from(limit).unwrap_or(i64::MAX));
    let mut statement = conn.prepare_cached(REMOVE_ENDED).map_err(store_error)?;
    let removed = statement.query_map(bounds, |row| Ok((row.get(0)?, row.get(1)?))).map_err(store_error)?;
    removed.collect::<Result<_, _>>().map_err(store_error)
}

/// The state as the table has it: its name, and why if it was aborted.
pub(super) fn state_texts(state: MatchState) -> (&'static str, Option<&'static str>) {
    match state {
        MatchState::Open => ("open", None),
        MatchState::Running => ("running", None),
        MatchState::Finished => ("finished", None),
        MatchState::Aborted(AbortReason::Creator) => ("aborted", Some("creator")),
        MatchState::Aborted(AbortReason::Organiser) => ("aborted", Some("organiser")),
        MatchState::Aborted(AbortReason::ServerFault) => ("aborted", Some("server_fault")),
        MatchState::Aborted(AbortReason::Expired) => ("aborted", Some("expired")),
    }
}

fn state_of(state: &str, reason: Option<&str>) -> Option<MatchState> {
    Some(match (state, reason) {
        ("open", None) => MatchState::Open,
        ("running", None) => MatchState::Running,
        ("finished", None) => MatchState::Finished,
        ("aborted", Some("creator")) => MatchState::Aborted(AbortReason::Creator),
        ("aborted", Some("organiser")) => MatchState::Aborted(AbortReason::Organiser),
        ("aborted", Some("server_fault")) => MatchState::Aborted(AbortReason::ServerFault),
        ("aborted", Some("expired")) => MatchState::Aborted(AbortReason::Expired),
        _ => return None,
    })
}

fn forced_text(forced: ForcedMoves) -> &'static str {
    match forced {
        ForcedMoves::Automatic => "automatic",
        ForcedMoves::Asked => "asked",
    }
}

fn forced_of(text: &str) -> Option<ForcedMoves> {
    match text {
        "automatic" => Some(ForcedMoves::Automatic),
        "asked" => Some(ForcedMoves::Asked),
        _ => None,
    }
}
