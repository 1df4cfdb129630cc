mod analyse;
mod picture;

use std::io::Read;

use chickenfoot_rules::{Outcome, Record, RoundRecord, Tile};
use serde_json::{Value, json};

pub(crate) use analyse::{Analyse, analyse};
pub(crate) use picture::{Picture, picture};

use crate::args::Global;
use crate::error::Failure;
use crate::output::Output;
use crate::story::Story;

/// `record get`: the file as it is, or on one line for programs.
pub(crate) async fn get(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    let record = global.client()?.record(id).await?;
    if out.is_json() { out.value(&value(&record)) } else { out.text(&record.to_json()) }
}

/// `record verify`.
pub(crate) fn verify(path: &str, out: &mut Output) -> Result<(), Failure> {
    let record = read(path)?;
    record.verify().map_err(Failure::Flawed)?;
    if out.is_json() {
        let answer = json!({"ok": true, "match_id": record.match_id, "digest": record.digest.to_string()});
        out.value(&answer)
    } else {
        out.line(format_args!("ok {}", record.digest))
    }
}

/// `record show`: tells what the file says, right or wrong; `record verify` is the one to judge.
pub(crate) fn show(path: &str, out: &mut Output) -> Result<(), Failure> {
    print(&read(path)?, out)
}

/// Tells a match from its record, from the deals to the result.
pub(crate) fn print(record: &Record, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.value(&value(record));
    }
    let names: Vec<String> = record.seats.iter().map(|seat| seat.name.clone()).collect();
    let mut story = Story::new(&names, &record.rules);
    head(record, out)?;
    for (number, round) in (1..).zip(&record.rounds) {
        out.line("")?;
        show_round(number, round, &mut story, out)?;
    }
    out.line("")?;
    result(record, &story, out)
}

fn head(record: &Record, out: &mut Output) -> Result<(), Failure> {
    let outcome = match record.outcome {
        Outcome::Finished => "finished",
        Outcome::Aborted => "aborted",
    };
    out.heading(format_args!("match {}: {outcome}", record.match_id))?;
    out.line(format_args!("rules       {}", record.rules.text()))?;
    out.line(format_args!("deal id     {}", record.deal_id))?;
    out.line(format_args!("commitment  {}", record.commitment))?;
    out.line(format_args!("seed        {}", record.seed))?;
    out.line(format_args!("digest      {}", record.digest))
}

fn show_round(number: u8, round: &RoundRecord, story: &mut Story, out: &mut Output) -> Result<(), Failure> {
    story.begin_round(number, round.starting_double);
    out.heading(format_args!("round {number} on double-{}", round.starting_double))?;
    for (seat, hand) in (0..).zip(&round.hands) {
        out.line(format_args!("      {}  is dealt {}", story.column(seat), tiles(hand)))?;
    }
    for (at, made) in (1..).zip(&round.moves) {
        let what = story.act(made.what.into());
        out.line(format_args!("{at:>4}  {}  {what}", story.column(made.seat.number().into())))?;
    }
    match round.end {
        None => {
            out.line("      the match was aborted in this round")?;
            story.draw(out)
        }
        Some(end) => {
            let scores: Vec<u32> = round.scores.iter().map(|score| u32::from(*score)).collect();
            story.end_round(end, &scores, "     ", out)
        }
    }
}

fn result(record: &Record, story: &Story, out: &mut Output) -> Result<(), Failure> {
    out.heading("result")?;
    for (seat, total) in (0..).zip(&record.totals) {
        let place = record.places.get(seat as usize);
        let place = place.map(|place| format!("  place {place}")).unwrap_or_default();
        out.line(format_args!("      {}  {total:>5}{place}", story.column(seat)))?;
    }
    Ok(())
}

fn tiles(tiles: &[Tile]) -> String {
    let texts: Vec<String> = tiles.iter().map(Tile::to_string).collect();
    texts.join(" ")
}

fn value(record: &Record) -> Value {
    // A record holds nothing that JSON cannot.
    serde_json::to_value(record).unwrap_or_default()
}

/// Reads a record; - is stdin.
pub(crate) fn read(path: &str) -> Result<Record, Failure> {
    let mut text = String::new();
    let done = if path == "-" {
        std::io::stdin().lock().read_to_string(&mut text).map(|_| ())
    } else {
        std::fs::read_to_string(path).map(|read| text = read)
    };
    done.map_err(|why| Failure::File { path: path.to_owned(), why })?;
    Record::from_json(&text).map_err(|why| Failure::NoRecord { path: path.to_owned(), why })
}
