//! Tournaments as text.

use chickenfoot_protocol::v1::{self, tournament_config::Format};

use super::{tables, words};
use crate::error::Failure;
use crate::json::{hex, millis};
use crate::output::Output;
use crate::story::rules_text;

/// A tournament in one line.
pub(crate) fn summary(it: &v1::Tournament) -> String {
    let name = it.config.as_ref().map_or("", |config| config.name.as_str());
    format!(
        "{}  {:<9}  {:<11}  {:>3} entrants  {}  {name}",
        it.id,
        words::state(it.state()),
        words::format(it.config.as_ref()).unwrap_or("?"),
        it.entrants,
        blocks(it),
    )
}

/// Blocks that are over, of all.
fn blocks(it: &v1::Tournament) -> String {
    let progress = it.progress.unwrap_or_default();
    match progress.total_blocks {
        0 => format!("{} blocks", progress.finished_blocks),
        all => format!("{}/{all} blocks", progress.finished_blocks),
    }
}

/// Prints how a tournament was made, where it stands and who is entered.
pub(crate) fn print(
    it: &v1::Tournament,
    entrants: &[v1::TournamentEntrant],
    out: &mut Output,
) -> Result<(), Failure> {
    out.heading(format_args!("tournament {}: {}", it.id, words::state(it.state())))?;
    if !it.message.is_empty() {
        out.line(format_args!("why         {}", it.message))?;
    }
    if let Some(config) = &it.config {
        print_config(config, out)?;
    }
    out.line(format_args!("creator     {}", it.creator))?;
    for (what, time) in [("created", &it.create_time), ("started", &it.start_time), ("ended", &it.end_time)] {
        if let Some(time) = time {
            out.line(format_args!("{what:<10}  {time}"))?;
        }
    }
    let progress = it.progress.unwrap_or_default();
    out.line(format_args!(
        "progress    {}, {} matches, {} running, {} waiting, faults {}",
        blocks(it),
        progress.finished_matches,
        progress.running_matches,
        progress.waiting_matches,
        progress.faults
    ))?;
    if progress.voided_blocks > 0 {
        out.line(format_args!("voided      {} blocks, begun again", progress.voided_blocks))?;
    }
    out.line(format_args!("commitment  {}", hex(&it.commitment)))?;
    if !it.seed.is_empty() {
        out.line(format_args!("seed        {}", hex(&it.seed)))?;
    }
    print_entrants(entrants, out)
}

fn print_config(config: &v1::TournamentConfig, out: &mut Output) -> Result<(), Failure> {
    out.line(format_args!("name        {}", config.name))?;
    if let Some(format) = &config.format {
        out.line(format_args!("format      {}", format_text(format)))?;
    }
    out.line(format_args!("tables      of {}", config.table_size))?;
    if let Some(rules) = &config.rules {
        out.line(format_args!("rules       {}", rules_text(rules, config.table_size as usize)?))?;
    }
    out.line(format_args!(
        "time        {} s a decision, {} s beyond, {} s away",
        millis(config.decision_time.as_ref()),
        millis(config.bank.as_ref()),
        millis(config.grace.as_ref())
    ))?;
    let strictness = if config.strict {
        "the first fault ends a seat".to_owned()
    } else {
        format!("{} strikes", config.strikes.unwrap_or_default())
    };
    let check = if config.entry_check { ", after an entry check" } else { "" };
    let invited = if config.invited_only { ", by invitation" } else { "" };
    out.line(format_args!("faults      {strictness}"))?;
    out.line(format_args!("entry       up to {}{invited}{check}", config.max_entrants))?;
    out.line(format_args!(
        "at once     {} matches, {} of one entrant; {} s for a no-show",
        config.concurrency,
        config.entrant_concurrency,
        millis(config.no_show.as_ref())
    ))
}

/// Whom an empty name of a candidate means.
const FIRST: &str = "the first entrant";

fn or<'a>(name: &'a str, otherwise: &'a str) -> &'a str {
    if name.is_empty() { otherwise } else { name }
}

fn format_text(format: &Format) -> String {
    match format {
        Format::RoundRobin(it) => format!("round-robin, {} cycles", it.cycles),
        Format::Gauntlet(it) => format!("gauntlet of {}, {} blocks", or(&it.candidate, FIRST), it.blocks),
        Format::Swiss(it) => format!("swiss, {} rounds", it.rounds),
        Format::Elimination(it) => {
            format!("elimination, {} go on, {} blocks a heat", it.advance, it.blocks)
        }
        Format::Ladder(it) => format!("ladder, {} blocks", it.blocks),
        Format::AbTest(it) => format!(
            "ab-test of {} against {}, {}, alpha {}, beta {}, effect {}, {} to {} blocks",
            or(&it.candidate, FIRST),
            or(&it.base, "the second entrant"),
            words::arrangement(it.arrangement()).unwrap_or("tables as the field allows"),
            it.alpha,
            it.beta,
            it.effect,
            it.burn_in,
            it.max_blocks
        ),
    }
}

fn print_entrants(entrants: &[v1::TournamentEntrant], out: &mut Output) -> Result<(), Failure> {
    let width = entrants.iter().map(|it| it.name.chars().count()).max().unwrap_or(0).max(4);
    out.heading(format_args!("entrant  {:<width$}  state", "name"))?;
    for it in entrants {
        let house = if it.house.is_empty() { String::new() } else { format!("  house:{}", it.house) };
        let state = words::entrant_state(it.state());
        out.line(format_args!("{:>7}  {:<width$}  {state:<9}{house}", it.number, it.name))?;
    }
    Ok(())
}

/// Prints the standings, and the test where there is one.
pub(crate) fn standings(it: &v1::GetStandingsResponse, out: &mut Output) -> Result<(), Failure> {
    if let Some(tournament) = &it.tournament {
        let name = tournament.config.as_ref().map_or("", |config| config.name.as_str());
        out.heading(format_args!("{name}: {}, {}", words::state(tournament.state()), blocks(tournament)))?;
    }
    out.rows(&tables::standings(&it.standings))?;
    match &it.ab {
        None => Ok(()),
        Some(ab) => {
            out.line("")?;
            out.rows(&tables::ab(ab))
        }
    }
}
