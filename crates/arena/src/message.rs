use std::time::Duration;

use bytes::Bytes;
use chickenfoot_rules::{Choice, Illegal, Seat, View};
use chickenfoot_store::{AbortReason, AgentName, Cause, MatchId, Summary};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// What is asked of the owner of a running match. Each is a request; the answer is an [`OwnerReply`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToOwner {
    /// An agent answers a decision.
    Choose {
        agent: AgentName,
        decision: u32,
        answer: Answer,
        /// How long before it was sent the choice was received.
        age: Duration,
        /// What the owner may not know yet: that a stream of the agent has the decision.
        handed: Option<Handed>,
    },
    /// A stream of the agent has the decision. Not answered.
    Delivered { agent: AgentName, decision: u32, handed: Handed },
    /// A stream of the agent is gone. Not answered.
    Lost { agent: AgentName, stream: u64 },
    /// An agent gives up its seats.
    Leave { agent: AgentName },
    /// The match is ended without a result.
    Abort { by: Aborter },
    /// How does the match stand?
    Summary,
    /// An agent's session wants the open decision again, if it is the agent's.
    Resend { agent: AgentName },
}

/// That a decision was handed to a stream.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Handed {
    /// Tells the streams of an agent apart.
    pub(crate) stream: u64,
    /// How long before the message was sent.
    pub(crate) age: Duration,
}

/// Who ends a match without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Aborter {
    /// Its creator.
    Creator,
    /// An organiser, in the creator's place.
    Organiser,
}

/// The answer to a [`ToOwner`].
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum OwnerReply {
    /// Stored.
    Chosen(Chosen),
    /// Refused.
    Refused(ChoiceError),
    /// How the match stands.
    Summary(Box<Summary>),
    /// Done.
    Done,
}

/// A seat's answer to a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Answer {
    /// The position of an option in the decision's list, from 0.
    Option(u32),
    /// The move itself.
    Move(Choice),
}

/// A decision that was taken and stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Chosen {
    /// The choice as it was made.
    pub choice: Choice,
    /// The time that it took, as the service measured it.
    pub think: Duration,
    /// The time that was granted: the decision's own and what was left of the bank.
    pub granted: Duration,
}

/// What the session of an agent is told. Every one may be lost; a session asks again from time to time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ToAgent {
    /// A seat is reserved for the agent in an open match.
    Offered(MatchId),
    /// A match of the agent began.
    Started(MatchId),
    /// The agent has to choose.
    Decision(Box<DecisionNote>),
    /// A match of the agent is over.
    Ended(MatchId),
    /// A session with this number has taken over; all with another one end.
    TakenOver(u64),
    /// The agent's token was changed or revoked; streams that were opened with an older one end.
    TokenChanged,
}

/// An open decision.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DecisionNote {
    /// The match.
    pub match_id: MatchId,
    /// The decision's number: one more than that of the last event before it.
    pub number: u32,
    /// What the seat that is asked may know; the options follow from it.
    pub view: View<'static>,
    /// Time left, the bank included.
    pub left: Duration,
    /// The decision's own time.
    pub granted: Duration,
    /// What is left of the seat's bank.
    pub bank: Duration,
}

/// Why an answer to a decision was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ChoiceError {
    /// There is no such match.
    NoSuchMatch,
    /// The match has not started.
    NotStarted,
    /// The match is over.
    Over,
    /// The agent has no seat in this match.
    NotSeated,
    /// The decision is another seat's.
    NotYours {
        /// The seat that is asked.
        seat: Seat,
    },
    /// The decision has been answered, and differently.
    Answered {
        /// What was played.
        played: Choice,
        /// The number of the open decision; 0 if the match is over.
        open: u32,
    },
    /// No decision of that number has been offered yet.
    NotOpen {
        /// The number of the open decision.
        open: u32,
    },
    /// There is no option at that position.
    NoSuchOption {
        /// How many there are.
        options: u32,
    },
    /// The move is not legal.
    Illegal(Illegal),
    /// No arm or toe of that number takes the tile on that end.
    NoSuchLine,
    /// The service could not say in time whether the choice was stored; ask again.
    Unavailable,
}

/// Room for most messages; a decision grows it a few times at most.
const ROOM: usize = 256;

pub(crate) fn encode<T: Serialize>(message: &T) -> Bytes {
    let bytes = postcard::to_extend(message, Vec::with_capacity(ROOM));
    Bytes::from(bytes.expect("these types know their lengths, and the buffer grows"))
}

/// Reads a message. `None` for one that this version does not know: to be treated as lost.
pub(crate) fn decode<T: DeserializeOwned>(message: &Bytes) -> Option<T> {
    postcard::from_bytes(message).ok()
}

impl Aborter {
    /// What stands in the row of the match.
    pub(crate) fn reason(self) -> AbortReason {
        match self {
            Aborter::Creator => AbortReason::Creator,
            Aborter::Organiser => AbortReason::Organiser,
        }
    }

    /// What stands in its log.
    pub(crate) fn cause(self) -> Cause {
        match self {
            Aborter::Creator => Cause::Creator,
            Aborter::Organiser => Cause::Organiser,
        }
    }
}

impl ToAgent {
    /// Reads what came on [`crate::Subject::Agent`]; `None` for a message that this version does not know.
    pub fn decode(message: &Bytes) -> Option<ToAgent> {
        decode(message)
    }
}

impl ChoiceError {
    /// Whether the answer was the mistake of the seat that was asked, and not one of time or of place.
    pub(crate) fn is_fault(self) -> bool {
        match self {
            ChoiceError::NoSuchOption { .. } | ChoiceError::Illegal(_) | ChoiceError::NoSuchLine => true,
            ChoiceError::NoSuchMatch
            | ChoiceError::NotStarted
            | ChoiceError::Over
            | ChoiceError::NotSeated
            | ChoiceError::NotYours { .. }
            | ChoiceError::Answered { .. }
            | ChoiceError::NotOpen { .. }
            | ChoiceError::Unavailable => false,
        }
    }
}
