use std::fmt::Write;

use chickenfoot_rules::{SeatState, Situation};

use crate::scenes::Still;

/// A moment of a match in words: a line for each seat, and what else there is to know.
pub(super) fn situation(names: &[String], still: &Still) -> String {
    let Situation { on_turn, seats, foot, arms_left, boneyard, .. } = &still.situation;
    let mut text = String::new();
    // A text takes everything that is written to it.
    for (at, seat) in seats.iter().enumerate() {
        let name = names.get(at).map(String::as_str).unwrap_or_default();
        let turn =
            if on_turn.is_some_and(|seat| usize::from(seat.number()) == at) { ", on turn" } else { "" };
        let _ = writeln!(text, "Seat {at}, {name}: {}{turn}.", seat_in_words(seat));
    }
    if still.tiles == 0 {
        text.push_str("No tile lies.\n");
    }
    if let Some(foot) = foot {
        let toes = count(foot.missing.into(), "toe");
        let _ = writeln!(text, "The foot on double {} lacks {toes}.", foot.number);
    }
    if *arms_left > 0 {
        let _ = writeln!(text, "The double in the middle lacks {}.", count((*arms_left).into(), "arm"));
    }
    let _ = writeln!(text, "Boneyard: {}.", count((*boneyard).into(), "tile"));
    text
}

fn seat_in_words(seat: &SeatState) -> String {
    let mut text = format!("{}, {}", count(seat.tiles.into(), "tile"), count(seat.total, "point"));
    let lacks: Vec<String> = seat.lacks.iter().map(|number| number.to_string()).collect();
    if !lacks.is_empty() {
        text.push_str(", has no ");
        text.push_str(&lacks.join(", "));
    }
    text
}

/// So many of something.
fn count(number: u32, what: &str) -> String {
    match number {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        number => format!("{number} {what}s"),
    }
}
