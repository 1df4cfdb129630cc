use std::time::Duration;

use chickenfoot_bot::Turn;
use chickenfoot_picture::Table;
use chickenfoot_protocol::v1;
use chickenfoot_rules::{Choice, LineId, Move, Tile};

use crate::error::Failure;
use crate::output::Output;
use crate::story::Story;

/// Shows a person what its seat may know, and what it may do.
pub(crate) fn show(turn: &Turn, story: &Story, out: &mut Output) -> Result<(), Failure> {
    let view = &turn.view;
    out.line("")?;
    out.table(&Table::from(view), true)?;
    let yard = usize::from(view.boneyard).saturating_sub(view.rules.reserve().into());
    out.line(format_args!("round {} of {}, {yard} tiles to draw", view.round, view.rules.rounds()))?;
    for (seat, state) in (0..).zip(view.seats()) {
        out.line(format_args!("  {}  {:>2} tiles  score {}", story.column(seat), state.tiles, state.total))?;
    }
    let hand: Vec<String> = view.hand.iter().map(|tile| held(tile, view.drawn)).collect();
    out.line(format_args!("your hand: {}", hand.join(" ")))?;
    let lines = view.lines();
    for (number, option) in (1..).zip(&turn.options) {
        let places = match option {
            Move::Play { end, .. } => lines.places(*end),
            Move::Draw | Move::Pass | Move::Keep => Vec::new(),
        };
        out.line(format_args!("{number:>4}  {option}{}", choice_of(&places)))?;
    }
    Ok(())
}

/// Asks for an answer.
pub(crate) fn ask(options: usize, left: Duration, out: &mut Output) -> Result<(), Failure> {
    let seconds = left.as_secs_f64().ceil();
    out.heading(format_args!("your move, 1 to {options} (q leaves, {seconds} s):"))
}

/// A tile of the hand; the one just drawn stands out.
fn held(tile: Tile, drawn: Option<Tile>) -> String {
    if Some(tile) == drawn { format!("{tile}(drawn)") } else { tile.to_string() }
}

/// The lines to choose among, if there is a choice.
fn choice_of(places: &[LineId]) -> String {
    if places.len() < 2 {
        return String::new();
    }
    let places: Vec<String> = places.iter().map(LineId::to_string).collect();
    format!("  at {}", places.join(" or "))
}

/// Reads an answer: the number of an option and, if the line matters, its number. `None` if it is neither.
pub(crate) fn read(text: &str, turn: &Turn) -> Option<v1::Move> {
    let mut words = text.split_whitespace();
    let option: usize = words.next()?.parse().ok()?;
    let action = *turn.options.get(option.checked_sub(1)?)?;
    let line = match words.next() {
        None => None,
        Some(word) => Some(LineId::new(word.trim_start_matches('#').parse().ok()?)?),
    };
    match (words.next(), line, action) {
        (None, None, _) | (None, Some(_), Move::Play { .. }) => Some(Choice { action, line }.into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use chickenfoot_bot::local::{LocalMatch, MakeBot, play};
    use chickenfoot_bot::{Bot, GameInfo};
    use chickenfoot_protocol::v1::r#move::Kind;
    use chickenfoot_rules::{Preset, RuleOptions, Seed};

    use super::*;

    struct Checks;

    impl Bot for Checks {
        fn choose(&mut self, turn: &Turn) -> Move {
            let turn = Turn { time_left: Duration::from_secs(1), ..turn.clone() };
            let last = turn.options.len();
            assert_eq!(read(&last.to_string(), &turn), turn.options.last().map(|m| (*m).into()));
            for text in ["", "0", "-1", "x", "1 x", "1 #0", "1 1 1"] {
                assert_eq!(read(text, &turn), None, "{text:?}");
            }
            assert_eq!(read(&(last + 1).to_string(), &turn), None);
            if let Move::Play { .. } = turn.options[0] {
                let kind = read("1 #5", &turn).and_then(|it| it.kind);
                assert!(matches!(kind, Some(Kind::Play(play)) if play.line == Some(5)));
            }
            turn.options[0]
        }
    }

    #[test]
    fn an_answer_is_the_number_of_an_option_and_perhaps_of_a_line() {
        let make = || -> MakeBot { Box::new(|_: &GameInfo| Box::new(Checks)) };
        let game = LocalMatch {
            rules: RuleOptions::new(Preset::Trains, 2).resolve().expect("a preset fits"),
            seed: Seed::new([1; 32]),
            seats: vec![("a".to_owned(), make()), ("b".to_owned(), make())],
        };
        play(game).expect("two seats for two players");
    }
}
