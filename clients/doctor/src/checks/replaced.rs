use std::time::Duration;

use chickenfoot_protocol::v1;
use tokio::time::timeout;

use super::LIMIT;
use crate::bot::Bot;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::transcript::{Happened, Log, Promise};

pub(super) const CHECK: Check = Check {
    name: "replaced",
    proves: "does not come back by itself when another session of its agent took over",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

/// How long the bot is watched. Who comes back comes back sooner.
const WATCHED: Duration = Duration::from_secs(2);

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    if exam.bot.is_bridged() {
        return Err(Stop::Skipped("the bridge connects for the program".to_owned()));
    }
    if !exam.bot.is_program() {
        return Err(Stop::Skipped("the bot would be gone after it, and is not started here".to_owned()));
    }
    let mark = exam.transcript.mark();
    // It may end its program now.
    exam.transcript.release();
    let goodbye = v1::Goodbye {
        reason: v1::GoodbyeReason::Replaced.into(),
        message: "another session of this agent took over".to_owned(),
        retry_after: None,
    };
    exam.gateway.goodbye(goodbye).await;
    let another = |log: &Log<'_>| {
        log.entries.iter().skip(mark).any(|entry| matches!(entry.what, Happened::Opened)).then_some(())
    };
    let back = timeout(WATCHED, exam.transcript.wait(another)).await;
    if back.is_ok() {
        return Err(exam.broken(Promise::StaysAway, "it opened another session"));
    }
    // What is left of it waits for nothing any more.
    exam.bot = Bot::Gone;
    Ok(())
}
