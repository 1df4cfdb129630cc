use chickenfoot_rules::Move;

use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "forced-moves",
    proves: "answers decisions with a single option: a play, a draw, a pass",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let table = |wanted: fn(Move) -> bool| {
        let few = Table::short().options(|options| options.hand_size = Some(3)).asked();
        few.leading_to(&exam.name, move |_, moves| matches!(moves, [alone] if wanted(*alone)))
    };
    let tables = [
        table(|alone| matches!(alone, Move::Play { .. }))?,
        table(|alone| alone == Move::Draw)?,
        table(|alone| alone == Move::Pass)?,
    ];
    exam.play(&tables).await.map(drop)
}
