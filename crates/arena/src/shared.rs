use std::sync::Arc;

use chickenfoot_store::{Incarnation, Journal};

use tokio_util::sync::CancellationToken;

use crate::bus::Bus;
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
