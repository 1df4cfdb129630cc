//! What watches and pages show of a match beside its events: computed once, and shared by all who look.

mod following;
mod shelf;
mod still;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chickenfoot_arena::Watch;
use chickenfoot_picture::Stage;
use tracing::error;

pub(crate) use following::Following;
pub(crate) use shelf::Scenes;
pub(crate) use still::Still;

/// Events that are followed, and tiles that are laid out, before others get their turn.
const EVENTS: usize = 64;
const TILES: usize = 4;

/// A stage that all readers of a match share. It may have come further than some of them may see.
pub(crate) struct SharedStage {
    stage: Mutex<Stage>,
    /// Counts the tiles that are laid out, of all matches.
    tiles: Arc<AtomicU64>,
}

impl SharedStage {
    /// Looks at the stage, for as short as can be: others wait.
    fn with<T>(&self, look: impl FnOnce(&mut Stage) -> T) -> T {
        let mut stage = lock(&self.stage);
        let before = stage.placed();
        let seen = look(&mut stage);
        self.tiles.fetch_add(stage.placed() - before, Ordering::Relaxed);
        seen
    }

    /// Follows the match up to an event that the watch's reader may see.
    async fn reach(&self, events: &Watch, seq: u64) {
        while !self.follow(events, seq) {
            tokio::task::yield_now().await;
        }
    }

    /// Lays out the table of a moment that it has come to.
    async fn lay_out(&self, seq: u64) {
        while !self.lay_out_some(seq) {
            tokio::task::yield_now().await;
        }
    }

    /// Lays out some more of it. Whether it is there.
    fn lay_out_some(&self, seq: u64) -> bool {
        self.with(|stage| stage.prepare(seq, TILES))
    }

    /// Follows some more events. Whether it is there.
    fn follow(&self, events: &Watch, seq: u64) -> bool {
        self.with(|stage| {
            for _ in 0..EVENTS {
                let Some(told) = events.told(stage.seq() + 1).filter(|_| stage.seq() < seq) else {
                    return true;
                };
                if let Err(why) = stage.follow(&told.event) {
                    error!(seq = stage.seq(), %why, "a tile that was laid has no place in the picture");
                }
            }
            false
        })
    }
}

/// Nothing can panic halfway through a change that others could see.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
