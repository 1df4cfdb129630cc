//! Writes the report of a simulated tournament, to look at and to try programs on that read one:
//! `cargo run --release -p chickenfoot-tournament --example report -- FORMAT ENTRANTS TABLE SIZE FILE`, where FORMAT is
//! `round-robin`, `gauntlet`, `swiss`, `elimination`, `ladder`, `ab-shared` or `ab-halves`, SIZE its cycles, rounds or blocks,
//! and the ending of FILE, `.json`, `.csv` or `.html`, says what is written.

#[allow(clippy::unwrap_used, reason = "shared with tests")]
#[path = "../tests/report/simulated.rs"]
mod simulated;

use std::error::Error;

use chickenfoot_tournament::report::{self, AbTables, FormatInfo};
use simulated::{Simulation, ab_test};

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [format, entrants, table, size, file] = &words[..] else {
        return Err("usage: report FORMAT ENTRANTS TABLE SIZE FILE".into());
    };
    let (entrants, table, size): (usize, u8, u32) = (entrants.parse()?, table.parse()?, size.parse()?);
    let names: Vec<String> = (0..entrants).map(name).collect();
    let (first, second) = (names.first().ok_or("no entrants")?, names.get(1).ok_or("one entrant")?);
    let format = match format.as_str() {
        "round-robin" => FormatInfo::RoundRobin { cycles: size },
        "gauntlet" => FormatInfo::Gauntlet { candidate: first.clone(), blocks: size },
        "swiss" => FormatInfo::Swiss { rounds: size },
        "elimination" => FormatInfo::Elimination { advance: table / 2, blocks: size, lots: false },
        "ladder" => FormatInfo::Ladder { blocks: size, same_owner: false },
        "ab-shared" => ab_test(first, second, AbTables::Shared),
        "ab-halves" => ab_test(first, second, AbTables::Halves),
        other => return Err(format!("there is no format {other}").into()),
    };
    let spread = if matches!(format, FormatInfo::AbTest { .. }) { 12.0 } else { 40.0 };
    let most_blocks = if matches!(format, FormatInfo::AbTest { .. }) { size as usize } else { usize::MAX };
    let simulation = Simulation { format, names, table, spread, seed: 1, circumstances: 2, most_blocks };
    let simulated = simulation.report()?;
    let text = match file.rsplit_once('.').map(|(_, ending)| ending) {
        Some("json") => report::json(&simulated),
        Some("csv") => report::csv(&simulated),
        Some("html") => report::html(&simulated, Some("record/")),
        _ => return Err("FILE must end in .json, .csv or .html".into()),
    };
    Ok(std::fs::write(file, text)?)
}

/// Names as people give them, short and long, of at most forty characters.
fn name(number: usize) -> String {
    let name = NAMES[number % NAMES.len()];
    if number < NAMES.len() { name.to_owned() } else { format!("{}-{number}", &name[..name.len().min(35)]) }
}

const NAMES: [&str; 8] = [
    "pip-squeak",
    "greedy",
    "boneyard_blues",
    "toe.counter",
    "a-very-long-name-that-fills-all-forty-ch",
    "ox",
    "heuristic-3",
    "Lay-Down-Sally",
];
