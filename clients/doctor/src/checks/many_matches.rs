use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "many-matches",
    proves: "plays sixteen matches at once",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let tables: Vec<Table> = (0..16).map(|number| Table::short().number(number)).collect();
    exam.play(&tables).await.map(drop)
}
