use super::{LIMIT, options};
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::gateway::{Disturb, unknown_kind};
use crate::scene::Table;
use crate::transcript::Promise;

pub(super) const CHECK: Check = Check {
    name: "unknown-messages",
    proves: "reads over kinds of messages and fields that it does not know",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let what = "the doctor sends a message of a kind that the contract does not have";
    exam.gateway.inject(unknown_kind(), what).await;
    exam.gateway.plan(Disturb::DecisionWithMore);
    let id = exam.begin(&Table::short()).await?;
    let what = "no decision came to it";
    let asked = |log: &crate::transcript::Log<'_>| log.entries.iter().find_map(options).map(drop);
    exam.expect(LIMIT, Promise::Stays, what, asked).await?;
    exam.gateway.inject(unknown_kind(), "the doctor sends another one, in the middle of the match").await;
    exam.over(&[id]).await.map(drop)
}
