use std::collections::{HashMap, VecDeque};

use async_trait::async_trait;

use super::{Memory, lock};
use crate::journal::StoreError;
use crate::request::{Remembered, RequestKey, Requests};

#[derive(Default)]
pub(super) struct RequestTable {
    by_key: HashMap<RequestKey, Remembered>,
    /// The keys in the order in which they came.
    order: VecDeque<RequestKey>,
}

impl RequestTable {
    /// The first answer to a request stays.
    pub(super) fn insert(&mut self, request: Remembered) {
        if self.by_key.contains_key(&request.key) {
            return;
        }
        if self.order.len() >= Memory::MAX_REMEMBERED
            && let Some(oldest) = self.order.pop_front()
        {
            self.by_key.remove(&oldest);
        }
        self.order.push_back(request.key.clone());
        self.by_key.insert(request.key.clone(), request);
    }
}

#[async_trait]
impl Requests for Memory {
    async fn recall(&self, key: &RequestKey) -> Result<Option<Remembered>, StoreError> {
        Ok(lock(&self.requests).by_key.get(key).cloned())
    }

    async fn remember(&self, request: Remembered) -> Result<(), StoreError> {
        lock(&self.requests).insert(request);
        Ok(())
    }

    async fn forget(&self, before_ms: u64) -> Result<(), StoreError> {
        let RequestTable { by_key, order } = &mut *lock(&self.requests);
        by_key.retain(|_, request| request.at_ms >= before_ms);
        order.retain(|key| by_key.contains_key(key));
        Ok(())
    }
}
