use std::time::Duration;

use super::LIMIT;
use crate::bot::{Bot, Stopped};
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::transcript::Promise;

pub(super) const CHECK: Check = Check {
    name: "clean-stop",
    proves: "stops at SIGTERM with exit code 0, or when its stdin ends",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

/// How long it may take to stop.
const STOP: Duration = Duration::from_secs(5);

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    exam.transcript.release();
    exam.transcript.note("the doctor tells the program to stop");
    match exam.bot.stop(STOP).await {
        None => Err(Stop::Skipped("the bot is not started here".to_owned())),
        Some(Stopped::Well) => {
            exam.bot = Bot::Gone;
            Ok(())
        }
        Some(Stopped::Badly(how)) => Err(exam.broken(Promise::StopsCleanly, how)),
    }
}
