use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::gateway::Disturb;
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "lost-answer",
    proves: "answers again, and in the same way, when its answer or the acknowledgement was lost with the connection",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    exam.gateway.plan(Disturb::LoseChoice);
    exam.play(&[Table::short()]).await?;
    exam.gateway.plan(Disturb::LoseAcknowledgement);
    exam.play(&[Table::short().number(1)]).await?;
    exam.was_disturbed()
}
