use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};

use prost::Message;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;

use crate::reason::Reason;
use crate::refusal::Refusal;

/// Most answers that are kept for repeated requests; the oldest go first.
const MAX_KEPT: usize = 20_000;

/// Longest request id, in characters.
const MAX_ID: usize = 64;

/// Answers to mutating calls by their request ids, so that repeating a call is safe.
#[derive(Default)]
pub(crate) struct Once {
    kept: Mutex<Kept>,
}

#[derive(Default)]
struct Kept {
    answers: HashMap<Key, Arc<Slot>>,
    order: VecDeque<Key>,
}

/// The caller, the method and the request id.
type Key = (String, &'static str, String);

struct Slot {
    /// The hash of the request: the same id with another request is a mistake of the caller.
    request: [u8; 32],
    answer: OnceCell<Vec<u8>>,
}

impl Once {
    /// Runs a call, or returns the answer of the first one with the same id. A call that failed is not remembered.
    /// Two at the same time run one after the other.
    ///
    /// # Errors
    /// The call's own, or an id that is too long or was used for another request.
    pub(crate) async fn run<Q, A, F>(
        &self,
        caller: &str,
        method: &'static str,
        id: &str,
        request: &Q,
        call: F,
    ) -> Result<A, Refusal>
    where
        Q: Message,
        A: Message + Default,
        F: Future<Output = Result<A, Refusal>>,
    {
        if id.is_empty() {
            return call.await;
        }
        if id.chars().count() > MAX_ID {
            let message = format!("request_id must be at most {MAX_ID} characters");
            return Err(Refusal::new(Reason::FieldOutOfRange, message).field("request_id"));
        }
        let hash: [u8; 32] = Sha256::digest(request.encode_to_vec()).into();
        let slot = self.slot((caller.to_owned(), method, id.to_owned()), hash);
        if slot.request != hash {
            let message = "this request_id was used for another request";
            return Err(Refusal::new(Reason::RequestIdReused, message).field("request_id"));
        }
        let first = || async { Ok::<_, Refusal>(call.await?.encode_to_vec()) };
        let bytes = slot.answer.get_or_try_init(first).await?;
        A::decode(bytes.as_slice())
            .map_err(|why| Refusal::new(Reason::Internal, format!("the kept answer cannot be read: {why}")))
    }

    fn slot(&self, key: Key, request: [u8; 32]) -> Arc<Slot> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(slot) = kept.answers.get(&key) {
            return Arc::clone(slot);
        }
        if kept.order.len() >= MAX_KEPT
            && let Some(oldest) = kept.order.pop_front()
        {
            kept.answers.remove(&oldest);
        }
        let slot = Arc::new(Slot { request, answer: OnceCell::new() });
        kept.order.push_back(key.clone());
        kept.answers.insert(key, Arc::clone(&slot));
        slot
    }
}
