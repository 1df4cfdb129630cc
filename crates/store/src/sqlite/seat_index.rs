//! Which matches an agent sits in, over or not, in the order of lists: what follows from the rows of matches and is kept
//! so that nobody has to read them all.

use std::collections::BTreeSet;

use rusqlite::Connection;

use super::error::{clamped, store_error};
use crate::id::{AgentName, MatchId, TournamentId};
use crate::journal::StoreError;
use crate::matches::{MatchRow, MatchState};

const INSERT: &str = "INSERT INTO match_seats VALUES (?1, ?2, ?3, ?4, ?5)";

const DELETE: &str =
    "DELETE FROM match_seats WHERE agent = ?1 AND stage = ?2 AND created_ms = ?3 AND match_id = ?4";

const DELETE_MATCH: &str = "DELETE FROM match_seats INDEXED BY match_seats_by_match WHERE match_id = ?1";

const FIND: &str = "SELECT count(*) FROM match_seats WHERE agent = ?1 AND stage = ?2 AND created_ms = ?3 \
    AND match_id = ?4 AND tournament IS ?5";

/// A row of the table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    agent: AgentName,
    stage: &'static str,
    created_ms: u64,
    id: MatchId,
    tournament: Option<TournamentId>,
}

/// How far a match is, as the table has it: one word while it is not over, so that the table changes at its end only.
pub(super) fn stage(state: MatchState) -> &'static str {
    match state {
        MatchState::Open | MatchState::Running => "live",
        MatchState::Finished => "finished",
        MatchState::Aborted(_) => "aborted",
    }
}

/// The rows that a match has.
pub(super) fn entries(row: &MatchRow) -> BTreeSet<Entry> {
    let entry = |agent| Entry {
        agent,
        stage: stage(row.state),
        created_ms: row.created_ms,
        id: row.id,
        tournament: row.block.as_ref().map(|link| link.tournament),
    };
    row.agents().into_iter().map(entry).collect()
}

/// Puts the rows of a match as it is now in the place of those that it had.
pub(super) fn replace(
    conn: &Connection,
    before: Option<&MatchRow>,
    after: Option<&MatchRow>,
) -> Result<(), StoreError> {
    let (before, after) = (before.map(entries).unwrap_or_default(), after.map(entries).unwrap_or_default());
    for entry in before.difference(&after) {
        let mut statement = conn.prepare_cached(DELETE).map_err(store_error)?;
        statement
            .execute((entry.agent.as_str(), entry.stage, clamped(entry.created_ms), entry.id.0.to_be_bytes()))
            .map_err(store_error)?;
    }
    for entry in after.difference(&before) {
        let mut statement = conn.prepare_cached(INSERT).map_err(store_error)?;
        statement.execute(entry.values()).map_err(store_error)?;
    }
    Ok(())
}

/// Deletes the rows of a match by its id as it is stored, whatever its own row says.
pub(super) fn remove(conn: &Connection, id: &[u8]) -> Result<(), StoreError> {
    let mut statement = conn.prepare_cached(DELETE_MATCH).map_err(store_error)?;
    statement.execute([id]).map_err(store_error)?;
    Ok(())
}

impl Entry {
    fn values(&self) -> (&str, &str, i64, [u8; 16], Option<[u8; 16]>) {
        (
            self.agent.as_str(),
            self.stage,
            clamped(self.created_ms),
            self.id.0.to_be_bytes(),
            self.tournament.map(|id| id.0.to_be_bytes()),
        )
    }

    /// Whether the table has it.
    pub(super) fn is_there(&self, conn: &Connection) -> Result<bool, StoreError> {
        let mut statement = conn.prepare_cached(FIND).map_err(store_error)?;
        let count: i64 = statement.query_row(self.values(), |row| row.get(0)).map_err(store_error)?;
        Ok(count == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::{block_match, name, open, over, running};
    use crate::matches::{AbortReason, Occupant};
    use crate::sqlite::match_row::StoredMatch;
    use crate::sqlite::schema::{MIGRATIONS, migrate_to};

    fn with_ann(mut row: MatchRow) -> MatchRow {
        row.seats[1].occupant = Some(Occupant::Agent(name("ann")));
        row
    }

    #[test]
    fn a_file_without_the_index_gets_it_whole() {
        let conn = Connection::open_in_memory().unwrap();
        migrate_to(&conn, 3);
        let mut twice = with_ann(over(4));
        twice.seats[0].occupant = Some(Occupant::Agent(name("ann")));
        let mut bob_too = with_ann(block_match(1, 0, 0));
        bob_too.seats[0].occupant = Some(Occupant::Agent(name("bob")));
        let aborted = MatchRow { state: MatchState::Aborted(AbortReason::Expired), ..with_ann(open(6)) };
        let rows = [running(1), open(2), with_ann(open(3)), twice, bob_too, aborted, with_ann(running(7))];
        for row in &rows {
            let ended_ms = row.state.is_over().then_some(9);
            StoredMatch::new(MatchRow { ended_ms, ..row.clone() }).insert(&conn).unwrap();
        }
        StoredMatch::new(with_ann(open(8))).insert(&conn).unwrap();
        let damaged = "UPDATE matches SET seats = '[{' WHERE id = ?1";
        assert_eq!(conn.execute(damaged, [8_u128.to_be_bytes()]), Ok(1));
        migrate_to(&conn, MIGRATIONS.len());
        let expected: BTreeSet<Entry> = rows.iter().flat_map(entries).collect();
        assert_eq!(expected.len(), 6);
        for entry in &expected {
            assert!(entry.is_there(&conn).unwrap(), "{entry:?}");
        }
        let count: i64 = conn.query_row("SELECT count(*) FROM match_seats", (), |row| row.get(0)).unwrap();
        assert_eq!(count, 6);
    }
}
