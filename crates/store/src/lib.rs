//! What must not be lost: agents, matches and the log of decisions.
//!
//! [`Journal`] holds matches and their logs, [`Agents`] who may play, [`Tournaments`] what is played in blocks, and
//! [`Requests`] what was answered to requests that may be repeated. All are traits. [`Sqlite`] keeps everything in one
//! file; [`Memory`] keeps it in the process and nothing beyond it. The feature `conformance` has the laws that every
//! backend must keep, as functions for its tests.

mod agent;
#[cfg(feature = "conformance")]
pub mod conformance;
mod end_clock;
mod id;
mod journal;
mod matches;
mod memory;
mod request;
pub mod sqlite;
mod tournament;
mod wall_clock;

pub use agent::{AgentRow, Agents, Role, TokenHash};
pub use id::{AgentName, EntryId, Incarnation, InvalidId, MatchId, TournamentId};
pub use journal::{Append, Appended, Cause, Journal, ListMatches, LogRow, StoreError, Updated};
pub use matches::{
    AbortReason, BlockLink, ClockRules, FaultRules, MatchRow, MatchState, Occupant, OutReason, SeatLedger,
    SeatRow, SeatSpec, Summary,
};
pub use memory::Memory;
pub use request::{Remembered, RequestKey, Requests};
pub use sqlite::Sqlite;
pub use tournament::{
    BlockMatch, BlockOutcome, BlockRow, EntrantChange, EntrantRow, EntrantState, ListTournaments, Tally,
    TournamentRow, TournamentState, Tournaments,
};
