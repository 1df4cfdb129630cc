use chickenfoot_rules::Move;

use super::LIMIT;
use crate::check::Check;
use crate::exam::{Exam, Stop};
use crate::scene::Table;

pub(super) const CHECK: Check = Check {
    name: "two-ends",
    proves: "says on which end a tile goes that fits two",
    limit: LIMIT,
    script: |exam| Box::pin(run(exam)),
};

async fn run(exam: &mut Exam) -> Result<(), Stop> {
    // All of them: whatever the bot chooses, it is a tile that fits both ways.
    let only = Table::short().leading_to(&exam.name, |_, moves| moves.len() == 2 && is_two_ended(moves))?;
    let among = Table::short().leading_to(&exam.name, |_, moves| moves.len() > 2 && is_two_ended(moves))?;
    exam.play(&[only, among]).await.map(drop)
}

/// Whether a tile has an option for each of two ends. They stand beside each other.
fn is_two_ended(moves: &[Move]) -> bool {
    let tile = |action: Move| match action {
        Move::Play { tile, .. } => Some(tile),
        Move::Draw | Move::Pass | Move::Keep => None,
    };
    moves.windows(2).any(|pair| tile(pair[0]).is_some() && tile(pair[0]) == tile(pair[1]))
}
