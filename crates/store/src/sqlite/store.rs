mod tournaments;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

use async_trait::async_trait;
use rusqlite::Connection;
use tokio::sync::{mpsc, oneshot};

use super::examine::examine;
use super::lock::Lock;
use super::options::Options;
use super::readers::{self, Query};
use super::schema::{io_error, open_reader, open_writer};
use super::stats::WriterStats;
use super::tables::Tables;
use super::writer::{self, Call, Work, Writer};
use super::{agent_row, backup, queries, request_row};
use crate::agent::{AgentRow, Agents, TokenHash};
use crate::id::{AgentName, Incarnation, MatchId};
use crate::journal::{Append, Appended, Journal, ListMatches, LogRow, StoreError, Updated};
use crate::matches::MatchRow;
use crate::request::{Remembered, RequestKey, Requests};

/// A store in one SQLite file. See the [module](crate::sqlite).
///
/// A call that is dropped before its answer came may have been carried out. Dropping the store waits for the calls that
/// were taken, a few milliseconds as a rule, and closes the file.
pub struct Sqlite {
    path: PathBuf,
    incarnation: Incarnation,
    stats: Arc<Mutex<WriterStats>>,
    /// `None` only while it is dropped.
    queries: Option<mpsc::Sender<Query>>,
    readers: Vec<JoinHandle<()>>,
    /// `None` only while it is dropped.
    calls: Option<mpsc::Sender<Box<dyn Work>>>,
    writer: Option<JoinHandle<()>>,
    /// Given up last, when the file is closed.
    _lock: Lock,
}

impl Sqlite {
    /// Opens a file, or makes a new one, for this process alone. Blocks: the file is examined first.
    ///
    /// # Errors
    /// Another server uses the file, it is not one of this service or of a later version, it cannot be written, or it is
    /// damaged.
    pub fn open(path: impl AsRef<Path>, options: &Options) -> Result<Sqlite, StoreError> {
        // The lock must be the same whatever way leads to the file.
        let path = real_path(path.as_ref())?;
        let lock = Lock::take(&path)?;
        let conn = open_writer(&path, options)?;
        examine(&conn, options.examine)?;
        let tables = Tables::new(conn, options)?;
        let (query, asked) = mpsc::channel(options.queue.max(1));
        let (call, called) = mpsc::channel(options.queue.max(1));
        let mut store = Sqlite {
            incarnation: tables.incarnation(),
            stats: Arc::default(),
            queries: Some(query),
            readers: Vec::new(),
            calls: Some(call),
            writer: None,
            _lock: lock,
            path,
        };
        let writer =
            Writer { tables, queue: called, max_group: options.max_group, stats: Arc::clone(&store.stats) };
        store.writer = Some(spawn("store-writer", move || writer.run())?);
        let asked = Arc::new(Mutex::new(asked));
        for _ in 0..options.readers.max(1) {
            let conn = open_reader(&store.path, options.busy_timeout)?;
            let asked = Arc::clone(&asked);
            store.readers.push(spawn("store-reader", move || readers::run(&conn, &asked))?);
        }
        Ok(store)
    }

    /// Which run of the server on this file this is, from 1.
    pub fn incarnation(&self) -> Incarnation {
        self.incarnation
    }

    /// What the writer has done since the store was opened.
    pub fn stats(&self) -> WriterStats {
        writer::lock(&self.stats).clone()
    }

    /// Copies the store, as of one moment, into a new file while it goes on working.
    ///
    /// # Errors
    /// As for [`backup`](crate::sqlite::backup()).
    pub async fn backup(&self, to: impl Into<PathBuf>) -> Result<(), StoreError> {
        let (from, to) = (self.path.clone(), to.into());
        let (answer, answered) = oneshot::channel();
        // It may take long, so it takes no reader's place.
        spawn("store-backup", move || {
            // Who has stopped waiting needs no answer.
            let _ = answer.send(backup::backup(&from, &to));
        })?;
        answered.await.unwrap_or_else(|_| Err(stopped()))
    }

    async fn write<T: Send + 'static>(
        &self,
        weight: usize,
        run: impl FnMut(&mut Tables) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (call, answered) = Call::boxed(weight, run);
        let calls = self.calls.as_ref().ok_or_else(stopped)?;
        calls.send(call).await.map_err(|_| stopped())?;
        answered.await.unwrap_or_else(|_| Err(stopped()))
    }

    async fn read<T: Send + 'static>(
        &self,
        ask: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (answer, answered) = oneshot::channel();
        let query: Query = Box::new(move |conn| {
            // Who has stopped waiting needs no answer.
            let _ = answer.send(ask(conn));
        });
        let queries = self.queries.as_ref().ok_or_else(stopped)?;
        queries.send(query).await.map_err(|_| stopped())?;
        answered.await.unwrap_or_else(|_| Err(stopped()))
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        // The writer is the last to close the file, because only a connection that writes can tidy the log up.
        self.queries = None;
        for reader in self.readers.drain(..) {
            // A thread that panicked has said so already.
            let _ = reader.join();
        }
        self.calls = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

fn real_path(path: &Path) -> Result<PathBuf, StoreError> {
    if let Ok(real) = path.canonicalize() {
        return Ok(real);
    }
    let parent = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let name = path
        .file_name()
        .ok_or_else(|| StoreError::Unavailable(format!("{} names no file", path.display())))?;
    let parent = parent.canonicalize().map_err(|why| io_error(parent, &why))?;
    Ok(parent.join(name))
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> Result<JoinHandle<()>, StoreError> {
    std::thread::Builder::new()
        .name(name.to_owned())
        .spawn(run)
        .map_err(|why| StoreError::Unavailable(format!("no thread for {name}: {why}")))
}

fn stopped() -> StoreError {
    StoreError::Unavailable("the thread that would answer has stopped".to_owned())
}

#[async_trait]
impl Journal for Sqlite {
    async fn create(&self, row: MatchRow, remember: Option<Remembered>) -> Result<(), StoreError> {
        self.write(0, move |tables| tables.create(&row, remember.as_ref())).await
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        self.read(move |conn| queries::row(conn, id)).await
    }

    async fn update(&self, row: MatchRow, remember: Option<Remembered>) -> Result<Updated, StoreError> {
        self.write(0, move |tables| tables.update(&row, remember.as_ref())).await
    }

    async fn append(&self, batch: Vec<Append>) -> Vec<Appended> {
        let length = batch.len();
        let answers = self
            .write(length, move |tables| batch.iter().map(|append| tables.append(append)).collect())
            .await;
        answers.unwrap_or_else(|_| vec![Appended::Unknown; length])
    }

    async fn log(&self, id: MatchId, from: u32) -> Result<Vec<LogRow>, StoreError> {
        self.read(move |conn| queries::log(conn, id, from)).await
    }

    async fn list(&self, query: ListMatches) -> Result<Vec<MatchRow>, StoreError> {
        self.read(move |conn| queries::list(conn, &query)).await
    }

    async fn of_agent(&self, agent: &AgentName) -> Result<Vec<MatchRow>, StoreError> {
        let agent = agent.clone();
        self.read(move |conn| queries::of_agent(conn, &agent)).await
    }

    async fn rated(&self, after: Option<(u64, MatchId)>, limit: usize) -> Result<Vec<MatchRow>, StoreError> {
        self.read(move |conn| queries::rated(conn, after, limit)).await
    }

    async fn remove_ended(&self, before_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.write(0, move |tables| tables.remove_ended(before_ms, limit)).await
    }
}

#[async_trait]
impl Agents for Sqlite {
    async fn create_agent(&self, row: AgentRow, remember: Option<Remembered>) -> Result<bool, StoreError> {
        self.write(0, move |tables| tables.create_agent(&row, remember.as_ref())).await
    }

    async fn update_agent(&self, row: AgentRow, remember: Option<Remembered>) -> Result<bool, StoreError> {
        self.write(0, move |tables| tables.update_agent(&row, remember.as_ref())).await
    }

    async fn agent(&self, name: &AgentName) -> Result<Option<AgentRow>, StoreError> {
        let name = name.clone();
        self.read(move |conn| {
            let found = agent_row::find(conn, agent_row::SELECT_BY_NAME, name.as_str())?;
            Ok(found.map(|(row, _)| row))
        })
        .await
    }

    async fn agent_by_token(&self, hash: &TokenHash) -> Result<Option<AgentRow>, StoreError> {
        let hash = *hash;
        self.read(move |conn| {
            let found = agent_row::find(conn, agent_row::SELECT_BY_TOKEN, hash)?;
            Ok(found.map(|(row, _)| row))
        })
        .await
    }

    async fn agents(&self, after: Option<&AgentName>, limit: usize) -> Result<Vec<AgentRow>, StoreError> {
        let after = after.cloned();
        self.read(move |conn| queries::agents(conn, after.as_ref(), limit)).await
    }
}

#[async_trait]
impl Requests for Sqlite {
    async fn recall(&self, key: &RequestKey) -> Result<Option<Remembered>, StoreError> {
        let key = key.clone();
        self.read(move |conn| request_row::find(conn, &key)).await
    }

    async fn remember(&self, request: Remembered) -> Result<(), StoreError> {
        self.write(0, move |tables| tables.remember(&request)).await
    }

    async fn forget(&self, before_ms: u64) -> Result<(), StoreError> {
        self.write(0, move |tables| tables.forget(before_ms)).await
    }
}
