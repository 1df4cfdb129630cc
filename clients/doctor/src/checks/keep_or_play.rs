use chickenfoot_rules::{Move, Preset};

use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::{Sits, Table};

pub(super) const CHECK: Check = Check {
    name: "keep-or-play",
    proves: "plays or keeps a drawn tile under the classic rules",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let table = Table::new(Preset::Classic, &[Sits::House, Sits::Bot]);
    let table = table.leading_to(&exam.name, |_, moves| moves.last() == Some(&Move::Keep))?;
    exam.play(&[table]).await.map(drop)
}
