mod tournaments;

use std::collections::HashMap;

use rusqlite::Connection;

use super::checksum::{Kind, checksum};
use super::error::{integer, store_error};
use super::log_row::StoredEntry;
use super::match_row::{Ended, StoredMatch};
use super::options::Options;
use super::packed::pack;
use super::totals::Totals;
use super::{agent_row, match_row, queries, request_row, seat_index};
use crate::agent::AgentRow;
use crate::end_clock::EndClock;
use crate::id::{EntryId, Incarnation, MatchId, TournamentId};
use crate::journal::{Append, Appended, StoreError, Updated};
use crate::matches::{MatchRow, MatchState, Summary};
use crate::request::Remembered;
use crate::wall_clock::now_ms;

/// The tables as the writer changes them. Every change happens between [`Tables::begin`] and [`Tables::commit`]; after
/// an error comes [`Tables::roll_back`].
pub(super) struct Tables {
    conn: Connection,
    /// Where the logs of running matches end, as far as it was asked for. Nobody else writes, so it stays true.
    heads: HashMap<MatchId, Head>,
    /// How many entrants the tournaments that are not over have, as far as it was asked for.
    fields: HashMap<TournamentId, usize>,
    totals: Totals,
    /// The totals as the file has them.
    saved: Totals,
    /// Whether the totals have to be read again.
    stale: bool,
    incarnation: Incarnation,
    max_live: u64,
    max_agents: u64,
    max_tournaments: u64,
    ends: EndClock,
    /// Entries that were appended in this transaction.
    appended: u64,
}

/// Where a log ends.
#[derive(Clone, Copy)]
struct Head {
    /// How many entries there are.
    next: u32,
    /// The id of the last one.
    last: Option<EntryId>,
    writer: Incarnation,
    running: bool,
}

impl Tables {
    /// Takes a connection whose schema is the current one, and notes that a server has started.
    pub(super) fn new(conn: Connection, options: &Options) -> Result<Tables, StoreError> {
        let totals = Totals::load(&conn)?;
        let last_rated = queries::last_rated(&conn)?;
        let mut tables = Tables {
            conn,
            heads: HashMap::new(),
            fields: HashMap::new(),
            totals,
            saved: totals,
            stale: false,
            incarnation: Incarnation(0),
            max_live: options.max_live,
            max_agents: options.max_agents,
            max_tournaments: options.max_tournaments,
            ends: EndClock::after(last_rated),
            appended: 0,
        };
        tables.begin()?;
        tables.start()?;
        tables.commit_rows()?;
        tables.commit()?;
        Ok(tables)
    }

    fn start(&mut self) -> Result<(), StoreError> {
        let last: i64 = self
            .conn
            .query_row("SELECT coalesce(max(incarnation), 0) FROM servers", (), |row| row.get(0))
            .map_err(store_error)?;
        let incarnation = last + 1;
        let row = [incarnation, integer(now_ms())?, i64::from(std::process::id())];
        let sum = checksum(Kind::Servers, row.map(rusqlite::types::ValueRef::Integer));
        self.conn
            .execute("INSERT INTO servers VALUES (?1, ?2, ?3, ?4)", (row[0], row[1], row[2], sum))
            .map_err(store_error)?;
        self.totals.add(Kind::Servers, sum);
        self.incarnation = Incarnation(incarnation.unsigned_abs());
        Ok(())
    }

    pub(super) fn incarnation(&self) -> Incarnation {
        self.incarnation
    }

    pub(super) fn begin(&mut self) -> Result<(), StoreError> {
        if !self.conn.is_autocommit() {
            self.execute("ROLLBACK")?;
        }
        self.appended = 0;
        self.execute("BEGIN IMMEDIATE")?;
        if self.stale {
            self.totals = Totals::load(&self.conn)?;
            self.saved = self.totals;
            self.stale = false;
        }
        Ok(())
    }

    /// Writes the last rows of a transaction. After an error here it is certain that nothing was stored.
    pub(super) fn commit_rows(&mut self) -> Result<(), StoreError> {
        self.totals.save(&self.saved, &self.conn)
    }

    /// Commits; returns how many entries were appended. After an error here nobody knows what was stored: the disk may
    /// have the log of the transaction, as a whole, and nothing but the next commit makes it void.
    pub(super) fn commit(&mut self) -> Result<u64, StoreError> {
        self.execute("COMMIT")?;
        self.saved = self.totals;
        Ok(self.appended)
    }

    pub(super) fn roll_back(&mut self) {
        self.heads.clear();
        self.fields.clear();
        self.stale = true;
        if !self.conn.is_autocommit() {
            // If this fails, the next transaction tries it again before it begins.
            let _ = self.execute("ROLLBACK");
        }
    }

    fn execute(&self, sql: &str) -> Result<(), StoreError> {
        self.conn
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(()))
            .map(|_| ())
            .map_err(store_error)
    }

    pub(super) fn create(&mut self, row: &MatchRow, remember: Option<&Remembered>) -> Result<(), StoreError> {
        if !row.state.is_over() && self.totals.rows(Kind::Live) >= self.max_live {
            return Err(StoreError::Full);
        }
        if StoredMatch::load(&self.conn, row.id)?.is_some() {
            return Err(StoreError::Unavailable(format!("there is a match {} already", row.id)));
        }
        let mut stored = StoredMatch::new(row.clone());
        self.ends.stamp(&mut stored.row);
        stored.insert(&self.conn)?;
        self.totals.add(stored.kind(), stored.checksum);
        self.index(row)?;
        seat_index::replace(&self.conn, None, Some(row))?;
        self.remember_with(remember)
    }

    pub(super) fn update(
        &mut self,
        row: &MatchRow,
        remember: Option<&Remembered>,
    ) -> Result<Updated, StoreError> {
        let Some(before) = StoredMatch::load(&self.conn, row.id)? else {
            return Ok(Updated::Conflict);
        };
        if before.row.version != row.version || before.row.state != MatchState::Open {
            return Ok(Updated::Conflict);
        }
        let mut after = StoredMatch::new(row.clone());
        after.row.version += 1;
        self.ends.stamp(&mut after.row);
        self.replace(&before, &mut after)?;
        self.remember_with(remember)?;
        Ok(Updated::Done)
    }

    fn replace(&mut self, before: &StoredMatch, after: &mut StoredMatch) -> Result<(), StoreError> {
        after.replace(&self.conn)?;
        self.totals.remove(before.kind(), before.checksum);
        self.totals.add(after.kind(), after.checksum);
        seat_index::replace(&self.conn, Some(&before.row), Some(&after.row))?;
        self.unindex(&before.row)?;
        self.index(&after.row)
    }

    /// A match that is over concerns no agent any more.
    fn index(&self, row: &MatchRow) -> Result<(), StoreError> {
        if row.state.is_over() {
            return Ok(());
        }
        self.each_agent(row, "INSERT INTO match_agents VALUES (?1, ?2)")
    }

    fn unindex(&self, row: &MatchRow) -> Result<(), StoreError> {
        self.each_agent(row, "DELETE FROM match_agents WHERE agent = ?1 AND match_id = ?2")
    }

    fn each_agent(&self, row: &MatchRow, sql: &str) -> Result<(), StoreError> {
        let mut statement = self.conn.prepare_cached(sql).map_err(store_error)?;
        for agent in row.concerned() {
            statement.execute((agent.as_str(), row.id.0.to_be_bytes())).map_err(store_error)?;
        }
        Ok(())
    }

    pub(super) fn append(&mut self, append: &Append) -> Result<Appended, StoreError> {
        let Some(head) = self.head(append.match_id)? else {
            return Ok(Appended::Conflict);
        };
        if append.writer < head.writer.max(self.incarnation) {
            return Ok(Appended::Fenced);
        }
        if append.position < head.next {
            return self.repeated(append, head);
        }
        if append.position != head.next || !head.running {
            return Ok(Appended::Conflict);
        }
        let entry = StoredEntry {
            match_id: append.match_id,
            position: append.position,
            id: append.id,
            writer: append.writer,
            row: append.row,
            checksum: 0,
        };
        match &append.end {
            Some((state, summary)) => self.end(&entry, *state, summary)?,
            None => {
                let sum = entry.insert(&self.conn)?;
                self.totals.add(Kind::Log, sum);
                let head = Head {
                    next: append.position + 1,
                    last: Some(append.id),
                    writer: append.writer,
                    running: true,
                };
                self.heads.insert(append.match_id, head);
            }
        }
        self.appended += 1;
        Ok(Appended::Appended)
    }

    /// What to say to an append to a position that has an entry. Of a log that has ended only the last id is kept.
    fn repeated(&self, append: &Append, head: Head) -> Result<Appended, StoreError> {
        let stored = if append.position + 1 == head.next {
            head.last
        } else if head.running {
            Some(StoredEntry::id_at(&self.conn, append.match_id, append.position)?)
        } else {
            None
        };
        Ok(if stored == Some(append.id) { Appended::Duplicate } else { Appended::Conflict })
    }

    fn head(&mut self, id: MatchId) -> Result<Option<Head>, StoreError> {
        if let Some(head) = self.heads.get(&id) {
            return Ok(Some(*head));
        }
        let Some(stored) = StoredMatch::load(&self.conn, id)? else {
            return Ok(None);
        };
        let running = stored.row.state == MatchState::Running;
        let nothing = Head { next: 0, last: None, writer: Incarnation(0), running };
        let head = match &stored.ended {
            Some(ended) => Head {
                next: ended.entries,
                last: Some(ended.last_entry),
                writer: ended.last_writer,
                running: false,
            },
            None if running => StoredEntry::last(&self.conn, id)?.map_or(nothing, |last| Head {
                next: last.position + 1,
                last: Some(last.id),
                writer: last.writer,
                running,
            }),
            None => nothing,
        };
        if running {
            self.heads.insert(id, head);
        }
        Ok(Some(head))
    }

    /// Stores the last entry of a match, and packs the log into the row of the match.
    fn end(&mut self, last: &StoredEntry, state: MatchState, summary: &Summary) -> Result<(), StoreError> {
        let id = last.match_id;
        let gone = || StoreError::Corrupt(format!("match {id} is not there any more"));
        let before = StoredMatch::load(&self.conn, id)?.ok_or_else(gone)?;
        let entries = StoredEntry::load(&self.conn, id, 0)?;
        self.conn
            .prepare_cached("DELETE FROM log WHERE match_id = ?1")
            .and_then(|mut statement| statement.execute([id.0.to_be_bytes()]))
            .map_err(store_error)?;
        for entry in &entries {
            self.totals.remove(Kind::Log, entry.checksum);
        }
        let mut after = before.clone();
        after.row.state = state;
        after.row.summary = Some(summary.clone());
        after.row.version += 1;
        self.ends.stamp(&mut after.row);
        after.ended = Some(Ended {
            entries: last.position + 1,
            last_entry: last.id,
            last_writer: last.writer,
            log: pack(entries.iter().chain([last]).map(|entry| &entry.row)),
        });
        self.replace(&before, &mut after)?;
        self.heads.remove(&id);
        Ok(())
    }

    pub(super) fn remove_ended(&mut self, before_ms: u64, limit: usize) -> Result<usize, StoreError> {
        let removed = match_row::remove_ended(&self.conn, before_ms, limit)?;
        for (id, checksum) in &removed {
            self.totals.remove(Kind::Over, *checksum);
            seat_index::remove(&self.conn, id)?;
        }
        Ok(removed.len())
    }

    pub(super) fn create_agent(
        &mut self,
        row: &AgentRow,
        remember: Option<&Remembered>,
    ) -> Result<bool, StoreError> {
        if agent_row::find(&self.conn, agent_row::SELECT_BY_NAME, row.name.as_str())?.is_some() {
            return Ok(false);
        }
        if self.totals.rows(Kind::Agents) >= self.max_agents {
            return Err(StoreError::Full);
        }
        self.put_agent(row)?;
        self.remember_with(remember)?;
        Ok(true)
    }

    pub(super) fn update_agent(
        &mut self,
        row: &AgentRow,
        remember: Option<&Remembered>,
    ) -> Result<bool, StoreError> {
        let before = agent_row::find(&self.conn, agent_row::SELECT_BY_NAME, row.name.as_str())?;
        let Some((before, sum)) = before else {
            return Ok(false);
        };
        self.put_agent(&AgentRow { created_ms: before.created_ms, ..row.clone() })?;
        self.totals.remove(Kind::Agents, sum);
        self.remember_with(remember)?;
        Ok(true)
    }

    fn put_agent(&mut self, row: &AgentRow) -> Result<(), StoreError> {
        if let Some(hash) = row.token_hash
            && let Some((holder, _)) = agent_row::find(&self.conn, agent_row::SELECT_BY_TOKEN, hash)?
            && holder.name != row.name
        {
            return Err(StoreError::Unavailable("another agent has that token".to_owned()));
        }
        let sum = agent_row::put(row, &self.conn)?;
        self.totals.add(Kind::Agents, sum);
        Ok(())
    }

    pub(super) fn remember(&mut self, request: &Remembered) -> Result<(), StoreError> {
        if let Some(sum) = request_row::insert(request, &self.conn)? {
            self.totals.add(Kind::Requests, sum);
        }
        Ok(())
    }

    fn remember_with(&mut self, request: Option<&Remembered>) -> Result<(), StoreError> {
        request.map_or(Ok(()), |request| self.remember(request))
    }

    pub(super) fn forget(&mut self, before_ms: u64) -> Result<(), StoreError> {
        for sum in request_row::forget(before_ms, &self.conn)? {
            self.totals.remove(Kind::Requests, sum);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::over;
    use crate::sqlite::schema::migrated;

    #[test]
    fn rated_matches_end_after_those_of_an_earlier_start_whatever_the_clock_says() {
        let mut conn = migrated();
        // Once the clock was wrong by centuries.
        let mut end = 10_000_000_000_000;
        for id in 1..4 {
            let mut tables = Tables::new(conn, &Options::default()).unwrap();
            if id == 1 {
                tables.ends = EndClock::after(end);
            }
            tables.begin().unwrap();
            tables.create(&MatchRow { rated: true, ..over(id) }, None).unwrap();
            tables.create(&over(id + 10), None).unwrap();
            tables.commit_rows().unwrap();
            tables.commit().unwrap();
            conn = tables.conn;
            end += 1;
            let stored = StoredMatch::load(&conn, MatchId(id)).unwrap().unwrap();
            assert_eq!(stored.row.ended_ms, Some(end));
            let other = StoredMatch::load(&conn, MatchId(id + 10)).unwrap().unwrap();
            assert!(other.row.ended_ms < Some(end), "who is not rated ends when it ends");
        }
    }
}
