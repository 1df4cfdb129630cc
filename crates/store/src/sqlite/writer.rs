use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use tokio::sync::{mpsc, oneshot};

use super::stats::WriterStats;
use super::tables::Tables;
use crate::journal::StoreError;

/// A call that waits for the writer: what it does to the tables, and who waits for the answer.
pub(super) trait Work: Send {
    /// How many entries it appends at most.
    fn weight(&self) -> usize;
    /// Does it. It may be done again after it failed or the transaction was rolled back.
    fn run(&mut self, tables: &mut Tables) -> Result<(), StoreError>;
    /// Answers: what [`Work::run`] brought, or why it was not stored.
    fn answer(self: Box<Self>, committed: Result<(), StoreError>);
}

/// [`Work`] from a closure.
pub(super) struct Call<T, F> {
    weight: usize,
    run: F,
    result: Option<Result<T, StoreError>>,
    answer: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, F> Call<T, F>
where
    T: Send + 'static,
    F: FnMut(&mut Tables) -> Result<T, StoreError> + Send + 'static,
{
    pub(super) fn boxed(weight: usize, run: F) -> (Box<dyn Work>, oneshot::Receiver<Result<T, StoreError>>) {
        let (answer, answered) = oneshot::channel();
        let call = Call { weight, run, result: None, answer };
        (Box::new(call), answered)
    }
}

impl<T, F> Work for Call<T, F>
where
    T: Send + 'static,
    F: FnMut(&mut Tables) -> Result<T, StoreError> + Send + 'static,
{
    fn weight(&self) -> usize {
        self.weight
    }

    fn run(&mut self, tables: &mut Tables) -> Result<(), StoreError> {
        self.result = Some(match (self.run)(tables) {
            // Found before anything was changed, so the others need not be rolled back for it.
            Err(StoreError::Full) => Err(StoreError::Full),
            done => Ok(done?),
        });
        Ok(())
    }

    fn answer(self: Box<Self>, committed: Result<(), StoreError>) {
        let Call { result, answer, .. } = *self;
        let not_run = || Err(StoreError::Unavailable("the call was not made".to_owned()));
        let result = committed.and_then(|()| result.unwrap_or_else(not_run));
        // Who has stopped waiting needs no answer.
        let _ = answer.send(result);
    }
}

/// The one thread that writes. What waits when it is free becomes one transaction, so that many matches share the wait
/// for the disk.
pub(super) struct Writer {
    pub(super) tables: Tables,
    pub(super) queue: mpsc::Receiver<Box<dyn Work>>,
    pub(super) max_group: usize,
    pub(super) stats: Arc<Mutex<WriterStats>>,
}

/// Why a transaction was not committed.
enum Failed {
    /// Nothing was stored.
    Before(StoreError),
    /// Nobody knows.
    Committing(StoreError),
}

impl Writer {
    /// Works until nobody is left who could ask.
    pub(super) fn run(mut self) {
        while let Some(first) = self.queue.blocking_recv() {
            let mut weight = first.weight();
            let mut group = vec![first];
            while weight < self.max_group
                && let Ok(next) = self.queue.try_recv()
            {
                weight += next.weight();
                group.push(next);
            }
            self.group(group);
        }
    }

    fn group(&mut self, mut group: Vec<Box<dyn Work>>) {
        match self.transaction(&mut group) {
            Ok(()) => answer(group, &Ok(())),
            Err(Failed::Before(why)) if group.len() == 1 => answer(group, &Err(why)),
            // One call that cannot be carried out must not stop the others: each for itself.
            Err(Failed::Before(_)) => {
                for work in group {
                    self.group(vec![work]);
                }
            }
            Err(Failed::Committing(why)) => {
                let why = StoreError::Unavailable(format!("nobody knows whether it was stored: {why}"));
                answer(group, &Err(why));
            }
        }
    }

    fn transaction(&mut self, group: &mut [Box<dyn Work>]) -> Result<(), Failed> {
        let began = Instant::now();
        let done = self.attempt(group);
        let mut stats = lock(&self.stats);
        match done {
            Ok(appended) => {
                stats.calls += group.len() as u64;
                stats.committed(appended, began.elapsed());
                Ok(())
            }
            Err(why) => {
                stats.failures += 1;
                drop(stats);
                self.tables.roll_back();
                let (Failed::Before(error) | Failed::Committing(error)) = &why;
                tracing::error!(%error, calls = group.len(), "a transaction failed");
                Err(why)
            }
        }
    }

    fn attempt(&mut self, group: &mut [Box<dyn Work>]) -> Result<u64, Failed> {
        let tables = &mut self.tables;
        tables.begin().map_err(Failed::Before)?;
        for work in group {
            work.run(tables).map_err(Failed::Before)?;
        }
        tables.commit_rows().map_err(Failed::Before)?;
        tables.commit().map_err(Failed::Committing)
    }
}

fn answer(group: Vec<Box<dyn Work>>, committed: &Result<(), StoreError>) {
    for work in group {
        work.answer(committed.clone());
    }
}

/// Numbers that are counted up one by one: a panic elsewhere does not spoil them.
pub(super) fn lock(stats: &Mutex<WriterStats>) -> MutexGuard<'_, WriterStats> {
    stats.lock().unwrap_or_else(PoisonError::into_inner)
}
