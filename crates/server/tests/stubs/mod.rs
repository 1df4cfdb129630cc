//! A store that can fall ill.

#![allow(dead_code)]

use std::sync::Arc;
use std::time::Duration;

use chickenfoot_rules::{Entry, Move};
use chickenfoot_server::Stores;
use chickenfoot_store::{
    AgentName, Append, Appended, Cause, Journal, ListMatches, LogRow, MatchId, MatchRow, Memory, Remembered,
    StoreError, Updated,
};
use tokio::sync::watch;

/// What a store can suffer from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illness {
    /// It takes no new match.
    Full,
    /// It answers that it cannot answer.
    Unavailable,
    /// It does not answer before it is well again.
    Hangs,
    /// The logs that it reads back are not those that were written.
    WrongLog,
}

/// A store in memory that can fall ill.
#[derive(Default)]
pub struct Ill {
    memory: Arc<Memory>,
    illness: watch::Sender<Option<Illness>>,
    /// How often it was asked while it hung.
    hung: watch::Sender<u32>,
}

impl Ill {
    /// Itself for the matches, and what is always well for the rest.
    pub fn stores(self: &Arc<Ill>) -> Stores {
        Stores { journal: self.clone(), ..Stores::of(Arc::clone(&self.memory)) }
    }

    pub fn fall_ill(&self, illness: Illness) {
        self.illness.send_replace(Some(illness));
    }

    pub fn get_well(&self) {
        self.illness.send_replace(None);
    }

    /// Waits until it was asked so often while it hung.
    pub async fn hangs(&self, times: u32) {
        self.hung.subscribe().wait_for(|hung| *hung >= times).await.unwrap();
    }

    fn has(&self, illness: Illness) -> bool {
        *self.illness.borrow() == Some(illness)
    }

    async fn answer(&self) -> Result<(), StoreError> {
        if self.has(Illness::Hangs) {
            self.hung.send_modify(|hung| *hung += 1);
            let mut illness = self.illness.subscribe();
            illness.wait_for(|illness| *illness != Some(Illness::Hangs)).await.unwrap();
        }
        if self.has(Illness::Unavailable) {
            return Err(StoreError::Unavailable("it is ill".to_owned()));
        }
        Ok(())
    }
}

#[tonic::async_trait]
impl Journal for Ill {
    async fn create(&self, row: MatchRow, remember: Option<Remembered>) -> Result<(), StoreError> {
        self.answer().await?;
        if self.has(Illness::Full) {
            return Err(StoreError::Full);
        }
        self.memory.create(row, remember).await
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        self.answer().await?;
        self.memory.row(id).await
    }

    async fn update(&self, row: MatchRow, remember: Option<Remembered>) -> Result<Updated, StoreError> {
        self.answer().await?;
        self.memory.update(row, remember).await
    }

    async fn append(&self, batch: Vec<Append>) -> Vec<Appended> {
        match self.answer().await {
            Ok(()) => self.memory.append(batch).await,
            Err(_) => vec![Appended::Unknown; batch.len()],
        }
    }

    async fn log(&self, id: MatchId, from: u32) -> Result<Vec<LogRow>, StoreError> {
        self.answer().await?;
        let over = self.memory.row(id).await?.is_some_and(|row| row.state.is_over());
        if over && self.has(Illness::WrongLog) {
            return Ok(vec![LogRow {
                entry: Entry::Choice(Move::Keep.into()),
                cause: Cause::Agent,
                think: Duration::ZERO,
                illegal: 0,
            }]);
        }
        self.memory.log(id, from).await
    }

    async fn list(&self, query: ListMatches) -> Result<Vec<MatchRow>, StoreError> {
        self.answer().await?;
        self.memory.list(query).await
    }

    async fn of_agent(&self, agent: &AgentName) -> Result<Vec<MatchRow>, StoreError> {
        self.answer().await?;
        self.memory.of_agent(agent).await
    }

    async fn rated(&self, after: Option<(u64, MatchId)>, limit: usize) -> Result<Vec<MatchRow>, StoreError> {
        self.answer().await?;
        self.memory.rated(after, limit).await
    }

    async fn remove_ended(&self, before_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.answer().await?;
        self.memory.remove_ended(before_ms, limit).await
    }
}
