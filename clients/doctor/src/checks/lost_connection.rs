use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::gateway::Disturb;
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "lost-connection",
    proves: "comes back after a lost connection and answers the open decision",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    exam.gateway.plan(Disturb::CutAtDecision);
    exam.play(&[Table::short()]).await?;
    exam.was_disturbed()
}
