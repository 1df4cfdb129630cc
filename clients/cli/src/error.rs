use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use chickenfoot_bot::{Error, exec};
use chickenfoot_protocol::Malformed;
use chickenfoot_rules::Flaw;
use serde_json::{Map, Value, json};

use crate::output::note;
use crate::tournament::FileError;

/// The exit code of wrong usage: EX_USAGE of BSD's sysexits.
const USAGE: u8 = 64;

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A call of the service, or the way to it.
    Service(Error),
    /// The service at this address could not be reached, or the connection to it broke.
    Unreached { address: String, why: String },
    /// The command cannot be meant as it was given.
    Usage(String),
    /// A file that cannot be read.
    File { path: String, why: io::Error },
    /// A file that is no record.
    NoRecord { path: String, why: serde_json::Error },
    /// A record that is not right.
    Flawed(Flaw),
    /// The same, where it may be shown all the same.
    Unverified(Flaw),
    /// The leaderboard is not what the records give.
    Differs(String),
    /// A file that is no tournament.
    NoTournament(FileError),
    /// A file that cannot be written.
    Unwritable { path: String, why: io::Error },
    /// What an interrupted run left behind cannot be used.
    RunState { path: String, why: String },
    /// A tournament that was followed was cancelled.
    Cancelled { id: String, message: String },
    /// A run was interrupted; the tournament goes on, if it was made.
    Interrupted { id: Option<String> },
    /// A program that cannot play.
    Program(exec::Error),
    /// A simulation that cannot be played.
    Simulation(chickenfoot_simulation::Error),
    /// The examination of a bot could not take place.
    Doctor(String),
    /// Stdout cannot be written.
    Output(io::Error),
}

impl Failure {
    /// The same with the service's address, where that is what one has to know.
    pub(crate) fn at(self, address: &str) -> Failure {
        match self {
            Failure::Service(Error::Connection(why)) => {
                Failure::Unreached { address: address.to_owned(), why }
            }
            other => other,
        }
    }

    /// Says on stderr what went wrong, for people or for programs, and gives the exit code.
    pub(crate) fn report(&self, json: bool) -> ExitCode {
        // Whoever closed the pipe has seen enough.
        if matches!(self, Failure::Output(why) if why.kind() == io::ErrorKind::BrokenPipe) {
            return ExitCode::SUCCESS;
        }
        if json {
            // With stderr gone too there is nobody left to tell.
            let _ = writeln!(io::stderr().lock(), "{}", self.json());
        } else {
            note(format_args!("error: {self}"));
        }
        self.exit_code()
    }

    fn exit_code(&self) -> ExitCode {
        match self {
            Failure::Usage(_)
            | Failure::NoTournament(_)
            | Failure::Simulation(chickenfoot_simulation::Error::Schedule(_))
            | Failure::Service(Error::Address(_) | Error::Token | Error::Tls(_)) => ExitCode::from(USAGE),
            _ => ExitCode::FAILURE,
        }
    }

    fn json(&self) -> Value {
        json!({
            "code": self.code(),
            "reason": self.reason(),
            "message": self.message(),
            "metadata": self.metadata(),
        })
    }

    fn code(&self) -> &'static str {
        match self {
            Failure::Service(error) => error.code_name(),
            Failure::Unreached { .. } => "UNAVAILABLE",
            Failure::Usage(_) | Failure::NoRecord { .. } | Failure::NoTournament(_) => "INVALID_ARGUMENT",
            Failure::Simulation(chickenfoot_simulation::Error::Schedule(_)) => "INVALID_ARGUMENT",
            Failure::Simulation(_) | Failure::Doctor(_) => "INTERNAL",
            Failure::RunState { .. } => "FAILED_PRECONDITION",
            Failure::Cancelled { .. } => "ABORTED",
            Failure::Interrupted { .. } => "CANCELLED",
            Failure::Program(exec::Error::NoProgram { .. } | exec::Error::Logs { .. }) => {
                "FAILED_PRECONDITION"
            }
            Failure::Program(_) => "ABORTED",
            Failure::File { why, .. } | Failure::Unwritable { why, .. } => match why.kind() {
                io::ErrorKind::NotFound => "NOT_FOUND",
                io::ErrorKind::PermissionDenied => "PERMISSION_DENIED",
                _ => "UNKNOWN",
            },
            Failure::Flawed(_) | Failure::Unverified(_) | Failure::Differs(_) => "DATA_LOSS",
            Failure::Output(_) => "UNKNOWN",
        }
    }

    /// The reason, as the service gave it or as README.md lists the command line's own.
    fn reason(&self) -> &str {
        match self {
            Failure::Service(Error::Refused { reason, .. }) => reason,
            Failure::Service(Error::Address(_)) => "ADDRESS_INVALID",
            Failure::Service(Error::Token) => "TOKEN_MALFORMED",
            Failure::Service(Error::Tls(_)) => "TLS_IMPOSSIBLE",
            Failure::Service(Error::Connection(_)) | Failure::Unreached { .. } => "CONNECTION_FAILED",
            Failure::Service(Error::Ended) => "STREAM_ENDED",
            Failure::Service(Error::Malformed(_)) => "ANSWER_MALFORMED",
            Failure::Service(Error::Replaced) => "SESSION_REPLACED",
            Failure::Service(Error::OtherAgent { .. }) => "TOKEN_OF_OTHER_AGENT",
            Failure::Service(Error::Write(_)) => "OUTPUT_FAILED",
            Failure::Usage(_) | Failure::Simulation(chickenfoot_simulation::Error::Schedule(_)) => "USAGE",
            Failure::Simulation(_) => "SIMULATION_FAILED",
            Failure::Doctor(_) => "EXAMINATION_FAILED",
            Failure::File { .. } => "FILE_UNREADABLE",
            Failure::NoRecord { .. } => "RECORD_MALFORMED",
            Failure::Flawed(_) | Failure::Unverified(_) => "RECORD_FLAWED",
            Failure::Differs(_) => "LEADERBOARD_DIFFERS",
            Failure::NoTournament(_) => "TOURNAMENT_MALFORMED",
            Failure::Unwritable { .. } => "FILE_UNWRITABLE",
            Failure::RunState { .. } => "RUN_STATE_UNUSABLE",
            Failure::Cancelled { .. } => "TOURNAMENT_CANCELLED",
            Failure::Interrupted { .. } => "INTERRUPTED",
            Failure::Program(exec::Error::NoProgram { .. }) => "PROGRAM_NOT_FOUND",
            Failure::Program(exec::Error::Logs { .. }) => "FILE_UNWRITABLE",
            Failure::Program(_) => "PROGRAM_GIVEN_UP",
            Failure::Output(_) => "OUTPUT_FAILED",
        }
    }

    /// The text for people, without the reason that [`Error`] writes behind it.
    fn message(&self) -> String {
        match self {
            Failure::Service(Error::Refused { message, .. }) => message.clone(),
            other => other.to_string(),
        }
    }

    fn metadata(&self) -> Value {
        match self {
            Failure::Service(Error::Refused { metadata, .. }) => {
                let entries = metadata.iter().map(|(key, value)| (key.clone(), value.clone().into()));
                Value::Object(entries.collect::<Map<_, _>>())
            }
            Failure::Service(Error::Malformed(why)) => json!({"field": why.field}),
            Failure::Service(Error::OtherAgent { wanted, found }) => {
                json!({"wanted": wanted, "found": found})
            }
            Failure::File { path, .. }
            | Failure::Unwritable { path, .. }
            | Failure::RunState { path, .. } => {
                json!({"file": path})
            }
            Failure::Unreached { address, .. } => json!({"address": address}),
            Failure::NoTournament(why) => json!({
                "file": why.file,
                "line": why.line.to_string(),
                "column": why.column.to_string(),
                "key": why.key,
            }),
            Failure::Cancelled { id, .. } | Failure::Interrupted { id: Some(id) } => {
                json!({"tournament": id})
            }
            Failure::Interrupted { id: None } => json!({}),
            Failure::NoRecord { path, why } => {
                json!({"file": path, "line": why.line().to_string(), "column": why.column().to_string()})
            }
            Failure::Program(
                exec::Error::NoProgram { command, .. } | exec::Error::GaveUp { command, .. },
            ) => json!({"program": command}),
            Failure::Program(exec::Error::Logs { folder, .. }) => json!({"file": folder}),
            Failure::Flawed(flaw) | Failure::Unverified(flaw) => {
                json!({"place": flaw.place, "problem": flaw.problem})
            }
            Failure::Service(_)
            | Failure::Usage(_)
            | Failure::Differs(_)
            | Failure::Program(exec::Error::Service(_))
            | Failure::Simulation(_)
            | Failure::Doctor(_)
            | Failure::Output(_) => {
                json!({})
            }
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Service(error) => write!(f, "{error}{}", advice(error)),
            Failure::Unreached { address, why } => {
                write!(f, "no connection to the service at {address}: {why}")
            }
            Failure::Usage(why) => f.write_str(why),
            Failure::File { path, why } => write!(f, "{path}: {why}"),
            Failure::NoRecord { path, why } => write!(f, "{path} is not a record: {why}"),
            Failure::Flawed(flaw) => write!(f, "the record is not right: {flaw}"),
            Failure::Unverified(flaw) => {
                write!(f, "the record is not right: {flaw}\nTo see it as it is: --unverified")
            }
            Failure::Differs(why) => write!(f, "the leaderboard is not what the records give: {why}"),
            Failure::NoTournament(why) => write!(f, "{why}"),
            Failure::Unwritable { path, why } => write!(f, "{path} cannot be written: {why}"),
            Failure::RunState { path, why } => {
                write!(f, "{path}: cannot go on: {why}\nTo begin a new tournament: --fresh")
            }
            Failure::Cancelled { id, message } if message.is_empty() => {
                write!(f, "tournament {id} was cancelled")
            }
            Failure::Cancelled { id, message } => write!(f, "tournament {id} was cancelled: {message}"),
            Failure::Interrupted { id: Some(id) } => write!(
                f,
                "interrupted; tournament {id} goes on, and the same command comes back to it\n\
                 To end it: chickenfoot tournament cancel {id}"
            ),
            Failure::Interrupted { id: None } => f.write_str("interrupted"),
            Failure::Program(why) => write!(f, "{why}"),
            Failure::Simulation(why) => write!(f, "the simulation: {why}"),
            Failure::Doctor(why) => write!(f, "the bot could not be examined: {why}"),
            Failure::Output(why) => write!(f, "stdout: {why}"),
        }
    }
}

/// What a person may do about it.
fn advice(error: &Error) -> &'static str {
    match error.reason() {
        Some("TOKEN_MISSING") => {
            "\nRegister an agent first: export CHICKENFOOT_TOKEN=$(chickenfoot agent register NAME)"
        }
        Some("AGENT_EXISTS") => "\nChoose another name, or give the agent's token with --token",
        _ => "",
    }
}

/// Says what clap found, on the stream that it belongs to, and gives the exit code: help and version are no errors.
pub(crate) fn usage(error: &clap::Error, json: bool) -> ExitCode {
    if !error.use_stderr() {
        // A closed pipe is the reader's choice.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    if json {
        let text = error.to_string();
        return Failure::Usage(text.trim_start_matches("error: ").trim_end().to_owned()).report(json);
    }
    let _ = error.print();
    ExitCode::from(USAGE)
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Service(error)
    }
}

impl From<exec::Error> for Failure {
    fn from(error: exec::Error) -> Failure {
        match error {
            exec::Error::Service(error) => Failure::Service(error),
            other => Failure::Program(other),
        }
    }
}

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Failure {
        Failure::Service(malformed.into())
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Output(error)
    }
}
