use std::path::PathBuf;

use chickenfoot_picture::{Layout, Svg, Theme, tiles_after};
use chickenfoot_rules::{Flaw, Record, RoundRecord};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::read;
use crate::error::Failure;
use crate::output::{Output, note};
use crate::tournament::write_text;

/// Which table is drawn, and how.
#[derive(Args)]
pub(crate) struct Picture {
    /// The record; - for stdin
    file: String,
    /// The round, from 1; else the last one
    #[arg(long, value_name = "N")]
    round: Option<u8>,
    /// Draw the table after this move of the round, as `record show` counts them; else at its end
    #[arg(long = "move", value_name = "K")]
    at: Option<usize>,
    /// Colours; auto follows the reader's preference of dark or light
    #[arg(long, value_name = "NAME", default_value = "auto")]
    theme: Colours,
    /// Write to this file; else to stdout
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Colours {
    Auto,
    Light,
    Dark,
}

/// `record picture`.
pub(crate) fn picture(asked: &Picture, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() && asked.output.is_none() {
        return Err(Failure::Usage("a picture is what it is: --json takes --output FILE".to_owned()));
    }
    let text = draw(asked, &read(&asked.file)?)?;
    let Some(path) = &asked.output else { return out.text(&text) };
    let bytes = write_text(&text, path)?;
    if out.is_json() {
        return out.value(&json!({"file": path.display().to_string(), "bytes": bytes}));
    }
    note(format_args!("wrote {}, {bytes} bytes", path.display()));
    Ok(())
}

fn draw(asked: &Picture, record: &Record) -> Result<String, Failure> {
    let (number, round) = round(asked, record)?;
    let in_round = |flaw: Flaw| Flaw { place: format!("round {number}, {}", flaw.place), ..flaw };
    let layout = Layout::of_round(&record.rules, round).map_err(|flaw| Failure::Flawed(in_round(flaw)))?;
    let tiles = asked.at.map(|at| after(at, number, round)).transpose()?;
    let moved = asked.at.map(|at| format!(", after move {at}")).unwrap_or_default();
    let theme = match asked.theme {
        Colours::Auto => Theme::Auto,
        Colours::Light => Theme::Light,
        Colours::Dark => Theme::Dark,
    };
    let title =
        format!("Match {}, round {number} on double-{}{moved}", record.match_id, round.starting_double);
    Ok(Svg { theme, title: &title, tiles, ..Svg::default() }.render(&layout))
}

/// The round that was asked for, with its number.
fn round<'a>(asked: &Picture, record: &'a Record) -> Result<(usize, &'a RoundRecord), Failure> {
    let count = record.rounds.len();
    let number = asked.round.map_or(count, usize::from);
    let round = number.checked_sub(1).and_then(|at| record.rounds.get(at));
    let rounds = if count == 1 { "round" } else { "rounds" };
    round
        .map(|round| (number, round))
        .ok_or_else(|| Failure::Usage(format!("--round {number}: the record has {count} {rounds}, from 1")))
}

/// How many tiles lie after a move, counted from 1; before the first move it is only the starting double.
fn after(at: usize, number: usize, round: &RoundRecord) -> Result<usize, Failure> {
    let count = round.moves.len();
    let moves = round.moves.get(..at);
    moves.map(tiles_after).ok_or_else(|| {
        Failure::Usage(format!(
            "--move {at}: round {number} has {count} moves; 0 is the table before the first"
        ))
    })
}
