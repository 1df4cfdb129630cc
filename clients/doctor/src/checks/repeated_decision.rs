use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::gateway::Disturb;
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "repeated-decision",
    proves: "answers a decision that comes again, and in the same way",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    exam.gateway.plan(Disturb::DecisionTwice);
    exam.play(&[Table::short()]).await?;
    exam.gateway.plan(Disturb::AskAnswered);
    exam.play(&[Table::short().number(1)]).await?;
    exam.was_disturbed()
}
