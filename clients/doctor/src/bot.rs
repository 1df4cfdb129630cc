use std::path::Path;
use std::time::Duration;

use crate::bridge::Lines;
use crate::program::Program;
use crate::transcript::Transcript;

/// Lines of stderr that are told of a program that failed.
const LAST_WORDS: usize = 10;

/// What is examined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A bot that connects by itself over gRPC.
    Agent {
        /// The name that it plays under.
        name: String,
        /// How it is started: the program and its arguments; the name is added as the last one. Without a command somebody
        /// else starts it.
        command: Option<Vec<String>>,
    },
    /// A program that speaks the line protocol, of `proto/LINES.md`.
    Lines {
        /// The name that it plays under.
        name: String,
        /// The program and its arguments.
        command: Vec<String>,
    },
}

impl Subject {
    /// The name that the bot plays under.
    pub fn name(&self) -> &str {
        match self {
            Subject::Agent { name, .. } | Subject::Lines { name, .. } => name,
        }
    }

    /// Whether the doctor starts it.
    pub(crate) fn is_started_here(&self) -> bool {
        match self {
            Subject::Agent { command, .. } => command.is_some(),
            Subject::Lines { .. } => true,
        }
    }
}

/// The bot under examination, as it runs now.
pub(crate) enum Bot {
    /// It has to be started.
    Gone,
    /// Somebody else runs it.
    Elsewhere,
    /// A program that connects by itself.
    Program(Program),
    /// A program behind the bridge.
    Lines(Lines),
}

/// How a bot stopped that was told to.
pub(crate) enum Stopped {
    /// As it should.
    Well,
    /// Otherwise, and how.
    Badly(String),
}

impl Bot {
    /// Starts the bot, if it is for the doctor to start.
    ///
    /// # Errors
    /// The program cannot be run.
    pub(crate) fn start(
        subject: &Subject,
        address: &str,
        token: &str,
        folder: &Path,
        transcript: &Transcript,
    ) -> Result<Bot, String> {
        match subject {
            Subject::Agent { command: None, .. } => Ok(Bot::Elsewhere),
            Subject::Agent { name, command: Some(command) } => {
                let variables = [("CHICKENFOOT_SERVER", address), ("CHICKENFOOT_TOKEN", token)];
                Program::start(command, name, &variables, transcript).map(Bot::Program)
            }
            Subject::Lines { command, .. } => {
                Lines::start(command, address, token, folder, transcript).map(Bot::Lines)
            }
        }
    }

    /// Whether it is a program that connects by itself.
    pub(crate) fn is_program(&self) -> bool {
        matches!(self, Bot::Program(_))
    }

    /// Whether the bridge connects for it.
    pub(crate) fn is_bridged(&self) -> bool {
        matches!(self, Bot::Lines(_))
    }

    /// Whether it runs, as far as the doctor knows.
    pub(crate) fn is_running(&self) -> bool {
        match self {
            Bot::Gone => false,
            Bot::Elsewhere => true,
            Bot::Program(program) => !program.has_ended(),
            Bot::Lines(lines) => !lines.has_ended(),
        }
    }

    /// Tells the program to stop and waits so long for it. None if it is not the doctor's to stop.
    pub(crate) async fn stop(&mut self, within: Duration) -> Option<Stopped> {
        match self {
            Bot::Gone | Bot::Elsewhere => None,
            Bot::Program(program) => Some(match program.stop(within).await {
                Some(status) if status.success() => Stopped::Well,
                Some(status) => Stopped::Badly(format!("the program ended with {status}")),
                None => Stopped::Badly(format!("it still runs {} s after SIGTERM", within.as_secs())),
            }),
            Bot::Lines(lines) => Some(match lines.stop().await {
                true => Stopped::Well,
                false => Stopped::Badly("it still runs, though its stdin has ended".to_owned()),
            }),
        }
    }

    /// What its program wrote to stderr last, where that does not stand in the transcript.
    pub(crate) fn last_words(&self) -> Vec<String> {
        match self {
            Bot::Gone | Bot::Elsewhere | Bot::Program(_) => Vec::new(),
            Bot::Lines(lines) => lines.last_words(LAST_WORDS),
        }
    }
}
