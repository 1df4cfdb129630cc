use std::collections::HashSet;

use chickenfoot_protocol::v1::{self, entrant_spec::Who};

use super::error::FileError;
use super::section::Section;

/// Most characters of an owner.
const MAX_OWNER: usize = 64;

/// Reads `[[entrants]]`. Without any, all who take part join later.
pub(super) fn entrants(top: &Section<'_>) -> Result<Vec<v1::EntrantSpec>, FileError> {
    let mut names = HashSet::new();
    let mut entrants = Vec::new();
    for section in top.tables("entrants")? {
        let entrant = entrant(&section)?;
        let (key, name) = called(&entrant);
        if !names.insert(name.to_owned()) {
            return Err(section.wrong(key, format!("there is an entrant {name:?} already; see name")));
        }
        entrants.push(entrant);
    }
    Ok(entrants)
}

fn entrant(section: &Section<'_>) -> Result<v1::EntrantSpec, FileError> {
    section.only(&["agent", "house", "name", "owner"])?;
    let name = section.text("name")?;
    let (key, who) = match (section.text("agent")?, section.text("house")?) {
        (Some(agent), None) => ("agent", agent),
        (None, Some(house)) => ("house", house),
        (Some(_), Some(_)) => {
            return Err(section.wrong("house", "an entrant is an agent or a player of the house, not both"));
        }
        (None, None) => return Err(section.wrong("agent", "agent or house must be given")),
    };
    if who.is_empty() {
        return Err(section.wrong(key, "must not be empty"));
    }
    if name == Some("") {
        return Err(section.wrong("name", "must not be empty"));
    }
    let who = who.to_owned();
    let who = if key == "agent" {
        // An agent plays under its own name.
        if name.is_some_and(|name| name != who) {
            return Err(section.wrong("name", format!("must be the agent's own, {who:?}, or left out")));
        }
        Who::Agent(who)
    } else {
        Who::House(who)
    };
    let owner = section.text("owner")?.unwrap_or_default();
    if owner.chars().count() > MAX_OWNER {
        return Err(section.wrong("owner", format!("must be at most {MAX_OWNER} characters")));
    }
    Ok(v1::EntrantSpec { name: name.unwrap_or_default().to_owned(), who: Some(who), owner: owner.to_owned() })
}

/// What an entrant is called, and the key that says so.
fn called(entrant: &v1::EntrantSpec) -> (&'static str, &str) {
    match &entrant.who {
        _ if !entrant.name.is_empty() => ("name", &entrant.name),
        Some(Who::Agent(name)) => ("agent", name),
        Some(Who::House(strategy)) => ("house", strategy),
        None => ("name", ""),
    }
}
