use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chickenfoot_arena::{Arena, Error};
use chickenfoot_protocol::v1;
use chickenfoot_store::{AgentName, Agents, MatchId, MatchRow, TournamentId, Tournaments};
use prost::Message;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::auth;
use crate::authz::{self, Caller, Method, Registration};
use crate::census::Census;
use crate::config::Limits;
use crate::leaderboard::Leaderboard;
use crate::limits::Gate;
use crate::metrics::{Metrics, Snapshot, StoreStats};
use crate::once::{Once, Request};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::scenes::Scenes;
use crate::tournaments::Director;
use crate::wire::wire_match;

/// What all services of a server share.
pub(crate) struct State {
    pub(crate) arena: Arena,
    pub(crate) agents: Arc<dyn Agents>,
    pub(crate) tournaments: Arc<dyn Tournaments>,
    pub(crate) director: Director,
    pub(crate) leaderboard: tokio::sync::Mutex<Leaderboard>,
    pub(crate) limits: Limits,
    /// How long matches that are over are kept; `None`: for ever.
    pub(crate) keep_matches: Option<Duration>,
    pub(crate) gate: Gate,
    pub(crate) census: Arc<Census>,
    pub(crate) registration: Registration,
    /// Held from reading an agent to storing it changed, so that no change undoes another.
    pub(crate) agent_changes: tokio::sync::Mutex<()>,
    pub(crate) once: Once,
    pub(crate) sessions: Sessions,
    pub(crate) scenes: Scenes,
    /// Cancelled when the server stops: streams end themselves.
    pub(crate) stopping: CancellationToken,
    /// Sessions and watches hold a token of it, and mutating calls run in it, so that stopping can wait for them.
    pub(crate) streams: TaskTracker,
    /// Whether the store could be written to when it was last tried.
    pub(crate) writable: AtomicBool,
    pub(crate) metrics: Arc<Metrics>,
    /// What the store says of its transactions.
    pub(crate) store_stats: Box<dyn Fn() -> StoreStats + Send + Sync>,
    /// Open connections.
    pub(crate) connections: Arc<AtomicUsize>,
}

impl State {
    /// A mutating call with its request id and content.
    pub(crate) fn request<Q: Message>(
        &self,
        caller: &str,
        method: &'static str,
        id: &str,
        content: &Q,
    ) -> Request<'_> {
        self.once.request(caller, method, id, content, self.arena.clock().unix_ms())
    }

    /// Who calls a method, if it may. The call is counted, also one that is refused.
    ///
    /// # Errors
    /// It may not, see [`authz`]; or it calls too often.
    pub(crate) async fn caller<T>(
        &self,
        method: Method,
        request: &tonic::Request<T>,
    ) -> Result<Caller, Refusal> {
        self.optional_caller(method, request).await?.ok_or_else(authz::token_missing)
    }

    /// As [`State::caller`] for methods that need no token.
    ///
    /// # Errors
    /// As [`State::caller`].
    pub(crate) async fn optional_caller<T>(
        &self,
        method: Method,
        request: &tonic::Request<T>,
    ) -> Result<Option<Caller>, Refusal> {
        let caller = match auth::identify(&*self.agents, request.metadata()).await {
            Ok(caller) => caller,
            // Guessing tokens is counted like calling without one.
            Err(why) => return Err(self.gate.peer_call(request.remote_addr()).err().unwrap_or(why)),
        };
        match &caller {
            Some(caller) => self.gate.agent_call(&caller.name)?,
            None => self.gate.peer_call(request.remote_addr())?,
        }
        authz::admit(method, self.registration, caller.as_ref())?;
        Ok(caller)
    }

    /// Refuses what would only be cut off.
    ///
    /// # Errors
    /// The service stops.
    pub(crate) fn not_stopping(&self) -> Result<(), Refusal> {
        if self.stopping.is_cancelled() {
            return Err(Refusal::shutting_down("the service stops; try again soon"));
        }
        Ok(())
    }

    /// Why nothing new is taken; `None` if it is.
    pub(crate) fn not_ready(&self) -> Option<&'static str> {
        if self.stopping.is_cancelled() {
            Some("the service stops")
        } else if !self.writable.load(Ordering::Relaxed) {
            Some("the store cannot be written")
        } else {
            None
        }
    }

    /// How things stand, in Prometheus' text format.
    pub(crate) fn render_metrics(&self) -> String {
        let counts = self.census.counts();
        let (watches, watch_lag) = self.gate.watches();
        let (scene_matches, scene_tiles) = self.scenes.counts();
        self.metrics.render(&Snapshot {
            connections: self.connections.load(Ordering::Relaxed),
            open_matches: counts.open,
            running_matches: counts.running,
            match_tasks: self.arena.running(),
            sessions: self.sessions.count(),
            watches,
            watch_lag,
            scene_matches,
            scene_tiles,
            store: (self.store_stats)(),
            store_writable: self.writable.load(Ordering::Relaxed),
            ready: self.not_ready().is_none(),
        })
    }

    /// A match on the wire, as it stands now for this viewer.
    pub(crate) async fn wire_match(
        &self,
        row: &MatchRow,
        viewer: Option<&AgentName>,
    ) -> Result<v1::Match, Error> {
        let seated = viewer.is_some_and(|viewer| row.seats.iter().any(|seat| seat.is_held_by(viewer)));
        let summary = if seated {
            self.arena.summary(row).await?
        } else {
            self.arena.summary_for_spectators(row).await?
        };
        Ok(wire_match(row, summary.as_ref()))
    }
}

/// Reads a match id.
pub(crate) fn match_id(text: &str) -> Result<MatchId, Refusal> {
    text.parse()
        .map_err(|why| Refusal::new(Reason::MatchIdInvalid, format!("match_id {why}")).field("match_id"))
}

/// Reads a tournament id.
pub(crate) fn tournament_id(text: &str) -> Result<TournamentId, Refusal> {
    text.parse().map_err(|why| {
        Refusal::new(Reason::TournamentIdInvalid, format!("tournament_id {why}")).field("tournament_id")
    })
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
    newest: Mutex<HashMap<AgentName, (u64, CancellationToken)>>,
}

impl Sessions {
    /// Notes a new session, which takes over from an older one of the same agent: that one's token is cancelled, which
    /// reaches it even while it waits for a reader that does not read. Returns the new one's number and token.
    pub(crate) fn open(&self, agent: &AgentName) -> (u64, CancellationToken) {
        let number = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let taken_over = CancellationToken::new();
        let older = self.lock().insert(agent.clone(), (number, taken_over.clone()));
        if let Some((_, older)) = older {
            older.cancel();
        }
        (number, taken_over)
    }

    /// Notes the end of a session.
    pub(crate) fn close(&self, agent: &AgentName, number: u64) {
        let mut newest = self.lock();
        if newest.get(agent).is_some_and(|(newest, _)| *newest == number) {
            newest.remove(agent);
        }
    }

    /// Whether this session is its agent's newest.
    pub(crate) fn is_newest(&self, agent: &AgentName, number: u64) -> bool {
        self.lock().get(agent).is_some_and(|(newest, _)| *newest == number)
    }

    pub(crate) fn count(&self) -> usize {
        self.lock().len()
    }

    pub(crate) fn is_online(&self, agent: &AgentName) -> bool {
        self.lock().contains_key(agent)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<AgentName, (u64, CancellationToken)>> {
        self.newest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_session_ends_the_one_before_and_no_other() {
        let sessions = Sessions::default();
        let (ann, bob) = ("ann".parse().unwrap(), "bob".parse().unwrap());
        let (first, first_over) = sessions.open(&ann);
        let (_, other_over) = sessions.open(&bob);
        let (second, second_over) = sessions.open(&ann);
        assert!(first_over.is_cancelled() && !second_over.is_cancelled() && !other_over.is_cancelled());
        sessions.close(&ann, first);
        assert!(sessions.is_newest(&ann, second), "the end of the older one changes nothing");
        assert_eq!(sessions.count(), 2);
    }
}
