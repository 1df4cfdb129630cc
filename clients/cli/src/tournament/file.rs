//! The form of a tournament as a file. README.md documents it.

mod entrants;
mod error;
mod format;
mod play;
mod section;

use chickenfoot_protocol::v1;
use chickenfoot_rules::Hex32;
use toml::de::DeTable;

pub(crate) use error::FileError;
use section::{Section, Source};

use crate::text::clean;

const KEYS: [&str; 16] = [
    "name",
    "format",
    "table_size",
    "entrants",
    "rules",
    "clocks",
    "faults",
    "forced_moves",
    "spectator_delay",
    "concurrency",
    "entrant_concurrency",
    "no_show",
    "entry_check",
    "invited_only",
    "max_entrants",
    "seed",
];

/// Longest title, in characters.
const MAX_NAME: usize = 80;

/// Reads a tournament from the text of a file, which is called `name` in errors.
///
/// # Errors
/// The first thing that is wrong: no TOML, an unknown key, a key that is missing, a value of another type or beyond its
/// bound. What takes knowledge of agents, or of what the house plays, is for the service to refuse.
pub(crate) fn parse(name: &str, text: &str) -> Result<v1::TournamentConfig, FileError> {
    let source = Source { name, text };
    let table = DeTable::parse(text).map_err(|why| {
        let at = why.span().map_or(0, |span| span.start);
        source.error(at, String::new(), why.message().to_owned())
    })?;
    let top = Section::top(&source, &table);
    top.only(&KEYS)?;
    let table_size = top.must("table_size", top.whole("table_size", 2..=8)?)?;
    let entrants = entrants::entrants(&top)?;
    let mut config = v1::TournamentConfig {
        name: title(&top)?,
        format: Some(format::format(&top, table_size)?),
        rules: Some(play::rules(&top, table_size)?),
        table_size,
        entrants,
        invited_only: top.flag("invited_only")?,
        max_entrants: top.whole("max_entrants", 2..=10_000)?.unwrap_or_default(),
        forced_moves: play::forced_moves(&top)?,
        spectator_delay: top.whole("spectator_delay", 0..=10_000)?.unwrap_or_default(),
        concurrency: top.whole("concurrency", 1..=1000)?.unwrap_or_default(),
        entrant_concurrency: top.whole("entrant_concurrency", 1..=1000)?.unwrap_or_default(),
        no_show: top.time("no_show", section::SECOND..=section::HOUR)?,
        entry_check: top.flag("entry_check")?,
        seed: seed(&top)?,
        ..v1::TournamentConfig::default()
    };
    play::clocks(&top, &mut config)?;
    play::faults(&top, &mut config)?;
    Ok(config)
}

fn title(top: &Section<'_>) -> Result<String, FileError> {
    let name = top.must("name", top.text("name")?)?;
    if name.is_empty() || name.chars().count() > MAX_NAME || clean(name) != name {
        let bound = "must be 1 to 80 characters without any that control text or are not seen";
        return Err(top.wrong("name", bound));
    }
    Ok(name.to_owned())
}

fn seed(top: &Section<'_>) -> Result<Vec<u8>, FileError> {
    let Some(text) = top.text("seed")? else {
        return Ok(Vec::new());
    };
    let seed: Hex32 = text.parse().map_err(|_| top.wrong("seed", "must be 64 hexadecimal digits"))?;
    Ok(seed.0.to_vec())
}

#[cfg(test)]
mod tests;
