use std::fmt;

/// An entrant of a tournament, by its position in the list of entrants: from 0, in the order of entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EntrantId(pub u32);

impl EntrantId {
    /// The position as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for EntrantId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// What a schedule has to know of an entrant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entrant {
    /// Its name, unlike all others in the tournament.
    pub name: String,
    /// Who owns it: a ladder sets no two entrants of one owner at a table unless asked. Empty: nobody else's.
    pub owner: String,
    /// The first stage that it is scheduled in: 1 for one that was there at the start, more for a late entrant. What a
    /// stage is depends on the format: see [`Block::stage`](crate::Block::stage).
    pub from_stage: u32,
    /// The first stage that it is not scheduled in any more, if it withdrew.
    pub until_stage: Option<u32>,
}

impl Entrant {
    /// Whether it is scheduled in this stage.
    pub(crate) fn plays_in(&self, stage: u32) -> bool {
        self.from_stage <= stage && self.until_stage.is_none_or(|until| stage < until)
    }
}
