use std::fmt::Write;

use super::{Entry, PlayedBlock, PlayedMatch, Report, hex};

const HEADER: &str = "block,stage,table,attempt,counts,deal_id,ended_ms,match,match_id,digest,seat,entrant,name,house,\
                      points,place,clean_rounds,lowest_round,late,gone,illegal,strikes,out,think_ms";

/// A report as comma-separated values: a header, then a line for each seat of each match, by block, match and seat. Lines
/// end with a line feed, fields are quoted as in RFC 4180 where they have to be, and the text is UTF-8.
///
/// The columns are named as the fields of [`Report`]; `match` is the position of the match in its block and `seat` that of
/// the seat, from 0; `counts` is `true` or `false`; `lowest_round` and `out` are empty where there is none, and `house` for
/// an agent. Names that a spreadsheet would take for a formula (they start with `=`, `+`, `-` or `@`, or with a tab, a line
/// feed or a carriage return) get a leading apostrophe. Blocks with absent entrants have no matches, so no lines.
pub fn csv(report: &Report) -> String {
    let mut out = String::from(HEADER);
    out.push('\n');
    for block in &report.blocks {
        for (number, game) in block.matches.iter().enumerate() {
            seats(&mut out, report, block, number, game);
        }
    }
    out
}

fn seats(out: &mut String, report: &Report, block: &PlayedBlock, number: usize, game: &PlayedMatch) {
    let counts = report.counts(block.number);
    for (index, seat) in game.seats.iter().enumerate() {
        let entry = entry(report, seat.entrant);
        let name = entry.map_or("", |entry| &entry.name);
        let house = entry.and_then(|entry| entry.house.as_deref()).unwrap_or_default();
        let lowest = seat.lowest_round.map(|score| score.to_string()).unwrap_or_default();
        let ledger = &seat.ledger;
        let reason = ledger.out.map_or("", |out| out.word());
        // Writing to a string cannot fail.
        let _ = writeln!(
            out,
            "{},{},{},{},{counts},{},{},{number},{},{},{index},{},{},{},{},{},{},{lowest},{},{},{},{},{reason},{}",
            block.number,
            block.stage,
            block.table,
            block.attempt,
            text(&block.deal_id),
            block.ended_ms,
            text(&game.id),
            hex(&game.digest),
            seat.entrant,
            text(name),
            text(house),
            seat.points,
            seat.place,
            seat.clean_rounds,
            ledger.late,
            ledger.gone,
            ledger.illegal,
            ledger.strikes,
            ledger.think_ms,
        );
    }
}

/// Entrants are in the order of their numbers.
fn entry(report: &Report, number: u32) -> Option<&Entry> {
    let index = report.entrants.binary_search_by_key(&number, |entry| entry.number).ok()?;
    report.entrants.get(index)
}

/// A text as a field, quoted if it has to be.
fn text(value: &str) -> String {
    let is_formula = value.starts_with(['=', '+', '-', '@', '\t', '\r', '\n']);
    let value = if is_formula { format!("'{value}") } else { value.to_owned() };
    if value.contains([',', '"', '\r', '\n']) { format!("\"{}\"", value.replace('"', "\"\"")) } else { value }
}
