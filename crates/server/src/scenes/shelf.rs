use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Weak};

use chickenfoot_store::MatchId;

use super::{SharedStage, lock};

/// The pictures of matches, each computed once for all who look.
///
/// Those that were asked for last are kept, up to a limit. One that somebody holds is shared beyond that.
pub(crate) struct Scenes {
    most: usize,
    shelf: Mutex<Shelf>,
    tiles: Arc<AtomicU64>,
}

#[derive(Default)]
struct Shelf {
    known: HashMap<MatchId, Known>,
    /// The kept ones, the one that was asked for the longest time ago first.
    kept: BTreeMap<u64, Arc<SharedStage>>,
    /// Counts what is asked for.
    clock: u64,
    /// How many may be known before those are forgotten that are no more.
    room: usize,
}

struct Known {
    stage: Weak<SharedStage>,
    /// When it was asked for last.
    asked: u64,
}

impl Scenes {
    pub(crate) fn new(most: u32) -> Scenes {
        Scenes { most: most as usize, shelf: Mutex::default(), tiles: Arc::default() }
    }

    /// The stage of a match; an empty one if there was none.
    pub(crate) fn of(&self, id: MatchId) -> Arc<SharedStage> {
        let mut shelf = lock(&self.shelf);
        shelf.clock += 1;
        let asked = shelf.clock;
        let known = shelf.known.get(&id).and_then(|known| Some((known.stage.upgrade()?, known.asked)));
        let stage = match known {
            Some((stage, before)) => {
                shelf.kept.remove(&before);
                stage
            }
            None => Arc::new(SharedStage { stage: Mutex::default(), tiles: Arc::clone(&self.tiles) }),
        };
        shelf.known.insert(id, Known { stage: Arc::downgrade(&stage), asked });
        shelf.kept.insert(asked, Arc::clone(&stage));
        while shelf.kept.len() > self.most {
            shelf.kept.pop_first();
        }
        if shelf.known.len() > shelf.room {
            shelf.known.retain(|_, known| known.stage.strong_count() > 0);
            shelf.room = 2 * shelf.known.len() + 64;
        }
        stage
    }

    /// Of how many matches other than this one somebody watches the scenes; 0 if this one's are there, and cost no more.
    pub(crate) fn watched_beside(&self, id: MatchId) -> usize {
        let shelf = lock(&self.shelf);
        let is_watched = |known: &Known| {
            let own = usize::from(shelf.kept.contains_key(&known.asked));
            known.stage.strong_count() > own
        };
        if shelf.known.get(&id).is_some_and(|known| known.stage.strong_count() > 0) {
            return 0;
        }
        shelf.known.values().filter(|known| is_watched(known)).count()
    }

    /// Of how many matches there are scenes, and how many tiles were laid out so far, of all matches.
    pub(crate) fn counts(&self) -> (usize, u64) {
        let held = |known: &&Known| known.stage.strong_count() > 0;
        let matches = lock(&self.shelf).known.values().filter(held).count();
        (matches, self.tiles.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Scenes {
        fn kept(&self) -> usize {
            lock(&self.shelf).kept.len()
        }
    }

    #[test]
    fn who_looks_at_a_match_shares_its_stage() {
        let scenes = Scenes::new(2);
        let first = scenes.of(MatchId(1));
        assert!(Arc::ptr_eq(&first, &scenes.of(MatchId(1))));
        assert!(!Arc::ptr_eq(&first, &scenes.of(MatchId(2))));
        assert_eq!((scenes.kept(), scenes.counts()), (2, (2, 0)));
    }

    #[test]
    fn the_one_that_was_asked_for_the_longest_time_ago_goes_first() {
        let scenes = Scenes::new(2);
        let stages: Vec<_> = [1, 2, 1, 3].map(|id| Arc::downgrade(&scenes.of(MatchId(id)))).into();
        let lives = |at: usize| stages[at].strong_count() > 0;
        assert_eq!((lives(0), lives(1), lives(3), scenes.kept()), (true, false, true, 2));
    }

    #[test]
    fn what_somebody_holds_is_shared_though_it_is_not_kept() {
        let scenes = Scenes::new(1);
        let held = scenes.of(MatchId(1));
        for id in 2..100 {
            scenes.of(MatchId(id));
        }
        assert_eq!(scenes.counts().0, 2);
        assert!(Arc::ptr_eq(&held, &scenes.of(MatchId(1))));
        assert_eq!((scenes.kept(), scenes.counts().0), (1, 1));
    }

    #[test]
    fn only_what_somebody_holds_counts_as_watched() {
        let scenes = Scenes::new(2);
        let held: Vec<_> = (0..4).map(|id| scenes.of(MatchId(id))).collect();
        scenes.of(MatchId(4));
        assert_eq!(scenes.watched_beside(MatchId(9)), 4);
        assert_eq!(scenes.watched_beside(MatchId(0)), 0, "it is shared");
        drop(held);
        assert_eq!(scenes.watched_beside(MatchId(9)), 0);
    }

    #[test]
    fn what_is_no_more_is_forgotten() {
        let scenes = Scenes::new(3);
        for id in 0..10_000 {
            scenes.of(MatchId(id));
            let shelf = lock(&scenes.shelf);
            assert!(shelf.known.len() <= 3 + 2 * 3 + 64 && shelf.kept.len() <= 3, "{}", shelf.known.len());
        }
    }
}
