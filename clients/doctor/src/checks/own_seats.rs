use chickenfoot_rules::Preset;

use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::{Sits, Table};

pub(super) const CHECK: Check = Check {
    name: "own-seats",
    proves: "plays several seats of one match, and tells them apart",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let seats = [Sits::Bot, Sits::House, Sits::Bot, Sits::Bot];
    let tables = [Table::new(Preset::Trains, &seats)];
    exam.play(&tables).await.map(drop)
}
