use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::agent::{AgentRow, Agents, TokenHash};
use crate::id::{AgentName, EntryId, Incarnation, MatchId};
use crate::journal::{Append, Appended, Journal, ListMatches, LogRow, StoreError, Updated};
use crate::matches::{MatchRow, MatchState};
use crate::request::{Remembered, RequestKey, Requests};
use crate::wall_clock::now_ms;

/// A store that lives and dies with the process.
///
/// It is bounded: matches that are not over are refused beyond [`Memory::MAX_LIVE`], and of those that are over the
/// last [`Memory::MAX_OVER`] are kept, as are the last [`Memory::MAX_REMEMBERED`] answers to requests.
#[derive(Default)]
pub struct Memory {
    matches: Mutex<Matches>,
    agents: Mutex<AgentTable>,
    /// Locked last, while one of the others is held: an answer is stored together with what it is about.
    requests: Mutex<RequestTable>,
}

impl Memory {
    /// Most matches that are not over.
    pub const MAX_LIVE: usize = 200_000;

    /// Most matches that are over.
    pub const MAX_OVER: usize = 10_000;

    /// Most agents.
    pub const MAX_AGENTS: usize = 100_000;

    /// Most remembered answers; the oldest make room.
    pub const MAX_REMEMBERED: usize = 100_000;

    /// An empty store.
    pub fn new() -> Memory {
        Memory::default()
    }

    fn remember_with(&self, request: Option<Remembered>) {
        if let Some(request) = request {
            lock(&self.requests).insert(request);
        }
    }
}

#[derive(Default)]
struct Matches {
    stored: HashMap<MatchId, Stored>,
    /// All matches by time of creation.
    by_time: BTreeSet<(u64, MatchId)>,
    /// The matches that are not over, by the agents that they concern.
    by_agent: HashMap<AgentName, BTreeSet<MatchId>>,
    /// The matches that are over, in the order in which they ended, each with when.
    over: VecDeque<(u64, MatchId)>,
}

struct Stored {
    row: MatchRow,
    log: Vec<(EntryId, LogRow)>,
    writer: Incarnation,
}

impl Matches {
    fn index(&mut self, row: &MatchRow) {
        for agent in row.concerned() {
            self.by_agent.entry(agent).or_default().insert(row.id);
        }
    }

    fn unindex(&mut self, row: &MatchRow) {
        for agent in row.concerned() {
            if let Some(matches) = self.by_agent.get_mut(&agent) {
                matches.remove(&row.id);
                if matches.is_empty() {
                    self.by_agent.remove(&agent);
                }
            }
        }
    }

    /// A match that is over concerns no agent any more, and pushes the oldest such match out.
    fn retire(&mut self, row: &MatchRow) {
        self.unindex(row);
        self.over.push_back((now_ms(), row.id));
        if self.over.len() > Memory::MAX_OVER {
            self.remove_oldest();
        }
    }

    /// Removes the match that has been over for longest.
    fn remove_oldest(&mut self) {
        if let Some((_, oldest)) = self.over.pop_front()
            && let Some(stored) = self.stored.remove(&oldest)
        {
            self.by_time.remove(&(stored.row.created_ms, oldest));
        }
    }

    fn remove_ended(&mut self, before_ms: u64, limit: usize) -> usize {
        let mut removed = 0;
        while removed < limit && self.over.front().is_some_and(|(ended_ms, _)| *ended_ms < before_ms) {
            self.remove_oldest();
            removed += 1;
        }
        removed
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
            stored.row.state = state;
            stored.row.summary = Some(summary);
            stored.row.version += 1;
            stored.log.shrink_to_fit();
            let row = stored.row.clone();
            self.retire(&row);
        }
        Appended::Appended
    }
}

#[async_trait]
impl Journal for Memory {
    async fn create(&self, row: MatchRow, remember: Option<Remembered>) -> Result<(), StoreError> {
        let mut matches = lock(&self.matches);
        if matches.stored.contains_key(&row.id) {
            return Err(StoreError::Unavailable(format!("there is a match {} already", row.id)));
        }
        if !row.state.is_over() && matches.stored.len() - matches.over.len() >= Memory::MAX_LIVE {
            return Err(StoreError::Full);
        }
        matches.index(&row);
        matches.by_time.insert((row.created_ms, row.id));
        let stored = Stored { row: row.clone(), log: Vec::new(), writer: Incarnation(0) };
        matches.stored.insert(row.id, stored);
        if row.state.is_over() {
            matches.retire(&row);
        }
        self.remember_with(remember);
        Ok(())
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        Ok(lock(&self.matches).stored.get(&id).map(|stored| stored.row.clone()))
    }

    async fn update(&self, mut row: MatchRow, remember: Option<Remembered>) -> Result<Updated, StoreError> {
        let mut matches = lock(&self.matches);
        let Some(stored) = matches.stored.get_mut(&row.id) else {
            return Ok(Updated::Conflict);
        };
        if stored.row.version != row.version || stored.row.state != MatchState::Open {
            return Ok(Updated::Conflict);
        }
        row.version += 1;
        let before = std::mem::replace(&mut stored.row, row.clone());
        matches.unindex(&before);
        matches.index(&row);
        if row.state.is_over() {
            matches.retire(&row);
        }
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
        Ok(matches
            .by_time
            .range((Bound::Unbounded, end))
            .rev()
            .filter_map(|(_, id)| matches.stored.get(id).map(|stored| &stored.row))
            .filter(wanted)
            .take(query.limit)
            .cloned()
            .collect())
    }

    async fn of_agent(&self, agent: &AgentName) -> Result<Vec<MatchRow>, StoreError> {
        let matches = lock(&self.matches);
        let ids = matches.by_agent.get(agent).into_iter().flatten();
        Ok(ids.filter_map(|id| matches.stored.get(id)).map(|stored| stored.row.clone()).collect())
    }

    async fn remove_ended(&self, before_ms: u64, limit: usize) -> Result<usize, StoreError> {
        Ok(lock(&self.matches).remove_ended(before_ms, limit))
    }
}

#[derive(Default)]
struct AgentTable {
    by_name: BTreeMap<AgentName, AgentRow>,
    by_token: HashMap<TokenHash, AgentName>,
}

impl AgentTable {
    /// Stores an agent under its name and token; the token that it had before leads to it no more.
    fn put(&mut self, row: AgentRow) -> Result<(), StoreError> {
        let holder = row.token_hash.and_then(|hash| self.by_token.get(&hash));
        if holder.is_some_and(|holder| *holder != row.name) {
            return Err(StoreError::Unavailable("another agent has that token".to_owned()));
        }
        let before = self.by_name.get(&row.name).and_then(|before| before.token_hash);
        if let Some(hash) = before {
            self.by_token.remove(&hash);
        }
        if let Some(hash) = row.token_hash {
            self.by_token.insert(hash, row.name.clone());
        }
        self.by_name.insert(row.name.clone(), row);
        Ok(())
    }
}

#[async_trait]
impl Agents for Memory {
    async fn create_agent(&self, row: AgentRow, remember: Option<Remembered>) -> Result<bool, StoreError> {
        let mut agents = lock(&self.agents);
        if agents.by_name.contains_key(&row.name) {
            return Ok(false);
        }
        if agents.by_name.len() >= Memory::MAX_AGENTS {
            return Err(StoreError::Full);
        }
        agents.put(row)?;
        self.remember_with(remember);
        Ok(true)
    }

    async fn update_agent(&self, row: AgentRow, remember: Option<Remembered>) -> Result<bool, StoreError> {
        let mut agents = lock(&self.agents);
        let Some(stored) = agents.by_name.get(&row.name) else {
            return Ok(false);
        };
        let created_ms = stored.created_ms;
        agents.put(AgentRow { created_ms, ..row })?;
        self.remember_with(remember);
        Ok(true)
    }

    async fn agent(&self, name: &AgentName) -> Result<Option<AgentRow>, StoreError> {
        Ok(lock(&self.agents).by_name.get(name).cloned())
    }

    async fn agent_by_token(&self, hash: &TokenHash) -> Result<Option<AgentRow>, StoreError> {
        let agents = lock(&self.agents);
        Ok(agents.by_token.get(hash).and_then(|name| agents.by_name.get(name)).cloned())
    }

    async fn agents(&self, after: Option<&AgentName>, limit: usize) -> Result<Vec<AgentRow>, StoreError> {
        let agents = lock(&self.agents);
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let range = agents.by_name.range::<AgentName, _>((from, Bound::Unbounded));
        Ok(range.take(limit).map(|(_, row)| row.clone()).collect())
    }
}

#[derive(Default)]
struct RequestTable {
    by_key: HashMap<RequestKey, Remembered>,
    /// The keys in the order in which they came.
    order: VecDeque<RequestKey>,
}

impl RequestTable {
    /// The first answer to a request stays.
    fn insert(&mut self, request: Remembered) {
        if self.by_key.contains_key(&request.key) {
            return;
        }
        if self.order.len() >= Memory::MAX_REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_key.remove(&oldest);
        }
        self.order.push_back(request.key.clone());
        self.by_key.insert(request.key.clone(), request);
    }
}

#[async_trait]
impl Requests for Memory {
    async fn recall(&self, key: &RequestKey) -> Result<Option<Remembered>, StoreError> {
        Ok(lock(&self.requests).by_key.get(key).cloned())
    }

    async fn remember(&self, request: Remembered) -> Result<(), StoreError> {
        lock(&self.requests).insert(request);
        Ok(())
    }

    async fn forget(&self, before_ms: u64) -> Result<(), StoreError> {
        let RequestTable { by_key, order } = &mut *lock(&self.requests);
        by_key.retain(|_, request| request.at_ms >= before_ms);
        order.retain(|key| by_key.contains_key(key));
        Ok(())
    }
}

/// No invariant is ever broken halfway under these locks, so a panic elsewhere does not spoil what they guard.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
