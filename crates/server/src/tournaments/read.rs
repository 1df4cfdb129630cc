//! Reads the settings of a tournament from the wire, every bound checked and every default filled in.

use std::collections::BTreeMap;
use std::time::Duration;

use chickenfoot_protocol::{Malformed, forced_from_wire, rules_from_wire, v1};
use chickenfoot_rules::{ForcedMoves, Rules, Seed};
use chickenfoot_store::{AgentName, Occupant};
use chickenfoot_tournament::report::page::visible;
use v1::tournament_config::Format;

use super::settings::{AbSettings, AbTables, FormatSettings, Settings};
use crate::matches::{clock_rules, fault_rules, read_time, spectator_delay};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::agent_name;

/// Most characters of a title.
const MAX_TITLE: usize = 80;

/// Most characters of an owner.
const MAX_OWNER: usize = 64;

/// Most entrants of a tournament.
const MAX_ENTRANTS: u32 = 10_000;

/// What a creator asks for.
pub(crate) struct Asked {
    pub(crate) name: String,
    pub(crate) settings: Settings,
    /// Those who are entered from the start.
    pub(crate) entrants: Vec<(AgentName, Occupant)>,
    pub(crate) seed: Option<Seed>,
}

/// Reads how a tournament is to be made. Whether its agents and strategies exist is not looked at.
///
/// # Errors
/// The first field that is missing or beyond its bound.
pub(crate) fn read(config: &v1::TournamentConfig) -> Result<Asked, Refusal> {
    let rules = read_rules(config)?;
    let table = rules.last().map_or(0, Rules::players);
    let entrants = read_entrants(&config.entrants)?;
    let owners = read_owners(&config.entrants, &entrants)?;
    let concurrency = number("concurrency", config.concurrency, 8, 1..=1000)?;
    let max_entrants = number("max_entrants", config.max_entrants, MAX_ENTRANTS, 2..=MAX_ENTRANTS)?;
    if entrants.len() > max_entrants as usize {
        let bound = format!("at most {max_entrants} entrants, as max_entrants says");
        return Err(out_of_range("entrants", bound));
    }
    let settings = Settings {
        format: read_format(config.format.as_ref(), table)?,
        rules,
        invited_only: config.invited_only,
        max_entrants,
        clock: clock_rules(config.decision_time.as_ref(), config.bank.as_ref(), config.grace.as_ref())?,
        faults: fault_rules(config.strikes, config.illegal_answers, config.strict)?,
        asks_forced: forced_from_wire(config.forced_moves).map_err(|e| e.within("config"))?
            == ForcedMoves::Asked,
        spectator_delay: spectator_delay(config.spectator_delay)?,
        concurrency,
        entrant_concurrency: number(
            "entrant_concurrency",
            config.entrant_concurrency,
            concurrency,
            1..=1000,
        )?,
        no_show: match read_time(config.no_show.as_ref(), Duration::from_secs(60)) {
            Some(time) if time >= Duration::from_secs(1) && time <= Duration::from_secs(3600) => time,
            _ => return Err(out_of_range("no_show", "1 second to 1 hour")),
        },
        entry_check: config.entry_check,
        owners,
    };
    check_names(&settings.format, &entrants, config.invited_only)?;
    Ok(Asked { name: read_title(&config.name)?, settings, entrants, seed: read_seed(&config.seed)? })
}

fn read_title(title: &str) -> Result<String, Refusal> {
    let length = title.chars().count();
    if !(1..=MAX_TITLE).contains(&length) || visible(title) != title {
        let bound = format!("1 to {MAX_TITLE} characters without any that control text or are not seen");
        return Err(out_of_range("name", bound));
    }
    Ok(title.to_owned())
}

/// The rules of all tables that may come up: a table has fewer seats where the entrants do not fill it.
fn read_rules(config: &v1::TournamentConfig) -> Result<Vec<Rules>, Refusal> {
    let table = config.table_size;
    if !(2..=8).contains(&table) {
        return Err(out_of_range("table_size", format!("2 to 8, not {table}")));
    }
    let asked = config.rules.unwrap_or_default();
    if let Some(players) = asked.players.filter(|players| *players != table) {
        return Err(out_of_range("rules.players", format!("table_size, which is {table}, not {players}")));
    }
    let rules = |seats: u32| {
        rules_from_wire(&v1::Rules { players: Some(seats), ..asked }, seats as usize)
            .map_err(|e| Refusal::from(e.within("config.rules")))
    };
    // The full table first: what is wrong is mostly wrong there.
    let full = rules(table)?;
    let mut all = (2..table).map(rules).collect::<Result<Vec<Rules>, Refusal>>()?;
    all.push(full);
    Ok(all)
}

fn read_entrants(specs: &[v1::EntrantSpec]) -> Result<Vec<(AgentName, Occupant)>, Refusal> {
    use v1::entrant_spec::Who;
    let mut entrants: Vec<(AgentName, Occupant)> = Vec::with_capacity(specs.len());
    for (i, spec) in specs.iter().enumerate() {
        let field = |name: &str| format!("config.entrants[{i}].{name}");
        let who = spec.who.as_ref().ok_or_else(|| Refusal::from(Malformed::missing(&field("who"))))?;
        let (name, who) = match who {
            Who::Agent(agent) => {
                let agent = agent_name(&field("agent"), agent)?;
                if !spec.name.is_empty() && spec.name != agent.as_str() {
                    let bound = "left out or the agent's own";
                    return Err(Malformed::out_of_range(&field("name"), bound).into());
                }
                (agent.clone(), Occupant::Agent(agent))
            }
            Who::House(strategy) => {
                let name = if spec.name.is_empty() { strategy } else { &spec.name };
                (agent_name(&field("name"), name)?, Occupant::House(strategy.chars().take(64).collect()))
            }
        };
        entrants.push((name, who));
    }
    let mut names: Vec<&AgentName> = entrants.iter().map(|(name, _)| name).collect();
    names.sort();
    if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
        let message = format!("two entrants are named {}", pair[0]);
        return Err(Refusal::new(Reason::EntrantExists, message)
            .field("config.entrants")
            .with("name", pair[0]));
    }
    Ok(entrants)
}

/// Whose the entrants are, as far as the creator says so. `entrants` are those of `specs`.
fn read_owners(
    specs: &[v1::EntrantSpec],
    entrants: &[(AgentName, Occupant)],
) -> Result<BTreeMap<String, String>, Refusal> {
    let mut owners = BTreeMap::new();
    for (i, (spec, (name, _))) in specs.iter().zip(entrants).enumerate() {
        if spec.owner.chars().count() > MAX_OWNER {
            let bound = format!("at most {MAX_OWNER} characters");
            return Err(out_of_range(&format!("entrants[{i}].owner"), bound));
        }
        if !spec.owner.is_empty() {
            owners.insert(name.to_string(), spec.owner.clone());
        }
    }
    Ok(owners)
}

fn read_format(format: Option<&Format>, table: u8) -> Result<FormatSettings, Refusal> {
    const BLOCKS: u32 = 1_000_000;
    let format = format.ok_or_else(|| Refusal::from(Malformed::missing("config.format")))?;
    Ok(match format {
        Format::RoundRobin(it) => {
            FormatSettings::RoundRobin { cycles: number("round_robin.cycles", it.cycles, 1, 1..=1000)? }
        }
        Format::Gauntlet(it) => FormatSettings::Gauntlet {
            candidate: entrant("gauntlet.candidate", &it.candidate)?,
            blocks: number("gauntlet.blocks", it.blocks, 100, 1..=BLOCKS)?,
        },
        Format::Swiss(it) => FormatSettings::Swiss { rounds: given("swiss.rounds", it.rounds, 1..=1000)? },
        Format::Elimination(it) => {
            let most = u32::from(table) - 1;
            let advance = number("elimination.advance", it.advance, u32::from(table / 2), 1..=most)?;
            FormatSettings::Elimination {
                // At most 7.
                advance: advance as u8,
                blocks: number("elimination.blocks", it.blocks, 1, 1..=1000)?,
                lots: it.lots,
            }
        }
        Format::Ladder(it) => FormatSettings::Ladder {
            blocks: given("ladder.blocks", it.blocks, 1..=BLOCKS)?,
            same_owner: it.same_owner,
        },
        Format::AbTest(it) => FormatSettings::AbTest(read_ab(it, table)?),
    })
}

fn read_ab(test: &v1::AbTest, table: u8) -> Result<AbSettings, Refusal> {
    let chance = |field: &str, value: f64| match value {
        0.0 => Ok(0.05),
        value if value > 0.0 && value < 0.5 => Ok(value),
        _ => Err(out_of_range(field, "above 0 and below 0.5")),
    };
    let arrangement = match v1::AbArrangement::try_from(test.arrangement) {
        Ok(v1::AbArrangement::Unspecified) => None,
        Ok(v1::AbArrangement::Shared) => Some(AbTables::Shared),
        Ok(v1::AbArrangement::Halves) if table % 2 == 1 => {
            return Err(out_of_range("ab_test.arrangement", format!("SHARED at tables of {table}")));
        }
        Ok(v1::AbArrangement::Halves) => Some(AbTables::Halves),
        Err(_) => return Err(out_of_range("ab_test.arrangement", "one of the known values")),
    };
    let burn_in = number("ab_test.burn_in", test.burn_in, 8, 8..=1000)?;
    let max_blocks = number("ab_test.max_blocks", test.max_blocks, 1000, 1..=1_000_000)?;
    if max_blocks < burn_in {
        return Err(out_of_range("ab_test.max_blocks", format!("at least burn_in, which is {burn_in}")));
    }
    Ok(AbSettings {
        candidate: entrant("ab_test.candidate", &test.candidate)?,
        base: entrant("ab_test.base", &test.base)?,
        arrangement,
        alpha: chance("ab_test.alpha", test.alpha)?,
        beta: chance("ab_test.beta", test.beta)?,
        effect: match test.effect {
            0.0 => 0.3,
            effect if effect > 0.0 && effect <= 5.0 => effect,
            _ => return Err(out_of_range("ab_test.effect", "above 0 and at most 5")),
        },
        burn_in,
        max_blocks,
    })
}

/// Names in the format must be those of entrants, as far as the entrants are known.
fn check_names(
    format: &FormatSettings,
    entrants: &[(AgentName, Occupant)],
    invited_only: bool,
) -> Result<(), Refusal> {
    let named = match format {
        FormatSettings::Gauntlet { candidate, .. } => vec![("gauntlet.candidate", candidate)],
        FormatSettings::AbTest(test) => {
            if !test.candidate.is_empty() && test.candidate == test.base {
                return Err(out_of_range("ab_test.base", "another entrant than the candidate"));
            }
            vec![("ab_test.candidate", &test.candidate), ("ab_test.base", &test.base)]
        }
        FormatSettings::RoundRobin { .. }
        | FormatSettings::Swiss { .. }
        | FormatSettings::Elimination { .. }
        | FormatSettings::Ladder { .. } => Vec::new(),
    };
    for (field, name) in named {
        let known = name.is_empty() || entrants.iter().any(|(entrant, _)| entrant.as_str() == name.as_str());
        if !known && invited_only {
            return Err(out_of_range(field, format!("the name of an entrant, not {name:?}")));
        }
    }
    Ok(())
}

/// A name in the format; empty stands for the default.
fn entrant(field: &str, name: &str) -> Result<String, Refusal> {
    if !name.is_empty() {
        agent_name(&format!("config.{field}"), name)?;
    }
    Ok(name.to_owned())
}

fn read_seed(seed: &[u8]) -> Result<Option<Seed>, Refusal> {
    if seed.is_empty() {
        return Ok(None);
    }
    let bytes = seed.try_into().map_err(|_| out_of_range("seed", format!("32 bytes, not {}", seed.len())))?;
    Ok(Some(Seed::new(bytes)))
}

/// A number that 0 leaves to its default.
fn number(
    field: &str,
    value: u32,
    default: u32,
    bound: std::ops::RangeInclusive<u32>,
) -> Result<u32, Refusal> {
    if value == 0 { Ok(default) } else { given(field, value, bound) }
}

/// A number that has no default.
fn given(field: &str, value: u32, bound: std::ops::RangeInclusive<u32>) -> Result<u32, Refusal> {
    if bound.contains(&value) {
        Ok(value)
    } else {
        Err(out_of_range(field, format!("{} to {}, not {value}", bound.start(), bound.end())))
    }
}

fn out_of_range(field: &str, bound: impl std::fmt::Display) -> Refusal {
    Malformed::out_of_range(&format!("config.{field}"), bound).into()
}
