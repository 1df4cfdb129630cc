use std::fmt;

use crate::Strategy;
use crate::dead_foot::DeadFoot;
use crate::greedy::Greedy;
use crate::lowest::Lowest;
use crate::random::Random;

/// A strategy as it is offered: under which name, and what it does.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The name, in lower case with hyphens.
    pub name: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    make: fn([u8; 32]) -> Box<dyn Strategy>,
}

impl Kind {
    /// A fresh player for one seat of one match. A strategy without chance ignores the seed.
    pub fn player(&self, seed: [u8; 32]) -> Box<dyn Strategy> {
        (self.make)(seed)
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
        make: |seed| Box::new(Random::new(seed)),
    },
    Kind {
        name: "lowest",
        summary: "keeps the high tiles, against all sense: a check of signs",
        make: |_| Box::new(Lowest),
    },
    Kind { name: "greedy", summary: "lays the tile that counts most", make: |_| Box::new(Greedy) },
    Kind {
        name: "dead-foot",
        summary: "greedy, but counts what is left of a number before it parts with a tile of it or lays its double",
        make: |_| Box::new(DeadFoot),
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
/// ```
/// use chickenfoot_strategy::by_name;
///
/// assert!(by_name("greedy", [0; 32]).is_some());
/// assert!(by_name("Greedy", [0; 32]).is_none());
/// ```
pub fn by_name(name: &str, seed: [u8; 32]) -> Option<Box<dyn Strategy>> {
    let kind = KINDS.iter().find(|kind| kind.name == name)?;
    Some(kind.player(seed))
}
