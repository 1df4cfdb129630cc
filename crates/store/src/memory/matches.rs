use std::collections::{BTreeSet, HashMap, VecDeque};
use std::hash::Hash;
use std::ops::Bound;

use async_trait::async_trait;
use foldhash::fast::RandomState;

use super::{Memory, lock};
use crate::end_clock::EndClock;
use crate::id::{AgentName, EntryId, Incarnation, MatchId, TournamentId};
use crate::journal::{Append, Appended, Journal, ListMatches, LogRow, StoreError, Updated};
use crate::matches::{MatchRow, MatchState};
use crate::request::Remembered;

#[derive(Default)]
pub(super) struct Matches {
    stored: HashMap<MatchId, Stored, RandomState>,
    /// All matches by time of creation.
    by_time: BTreeSet<(u64, MatchId)>,
    /// The matches that are not over, by the agents that they concern.
    by_agent: HashMap<AgentName, BTreeSet<MatchId>>,
    /// All matches by the agents that sit in them, or sat when they ended, and by time of creation.
    by_seat: HashMap<AgentName, BTreeSet<(u64, MatchId)>>,
    /// All matches of tournaments, by time of creation.
    by_tournament: HashMap<TournamentId, BTreeSet<(u64, MatchId)>>,
    /// The matches that are sealed, by their tournaments.
    sealed: BTreeSet<(TournamentId, MatchId)>,
    /// The rated matches that were played to their end, by its time.
    rated: BTreeSet<(u64, MatchId)>,
    /// The matches that are over and not sealed, in the order in which that came about.
    over: VecDeque<MatchId>,
    ends: EndClock,
}

struct Stored {
    row: MatchRow,
    log: Vec<(EntryId, LogRow)>,
    writer: Incarnation,
}

impl Matches {
    /// Adds what leads to a row. A match that is over concerns no agent any more and, once it is not sealed either, pushes
    /// the oldest such match out.
    fn index(&mut self, row: &MatchRow) {
        let key = (row.created_ms, row.id);
        self.by_time.insert(key);
        for agent in row.agents() {
            self.by_seat.entry(agent).or_default().insert(key);
        }
        if let Some(link) = &row.block {
            self.by_tournament.entry(link.tournament).or_default().insert(key);
        }
        if let Some(link) = row.block.as_ref().filter(|link| link.sealed) {
            self.sealed.insert((link.tournament, row.id));
        }
        if !row.state.is_over() {
            for agent in row.concerned() {
                self.by_agent.entry(agent).or_default().insert(row.id);
            }
        }
        if let Some(ended_ms) = row.ended_ms.filter(|_| row.is_rated_result()) {
            self.rated.insert((ended_ms, row.id));
        }
        if row.is_open_to_all() {
            self.over.push_back(row.id);
        }
        if self.over.len() > Memory::MAX_OVER {
            self.remove_oldest();
        }
    }

    /// Removes the match that has been over and not sealed for longest.
    fn remove_oldest(&mut self) {
        if let Some(oldest) = self.over.pop_front()
            && let Some(stored) = self.stored.remove(&oldest)
        {
            self.unindex(&stored.row);
        }
    }

    fn remove_ended(&mut self, before_ms: u64, limit: usize) -> usize {
        let mut removed = Vec::new();
        let stored = &self.stored;
        self.over.retain(|id| {
            let row = stored.get(id).map(|stored| &stored.row);
            let old =
                row.is_some_and(|row| !row.rated && row.ended_ms.is_some_and(|ended| ended < before_ms));
            let goes = old && removed.len() < limit;
            if goes {
                removed.push(*id);
            }
            !goes
        });
        for id in &removed {
            if let Some(stored) = self.stored.remove(id) {
                self.unindex(&stored.row);
            }
        }
        removed.len()
    }

    /// Takes away what leads to a row, but for its place among those that are over.
    fn unindex(&mut self, row: &MatchRow) {
        let key = (row.created_ms, row.id);
        self.by_time.remove(&key);
        for agent in row.agents() {
            remove(&mut self.by_seat, &agent, &key);
        }
        if let Some(link) = &row.block {
            self.sealed.remove(&(link.tournament, row.id));
            remove(&mut self.by_tournament, &link.tournament, &key);
        }
        for agent in row.concerned() {
            remove(&mut self.by_agent, &agent, &row.id);
        }
        if let Some(ended_ms) = row.ended_ms {
            self.rated.remove(&(ended_ms, row.id));
        }
    }

    /// Puts a row in the place of the one before it.
    fn replace(&mut self, row: MatchRow) {
        let Some(stored) = self.stored.get_mut(&row.id) else {
            return;
        };
        let before = std::mem::replace(&mut stored.row, row.clone());
        self.unindex(&before);
        self.index(&row);
    }

    fn append(&mut self, append: Append) -> Appended {
        let Append { match_id, position, id, writer, row, end } = append;
        let Some(stored) = self.stored.get_mut(&match_id) else {
            return Appended::Conflict;
        };
        if writer < stored.writer {
            return Appended::Fenced;
        }
        if let Some((stored_id, _)) = stored.log.get(position as usize) {
            return if *stored_id == id { Appended::Duplicate } else { Appended::Conflict };
        }
        if position as usize != stored.log.len() || stored.row.state != MatchState::Running {
            return Appended::Conflict;
        }
        stored.writer = writer;
        stored.log.push((id, row));
        if let Some((state, summary)) = end {
            stored.log.shrink_to_fit();
            let version = stored.row.version + 1;
            let mut row = MatchRow { state, summary: Some(summary), version, ..stored.row.clone() };
            self.ends.stamp(&mut row);
            self.replace(row);
        }
        Appended::Appended
    }

    /// The row of a match.
    pub(super) fn row(&self, id: MatchId) -> Option<&MatchRow> {
        self.stored.get(&id).map(|stored| &stored.row)
    }

    /// Opens the seal of a match, if it has one.
    pub(super) fn unseal(&mut self, id: MatchId) {
        let Some(mut row) = self.row(id).cloned() else {
            return;
        };
        if let Some(link) = row.block.as_mut().filter(|link| link.sealed) {
            link.sealed = false;
            row.version += 1;
            self.replace(row);
        }
    }

    /// The sealed matches of a tournament in the order of their ids.
    pub(super) fn sealed(
        &self,
        tournament: TournamentId,
        after: Option<MatchId>,
    ) -> impl Iterator<Item = &MatchRow> {
        let from = match after {
            Some(after) => Bound::Excluded((tournament, after)),
            None => Bound::Included((tournament, MatchId(0))),
        };
        let to = Bound::Included((tournament, MatchId(u128::MAX)));
        self.sealed.range((from, to)).filter_map(|(_, id)| self.row(*id))
    }
}

/// Removes a value from the set of a key, and the set with its last one.
fn remove<K: Eq + Hash, V: Ord>(sets: &mut HashMap<K, BTreeSet<V>>, key: &K, value: &V) {
    if let Some(set) = sets.get_mut(key) {
        set.remove(value);
        if set.is_empty() {
            sets.remove(key);
        }
    }
}

#[async_trait]
impl Journal for Memory {
    async fn create(&self, mut row: MatchRow, remember: Option<Remembered>) -> Result<(), StoreError> {
        let mut matches = lock(&self.matches);
        if matches.stored.contains_key(&row.id) {
            return Err(StoreError::Unavailable(format!("there is a match {} already", row.id)));
        }
        if !row.is_open_to_all() && matches.stored.len() - matches.over.len() >= Memory::MAX_LIVE {
            return Err(StoreError::Full);
        }
        matches.ends.stamp(&mut row);
        let stored = Stored { row: row.clone(), log: Vec::new(), writer: Incarnation(0) };
        matches.stored.insert(row.id, stored);
        matches.index(&row);
        self.remember_with(remember);
        Ok(())
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        Ok(lock(&self.matches).row(id).cloned())
    }

    async fn update(&self, mut row: MatchRow, remember: Option<Remembered>) -> Result<Updated, StoreError> {
        let mut matches = lock(&self.matches);
        let Some(stored) = matches.row(row.id) else {
            return Ok(Updated::Conflict);
        };
        if stored.version != row.version || stored.state != MatchState::Open {
            return Ok(Updated::Conflict);
        }
        row.version += 1;
        matches.ends.stamp(&mut row);
        matches.replace(row);
        self.remember_with(remember);
        Ok(Updated::Done)
    }

    async fn append(&self, batch: Vec<Append>) -> Vec<Appended> {
        let mut matches = lock(&self.matches);
        batch.into_iter().map(|append| matches.append(append)).collect()
    }

    async fn log(&self, id: MatchId, from: u32) -> Result<Vec<LogRow>, StoreError> {
        let matches = lock(&self.matches);
        let log = matches.stored.get(&id).map(|stored| stored.log.as_slice()).unwrap_or_default();
        Ok(log.iter().skip(from as usize).map(|(_, row)| *row).collect())
    }

    async fn list(&self, query: ListMatches) -> Result<Vec<MatchRow>, StoreError> {
        let matches = lock(&self.matches);
        let end = query.after.map_or(Bound::Unbounded, Bound::Excluded);
        let wanted = |row: &&MatchRow| match query.state {
            None => true,
            Some(MatchState::Aborted(_)) => matches!(row.state, MatchState::Aborted(_)),
            Some(state) => row.state == state,
        };
        let none = BTreeSet::new();
        let all = match (&query.agent, query.tournament) {
            (Some(agent), _) => matches.by_seat.get(agent).unwrap_or(&none),
            (None, Some(tournament)) => matches.by_tournament.get(&tournament).unwrap_or(&none),
            (None, None) => &matches.by_time,
        };
        let of_tournament = |row: &&MatchRow| {
            let tournament = row.block.as_ref().map(|link| link.tournament);
            query.tournament.is_none() || query.tournament == tournament
        };
        let found = all.range((Bound::Unbounded, end)).rev();
        let rows = found.filter_map(|(_, id)| matches.row(*id)).filter(wanted).filter(of_tournament);
        Ok(rows.take(query.limit).cloned().collect())
    }

    async fn of_agent(&self, agent: &AgentName) -> Result<Vec<MatchRow>, StoreError> {
        let matches = lock(&self.matches);
        let ids = matches.by_agent.get(agent).into_iter().flatten();
        Ok(ids.filter_map(|id| matches.row(*id)).cloned().collect())
    }

    async fn remove_ended(&self, before_ms: u64, limit: usize) -> Result<usize, StoreError> {
        Ok(lock(&self.matches).remove_ended(before_ms, limit))
    }

    async fn rated(&self, after: Option<(u64, MatchId)>, limit: usize) -> Result<Vec<MatchRow>, StoreError> {
        let matches = lock(&self.matches);
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let found = matches.rated.range((from, Bound::Unbounded));
        Ok(found.filter_map(|(_, id)| matches.row(*id)).take(limit).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::{block_match, over, summary};

    #[tokio::test]
    async fn matches_that_are_over_make_room_but_not_as_long_as_they_are_sealed() {
        let store = Memory::new();
        let sealed = MatchRow {
            state: MatchState::Finished,
            summary: Some(summary()),
            rated: true,
            ..block_match(1, 0, 0)
        };
        store.create(sealed.clone(), None).await.unwrap();
        let most = Memory::MAX_OVER as u128;
        for id in 0..most {
            store.create(MatchRow { rated: true, ..over(id) }, None).await.unwrap();
        }
        let there = async |id| store.row(id).await.unwrap().is_some();
        assert!(there(sealed.id).await && there(MatchId(0)).await);
        crate::Tournaments::unseal(&store, vec![sealed.id]).await.unwrap();
        assert!(there(sealed.id).await && !there(MatchId(0)).await, "now it is one more");
        for id in most..2 * most - 1 {
            store.create(over(id), None).await.unwrap();
        }
        assert!(there(sealed.id).await && !there(MatchId(most - 1)).await);
        let rated = store.rated(None, 10).await.unwrap();
        assert_eq!(
            rated.iter().map(|row| row.id).collect::<Vec<_>>(),
            [sealed.id],
            "of the others nothing is left"
        );
        store.create(over(2 * most), None).await.unwrap();
        assert!(!there(sealed.id).await);
        let matches = lock(&store.matches);
        let left = (matches.stored.len(), matches.by_time.len(), matches.rated.len(), matches.over.len());
        assert_eq!(left, (Memory::MAX_OVER, Memory::MAX_OVER, 0, Memory::MAX_OVER));
    }
}
