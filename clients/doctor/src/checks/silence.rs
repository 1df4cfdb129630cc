use std::time::Duration;

use super::{LIMIT, options};
use crate::check::Check;
use crate::exam::{COME_BACK, Exam, Stop};
use crate::scene::Table;
use crate::transcript::{Happened, Log, Promise};

pub(super) const CHECK: Check = Check {
    name: "silence",
    proves: "takes three missing heartbeats for a dead connection and opens another session",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

/// Three heartbeats of the private server.
const THREE_BEATS: Duration = Duration::from_secs(3);

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let mark = exam.transcript.mark();
    exam.gateway.hold(true);
    let what = format!("no session came within {} s of silence", (THREE_BEATS + COME_BACK).as_secs());
    let another = |log: &Log<'_>| {
        log.entries.iter().skip(mark).any(|entry| matches!(entry.what, Happened::Opened)).then_some(())
    };
    exam.expect(THREE_BEATS + COME_BACK, Promise::NoticesSilence, &what, another).await?;
    exam.gateway.hold(false);
    exam.transcript.note("the doctor lets everything pass again");
    exam.play(&[Table::short()]).await?;
    let asked = exam.transcript.entries().iter().any(|entry| options(entry).is_some());
    if asked { Ok(()) } else { Err(Stop::Trouble("no decision came after the silence".to_owned())) }
}
