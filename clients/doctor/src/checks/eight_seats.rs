use chickenfoot_rules::Preset;

use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::{Sits, Table};

pub(super) const CHECK: Check = Check {
    name: "eight-seats",
    proves: "plays at a table of eight",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let mut seats = [Sits::House; 8];
    seats[5] = Sits::Bot;
    let tables = [Table::new(Preset::Trains, &seats)];
    exam.play(&tables).await.map(drop)
}
