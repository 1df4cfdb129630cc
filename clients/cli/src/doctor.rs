//! `chickenfoot doctor`.

use std::path::PathBuf;
use std::time::Duration;

use chickenfoot_bot::stop_signal;
use chickenfoot_doctor::{CHECKS, Error, Follow, Outcome, Plan, Report, Subject, examine};
use clap::Args;
use serde_json::json;

use crate::error::Failure;
use crate::output::{Output, note};
use crate::time::time;
use crate::tournament::{Ending, write_text};

const HELP: &str = "\
Exit codes:
   0  the bot passed, checks that were skipped aside
   1  the examination could not take place, or was interrupted
   3  the bot failed
  64  wrong usage";

/// The name that a program of the line protocol plays under.
const LINES_NAME: &str = "bot";

#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Doctor {
    /// The bot connects by itself over gRPC and plays under this name. A COMMAND is started with the name as its last
    /// argument and CHICKENFOOT_SERVER and CHICKENFOOT_TOKEN in its environment; without one they are printed
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// Only this check; may be given several times
    #[arg(long, value_name = "CHECK")]
    only: Vec<String>,
    /// List the checks and what each proves
    #[arg(long)]
    list: bool,
    /// Also write the outcome as JUnit XML
    #[arg(long, value_name = "FILE")]
    junit: Option<PathBuf>,
    /// The server program; else chickenfoot-server beside this one
    #[arg(long, value_name = "FILE")]
    server_program: Option<PathBuf>,
    /// Time that the bot has for a decision, 100ms to 60s
    #[arg(long, value_name = "TIME", value_parser = decision_time, default_value = "3s")]
    decision_time: Duration,
    /// How long to wait for the bot to come
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "60s")]
    wait: Duration,
    /// The bot's program and its arguments; without --agent it speaks the line protocol of proto/LINES.md
    #[arg(last = true, value_name = "COMMAND")]
    command: Vec<String>,
}

/// Examines a bot, tells what was found and gives the exit code.
pub(crate) async fn doctor(asked: Doctor, out: &mut Output) -> Result<Ending, Failure> {
    if asked.list {
        return list(out).map(|()| Ending::Done);
    }
    let junit = asked.junit.clone();
    let plan = plan(asked)?;
    let mut told = Told { plan: &plan, out, failure: None };
    let examined = tokio::select! {
        examined = examine(&plan, &mut told) => examined,
        () = stop_signal() => return Err(Failure::Interrupted { id: None }),
    };
    told.failure.map_or(Ok(()), Err)?;
    let report = examined.map_err(|why| match why {
        Error::Plan(why) => Failure::Usage(why),
        Error::Trouble(why) => Failure::Doctor(why),
    })?;
    tell(&report, out)?;
    if let Some(path) = junit {
        write_text(&report.junit(), &path)?;
    }
    Ok(if report.has_passed() { Ending::Done } else { Ending::Faults })
}

fn list(out: &mut Output) -> Result<(), Failure> {
    for check in CHECKS {
        if out.is_json() {
            out.value(&json!({"check": check.name, "proves": check.proves}))?;
        } else {
            out.line(format_args!("{:<18} {}", check.name, check.proves))?;
        }
    }
    Ok(())
}

fn plan(asked: Doctor) -> Result<Plan, Failure> {
    let subject = match (asked.agent, asked.command) {
        (Some(name), command) => {
            Subject::Agent { name, command: Some(command).filter(|words| !words.is_empty()) }
        }
        (None, command) if !command.is_empty() => Subject::Lines { name: LINES_NAME.to_owned(), command },
        (None, _) => {
            return Err(Failure::Usage("which bot? give --agent NAME, or -- COMMAND, or both".to_owned()));
        }
    };
    let beside = || {
        let own = std::env::current_exe().unwrap_or_default();
        own.with_file_name(format!("chickenfoot-server{}", std::env::consts::EXE_SUFFIX))
    };
    Ok(Plan {
        subject,
        server: asked.server_program.unwrap_or_else(beside),
        only: asked.only,
        wait: asked.wait,
        patience: asked.decision_time,
    })
}

/// Reads the time for a decision.
fn decision_time(text: &str) -> Result<Duration, String> {
    let bounds = Duration::from_millis(100)..=Duration::from_secs(60);
    Some(time(text)?).filter(|time| bounds.contains(time)).ok_or_else(|| "must be 100ms to 60s".to_owned())
}

fn tell(report: &Report, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() { out.value(&report.json()) } else { out.line(report) }
}

/// Tells each outcome as it comes.
struct Told<'a> {
    plan: &'a Plan,
    out: &'a mut Output,
    failure: Option<Failure>,
}

impl Follow for Told<'_> {
    fn ready(&mut self, address: &str, token: &str) {
        if let Subject::Agent { name, command: None } = &self.plan.subject {
            note(format_args!("start {name} with these, and leave it running:"));
            note(format_args!("CHICKENFOOT_SERVER={address}\nCHICKENFOOT_TOKEN={token}"));
        }
    }

    fn checked(&mut self, outcome: &Outcome) {
        let told = if self.out.is_json() { self.out.value(&outcome.json()) } else { self.out.line(outcome) };
        // Shown at once: the next check may take a while.
        let told = told.and_then(|()| self.out.flush());
        self.failure = self.failure.take().or(told.err());
    }
}
