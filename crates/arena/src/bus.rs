use std::collections::HashMap;
use std::hash::BuildHasher;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chickenfoot_store::{AgentName, MatchId};
use foldhash::fast::RandomState;
use tokio::sync::{mpsc, oneshot};
use tokio::time::Instant;

/// What a message is about; who cares for it subscribes to it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// To the owner of a running match.
    Owner(MatchId),
    /// To the session of an agent.
    Agent(AgentName),
    /// To the readers of a match's log: it has grown.
    Watch(MatchId),
    /// To those who wait for a match to begin or to end: its state is another.
    State(MatchId),
}

/// Carries messages between the parts of the arena, as bytes, so that they may sit in different processes.
///
/// It may lose a message or deliver it twice; nobody may rely on more.
#[async_trait]
pub trait Bus: Send + Sync + 'static {
    /// Sends a message to whoever is subscribed. Never waits: a receiver whose queue is full misses it.
    fn publish(&self, subject: &Subject, message: Bytes);

    /// Subscribes to a subject with a queue of `capacity` messages, from now until the subscription is dropped.
    fn subscribe(&self, subject: Subject, capacity: usize) -> Subscription;

    /// Sends a message to one receiver and waits for its answer.
    ///
    /// # Errors
    /// There is no receiver, or it did not answer. The caller decides how long to wait.
    async fn request(&self, subject: &Subject, message: Bytes) -> Result<Bytes, NoAnswer>;
}

/// Why a request has no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// Nobody is subscribed.
    NoReceiver,
    /// The message or the answer was lost.
    Lost,
}

/// A message as it arrives.
pub struct Delivery {
    /// The message.
    pub message: Bytes,
    reply: Option<oneshot::Sender<Bytes>>,
    queued: Instant,
}

impl Delivery {
    fn new(message: Bytes, reply: Option<oneshot::Sender<Bytes>>) -> Delivery {
        Delivery { message, reply, queued: Instant::now() }
    }

    /// How long it has waited for its receiver.
    pub fn age(&self) -> Duration {
        self.queued.elapsed()
    }

    /// Answers a request; does nothing for a message that is none.
    pub fn reply(self, answer: Bytes) {
        if let Some(reply) = self.reply {
            // The asker may have given up; that is its own affair.
            let _ = reply.send(answer);
        }
    }
}

/// A place where messages of one subject arrive.
pub struct Subscription {
    subject: Subject,
    id: u64,
    queue: mpsc::Receiver<Box<Delivery>>,
    routes: Arc<Routes>,
}

impl Subscription {
    /// The next message.
    pub async fn next(&mut self) -> Option<Delivery> {
        self.queue.recv().await.map(|delivery| *delivery)
    }

    /// The next message, if it is there already.
    pub fn try_next(&mut self) -> Option<Delivery> {
        self.queue.try_recv().ok().map(|delivery| *delivery)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        self.routes.remove(&self.subject, self.id);
    }
}

/// The bus of a single process.
#[derive(Default)]
pub struct LocalBus {
    routes: Arc<Routes>,
}

impl LocalBus {
    /// A bus without subscriptions.
    pub fn new() -> LocalBus {
        LocalBus::default()
    }
}

#[async_trait]
impl Bus for LocalBus {
    fn publish(&self, subject: &Subject, message: Bytes) {
        let routes = self.routes.shard(subject);
        for (_, queue) in routes.by_subject.get(subject).into_iter().flatten() {
            let _ = queue.try_send(Box::new(Delivery::new(message.clone(), None)));
        }
    }

    fn subscribe(&self, subject: Subject, capacity: usize) -> Subscription {
        let (sender, queue) = mpsc::channel(capacity);
        let mut shard = self.routes.shard(&subject);
        shard.last_id += 1;
        let id = shard.last_id;
        shard.by_subject.entry(subject.clone()).or_default().push((id, sender));
        drop(shard);
        Subscription { subject, id, queue, routes: Arc::clone(&self.routes) }
    }

    async fn request(&self, subject: &Subject, message: Bytes) -> Result<Bytes, NoAnswer> {
        let queue = {
            let shard = self.routes.shard(subject);
            shard.by_subject.get(subject).and_then(|queues| queues.first()).map(|(_, queue)| queue.clone())
        };
        let queue = queue.ok_or(NoAnswer::NoReceiver)?;
        let (reply, answer) = oneshot::channel();
        // A full queue makes this asker wait, and with it only its own session.
        let request = Box::new(Delivery::new(message, Some(reply)));
        queue.send(request).await.map_err(|_| NoAnswer::NoReceiver)?;
        answer.await.map_err(|_| NoAnswer::Lost)
    }
}

/// The other end of a [`Subscription`]. A queue has room for 32 messages from the beginning, however few it may hold, and
/// most wait for one at a time: so a message is on the heap, and the room is for pointers.
type Sender = mpsc::Sender<Box<Delivery>>;

/// Who is subscribed to what, in shards so that matches do not wait for each other.
#[derive(Default)]
struct Routes {
    hasher: RandomState,
    shards: [Mutex<Shard>; 32],
}

#[derive(Default)]
struct Shard {
    by_subject: HashMap<Subject, Vec<(u64, Sender)>, RandomState>,
    last_id: u64,
}

impl Routes {
    fn shard(&self, subject: &Subject) -> MutexGuard<'_, Shard> {
        let index = self.hasher.hash_one(subject) as usize % self.shards.len();
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn remove(&self, subject: &Subject, id: u64) {
        let mut shard = self.shard(subject);
        if let Some(queues) = shard.by_subject.get_mut(subject) {
            queues.retain(|(other, _)| *other != id);
            if queues.is_empty() {
                shard.by_subject.remove(subject);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_subscription_gets_its_subject_until_it_is_dropped() {
        let bus = LocalBus::new();
        let (here, there) = (Subject::Owner(MatchId(1)), Subject::Watch(MatchId(1)));
        let mut subscription = bus.subscribe(here.clone(), 4);
        bus.publish(&there, Bytes::from_static(b"no"));
        bus.publish(&here, Bytes::from_static(b"yes"));
        assert_eq!(subscription.next().await.unwrap().message, "yes");
        drop(subscription);
        assert_eq!(bus.request(&here, Bytes::new()).await, Err(NoAnswer::NoReceiver));
    }

    #[tokio::test]
    async fn a_full_queue_loses_messages_and_blocks_nobody() {
        let bus = LocalBus::new();
        let subject = Subject::Watch(MatchId(1));
        let mut subscription = bus.subscribe(subject.clone(), 1);
        for _ in 0..10 {
            bus.publish(&subject, Bytes::from_static(b"x"));
        }
        assert!(subscription.next().await.is_some());
        bus.publish(&subject, Bytes::from_static(b"y"));
        assert_eq!(subscription.next().await.unwrap().message, "y");
    }

    #[tokio::test]
    async fn a_request_that_is_dropped_is_lost() {
        let bus = LocalBus::new();
        let subject = Subject::Owner(MatchId(1));
        let mut subscription = bus.subscribe(subject.clone(), 1);
        let answer = async {
            let delivery = subscription.next().await.unwrap();
            drop(delivery);
            subscription.next().await.unwrap().reply(Bytes::from_static(b"pong"));
        };
        let ask = async {
            assert_eq!(bus.request(&subject, Bytes::from_static(b"ping")).await, Err(NoAnswer::Lost));
            assert_eq!(bus.request(&subject, Bytes::from_static(b"ping")).await.unwrap(), "pong");
        };
        tokio::join!(answer, ask);
    }
}
