use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::mpsc::UnboundedSender;

use super::tally::Tally;
use crate::Failure;

/// What all sessions of a client process share: who is to send what, and what came of it. `M` is the message up.
pub(crate) struct Hub<M> {
    desks: Vec<Desk<M>>,
    /// While set, answers wait in `waiting` until they are released.
    held: AtomicBool,
    waiting: Mutex<VecDeque<(usize, u64, M)>>,
    /// Why the first call failed that did.
    failure: Mutex<Option<String>>,
    /// Seats whose match has begun.
    pub(crate) begun: AtomicU64,
    /// Matches that have ended.
    pub(crate) ended: AtomicU64,
    /// Events that watchers have read.
    pub(crate) watched: AtomicU64,
}

/// One session: its way up, and its figures.
struct Desk<M> {
    up: UnboundedSender<M>,
    at: Mutex<At>,
}

#[derive(Default)]
struct At {
    /// When each answer under way was sent.
    sent: HashMap<u64, Instant>,
    tally: Tally,
}

impl<M> Hub<M> {
    /// A hub that holds all answers back.
    pub(crate) fn new(lines: impl IntoIterator<Item = UnboundedSender<M>>) -> Hub<M> {
        Hub {
            desks: lines.into_iter().map(|up| Desk { up, at: Mutex::default() }).collect(),
            held: AtomicBool::new(true),
            waiting: Mutex::default(),
            failure: Mutex::default(),
            begun: AtomicU64::new(0),
            ended: AtomicU64::new(0),
            watched: AtomicU64::new(0),
        }
    }

    /// A message that is no answer.
    pub(crate) fn say(&self, desk: usize, message: M) {
        // Fails only when the session is gone, which its own task tells.
        let _ = self.desks[desk].up.send(message);
    }

    /// An answer, now or when it is released. `key` tells the exchanges of a session apart.
    pub(crate) fn answer(&self, desk: usize, key: u64, message: M) {
        if self.held.load(Ordering::Acquire) {
            let mut waiting = lock(&self.waiting);
            // The hold may have ended in between.
            if self.held.load(Ordering::Acquire) {
                waiting.push_back((desk, key, message));
                return;
            }
        }
        self.send(desk, key, message);
    }

    fn send(&self, desk: usize, key: u64, message: M) {
        lock(&self.desks[desk].at).sent.insert(key, Instant::now());
        self.say(desk, message);
    }

    /// Notes that an answer was acknowledged.
    pub(crate) fn acknowledged(&self, desk: usize, key: u64, bytes: usize) {
        let now = Instant::now();
        let mut at = lock(&self.desks[desk].at);
        at.tally.all_down += bytes as u64;
        if let Some(sent) = at.sent.remove(&key) {
            at.tally.answered(now - sent);
        }
    }

    /// Notes what the exchange weighs: the decision and the answer to it.
    pub(crate) fn weigh(&self, desk: usize, down: usize, up: usize) {
        let mut at = lock(&self.desks[desk].at);
        at.tally.all_down += down as u64;
        at.tally.weigh(down, up);
    }

    /// Notes another message down.
    pub(crate) fn other(&self, desk: usize, down: usize) {
        lock(&self.desks[desk].at).tally.all_down += down as u64;
    }

    /// Sends up to so many of the answers that wait.
    pub(crate) fn release(&self, most: usize) {
        let ready: Vec<_> = {
            let mut waiting = lock(&self.waiting);
            let most = most.min(waiting.len());
            waiting.drain(..most).collect()
        };
        for (desk, key, message) in ready {
            self.send(desk, key, message);
        }
    }

    /// Holds all answers back from now on.
    pub(crate) fn hold(&self) {
        self.held.store(true, Ordering::Release);
    }

    /// How many answers are held back.
    pub(crate) fn held_back(&self) -> usize {
        lock(&self.waiting).len()
    }

    /// Holds nothing back from now on.
    pub(crate) fn open(&self) {
        let ready = {
            let mut waiting = lock(&self.waiting);
            self.held.store(false, Ordering::Release);
            std::mem::take(&mut *waiting)
        };
        for (desk, key, message) in ready {
            self.send(desk, key, message);
        }
    }

    /// Notes that a call failed, which spoils the run.
    pub(crate) fn failed(&self, why: &str) {
        lock(&self.failure).get_or_insert_with(|| why.to_owned());
    }

    /// What happened since the last call.
    ///
    /// # Errors
    /// A call failed.
    pub(crate) fn take(&self) -> Result<Tally, Failure> {
        if let Some(why) = &*lock(&self.failure) {
            return Err(format!("a call failed: {why}").into());
        }
        let mut all = Tally::default();
        for desk in &self.desks {
            all.add(&std::mem::take(&mut lock(&desk.at).tally));
        }
        Ok(all)
    }
}

/// Nothing can panic halfway through a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
