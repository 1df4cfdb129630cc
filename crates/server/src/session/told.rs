use std::collections::{HashSet, VecDeque};

use chickenfoot_store::MatchId;
use foldhash::fast::RandomState;

/// The last matches whose end was told, as many as messages about them may still wait in the inbox.
pub(super) struct Told {
    most: usize,
    order: VecDeque<MatchId>,
    /// The same ones: each match that begins is looked for here.
    known: HashSet<MatchId, RandomState>,
}

impl Told {
    pub(super) fn new(most: usize) -> Told {
        Told { most, order: VecDeque::new(), known: HashSet::default() }
    }

    pub(super) fn contains(&self, id: MatchId) -> bool {
        self.known.contains(&id)
    }

    /// Notes a match; the oldest one makes room.
    pub(super) fn note(&mut self, id: MatchId) {
        if !self.known.insert(id) {
            return;
        }
        if self.order.len() >= self.most
            && let Some(oldest) = self.order.pop_front()
        {
            self.known.remove(&oldest);
        }
        self.order.push_back(id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_ones_are_known() {
        let mut told = Told::new(2);
        for id in [1, 2, 2, 3] {
            told.note(MatchId(id));
        }
        assert_eq!([1, 2, 3].map(|id| told.contains(MatchId(id))), [false, true, true]);
        assert_eq!((told.order.len(), told.known.len()), (2, 2));
    }
}
