use std::collections::HashMap;

use crate::EntrantId;

/// How often any two sat at a table together.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meetings {
    times: HashMap<(EntrantId, EntrantId), u32>,
}

impl Meetings {
    pub(crate) fn between(&self, a: EntrantId, b: EntrantId) -> u32 {
        self.times.get(&(a.min(b), a.max(b))).copied().unwrap_or(0)
    }

    /// How often `one` met those of a group, all taken together.
    pub(crate) fn with(&self, one: EntrantId, group: &[EntrantId]) -> u32 {
        group.iter().map(|&other| self.between(one, other)).sum()
    }

    /// Takes down that these met.
    pub(crate) fn add(&mut self, table: &[EntrantId]) {
        for (at, &a) in table.iter().enumerate() {
            for &b in &table[at + 1..] {
                *self.times.entry((a.min(b), a.max(b))).or_insert(0) += 1;
            }
        }
    }
}
