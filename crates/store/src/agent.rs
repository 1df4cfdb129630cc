use async_trait::async_trait;

use crate::id::AgentName;
use crate::journal::StoreError;

/// The SHA-256 hash of an agent's token; the token itself is stored nowhere.
pub type TokenHash = [u8; 32];

/// An agent as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRow {
    /// Its name.
    pub name: AgentName,
    /// The hash of its token.
    pub token_hash: TokenHash,
    /// When it was registered, in milliseconds since 1970.
    pub created_ms: u64,
}

/// Who may play.
#[async_trait]
pub trait Agents: Send + Sync + 'static {
    /// Stores a new agent. Whether the name was free.
    ///
    /// # Errors
    /// The store failed.
    async fn create_agent(&self, row: AgentRow) -> Result<bool, StoreError>;

    /// The agent of that name.
    ///
    /// # Errors
    /// The store failed.
    async fn agent(&self, name: &AgentName) -> Result<Option<AgentRow>, StoreError>;

    /// The agent whose token has that hash.
    ///
    /// # Errors
    /// The store failed.
    async fn agent_by_token(&self, hash: &TokenHash) -> Result<Option<AgentRow>, StoreError>;

    /// Up to `limit` agents in the order of their names, from the first one after `after` on.
    ///
    /// # Errors
    /// The store failed.
    async fn agents(&self, after: Option<&AgentName>, limit: usize) -> Result<Vec<AgentRow>, StoreError>;
}
