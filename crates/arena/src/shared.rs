use std::sync::Arc;

use bytes::Bytes;
use chickenfoot_store::{Incarnation, Journal, MatchId};
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
    /// Tells the readers of a match's log that it has grown. How far they see there, so there is nothing to say.
    pub(crate) fn tell_log(&self, id: MatchId) {
        self.bus.publish(&Subject::Watch(id), Bytes::new());
    }

    /// Tells those who wait for it that a match has begun or ended.
    pub(crate) fn tell_state(&self, id: MatchId) {
        self.bus.publish(&Subject::State(id), Bytes::new());
    }
}
