use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use chickenfoot_rules::Entry;

use crate::id::{AgentName, EntryId, Incarnation, MatchId, TournamentId};
use crate::matches::{MatchRow, MatchState, Summary};
use crate::request::Remembered;

/// One entry of a match's log as it is stored: what decides the match, and beside it what merely happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LogRow {
    /// The entry.
    pub entry: Entry,
    /// Where it came from. Never part of a digest.
    pub cause: Cause,
    /// Time that the decision took on its seat's clock.
    pub think: Duration,
    /// Illegal answers that were refused before.
    pub illegal: u32,
}

/// Where an entry came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The seat's agent.
    Agent,
    /// A player of the house.
    House,
    /// The agent had the decision and did not answer in time.
    Late,
    /// The time ran out while no stream of the agent had the decision.
    Gone,
    /// The seat had too many strikes.
    Strikes,
    /// The seat made a mistake in a strict match.
    Strict,
    /// The match's creator.
    Creator,
    /// A fault of the service.
    ServerFault,
    /// An organiser.
    Organiser,
}

/// An entry to be appended to a match's log.
#[derive(Clone, Debug)]
pub struct Append {
    /// The match.
    pub match_id: MatchId,
    /// The position that the entry is to have in the log, from 0.
    pub position: u32,
    /// Names this attempt.
    pub id: EntryId,
    /// Who writes.
    pub writer: Incarnation,
    /// The entry.
    pub row: LogRow,
    /// If the match is over with this entry: its state and summary, stored in the same step.
    pub end: Option<(MatchState, Summary)>,
}

/// What became of an [`Append`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Appended {
    /// It is stored.
    Appended,
    /// It was stored by an earlier attempt with the same id.
    Duplicate,
    /// Another entry has that position, or positions before it are empty.
    Conflict,
    /// A later incarnation has taken the match over; this one must not write any more.
    Fenced,
    /// The store did not say. Read back before deciding anything.
    Unknown,
}

/// What became of an update of a match's row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updated {
    /// It is stored.
    Done,
    /// The row has changed since; read it again.
    Conflict,
}

/// Which matches to list: newest first, by time of creation and then id.
#[derive(Clone, Debug, Default)]
pub struct ListMatches {
    /// Only those in this state, whatever the reason of an abort.
    pub state: Option<MatchState>,
    /// Only those in which this agent sits, or sat when they ended.
    pub agent: Option<AgentName>,
    /// Only those of this tournament.
    pub tournament: Option<TournamentId>,
    /// Only those after this one in the order of the list.
    pub after: Option<(u64, MatchId)>,
    /// At most so many.
    pub limit: usize,
}

/// Matches and their logs.
///
/// Every call is one step: it takes effect as a whole or not at all, and what it has answered survives the loss of
/// power (of a store that survives at all).
#[async_trait]
pub trait Journal: Send + Sync + 'static {
    /// Stores a new match, and with it the answer to the request that asked for it. It may be over already, with its
    /// summary; when it ended is the store's to note, here and in all calls that end a match.
    ///
    /// # Errors
    /// The store failed or is full.
    async fn create(&self, row: MatchRow, remember: Option<Remembered>) -> Result<(), StoreError>;

    /// The row of a match.
    ///
    /// # Errors
    /// The store failed.
    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError>;

    /// Replaces the row of a match that is open, if its version is still `row.version`, and counts the version up;
    /// with it, stores the answer to the request that asked for it. The new row may be over, with its summary if the
    /// match was begun.
    ///
    /// # Errors
    /// The store failed.
    async fn update(&self, row: MatchRow, remember: Option<Remembered>) -> Result<Updated, StoreError>;

    /// Appends entries, each to its match: every one for itself, in order, with one answer each.
    async fn append(&self, batch: Vec<Append>) -> Vec<Appended>;

    /// The log of a match from a position on.
    ///
    /// # Errors
    /// The store failed.
    async fn log(&self, id: MatchId, from: u32) -> Result<Vec<LogRow>, StoreError>;

    /// Lists matches.
    ///
    /// # Errors
    /// The store failed.
    async fn list(&self, query: ListMatches) -> Result<Vec<MatchRow>, StoreError>;

    /// The matches that are not over and [concern](MatchRow::concerns) an agent.
    ///
    /// # Errors
    /// The store failed.
    async fn of_agent(&self, agent: &AgentName) -> Result<Vec<MatchRow>, StoreError>;

    /// Up to `limit` rated matches that were played to their end, in the order of their ends and then ids, from the first
    /// one after `after` on. Each ends later than all that ended before it, so who goes on after the last one that it has
    /// seen misses none.
    ///
    /// # Errors
    /// The store failed.
    async fn rated(&self, after: Option<(u64, MatchId)>, limit: usize) -> Result<Vec<MatchRow>, StoreError>;

    /// Removes matches that were over before a moment, in milliseconds since 1970, with all that was kept of them: up to
    /// `limit`, those first that have been over for longest, and none that is sealed or rated:
    /// ratings are computed from those again. Returns how many it removed. The moment in which a match was
    /// over is the store's own, by the wall clock.
    ///
    /// # Errors
    /// The store failed.
    async fn remove_ended(&self, before_ms: u64, limit: usize) -> Result<usize, StoreError>;
}

/// The store failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// It has no room for more.
    Full,
    /// It cannot be written: read-only, or the disk is full. Nothing was stored.
    ReadOnly(String),
    /// What is stored is damaged.
    Corrupt(String),
    /// It could not be reached or said something unexpected.
    Unavailable(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreError::Full => f.write_str("the store is full"),
            StoreError::ReadOnly(why) => write!(f, "the store cannot be written: {why}"),
            StoreError::Corrupt(why) => write!(f, "the store is damaged: {why}"),
            StoreError::Unavailable(why) => write!(f, "the store is unavailable: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}
