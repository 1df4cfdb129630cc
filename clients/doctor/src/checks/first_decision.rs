use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "first-decision",
    proves: "answers a decision with one of its options, and so on to the end of a round",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let tables = [Table::short()];
    exam.play(&tables).await.map(drop)
}
