use std::collections::HashMap;
use std::time::Duration;

use chickenfoot_arena::{ChoiceError, Error};
use chickenfoot_protocol::{Malformed, Problem, v1};
use chickenfoot_rules::Illegal;
use chickenfoot_store::{MatchState, StoreError};
use tonic::Status;
use tonic_types::{ErrorDetails, StatusExt};

use crate::reason::Reason;
use crate::wire::wire_duration;

/// The `domain` of every `google.rpc.ErrorInfo`.
pub const DOMAIN: &str = "chickenfoot.v1";

/// A refusal with everything that a program or a person may want to know of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// For people.
    pub message: String,
    /// What the reason is about; the keys are documented with the reasons.
    pub metadata: HashMap<String, String>,
    /// The field that is wrong.
    pub field: Option<String>,
    /// When it is worth trying again.
    pub retry_after: Option<Duration>,
}

impl Refusal {
    /// A refusal that says no more than why.
    pub fn new(reason: Reason, message: impl Into<String>) -> Refusal {
        Refusal { reason, message: message.into(), metadata: HashMap::new(), field: None, retry_after: None }
    }

    /// About this field.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>) -> Refusal {
        let field = field.into();
        self.metadata.insert("field".to_owned(), field.clone());
        self.field = Some(field);
        self
    }

    /// With one more thing to know.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl ToString) -> Refusal {
        self.metadata.insert(key.to_owned(), value.to_string());
        self
    }

    /// A limit is reached, by its key in the configuration.
    pub(crate) fn limit_reached(key: &str, value: impl ToString, wait: Duration) -> Refusal {
        let value = value.to_string();
        let message = format!("{key} is {value}, and no more are taken");
        Refusal::new(Reason::LimitReached, message).with("limit", key).with("value", value).retry(wait)
    }

    /// The service stops; another one, or this one, is there soon.
    pub(crate) fn shutting_down(message: &str) -> Refusal {
        Refusal::new(Reason::ShuttingDown, message).retry(Duration::from_secs(1))
    }

    /// The service cannot say in time what became of the call; repeating it is safe.
    pub(crate) fn unavailable(message: &str) -> Refusal {
        Refusal::new(Reason::Unavailable, message).retry(Duration::from_secs(1))
    }

    fn retry(mut self, after: Duration) -> Refusal {
        self.retry_after = Some(after);
        self
    }

    /// The refusal of one message of a session, which goes on.
    pub fn on_session(&self, match_id: &str, decision: u32) -> v1::Refusal {
        v1::Refusal {
            match_id: match_id.to_owned(),
            decision,
            code: self.reason.code().into(),
            reason: self.reason.name().to_owned(),
            message: self.message.clone(),
            metadata: self.metadata.clone(),
            retry_after: self.retry_after.map(wire_duration),
        }
    }
}

impl From<Refusal> for Status {
    fn from(refusal: Refusal) -> Status {
        let Refusal { reason, message, metadata, field, retry_after } = refusal;
        let mut details = ErrorDetails::with_error_info(reason.name(), DOMAIN, metadata);
        if let Some(field) = field {
            details.add_bad_request_violation(field, message.clone());
        }
        if retry_after.is_some() {
            details.set_retry_info(retry_after);
        }
        Status::with_error_details(reason.code(), message, details)
    }
}

impl From<Malformed> for Refusal {
    fn from(malformed: Malformed) -> Refusal {
        let reason = match malformed.problem {
            Problem::Missing => Reason::FieldMissing,
            Problem::TileIncomplete => Reason::TileIncomplete,
            Problem::OutOfRange => Reason::FieldOutOfRange,
            Problem::Rules => Reason::RulesImpossible,
        };
        Refusal::new(reason, malformed.to_string()).field(malformed.field)
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        let message = error.to_string();
        let plain = |reason| Refusal::new(reason, message.clone());
        match error {
            Error::NoSuchMatch => plain(Reason::MatchNotFound),
            Error::NotOpen { state } => plain(Reason::MatchNotOpen).with("state", state_name(state)),
            Error::Over => plain(Reason::MatchOver),
            Error::NotOver => plain(Reason::MatchNotOver),
            Error::NeverBegan => plain(Reason::MatchNotStarted),
            Error::Sealed => plain(Reason::RecordSealed),
            Error::NoSuchSeat { seats } => plain(Reason::FieldOutOfRange).field("seat").with("seats", seats),
            Error::SeatTaken { seat } => plain(Reason::SeatTaken).with("seat", seat),
            Error::SeatReserved { seat } => plain(Reason::SeatReserved).with("seat", seat),
            Error::NoFreeSeat => plain(Reason::NoFreeSeat),
            Error::NotSeated => plain(Reason::NotSeated),
            Error::SeatCount { expected, found } => {
                plain(Reason::SeatCount).field("config.seats").with("expected", expected).with("found", found)
            }
            Error::NoSuchHouseBot(name) => {
                plain(Reason::StrategyUnknown).field("config.seats").with("strategy", name)
            }
            Error::NoSuchAgent(name) => plain(Reason::AgentNotFound).with("agent", name),
            Error::Choice(why) => why.into(),
            Error::Unavailable => plain(Reason::Unavailable).retry(Duration::from_secs(1)),
            Error::Store(why) => why.into(),
            Error::Corrupt(_) => plain(Reason::Internal),
        }
    }
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        let reason = match error {
            StoreError::Full => Reason::StoreFull,
            StoreError::ReadOnly(_) | StoreError::Unavailable(_) => Reason::Unavailable,
            StoreError::Corrupt(_) => Reason::Internal,
        };
        Refusal::new(reason, error.to_string()).retry(Duration::from_secs(5))
    }
}

impl From<ChoiceError> for Refusal {
    fn from(error: ChoiceError) -> Refusal {
        let message = error.to_string();
        let plain = |reason| Refusal::new(reason, message.clone());
        match error {
            ChoiceError::NoSuchMatch => plain(Reason::MatchNotFound),
            ChoiceError::NotStarted => plain(Reason::MatchNotStarted),
            ChoiceError::Over => plain(Reason::MatchOver),
            ChoiceError::NotSeated => plain(Reason::NotSeated),
            ChoiceError::NotYours { seat } => plain(Reason::NotYourDecision).with("seat", seat),
            ChoiceError::Answered { played, open } => plain(Reason::DecisionAnswered)
                .with("played", played.action)
                .with("line", played.line.map_or(0, |line| line.number()))
                .with("open_decision", open),
            ChoiceError::NotOpen { open } => {
                plain(Reason::DecisionNotOpen).field("choice.decision").with("open_decision", open)
            }
            ChoiceError::NoSuchOption { options } => {
                plain(Reason::OptionOutOfRange).field("choice.option").with("options", options)
            }
            ChoiceError::Illegal(Illegal::NotInHand) => {
                plain(Reason::TileNotInHand).field("choice.move.play.tile")
            }
            ChoiceError::Illegal(why) => {
                plain(Reason::MoveIllegal).field("choice.move").with("rule", rule(why))
            }
            ChoiceError::NoSuchLine => plain(Reason::LineUnknown).field("choice.move.play.line"),
            ChoiceError::Unavailable => plain(Reason::Unavailable).retry(Duration::from_secs(1)),
        }
    }
}

/// The rule that a move breaks, as a word for programs.
fn rule(why: Illegal) -> &'static str {
    match why {
        Illegal::RoundOver => "ROUND_OVER",
        Illegal::NotInHand => "NOT_IN_HAND",
        Illegal::DoesNotFit => "DOES_NOT_FIT",
        Illegal::NoSuchEnd => "NO_SUCH_END",
        Illegal::NotTheDrawnTile => "NOT_THE_DRAWN_TILE",
        Illegal::MustPlay => "MUST_PLAY",
        Illegal::MustDraw => "MUST_DRAW",
        Illegal::NothingToDraw => "NOTHING_TO_DRAW",
        Illegal::NothingToKeep => "NOTHING_TO_KEEP",
    }
}

fn state_name(state: MatchState) -> &'static str {
    crate::wire::wire_state(state).as_str_name()
}
