use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use chickenfoot_store::{Remembered, RequestKey, Requests, StoreError};
use prost::Message;
use sha2::{Digest, Sha256};
use tokio_util::task::TaskTracker;

use crate::reason::Reason;
use crate::refusal::Refusal;

/// Longest request id, in characters.
const MAX_ID: usize = 64;

/// Mutating calls by their request ids: repeating one is safe, also after a restart of the service.
pub(crate) struct Once {
    requests: Arc<dyn Requests>,
    /// One lock for each request that is under way, so that two of the same run one after the other.
    under_way: Mutex<HashMap<RequestKey, Weak<tokio::sync::Mutex<()>>>>,
    /// What the calls run in, so that stopping can wait for them.
    calls: TaskTracker,
}

/// Makes the note that goes into the store together with what a call changes.
#[derive(Clone)]
pub(crate) struct Note {
    /// `None` for a call without a request id.
    about: Option<(RequestKey, [u8; 32])>,
    now_ms: u64,
}

impl Note {
    /// The note of this answer.
    pub(crate) fn of<A: Message>(&self, answer: &A) -> Option<Remembered> {
        self.of_bytes(answer.encode_to_vec())
    }

    pub(crate) fn of_bytes(&self, answer: Vec<u8>) -> Option<Remembered> {
        let (key, request_hash) = self.about.clone()?;
        Some(Remembered { key, request_hash, answer, at_ms: self.now_ms })
    }
}

/// A call that is about to run, or was answered before.
pub(crate) struct Request<'a> {
    once: &'a Once,
    /// `None` for a call without a request id.
    about: Option<(RequestKey, [u8; 32])>,
    id_fits: bool,
    now_ms: u64,
}

impl Once {
    /// Calls that run in this tracker.
    pub(crate) fn new(requests: Arc<dyn Requests>, calls: TaskTracker) -> Once {
        Once { requests, under_way: Mutex::default(), calls }
    }

    /// A call with this request id and content.
    pub(crate) fn request<Q: Message>(
        &self,
        caller: &str,
        method: &'static str,
        id: &str,
        content: &Q,
        now_ms: u64,
    ) -> Request<'_> {
        let about = (!id.is_empty()).then(|| {
            let id_hash = Sha256::digest(id.as_bytes()).into();
            let key = RequestKey { caller: caller.to_owned(), method, id_hash };
            (key, Sha256::digest(content.encode_to_vec()).into())
        });
        Request { once: self, about, id_fits: id.chars().count() <= MAX_ID, now_ms }
    }

    /// Makes a call to its end, also if its caller is gone meanwhile: what it has under way in the store will be stored,
    /// and what comes after that must not be left out.
    ///
    /// # Errors
    /// The call's own, or the service ends.
    pub(crate) async fn whole<A: Send + 'static>(
        &self,
        call: impl Future<Output = Result<A, Refusal>> + Send + 'static,
    ) -> Result<A, Refusal> {
        match self.calls.spawn(call).await {
            Ok(outcome) => outcome,
            // As if it had panicked here; cancelled it is when the runtime ends.
            Err(why) => match why.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(_) => Err(Refusal::shutting_down("the service stops; try again soon")),
            },
        }
    }

    /// Forgets what was answered before a moment. A note of no request is written and forgotten with the rest, so that
    /// each call really writes: it succeeds if the store can be written to now.
    ///
    /// # Errors
    /// The store cannot be written to.
    pub(crate) async fn forget(&self, now_ms: u64, before_ms: u64) -> Result<(), StoreError> {
        let id_hash = Sha256::digest(now_ms.to_be_bytes()).into();
        let key = RequestKey { caller: String::new(), method: "(probe)", id_hash };
        let probe = Remembered { key, request_hash: [0; 32], answer: Vec::new(), at_ms: 0 };
        self.requests.remember(probe).await?;
        self.requests.forget(before_ms.max(1)).await
    }

    fn lock_of(&self, key: &RequestKey) -> Arc<tokio::sync::Mutex<()>> {
        let mut under_way = self.under_way();
        if let Some(lock) = under_way.get(key).and_then(Weak::upgrade) {
            return lock;
        }
        under_way.retain(|_, lock| lock.strong_count() > 0);
        let lock = Arc::default();
        under_way.insert(key.clone(), Arc::downgrade(&lock));
        lock
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<RequestKey, Weak<tokio::sync::Mutex<()>>>> {
        self.under_way.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Request<'_> {
    /// The bytes that were noted for a call with this id and content, if it was made and is not forgotten.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) async fn noted(&self) -> Result<Option<Vec<u8>>, Refusal> {
        let Some((key, request_hash)) = &self.about else { return Ok(None) };
        let first = self.once.requests.recall(key).await?;
        Ok(first.filter(|first| first.request_hash == *request_hash).map(|first| first.answer))
    }

    /// Makes a call to its end, or returns the bytes that were noted for the first one with the same id, which is waited
    /// for although its caller may be gone. The call notes its answer in the store together with what it changes. A call
    /// that failed is not remembered.
    ///
    /// # Errors
    /// The call's own, or an id that is too long or was used for another request.
    pub(crate) async fn run<A, F>(
        self,
        call: impl FnOnce(Note) -> F,
        recalled: impl FnOnce(Vec<u8>) -> Result<A, Refusal>,
    ) -> Result<A, Refusal>
    where
        A: Send + 'static,
        F: Future<Output = Result<A, Refusal>> + Send + 'static,
    {
        let Request { once, about, id_fits, now_ms } = self;
        let Some((key, request_hash)) = about else {
            return once.whole(call(Note { about: None, now_ms })).await;
        };
        if !id_fits {
            let message = format!("request_id must be at most {MAX_ID} characters");
            return Err(Refusal::new(Reason::FieldOutOfRange, message).field("request_id"));
        }
        let one_at_a_time = once.lock_of(&key).lock_owned().await;
        match once.requests.recall(&key).await? {
            Some(first) if first.request_hash == request_hash => recalled(first.answer),
            Some(_) => {
                let message = "this request_id was used for another request";
                Err(Refusal::new(Reason::RequestIdReused, message).field("request_id"))
            }
            None => {
                let call = call(Note { about: Some((key, request_hash)), now_ms });
                once.whole(async move {
                    let outcome = call.await;
                    drop(one_at_a_time);
                    outcome
                })
                .await
            }
        }
    }

    /// As [`Request::run`] for a call whose noted bytes are its answer.
    ///
    /// # Errors
    /// As [`Request::run`].
    pub(crate) async fn answer<A, F>(self, call: impl FnOnce(Note) -> F) -> Result<A, Refusal>
    where
        A: Message + Default + 'static,
        F: Future<Output = Result<A, Refusal>> + Send + 'static,
    {
        self.run(call, |bytes| {
            A::decode(bytes.as_slice()).map_err(|why| {
                Refusal::new(Reason::Internal, format!("the kept answer cannot be read: {why}"))
            })
        })
        .await
    }

    /// As [`Request::answer`] for a call that does no harm if it is made again: its answer is noted afterwards.
    ///
    /// # Errors
    /// As [`Request::run`].
    pub(crate) async fn answer_then_note<A, F>(self, call: F) -> Result<A, Refusal>
    where
        A: Message + Default + 'static,
        F: Future<Output = Result<A, Refusal>> + Send + 'static,
    {
        let requests = Arc::clone(&self.once.requests);
        self.answer(|note| async move {
            let answer = call.await?;
            if let Some(note) = note.of(&answer) {
                requests.remember(note).await?;
            }
            Ok(answer)
        })
        .await
    }
}
