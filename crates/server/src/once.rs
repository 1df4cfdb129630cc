use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use chickenfoot_store::{Remembered, RequestKey, Requests, StoreError};
use prost::Message;
use sha2::{Digest, Sha256};

use crate::reason::Reason;
use crate::refusal::Refusal;

/// Longest request id, in characters.
const MAX_ID: usize = 64;

/// Mutating calls by their request ids: repeating one is safe, also after a restart of the service.
pub(crate) struct Once {
    requests: Arc<dyn Requests>,
    /// One lock for each request that is under way, so that two of the same run one after the other.
    under_way: Mutex<HashMap<RequestKey, Weak<tokio::sync::Mutex<()>>>>,
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
    caller: &'a str,
    method: &'static str,
    id: &'a str,
    now_ms: u64,
}

impl Once {
    pub(crate) fn new(requests: Arc<dyn Requests>) -> Once {
        Once { requests, under_way: Mutex::default() }
    }

    pub(crate) fn request<'a>(
        &'a self,
        caller: &'a str,
        method: &'static str,
        id: &'a str,
        now_ms: u64,
    ) -> Request<'a> {
        Request { once: self, caller, method, id, now_ms }
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
    pub(crate) async fn noted<Q: Message>(&self, request: &Q) -> Result<Option<Vec<u8>>, Refusal> {
        if self.id.is_empty() {
            return Ok(None);
        }
        let first = self.once.requests.recall(&self.key()).await?;
        Ok(first.filter(|first| first.request_hash == hash_of(request)).map(|first| first.answer))
    }

    fn key(&self) -> RequestKey {
        let id_hash = Sha256::digest(self.id.as_bytes()).into();
        RequestKey { caller: self.caller.to_owned(), method: self.method, id_hash }
    }

    /// Runs a call, or returns the bytes that were noted for the first one with the same id. The call notes its answer
    /// in the store together with what it changes. A call that failed is not remembered.
    ///
    /// # Errors
    /// The call's own, or an id that is too long or was used for another request.
    pub(crate) async fn run<Q, A, F>(
        self,
        request: &Q,
        call: impl FnOnce(Note) -> F,
        recalled: impl FnOnce(Vec<u8>) -> Result<A, Refusal>,
    ) -> Result<A, Refusal>
    where
        Q: Message,
        F: Future<Output = Result<A, Refusal>>,
    {
        if self.id.is_empty() {
            return call(Note { about: None, now_ms: self.now_ms }).await;
        }
        if self.id.chars().count() > MAX_ID {
            let message = format!("request_id must be at most {MAX_ID} characters");
            return Err(Refusal::new(Reason::FieldOutOfRange, message).field("request_id"));
        }
        let (key, request_hash) = (self.key(), hash_of(request));
        let lock = self.once.lock_of(&key);
        let _one_at_a_time = lock.lock().await;
        match self.once.requests.recall(&key).await? {
            Some(first) if first.request_hash == request_hash => recalled(first.answer),
            Some(_) => {
                let message = "this request_id was used for another request";
                Err(Refusal::new(Reason::RequestIdReused, message).field("request_id"))
            }
            None => call(Note { about: Some((key, request_hash)), now_ms: self.now_ms }).await,
        }
    }

    /// As [`Request::run`] for a call whose noted bytes are its answer.
    ///
    /// # Errors
    /// As [`Request::run`].
    pub(crate) async fn answer<Q, A, F>(self, request: &Q, call: impl FnOnce(Note) -> F) -> Result<A, Refusal>
    where
        Q: Message,
        A: Message + Default,
        F: Future<Output = Result<A, Refusal>>,
    {
        self.run(request, call, |bytes| {
            A::decode(bytes.as_slice()).map_err(|why| {
                Refusal::new(Reason::Internal, format!("the kept answer cannot be read: {why}"))
            })
        })
        .await
    }

    /// As [`Request::answer`] for a call that is safe to repeat by itself: its answer is noted afterwards.
    ///
    /// # Errors
    /// As [`Request::run`].
    pub(crate) async fn answer_then_note<Q, A, F>(self, request: &Q, call: F) -> Result<A, Refusal>
    where
        Q: Message,
        A: Message + Default,
        F: Future<Output = Result<A, Refusal>>,
    {
        let requests = Arc::clone(&self.once.requests);
        self.answer(request, |note| async move {
            let answer = call.await?;
            if let Some(note) = note.of(&answer) {
                requests.remember(note).await?;
            }
            Ok(answer)
        })
        .await
    }
}

fn hash_of<Q: Message>(request: &Q) -> [u8; 32] {
    Sha256::digest(request.encode_to_vec()).into()
}
