use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;

use crate::agent::{AgentRow, Agents, TokenHash};
use crate::id::{AgentName, EntryId, Incarnation, MatchId};
use crate::journal::{Append, Appended, Journal, ListMatches, LogRow, StoreError, Updated};
use crate::matches::{MatchRow, MatchState, Occupant, SeatSpec};

/// A store that lives and dies with the process.
///
/// It is bounded: matches that are not over are refused beyond [`Memory::MAX_LIVE`], and of those that are over the
/// last [`Memory::MAX_OVER`] are kept.
#[derive(Default)]
pub struct Memory {
    matches: Mutex<Matches>,
    agents: Mutex<AgentTable>,
}

impl Memory {
    /// Most matches that are not over.
    pub const MAX_LIVE: usize = 200_000;

    /// Most matches that are over.
    pub const MAX_OVER: usize = 10_000;

    /// Most agents.
    pub const MAX_AGENTS: usize = 100_000;

    /// An empty store.
    pub fn new() -> Memory {
        Memory::default()
    }
}

#[derive(Default)]
struct Matches {
    stored: HashMap<MatchId, Stored>,
    /// All matches by time of creation.
    by_time: BTreeSet<(u64, MatchId)>,
    /// The matches that are not over, by the agents that they concern.
    by_agent: HashMap<AgentName, BTreeSet<MatchId>>,
    /// The matches that are over, in the order in which they ended.
    over: VecDeque<MatchId>,
}

struct Stored {
    row: MatchRow,
    log: Vec<(EntryId, LogRow)>,
    writer: Incarnation,
}

impl Matches {
    fn index(&mut self, row: &MatchRow) {
        for agent in agents_of(row) {
            self.by_agent.entry(agent).or_default().insert(row.id);
        }
    }

    fn unindex(&mut self, row: &MatchRow) {
        for agent in agents_of(row) {
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
        self.over.push_back(row.id);
        if self.over.len() > Memory::MAX_OVER
            && let Some(oldest) = self.over.pop_front()
            && let Some(stored) = self.stored.remove(&oldest)
        {
            self.by_time.remove(&(stored.row.created_ms, oldest));
        }
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

/// The agents at the table and those that a seat is reserved for.
fn agents_of(row: &MatchRow) -> BTreeSet<AgentName> {
    let occupants = row.seats.iter().filter_map(|seat| match &seat.occupant {
        Some(Occupant::Agent(name)) => Some(name.clone()),
        Some(Occupant::House(_)) | None => None,
    });
    let reserved = row.seats.iter().filter_map(|seat| match &seat.spec {
        SeatSpec::Agent(name) => Some(name.clone()),
        SeatSpec::Open | SeatSpec::House(_) => None,
    });
    occupants.chain(reserved).collect()
}

#[async_trait]
impl Journal for Memory {
    async fn create(&self, row: MatchRow) -> Result<(), StoreError> {
        let mut matches = lock(&self.matches);
        if matches.stored.len() - matches.over.len() >= Memory::MAX_LIVE {
            return Err(StoreError::Full);
        }
        matches.index(&row);
        matches.by_time.insert((row.created_ms, row.id));
        matches.stored.insert(row.id, Stored { row, log: Vec::new(), writer: Incarnation(0) });
        Ok(())
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        Ok(lock(&self.matches).stored.get(&id).map(|stored| stored.row.clone()))
    }

    async fn update(&self, mut row: MatchRow) -> Result<Updated, StoreError> {
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
}

#[derive(Default)]
struct AgentTable {
    by_name: BTreeMap<AgentName, AgentRow>,
    by_token: HashMap<TokenHash, AgentName>,
}

#[async_trait]
impl Agents for Memory {
    async fn create_agent(&self, row: AgentRow) -> Result<bool, StoreError> {
        let mut agents = lock(&self.agents);
        if agents.by_name.contains_key(&row.name) {
            return Ok(false);
        }
        if agents.by_name.len() >= Memory::MAX_AGENTS {
            return Err(StoreError::Full);
        }
        agents.by_token.insert(row.token_hash, row.name.clone());
        agents.by_name.insert(row.name.clone(), row);
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

/// No invariant is ever broken halfway under these locks, so a panic elsewhere does not spoil what they guard.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
