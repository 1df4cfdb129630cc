use std::time::Duration;

use chickenfoot_protocol::v1::session_response::What as Down;
use chickenfoot_rules::RuleOptions;

use super::said;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;
use crate::transcript::{Log, Promise};

pub(super) const CHECK: Check = Check {
    name: "server-restart",
    proves: "goes on with its match after the service was killed and started again",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

/// Two starts of the server and the bot's pauses are in it.
const LIMIT: Duration = Duration::from_secs(30);

/// Keeps a quick bot from being done before the server is killed.
const DELAY: Duration = Duration::from_millis(20);

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    exam.gateway.delay(DELAY);
    let long = |options: &mut RuleOptions| (options.max_pip, options.rounds) = (Some(6), Some(3));
    let id = exam.begin(&Table::short().options(long)).await?;
    let accepted = |log: &Log<'_>| log.entries.iter().find(|entry| is_accepted(said(entry))).map(drop);
    exam.expect(LIMIT, Promise::AnswersInTime, "none of its answers was accepted", accepted).await?;
    exam.kill_server().await?;
    exam.gateway.delay(Duration::ZERO);
    let what = "it did not notice that its stream had ended";
    exam.expect(LIMIT, Promise::ComesBack, what, |log| (!log.connected).then_some(())).await?;
    exam.start_server().await.map_err(Stop::Trouble)?;
    exam.transcript.note("the server runs again");
    exam.over(&[id]).await.map(drop)
}

fn is_accepted(down: Option<&Down>) -> bool {
    matches!(down, Some(Down::ChoiceAccepted(_)))
}
