use std::future::Future;
use std::time::Duration;

use chickenfoot_protocol::v1;

use super::Stats;
use crate::error::Error;
use crate::session::Session;

/// What plays an agent's seats over sessions, and outlives each of them.
pub(crate) trait Seats: Send {
    /// Whether the events of its matches are to come too.
    fn wants_events(&self) -> bool;

    /// The matches that are not over as far as is known: the service tells of those that are.
    fn known(&self) -> Vec<v1::Resume>;

    /// Plays until the session ends in order or all wanted matches are over.
    fn play(&mut self, session: &mut Session) -> impl Future<Output = Result<After, Error>> + Send;

    /// What was done so far.
    fn stats(&mut self) -> &mut Stats;
}

/// What comes after a session that ended in order.
pub(crate) enum After {
    /// Nothing: all wanted matches are over.
    Done,
    /// Another session, after a pause that the service asked for.
    Pause(Duration),
}
