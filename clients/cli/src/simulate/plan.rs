//! From the command line to a simulation.

use std::num::NonZeroUsize;
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};

use chickenfoot_protocol::rules_from_wire;
use chickenfoot_rules::Rules;
use chickenfoot_simulation::{Contest, Player, Simulation, Tables, players};
use chickenfoot_tournament::statistics::{AbPlan, Effect};

use super::args::{self, Simulate};
use crate::error::Failure;

/// Largest table.
const MAX_TABLE: usize = 8;

/// The table of more players than fit at one.
const USUAL_TABLE: usize = 4;

/// The largest effect, as at the service.
const MAX_EFFECT: f64 = 5.0;

/// What is to be played.
///
/// # Errors
/// What cannot be meant as it was given.
pub(crate) fn plan(asked: &Simulate) -> Result<Simulation, Failure> {
    let usage = |why: String| Failure::Usage(why);
    if !matches!(asked.ab.len(), 0 | 2) {
        return Err(usage(format!("--ab takes two players, as in search,greedy, not {}", asked.ab.len())));
    }
    let texts: Vec<String> = asked.ab.iter().chain(&asked.players).cloned().collect();
    let players = players(&texts).map_err(|why| usage(why.to_string()))?;
    if players.len() < 2 {
        return Err(usage("--players takes two players at least".to_owned()));
    }
    let tables = tables(asked)?;
    let table = table_size(asked, tables, &players)?;
    let threads = asked.threads.or_else(|| thread::available_parallelism().ok());
    // Nothing but the report goes by it.
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Ok(Simulation {
        title: title(asked, &players),
        contest: contest(asked, tables)?,
        players,
        rules: rules(asked, table)?,
        seed: asked.seed,
        threads: threads.unwrap_or(NonZeroUsize::MIN),
        records: asked.records.is_some(),
        begun_ms: u64::try_from(now.as_millis()).unwrap_or(u64::MAX),
    })
}

/// The tables of a comparison; `None` without one.
fn tables(asked: &Simulate) -> Result<Option<Tables>, Failure> {
    if asked.ab.is_empty() {
        return Ok(None);
    }
    let usage = |why: &str| Err(Failure::Usage(why.to_owned()));
    match (asked.tables, asked.players.is_empty()) {
        (Some(args::Tables::Halves), false) => usage("--players have no seat at tables filled half and half"),
        (Some(args::Tables::Shared) | None, false) => Ok(Some(Tables::Shared)),
        (Some(args::Tables::Shared), true) => Ok(Some(Tables::Shared)),
        (Some(args::Tables::Halves) | None, true) => Ok(Some(Tables::Halves)),
    }
}

fn table_size(asked: &Simulate, tables: Option<Tables>, players: &[Player]) -> Result<u32, Failure> {
    let usual = if players.len() <= MAX_TABLE { players.len() } else { USUAL_TABLE };
    // At most the largest table.
    let table = asked.table_size.unwrap_or(usual as u32);
    if tables == Some(Tables::Halves) && table % 2 == 1 {
        return Err(Failure::Usage(format!(
            "--table-size {table}: two fill only an even table half and half"
        )));
    }
    if tables != Some(Tables::Halves) && players.len() < table as usize {
        let found = players.len();
        return Err(Failure::Usage(format!(
            "--table-size {table}: {found} players do not fill such a table"
        )));
    }
    Ok(table)
}

/// The rules of every table that may come up: some have a seat less where the players do not fill them.
fn rules(asked: &Simulate, table: u32) -> Result<Vec<Rules>, Failure> {
    let rules = |seats: u32| {
        let wire = asked.options.rules(asked.rules, Some(seats));
        rules_from_wire(&wire, seats as usize).map_err(|why| Failure::Usage(format!("the rules: {why}")))
    };
    // The full table first: what is wrong is mostly wrong there.
    let full = rules(table)?;
    let mut all = (2..table).map(rules).collect::<Result<Vec<Rules>, Failure>>()?;
    all.push(full);
    Ok(all)
}

fn contest(asked: &Simulate, tables: Option<Tables>) -> Result<Contest, Failure> {
    let deals = asked.deals.unwrap_or(if asked.sprt { 1000 } else { 100 });
    let Some(tables) = tables else {
        return Ok(if asked.gauntlet { Contest::Gauntlet { deals } } else { Contest::RoundRobin { deals } });
    };
    if !asked.sprt {
        return Ok(Contest::Comparison { tables, deals });
    }
    if asked.effect > MAX_EFFECT {
        return Err(Failure::Usage(format!("--effect {}: at most {MAX_EFFECT}", asked.effect)));
    }
    let effect = Effect::StandardDeviations(asked.effect);
    let plan = AbPlan::new(effect, asked.alpha, asked.beta, asked.burn_in, deals);
    Ok(Contest::Test { tables, plan: plan.map_err(|why| Failure::Usage(why.to_string()))? })
}

fn title(asked: &Simulate, players: &[Player]) -> String {
    match players {
        [one, other, ..] if !asked.ab.is_empty() => format!("{} against {}", one.name, other.name),
        [one, ..] if asked.gauntlet => format!("{} against all", one.name),
        _ => "simulation".to_owned(),
    }
}
