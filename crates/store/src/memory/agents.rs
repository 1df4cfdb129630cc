use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;

use async_trait::async_trait;

use super::{Memory, lock};
use crate::agent::{AgentRow, Agents, TokenHash};
use crate::id::AgentName;
use crate::journal::StoreError;
use crate::request::Remembered;

#[derive(Default)]
pub(super) struct AgentTable {
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
