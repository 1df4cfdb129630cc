use async_trait::async_trait;

use crate::id::AgentName;
use crate::journal::StoreError;
use crate::request::Remembered;

/// The SHA-256 hash of an agent's token; the token itself is stored nowhere.
pub type TokenHash = [u8; 32];

/// An agent as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgentRow {
    /// Its name.
    pub name: AgentName,
    /// The hash of its token; `None` once that was revoked.
    pub token_hash: Option<TokenHash>,
    /// What it may do.
    pub role: Role,
    /// When it was registered, in milliseconds since 1970.
    pub created_ms: u64,
}

/// What an agent may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Play, and make matches for itself.
    Agent,
    /// Make and abort anyone's matches.
    Organiser,
    /// Everything, tokens of others included.
    Admin,
}

/// Who may play.
#[async_trait]
pub trait Agents: Send + Sync + 'static {
    /// Stores a new agent, and with it the answer to the request that asked for it. Whether the name was free.
    ///
    /// # Errors
    /// The store failed.
    async fn create_agent(&self, row: AgentRow, remember: Option<Remembered>) -> Result<bool, StoreError>;

    /// Replaces an agent's role and token hash, and with it stores the answer to the request that asked for it. Whether
    /// there is such an agent.
    ///
    /// # Errors
    /// The store failed.
    async fn update_agent(&self, row: AgentRow, remember: Option<Remembered>) -> Result<bool, StoreError>;

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
