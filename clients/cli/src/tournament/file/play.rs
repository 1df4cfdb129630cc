//! What holds in every match: rules, clocks, faults.

use std::time::Duration;

use chickenfoot_protocol::{rules_from_wire, v1};

use super::error::FileError;
use super::section::{HOUR, Section};
use crate::words::{DrawnTile, Forced, Preset, Starter, wire};

const RULES: [&str; 9] = [
    "preset",
    "max_pip",
    "hand_size",
    "opening_arms",
    "starter",
    "drawn_tile",
    "reserve",
    "double_blank",
    "rounds",
];

/// Reads `[rules]`, by the names of the options of `match create`. The number of players is the size of a table.
pub(super) fn rules(top: &Section<'_>, table_size: u32) -> Result<v1::Rules, FileError> {
    let Some(section) = top.table("rules")? else {
        return Ok(v1::Rules { preset: Preset::Trains.into(), ..v1::Rules::default() });
    };
    section.only(&RULES)?;
    let number = |key| section.whole(key, 0..=255);
    let rules = v1::Rules {
        preset: section.word("preset")?.unwrap_or(Preset::Trains).into(),
        players: None,
        max_pip: number("max_pip")?,
        hand_size: number("hand_size")?,
        opening_arms: number("opening_arms")?,
        starter: wire(section.word::<Starter>("starter")?),
        drawn_tile: wire(section.word::<DrawnTile>("drawn_tile")?),
        reserve: number("reserve")?,
        double_blank: number("double_blank")?,
        rounds: number("rounds")?,
    };
    match rules_from_wire(&rules, table_size as usize) {
        Ok(_) => Ok(rules),
        // What is wrong may be a preset's own value that does not fit; then it is about the table.
        Err(why) if section.has(&why.field) => Err(section.wrong(&why.field, why.message)),
        Err(why) => Err(top.wrong("rules", why.message)),
    }
}

/// Reads `forced_moves`.
pub(super) fn forced_moves(top: &Section<'_>) -> Result<i32, FileError> {
    Ok(wire(top.word::<Forced>("forced_moves")?))
}

/// Reads `[clocks]`.
pub(super) fn clocks(top: &Section<'_>, config: &mut v1::TournamentConfig) -> Result<(), FileError> {
    let Some(section) = top.table("clocks")? else {
        return Ok(());
    };
    section.only(&["decision_time", "bank", "grace"])?;
    config.decision_time = section.time("decision_time", Duration::from_millis(10)..=HOUR)?;
    config.bank = section.time("bank", Duration::ZERO..=HOUR)?;
    config.grace = section.time("grace", Duration::ZERO..=HOUR)?;
    Ok(())
}

/// Reads `[faults]`.
pub(super) fn faults(top: &Section<'_>, config: &mut v1::TournamentConfig) -> Result<(), FileError> {
    let Some(section) = top.table("faults")? else {
        return Ok(());
    };
    section.only(&["strikes", "illegal_answers", "strict"])?;
    config.strikes = section.whole("strikes", 0..=1000)?;
    config.illegal_answers = section.whole("illegal_answers", 1..=1000)?;
    config.strict = section.flag("strict")?;
    Ok(())
}
