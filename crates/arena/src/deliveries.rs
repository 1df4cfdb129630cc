use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use chickenfoot_store::{AgentName, MatchId};
use foldhash::fast::RandomState;

use crate::bus::Subject;
use crate::message::{Handed, ToOwner, encode};
use crate::shared::Shared;
use crate::time::Clock;

/// How long it is kept back at least that a stream has a decision, and how often is looked. Together not more than the
/// time that an owner waits beyond a deadline, so it knows of every delivery before it calls an answer late.
const KEPT_BACK: Duration = Duration::from_millis(50);

/// Which decisions streams have, as long as the owners of the matches need not know.
///
/// An owner has to know it when the answer comes, or when the time is up. Most decisions are answered long before, and
/// then the answer brings along how long ago the stream got the decision: a message for it alone would cost as much as
/// the answer. What is not answered at once is told by itself.
pub(crate) struct Deliveries {
    shared: Arc<Shared>,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    by_match: HashMap<MatchId, Kept, RandomState>,
    /// Whether a task looks after them.
    looked_after: bool,
}

/// A decision that a stream has.
#[derive(Clone)]
pub(crate) struct Kept {
    agent: AgentName,
    decision: u32,
    stream: u64,
    /// Since when the stream has it.
    since: Duration,
}

impl Deliveries {
    pub(crate) fn new(shared: Arc<Shared>) -> Deliveries {
        Deliveries { shared, waiting: Mutex::default() }
    }

    /// A stream has a decision since now.
    pub(crate) fn keep(self: &Arc<Self>, id: MatchId, agent: &AgentName, decision: u32, stream: u64) {
        let since = self.shared.clock.now();
        let mut waiting = lock(&self.waiting);
        let new = || Kept { agent: agent.clone(), decision, stream, since };
        let known = waiting.by_match.entry(id).or_insert_with(new);
        let mut other = None;
        if known.decision < decision {
            *known = new();
        } else if known.decision == decision && known.agent == *agent && known.stream != stream {
            other = Some(std::mem::replace(known, new()));
        }
        let is_looked_after = std::mem::replace(&mut waiting.looked_after, true);
        drop(waiting);
        if let Some(other) = other {
            // Both have it, and the owner has to know of both.
            self.tell(id, &other);
        }
        if !is_looked_after {
            tokio::spawn(look_after(Arc::downgrade(self), Arc::clone(&self.shared.clock)));
        }
    }

    /// What the owner of a match has to know with an agent's answer to a decision. It is kept back further until
    /// [`Deliveries::forget`] says that it knows, for whoever asks it may give up or be dropped.
    pub(crate) fn of(&self, id: MatchId, agent: &AgentName, decision: u32) -> Option<Kept> {
        let waiting = lock(&self.waiting);
        let known = waiting.by_match.get(&id)?;
        (known.decision == decision && known.agent == *agent).then(|| known.clone())
    }

    /// The owner of a match knows of this delivery.
    pub(crate) fn forget(&self, id: MatchId, told: &Kept) {
        let mut waiting = lock(&self.waiting);
        let same = |known: &Kept| (known.decision, known.stream) == (told.decision, told.stream);
        if waiting.by_match.get(&id).is_some_and(same) {
            waiting.by_match.remove(&id);
        }
    }

    /// Tells the owner of a match now.
    pub(crate) fn tell_at_once(&self, id: MatchId) {
        let kept = lock(&self.waiting).by_match.remove(&id);
        if let Some(kept) = kept {
            self.tell(id, &kept);
        }
    }

    fn tell(&self, id: MatchId, kept: &Kept) {
        let Kept { agent, decision, .. } = kept;
        let handed = kept.handed(self.shared.clock.now());
        let message = ToOwner::Delivered { agent: agent.clone(), decision: *decision, handed };
        self.shared.bus.publish(&Subject::Owner(id), encode(&message));
    }

    /// Tells what has been kept back for long enough. Returns whether anything still is.
    fn tell_what_is_due(&self) -> bool {
        let told_since = self.shared.clock.now().saturating_sub(KEPT_BACK);
        let mut waiting = lock(&self.waiting);
        let due: Vec<_> = waiting.by_match.extract_if(|_, kept| kept.since <= told_since).collect();
        waiting.looked_after = !waiting.by_match.is_empty();
        let is_looked_after = waiting.looked_after;
        drop(waiting);
        for (id, kept) in &due {
            self.tell(*id, kept);
        }
        is_looked_after
    }
}

/// Tells what waits, and ends when nothing is kept back any more. It does not keep the store open while it sleeps: an arena
/// that has stopped is gone at once.
async fn look_after(deliveries: Weak<Deliveries>, clock: Arc<dyn Clock>) {
    loop {
        clock.sleep_until(clock.now() + KEPT_BACK).await;
        if !deliveries.upgrade().is_some_and(|deliveries| deliveries.tell_what_is_due()) {
            return;
        }
    }
}

impl Kept {
    /// The delivery as it is told at `now`.
    pub(crate) fn handed(&self, now: Duration) -> Handed {
        Handed { stream: self.stream, age: now.saturating_sub(self.since) }
    }
}

/// An entry is put in or taken out in one step, so a panic elsewhere does not spoil it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
