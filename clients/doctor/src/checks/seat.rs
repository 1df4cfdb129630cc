use chickenfoot_protocol::v1::session_response::What as Down;

use super::{LIMIT, said};
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;
use crate::transcript::{Log, Promise};

pub(super) const CHECK: Check = Check {
    name: "seat",
    proves: "takes the seat that is kept for it, and is not put off when the match is aborted",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let id = exam.begin(&Table::short()).await?;
    let what = "it was offered a seat and did not take it";
    exam.expect(LIMIT, Promise::TakesSeats, what, |log| {
        any(log, |down| matches!(down, Down::GameStarted(_)))
    })
    .await?;
    exam.transcript.forgive(&id);
    // The bot may have played it to the end by now; then there is nothing to abort.
    let _ = exam.client.abort_match(&id).await;
    let what = "it lost its session when the match was aborted";
    exam.expect(LIMIT, Promise::Stays, what, |log| any(log, |down| matches!(down, Down::GameEnded(_)))).await
}

fn any(log: &Log<'_>, wanted: fn(&Down) -> bool) -> Option<()> {
    log.entries.iter().filter_map(said).any(wanted).then_some(())
}
