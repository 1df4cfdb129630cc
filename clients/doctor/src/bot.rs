use std::process::ExitStatus;
use std::time::Duration;

use crate::program::Program;
use crate::transcript::Transcript;

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
}

impl Subject {
    /// The name that the bot plays under.
    pub fn name(&self) -> &str {
        match self {
            Subject::Agent { name, .. } => name,
        }
    }

    /// Whether the doctor starts it.
    pub(crate) fn is_started_here(&self) -> bool {
        match self {
            Subject::Agent { command, .. } => command.is_some(),
        }
    }
}

/// The bot under examination, as it runs now.
pub(crate) enum Bot {
    /// It has to be started.
    Gone,
    /// Somebody else runs it.
    Elsewhere,
    /// A program that the doctor started.
    Program(Program),
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
        transcript: &Transcript,
    ) -> Result<Bot, String> {
        match subject {
            Subject::Agent { command: None, .. } => Ok(Bot::Elsewhere),
            Subject::Agent { name, command: Some(command) } => {
                let variables = [("CHICKENFOOT_SERVER", address), ("CHICKENFOOT_TOKEN", token)];
                Program::start(command, name, &variables, transcript).map(Bot::Program)
            }
        }
    }

    /// Whether the doctor sees its process.
    pub(crate) fn is_program(&self) -> bool {
        matches!(self, Bot::Program(_))
    }

    /// Whether it runs, as far as the doctor knows.
    pub(crate) fn is_running(&self) -> bool {
        match self {
            Bot::Gone => false,
            Bot::Elsewhere => true,
            Bot::Program(program) => !program.has_ended(),
        }
    }

    /// Asks the program to stop. None if it did not end in time.
    pub(crate) async fn stop(&mut self, within: Duration) -> Option<ExitStatus> {
        match self {
            Bot::Gone | Bot::Elsewhere => None,
            Bot::Program(program) => program.stop(within).await,
        }
    }
}
