use std::fmt;

use crate::Strategy;
use crate::dead_foot::DeadFoot;
use crate::effort::Effort;
use crate::greedy::Greedy;
use crate::lowest::Lowest;
use crate::random::Random;
use crate::search::{Below, Search};

/// A strategy as it is offered: under which name, and what it does.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The name, in lower case with hyphens.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    make: Make,
}

/// How a player is made from its seed.
#[derive(Clone, Copy)]
enum Make {
    /// As it is.
    Plain(fn([u8; 32]) -> Box<dyn Strategy>),
    /// With so many rollouts a decision, unless the name says otherwise.
    Searching(u32, fn([u8; 32], Effort) -> Box<dyn Strategy>),
}

impl Kind {
    /// A fresh player for one seat of one match. A strategy without chance ignores the seed.
    pub fn player(&self, seed: [u8; 32]) -> Box<dyn Strategy> {
        match self.make {
            Make::Plain(make) => make(seed),
            Make::Searching(rollouts, make) => make(seed, Effort::Rollouts(rollouts)),
        }
    }

    /// As [`Kind::player`], with this effort a decision. `None` for a strategy that does not search.
    pub fn player_with(&self, seed: [u8; 32], effort: Effort) -> Option<Box<dyn Strategy>> {
        match self.make {
            Make::Plain(_) => None,
            Make::Searching(_, make) => Some(make(seed, effort)),
        }
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kind").field("name", &self.name).finish_non_exhaustive()
    }
}

/// All strategies, the weaker ones first but for `lowest`, which is weaker than `random`.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "random",
        summary: "chooses each legal move with the same chance",
        make: Make::Plain(|seed| Box::new(Random::new(seed))),
    },
    Kind {
        name: "lowest",
        summary: "keeps the high tiles, against all sense: a check of signs",
        make: Make::Plain(|_| Box::new(Lowest)),
    },
    Kind {
        name: "greedy",
        summary: "lays the tile that counts most",
        make: Make::Plain(|_| Box::new(Greedy)),
    },
    Kind {
        name: "dead-foot",
        summary: "greedy, but counts what is left of a number before it parts with a tile of it or lays its double",
        make: Make::Plain(|_| Box::new(DeadFoot)),
    },
    Kind {
        name: "monte-carlo",
        summary: "tries each move on sampled deals that dead-foot plays to the end",
        make: Make::Searching(500, |seed, effort| Box::new(Search::new(seed, effort, Below::Policy))),
    },
    Kind {
        name: "search",
        summary: "as monte-carlo, by a policy learnt from self-play, with a tree of choices and exact endgames",
        make: Make::Searching(1000, |seed, effort| Box::new(Search::new(seed, effort, Below::Tree))),
    },
];

/// The names of [`KINDS`], in that order.
pub const NAMES: &[&str] = &{
    let mut names = [""; KINDS.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = KINDS[i].name;
        i += 1;
    }
    names
};

/// A fresh player of the strategy with this name; `None` if there is none.
///
/// A strategy that searches takes its effort after a colon, as [`Effort`] reads it.
///
/// ```
/// use chickenfoot_strategy::by_name;
///
/// assert!(by_name("greedy", [0; 32]).is_some());
/// assert!(by_name("Greedy", [0; 32]).is_none());
/// assert!(by_name("monte-carlo:200", [0; 32]).is_some());
/// assert!(by_name("monte-carlo:20ms", [0; 32]).is_some());
/// assert!(by_name("monte-carlo:0", [0; 32]).is_none());
/// assert!(by_name("greedy:200", [0; 32]).is_none());
/// ```
pub fn by_name(name: &str, seed: [u8; 32]) -> Option<Box<dyn Strategy>> {
    let kind = |name: &str| KINDS.iter().find(|kind| kind.name == name);
    match name.split_once(':') {
        Some((name, effort)) => kind(name)?.player_with(seed, effort.parse().ok()?),
        None => Some(kind(name)?.player(seed)),
    }
}

/// As [`by_name`], for a service that plays the strategy itself: an effort in the name may lessen the strategy's own,
/// but not exceed it, and cannot be a time.
///
/// ```
/// use chickenfoot_strategy::house;
///
/// assert!(house("search", [0; 32]).is_some());
/// assert!(house("search:10", [0; 32]).is_some());
/// assert!(house("search:1000000", [0; 32]).is_none());
/// assert!(house("search:20ms", [0; 32]).is_none());
/// ```
pub fn house(name: &str, seed: [u8; 32]) -> Option<Box<dyn Strategy>> {
    let own = by_name(name.split(':').next().unwrap_or(name), seed)?.effort();
    let player = by_name(name, seed)?;
    match (player.effort(), own) {
        (Some(Effort::Rollouts(asked)), Some(Effort::Rollouts(most))) if asked > most => None,
        (Some(Effort::Milliseconds(_)), _) => None,
        _ => Some(player),
    }
}
