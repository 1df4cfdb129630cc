use std::time::Duration;

use super::LIMIT;
use crate::bot::Bot;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::transcript::Promise;

pub(super) const CHECK: Check = Check {
    name: "clean-stop",
    proves: "stops at SIGTERM with exit code 0",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

/// How long it may take to stop.
const STOP: Duration = Duration::from_secs(5);

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    if !exam.bot.is_program() {
        return Err(Stop::Skipped("the bot is not started here".to_owned()));
    }
    exam.transcript.release();
    exam.transcript.note("the doctor sends SIGTERM");
    let ended = exam.bot.stop(STOP).await;
    exam.bot = Bot::Gone;
    match ended {
        Some(status) if status.success() => Ok(()),
        Some(status) => Err(exam.broken(Promise::StopsCleanly, format!("the program ended with {status}"))),
        None => Err(exam.broken(Promise::StopsCleanly, format!("it still runs {} s later", STOP.as_secs()))),
    }
}
