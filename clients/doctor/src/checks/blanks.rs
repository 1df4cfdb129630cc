use chickenfoot_rules::{Move, View};

use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "blanks",
    proves: "reads and answers 0: the tile 0-0 in its hand, as an option, and as the only one",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    let few = || Table::short().options(|options| options.hand_size = Some(3));
    let held = few()
        .leading_to(&exam.name, |view, _| view.hand.iter().any(|tile| is_blank(tile.low(), tile.high())))?;
    let option = few().leading_to(&exam.name, |_, moves| moves.iter().any(|action| lays_blank(*action)))?;
    let alone = few().asked().leading_to(&exam.name, only_blank)?;
    exam.play(&[held, option, alone]).await.map(drop)
}

fn only_blank(_: &View<'_>, moves: &[Move]) -> bool {
    matches!(moves, [alone] if lays_blank(*alone))
}

fn lays_blank(action: Move) -> bool {
    matches!(action, Move::Play { tile, .. } if is_blank(tile.low(), tile.high()))
}

fn is_blank(low: u8, high: u8) -> bool {
    low == 0 && high == 0
}
