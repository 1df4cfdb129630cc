use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use chickenfoot_store::{Append, Appended, Incarnation, Journal, MatchId};
use tokio_util::sync::CancellationToken;

use crate::bus::{Bus, Subject};
use crate::house::House;
use crate::time::Clock;

/// What every part of the arena works with.
pub(crate) struct Shared {
    pub(crate) journal: Arc<dyn Journal>,
    pub(crate) bus: Arc<dyn Bus>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) house: House,
    pub(crate) incarnation: Incarnation,
    /// Cancelled when no match is to go on here.
    pub(crate) stopping: CancellationToken,
}

impl Shared {
    /// Stores an entry. While the store does not say what became of it the same is tried again: its id makes that safe.
    /// `None` if it had not said when the match was to stop; whoever owns the match next finds out what the log has.
    pub(crate) async fn append(&self, append: &Append, stopping: &CancellationToken) -> Option<Appended> {
        for attempt in 0_u32.. {
            match self.journal.append(vec![append.clone()]).await.pop() {
                Some(Appended::Unknown) | None => {}
                Some(said) => return Some(said),
            }
            let pause = Duration::from_millis(50 << attempt.min(5));
            tokio::select! {
                () = self.clock.sleep_until(self.clock.now() + pause) => {}
                () = stopping.cancelled() => return None,
            }
        }
        None
    }

    /// Tells the readers of a match's log that it has grown. How far they see there, so there is nothing to say.
    pub(crate) fn tell_log(&self, id: MatchId) {
        self.bus.publish(&Subject::Watch(id), Bytes::new());
    }

    /// Tells those who wait for it that a match has begun or ended.
    pub(crate) fn tell_state(&self, id: MatchId) {
        self.bus.publish(&Subject::State(id), Bytes::new());
    }
}
