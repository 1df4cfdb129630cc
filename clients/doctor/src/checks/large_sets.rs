use chickenfoot_rules::Move;

use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "large-sets",
    proves: "plays with sets of double 12, 15 and 18",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let table = |max_pip: u8| {
        let large = Table::short().options(|options| options.max_pip = Some(max_pip));
        large.leading_to(&exam.name, move |_, moves| moves.iter().all(|action| lays_on(*action, max_pip)))
    };
    let tables = [table(12)?, table(15)?, table(18)?];
    exam.play(&tables).await.map(drop)
}

fn lays_on(action: Move, number: u8) -> bool {
    matches!(action, Move::Play { end, .. } if end == number)
}
