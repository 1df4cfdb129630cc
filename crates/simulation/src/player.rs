use std::fmt;
use std::str::FromStr;

use chickenfoot_strategy::{Effort, NAMES, by_name};

/// An entrant of a simulation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Player {
    /// Its name, unlike all others in the simulation.
    pub name: String,
    /// How it plays.
    pub plays: Plays,
}

/// How a player plays.
///
/// As text it is a strategy as [`by_name`] takes it, such as `greedy` or `search:200`, or `oracle` with rollouts or
/// without.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plays {
    /// A strategy, by its name and effort, with what a seat may know.
    Strategy(String),
    /// [`chickenfoot_strategy::oracle`], which sees all tiles, with so many rollouts a decision.
    Oracle(u32),
}

/// The rollouts of an `oracle` that says nothing of them.
const ORACLE_ROLLOUTS: u32 = 300;

impl fmt::Display for Plays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Plays::Strategy(name) => f.write_str(name),
            Plays::Oracle(ORACLE_ROLLOUTS) => f.write_str("oracle"),
            Plays::Oracle(rollouts) => write!(f, "oracle:{rollouts}"),
        }
    }
}

/// A text that is no player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParsePlayerError {
    /// No strategy of that name, or an effort that it does not take.
    Strategy(String),
    /// A name that is not 1 to 40 letters, digits, `.`, `_` and `-`, or begins with another than a letter or a digit.
    Name(String),
    /// Two players were given the same name.
    SameName(String),
}

impl fmt::Display for ParsePlayerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParsePlayerError::Strategy(text) => write!(
                f,
                "{text:?} is none of {}, oracle, with an effort where that means something",
                NAMES.join(", ")
            ),
            ParsePlayerError::Name(name) => {
                write!(f, "{name:?} is no name: 1 to 40 letters, digits, '.', '_' and '-'")
            }
            ParsePlayerError::SameName(name) => write!(f, "two players are named {name:?}"),
        }
    }
}

impl std::error::Error for ParsePlayerError {}

impl FromStr for Plays {
    type Err = ParsePlayerError;

    fn from_str(text: &str) -> Result<Plays, ParsePlayerError> {
        let unknown = || ParsePlayerError::Strategy(text.to_owned());
        match text.split_once(':') {
            None if text == "oracle" => Ok(Plays::Oracle(ORACLE_ROLLOUTS)),
            Some(("oracle", effort)) => match effort.parse() {
                Ok(Effort::Rollouts(rollouts)) => Ok(Plays::Oracle(rollouts)),
                Ok(Effort::Milliseconds(_)) | Err(_) => Err(unknown()),
            },
            _ => by_name(text, [0; 32]).map(|_| Plays::Strategy(text.to_owned())).ok_or_else(unknown),
        }
    }
}

/// Reads players, each as `NAME=STRATEGY` or as a strategy alone, whose name is then made from it: a colon becomes a
/// hyphen, and of several that are named alike the second gets `-2`, the third `-3`, and so on.
///
/// # Errors
/// The first text that is no player, or a name that was given twice.
pub fn players(texts: &[String]) -> Result<Vec<Player>, ParsePlayerError> {
    let parts: Vec<(Option<&str>, &str)> = texts
        .iter()
        .map(|text| text.split_once('=').map_or((None, text.as_str()), |(name, plays)| (Some(name), plays)))
        .collect();
    let given: Vec<&str> = parts.iter().filter_map(|(name, _)| *name).collect();
    for (i, name) in given.iter().enumerate() {
        if !is_name(name) {
            return Err(ParsePlayerError::Name((*name).to_owned()));
        }
        if given[..i].contains(name) {
            return Err(ParsePlayerError::SameName((*name).to_owned()));
        }
    }
    let mut players: Vec<Player> = Vec::with_capacity(parts.len());
    for (name, plays) in parts {
        let plays: Plays = plays.parse()?;
        let name = name.map_or_else(
            || {
                let base = plays.to_string().replace(':', "-");
                let taken = |name: &str| given.contains(&name) || players.iter().any(|it| it.name == name);
                let mut numbered = (2u32..).map(|number| format!("{base}-{number}"));
                if taken(&base) {
                    numbered.find(|name| !taken(name)).unwrap_or_default()
                } else {
                    base.clone()
                }
            },
            str::to_owned,
        );
        players.push(Player { name, plays });
    }
    Ok(players)
}

/// As the names of agents at the service, so that a tournament there can have the same entrants.
fn is_name(name: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    (1..=40).contains(&name.len())
        && name.chars().all(fits)
        && name.starts_with(|letter: char| letter.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(texts: &[&str]) -> Result<Vec<String>, ParsePlayerError> {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        Ok(players(&texts)?.into_iter().map(|player| player.name).collect())
    }

    #[test]
    fn players_of_one_strategy_get_names_of_their_own() {
        let found = names(&["greedy", "greedy-2=random", "greedy", "search:20ms", "greedy", "oracle:300"]);
        let expected = ["greedy", "greedy-2", "greedy-3", "search-20ms", "greedy-4", "oracle"];
        assert_eq!(found, Ok(expected.map(str::to_owned).to_vec()));
    }

    #[test]
    fn what_is_no_player_is_refused() {
        for (texts, why) in [
            (&["chess"][..], ParsePlayerError::Strategy("chess".to_owned())),
            (&["greedy:20"], ParsePlayerError::Strategy("greedy:20".to_owned())),
            (&["oracle:20ms"], ParsePlayerError::Strategy("oracle:20ms".to_owned())),
            (&["a b=greedy"], ParsePlayerError::Name("a b".to_owned())),
            (&["a=greedy", "a=random"], ParsePlayerError::SameName("a".to_owned())),
        ] {
            assert_eq!(names(texts), Err(why), "{texts:?}");
        }
    }
}
