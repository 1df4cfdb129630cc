use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chickenfoot_arena::{Arena, Error};
use chickenfoot_protocol::v1;
use chickenfoot_store::{AgentName, Agents, MatchId, MatchRow};
use tokio_util::sync::CancellationToken;
use tonic::metadata::MetadataMap;

use crate::auth;
use crate::authz::{self, Caller, Method, Registration};
use crate::config::Limits;
use crate::once::{Once, Request};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::wire::wire_match;

/// What all services of a server share.
pub(crate) struct State {
    pub(crate) arena: Arena,
    pub(crate) agents: Arc<dyn Agents>,
    pub(crate) limits: Limits,
    pub(crate) registration: Registration,
    /// Held from reading an agent to storing it changed, so that no change undoes another.
    pub(crate) agent_changes: tokio::sync::Mutex<()>,
    pub(crate) once: Once,
    pub(crate) sessions: Sessions,
    /// Cancelled when the server stops: streams end themselves.
    pub(crate) stopping: CancellationToken,
}

impl State {
    /// A mutating call that bears a request id.
    pub(crate) fn request<'a>(&'a self, caller: &'a str, method: &'static str, id: &'a str) -> Request<'a> {
        self.once.request(caller, method, id, self.arena.clock().unix_ms())
    }

    /// Who calls a method, if it may.
    ///
    /// # Errors
    /// It may not; see [`authz`].
    pub(crate) async fn caller(&self, method: Method, metadata: &MetadataMap) -> Result<Caller, Refusal> {
        self.optional_caller(method, metadata).await?.ok_or_else(authz::token_missing)
    }

    /// As [`State::caller`] for methods that need no token.
    ///
    /// # Errors
    /// As [`State::caller`].
    pub(crate) async fn optional_caller(
        &self,
        method: Method,
        metadata: &MetadataMap,
    ) -> Result<Option<Caller>, Refusal> {
        let caller = auth::identify(&*self.agents, metadata).await?;
        authz::admit(method, self.registration, caller.as_ref())?;
        Ok(caller)
    }

    /// A match on the wire, as it stands now.
    pub(crate) async fn wire_match(&self, row: &MatchRow) -> Result<v1::Match, Error> {
        let summary = self.arena.summary(row).await?;
        Ok(wire_match(row, summary.as_ref()))
    }

    pub(crate) async fn wire_match_by_id(&self, id: MatchId) -> Result<(MatchRow, v1::Match), Error> {
        let row = self.arena.row(id).await?;
        let wire = self.wire_match(&row).await?;
        Ok((row, wire))
    }
}

/// Reads a match id.
pub(crate) fn match_id(text: &str) -> Result<MatchId, Refusal> {
    text.parse()
        .map_err(|why| Refusal::new(Reason::MatchIdInvalid, format!("match_id {why}")).field("match_id"))
}

/// Reads an agent's name.
pub(crate) fn agent_name(field: &str, text: &str) -> Result<AgentName, Refusal> {
    text.parse().map_err(|why| Refusal::new(Reason::AgentNameInvalid, format!("{field} {why}")).field(field))
}

/// How many entries a page may have: 100 unless asked otherwise, at most 1,000.
pub(crate) fn page_size(asked: u32) -> Result<usize, Refusal> {
    match asked {
        0 => Ok(100),
        1..=1000 => Ok(asked as usize),
        _ => Err(Refusal::new(Reason::FieldOutOfRange, format!("page_size must be 1 to 1000, not {asked}"))
            .field("page_size")),
    }
}

/// Which agents have a session here, and the number of the newest of each.
#[derive(Default)]
pub(crate) struct Sessions {
    last: AtomicU64,
    newest: Mutex<HashMap<AgentName, u64>>,
}

impl Sessions {
    /// Notes a new session, which takes over from an older one of the same agent.
    pub(crate) fn open(&self, agent: &AgentName) -> u64 {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        self.lock().insert(agent.clone(), number);
        number
    }

    /// Notes the end of a session.
    pub(crate) fn close(&self, agent: &AgentName, number: u64) {
        let mut newest = self.lock();
        if newest.get(agent) == Some(&number) {
            newest.remove(agent);
        }
    }

    /// Whether this session is its agent's newest.
    pub(crate) fn is_newest(&self, agent: &AgentName, number: u64) -> bool {
        self.lock().get(agent) == Some(&number)
    }

    pub(crate) fn is_online(&self, agent: &AgentName) -> bool {
        self.lock().contains_key(agent)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AgentName, u64>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
