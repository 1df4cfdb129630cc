use std::sync::Arc;
use std::time::Instant;

use async_trait::async_trait;
use chickenfoot_store::{
    AgentName, Append, Appended, Journal, ListMatches, LogRow, MatchId, MatchRow, MatchState, Remembered,
    StoreError, Updated,
};

use crate::census::Census;
use crate::metrics::{Metrics, Note};
use crate::traces::Traces;

/// A store of matches, and beside it the count of what is in it and of what it does.
pub(crate) struct Observed {
    inner: Arc<dyn Journal>,
    census: Arc<Census>,
    metrics: Arc<Metrics>,
    traces: Traces,
}

impl Observed {
    /// Counts what the store has, and from then on what changes.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) async fn new(
        inner: Arc<dyn Journal>,
        census: Arc<Census>,
        metrics: Arc<Metrics>,
        traces: Traces,
    ) -> Result<Observed, StoreError> {
        const PAGE: usize = 1000;
        for state in [MatchState::Open, MatchState::Running] {
            let mut after = None;
            loop {
                let rows = inner
                    .list(ListMatches { state: Some(state), after, limit: PAGE, ..Default::default() })
                    .await?;
                rows.iter().for_each(|row| census.note(row));
                after = rows.last().map(|row| (row.created_ms, row.id));
                if rows.len() < PAGE {
                    break;
                }
            }
        }
        Ok(Observed { inner, census, metrics, traces })
    }
}

#[async_trait]
impl Journal for Observed {
    async fn create(&self, row: MatchRow, remember: Option<Remembered>) -> Result<(), StoreError> {
        self.inner.create(row.clone(), remember).await?;
        self.census.note(&row);
        Ok(())
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        self.inner.row(id).await
    }

    async fn update(&self, row: MatchRow, remember: Option<Remembered>) -> Result<Updated, StoreError> {
        let updated = self.inner.update(row.clone(), remember).await?;
        if updated == Updated::Done {
            self.census.note(&row);
            if row.state.is_over() {
                self.metrics.aborted();
            }
        }
        Ok(updated)
    }

    async fn append(&self, batch: Vec<Append>) -> Vec<Appended> {
        let notes: Vec<(MatchId, Note)> =
            batch.iter().map(|append| (append.match_id, Note::from(append))).collect();
        let since = Instant::now();
        let outcomes = self.inner.append(batch).await;
        let took = since.elapsed();
        self.metrics.appended(notes.iter().map(|(_, note)| note).zip(&outcomes), took);
        let is_stored = |outcome: &&Appended| matches!(outcome, Appended::Appended | Appended::Duplicate);
        self.traces.append(outcomes.len(), outcomes.iter().filter(is_stored).count(), took);
        for ((id, note), outcome) in notes.iter().zip(&outcomes) {
            if let (Some(_), Appended::Appended | Appended::Duplicate) = (note.end, outcome) {
                self.census.end(*id);
            }
        }
        outcomes
    }

    async fn log(&self, id: MatchId, from: u32) -> Result<Vec<LogRow>, StoreError> {
        self.inner.log(id, from).await
    }

    async fn list(&self, query: ListMatches) -> Result<Vec<MatchRow>, StoreError> {
        self.inner.list(query).await
    }

    async fn of_agent(&self, agent: &AgentName) -> Result<Vec<MatchRow>, StoreError> {
        self.inner.of_agent(agent).await
    }

    async fn rated(&self, after: Option<(u64, MatchId)>, limit: usize) -> Result<Vec<MatchRow>, StoreError> {
        self.inner.rated(after, limit).await
    }

    async fn remove_ended(&self, before_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.inner.remove_ended(before_ms, limit).await
    }
}
