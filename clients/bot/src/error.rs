use std::collections::HashMap;
use std::{fmt, io};

use chickenfoot_protocol::Malformed;
use tonic::{Code, Status};
use tonic_types::StatusExt;

/// Why a call or a session failed.
#[derive(Debug)]
pub enum Error {
    /// The service's address is no address.
    Address(String),
    /// The token has characters that no token has.
    Token,
    /// There can be no TLS: a certificate or key is none, or the address is not one for it.
    Tls(String),
    /// The service refused the call.
    Refused {
        /// The canonical code.
        code: Code,
        /// The reason, as `proto/README.md` lists them.
        reason: String,
        /// A text for people.
        message: String,
        /// What the reason is about.
        metadata: HashMap<String, String>,
    },
    /// The service could not be reached, or the connection broke.
    Connection(String),
    /// The service sent something that means nothing.
    Malformed(Malformed),
    /// The service ended a stream before its time.
    Ended,
    /// Another session of the same agent has taken over.
    Replaced,
    /// The token is that of another agent than the one it was said to be of.
    OtherAgent {
        /// The agent that was wanted.
        wanted: String,
        /// The agent whose token it is.
        found: String,
    },
    /// What came could not be written to where it was to go.
    Write(io::Error),
}

impl Error {
    /// The reason, if the service gave one.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Error::Refused { reason, .. } => Some(reason),
            _ => None,
        }
    }

    /// The canonical code as `google.rpc.Code` spells it. What did not come from the service gets the nearest one.
    pub fn code_name(&self) -> &'static str {
        let code = match self {
            Error::Refused { code, .. } => *code,
            Error::Address(_) | Error::Token | Error::Tls(_) => Code::InvalidArgument,
            Error::Connection(_) | Error::Ended => Code::Unavailable,
            Error::Malformed(_) => Code::Internal,
            Error::Replaced => Code::Aborted,
            Error::OtherAgent { .. } => Code::PermissionDenied,
            Error::Write(_) => Code::Unknown,
        };
        spelled(code)
    }

    /// Whether the same call may succeed later.
    pub fn is_passing(&self) -> bool {
        match self {
            Error::Connection(_) | Error::Ended => true,
            Error::Refused { code, .. } => {
                matches!(code, Code::Unavailable | Code::ResourceExhausted | Code::Cancelled | Code::Internal)
            }
            Error::Address(_)
            | Error::Token
            | Error::Tls(_)
            | Error::Malformed(_)
            | Error::Replaced
            | Error::OtherAgent { .. }
            | Error::Write(_) => false,
        }
    }
}

fn spelled(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

impl From<Status> for Error {
    fn from(status: Status) -> Error {
        match status.get_details_error_info() {
            Some(info) => Error::Refused {
                code: status.code(),
                reason: info.reason,
                message: status.message().to_owned(),
                metadata: info.metadata,
            },
            // Only what did not come from the service itself has no reason.
            None => {
                let message = match status.code() {
                    Code::Unavailable => status.message().to_owned(),
                    code => format!("{code}: {}", status.message()),
                };
                Error::Connection(and_causes(message, &status))
            }
        }
    }
}

impl From<Malformed> for Error {
    fn from(malformed: Malformed) -> Error {
        Error::Malformed(malformed)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Address(address) => {
                write!(f, "{address:?} is not an address such as http://127.0.0.1:7440")
            }
            Error::Token => f.write_str("the token has characters that no token has"),
            Error::Tls(why) => write!(f, "no TLS: {why}"),
            Error::Refused { reason, message, .. } => write!(f, "{message} ({reason})"),
            Error::Connection(why) => write!(f, "no connection to the service: {why}"),
            Error::Malformed(why) => write!(f, "the service sent something that means nothing: {why}"),
            Error::Ended => f.write_str("the service ended the stream"),
            Error::Replaced => f.write_str("another session of the same agent has taken over"),
            Error::OtherAgent { wanted, found } => {
                write!(f, "the token is that of agent {found:?}, not of {wanted:?}")
            }
            Error::Write(why) => write!(f, "cannot be written: {why}"),
        }
    }
}

impl std::error::Error for Error {}

/// An error and what caused it, in one line: transport errors tell the reason in their causes only.
pub(crate) fn with_causes(error: &dyn std::error::Error) -> String {
    and_causes(error.to_string(), error)
}

/// A text about an error, and what caused the error, in one line.
fn and_causes(mut text: String, error: &dyn std::error::Error) -> String {
    let mut cause = error.source();
    while let Some(error) = cause {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        cause = error.source();
    }
    text
}
