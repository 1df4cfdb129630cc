//! What must not be lost: agents, matches and the log of decisions.
//!
//! [`Journal`] holds matches and their logs, [`Agents`] who may play. Both are traits; [`Memory`] is the backend that
//! keeps everything in the process and nothing beyond it.

mod agent;
mod id;
mod journal;
mod matches;
mod memory;
mod request;

pub use agent::{AgentRow, Agents, Role, TokenHash};
pub use id::{AgentName, EntryId, Incarnation, InvalidId, MatchId};
pub use journal::{Append, Appended, Cause, Journal, ListMatches, LogRow, StoreError, Updated};
pub use matches::{
    AbortReason, ClockRules, FaultRules, MatchRow, MatchState, Occupant, OutReason, SeatLedger, SeatRow,
    SeatSpec, Summary,
};
pub use memory::Memory;
pub use request::{Remembered, RequestKey, Requests};
