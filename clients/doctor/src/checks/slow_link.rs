use std::time::Duration;

use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "slow-link",
    proves: "plays over a line on which every message takes a while",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

/// How much later each message arrives.
const DELAY: Duration = Duration::from_millis(60);

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    exam.gateway.delay(DELAY);
    exam.transcript.note("the doctor delays every message by 60 ms");
    exam.play(&[Table::short()]).await.map(drop)
}
