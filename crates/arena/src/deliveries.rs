use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chickenfoot_store::{AgentName, MatchId};
use foldhash::fast::RandomState;

use crate::bus::Subject;
use crate::message::{Handed, ToOwner, encode};
use crate::shared::Shared;

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
    kept: Mutex<HashMap<MatchId, Kept, RandomState>>,
}

/// A decision that a stream has.
pub(crate) struct Kept {
    agent: AgentName,
    decision: u32,
    stream: u64,
    /// Since when a stream has it; the first, if there are several.
    since: Duration,
}

impl Deliveries {
    pub(crate) fn new(shared: Arc<Shared>) -> Deliveries {
        Deliveries { shared, kept: Mutex::default() }
    }

    /// A stream has a decision since now.
    pub(crate) fn keep(self: &Arc<Self>, id: MatchId, agent: &AgentName, decision: u32, stream: u64) {
        let since = self.shared.clock.now();
        let mut kept = lock(&self.kept);
        let was_empty = kept.is_empty();
        let new = || Kept { agent: agent.clone(), decision, stream, since };
        let known = kept.entry(id).or_insert_with(new);
        if known.decision < decision {
            *known = new();
        } else if known.decision == decision && known.agent == *agent {
            known.stream = stream;
        }
        drop(kept);
        if was_empty {
            tokio::spawn(Arc::clone(self).tell_what_waits());
        }
    }

    /// What the owner of a match has to know with an agent's answer to a decision. From now on it is the caller's to tell.
    pub(crate) fn take(&self, id: MatchId, agent: &AgentName, decision: u32) -> Option<Kept> {
        let mut kept = lock(&self.kept);
        kept.get(&id).is_some_and(|known| known.decision == decision && known.agent == *agent).then(|| ())?;
        kept.remove(&id)
    }

    /// Tells the owner of a match now.
    pub(crate) fn tell_at_once(&self, id: MatchId) {
        let kept = lock(&self.kept).remove(&id);
        if let Some(kept) = kept {
            self.tell(id, &kept);
        }
    }

    pub(crate) fn tell(&self, id: MatchId, kept: &Kept) {
        let Kept { agent, decision, .. } = kept;
        let handed = self.handed(kept);
        let message = ToOwner::Delivered { agent: agent.clone(), decision: *decision, handed };
        self.shared.bus.publish(&Subject::Owner(id), encode(&message));
    }

    /// The delivery as it is told now.
    pub(crate) fn handed(&self, kept: &Kept) -> Handed {
        Handed { stream: kept.stream, age: self.shared.clock.now().saturating_sub(kept.since) }
    }

    /// Ends when nothing is kept back any more.
    async fn tell_what_waits(self: Arc<Self>) {
        let clock = Arc::clone(&self.shared.clock);
        loop {
            clock.sleep_until(clock.now() + KEPT_BACK).await;
            let told_since = clock.now().saturating_sub(KEPT_BACK);
            let mut kept = lock(&self.kept);
            let due: Vec<_> = kept.extract_if(|_, kept| kept.since <= told_since).collect();
            let is_empty = kept.is_empty();
            drop(kept);
            for (id, kept) in &due {
                self.tell(*id, kept);
            }
            if is_empty {
                return;
            }
        }
    }
}

/// An entry is put in or taken out in one step, so a panic elsewhere does not spoil it.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
