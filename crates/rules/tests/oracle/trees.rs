//! Counts every way a round can go on, which is affordable for the smallest sets alone.

use super::naive::{End, Table};

/// Totals over all continuations of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Finished rounds.
    pub leaves: u64,
    /// Steps taken on the way, each play, draw, pass and keep being one.
    pub actions: u64,
    /// Finished rounds in which a hand was emptied.
    pub out: u64,
    /// Points of all seats, added up over all finished rounds.
    pub scores: u64,
}

/// Walks the whole tree below `table`.
///
/// Positions that are reached twice are counted twice, so the totals depend on the number of
/// options at every step and not only on where the round can lead.
pub fn count(table: &Table) -> Counts {
    let mut counts = Counts::default();
    walk(table, &mut counts);
    counts
}

fn walk(table: &Table, counts: &mut Counts) {
    if let Some(end) = table.end() {
        counts.leaves += 1;
        counts.out += u64::from(matches!(end, End::Out(_)));
        counts.scores += table.scores().into_iter().map(u64::from).sum::<u64>();
        return;
    }
    for step in table.options() {
        counts.actions += 1;
        let mut next = table.clone();
        next.apply(&step);
        walk(&next, counts);
    }
}
