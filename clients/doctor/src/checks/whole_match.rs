use chickenfoot_rules::RuleOptions;

use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "whole-match",
    proves: "plays all rounds of a match, down to the double blank",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let all = |options: &mut RuleOptions| (options.max_pip, options.rounds) = (Some(6), None);
    let tables = [Table::short().options(all)];
    exam.play(&tables).await.map(drop)
}
