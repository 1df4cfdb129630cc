use async_trait::async_trait;

use crate::journal::StoreError;

/// Names a request that its caller may repeat: who called, what, and the hash of the id that the caller gave it.
///
/// Only the hash is stored, because whoever knows the id of a registration gets its token again.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RequestKey {
    /// The caller's name; empty for one without a token.
    pub caller: String,
    /// The method.
    pub method: &'static str,
    /// The SHA-256 hash of the request id.
    pub id_hash: [u8; 32],
}

/// A request that was answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remembered {
    /// Which one.
    pub key: RequestKey,
    /// The SHA-256 hash of the request itself: the same id with another request is a mistake of the caller.
    pub request_hash: [u8; 32],
    /// The answer, encoded.
    pub answer: Vec<u8>,
    /// When, in milliseconds since 1970; old ones are forgotten.
    pub at_ms: u64,
}

/// The answers to requests that may be repeated. The first answer to a request stays, whatever is stored after it.
#[async_trait]
pub trait Requests: Send + Sync + 'static {
    /// What was answered to a request, if it was and is not forgotten.
    ///
    /// # Errors
    /// The store failed.
    async fn recall(&self, key: &RequestKey) -> Result<Option<Remembered>, StoreError>;

    /// Stores the answer to a request that changed nothing else in the store.
    ///
    /// # Errors
    /// The store failed.
    async fn remember(&self, request: Remembered) -> Result<(), StoreError>;

    /// Forgets what was answered before a moment, in milliseconds since 1970.
    ///
    /// # Errors
    /// The store failed.
    async fn forget(&self, before_ms: u64) -> Result<(), StoreError>;
}
