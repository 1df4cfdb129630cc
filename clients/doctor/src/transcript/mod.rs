use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chickenfoot_protocol::v1::{self, session_response::What as Down};
use tokio::sync::watch;
use tokio::time::Instant;
use tonic::Status;

mod conduct;
mod game;
mod promise;
mod refused;
mod words;

pub(crate) use conduct::Conduct;
pub(crate) use promise::Breach;
pub use promise::Promise;
pub(crate) use words::move_text;

/// Most entries that are kept of one check: what a flood says more often says nothing new.
const MOST: usize = 20_000;

/// Something that happened between the bot, the service and the doctor.
#[derive(Clone, Debug)]
pub(crate) enum Happened {
    /// The bot opened a session.
    Opened,
    /// The bot said something.
    Up(v1::SessionRequest),
    /// The service said something to the bot.
    Down(v1::SessionResponse),
    /// The bot said something that is no message, of so many bytes.
    Unreadable(usize),
    /// The bot ended the session.
    HungUp(String),
    /// The service ended the session.
    Ended(Status),
    /// The doctor did something.
    Note(String),
    /// The bot's program wrote a line.
    Wrote(String),
    /// The bridge that runs the bot's program says what it did wrong.
    Fault { promise: Promise, match_id: String, what: String },
    /// The bot's program ended.
    Exited(String),
}

/// Something that happened, when, and on which session.
#[derive(Clone, Debug)]
pub(crate) struct Entry {
    /// Since the doctor began.
    pub(crate) at: Duration,
    /// The session's number, from 1; 0 if it is about none.
    pub(crate) session: u32,
    pub(crate) what: Happened,
}

/// The transcript as it stands.
pub(crate) struct Log<'a> {
    pub(crate) entries: &'a [Entry],
    /// Whether the bot has a session.
    pub(crate) connected: bool,
    /// The first broken promise.
    pub(crate) breach: Option<Breach>,
}

/// All that happened in the running check, in order. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Transcript(Arc<Shared>);

struct Shared {
    start: Instant,
    inner: Mutex<Inner>,
    changes: watch::Sender<u64>,
}

struct Inner {
    entries: Vec<Entry>,
    conduct: Conduct,
    times: Vec<Duration>,
}

impl Transcript {
    /// An empty one. `patience` is the time that the bot has for a decision.
    pub(crate) fn new(patience: Duration) -> Transcript {
        let inner = Inner { entries: Vec::new(), conduct: Conduct::new(patience), times: Vec::new() };
        let changes = watch::Sender::new(0);
        Transcript(Arc::new(Shared { start: Instant::now(), inner: Mutex::new(inner), changes }))
    }

    /// Begins another check: what was is forgotten, but for the session that goes on.
    pub(crate) fn begin(&self) {
        let mut inner = self.inner();
        inner.entries.clear();
        inner.conduct.forget();
    }

    /// The bot opened a session.
    pub(crate) fn opened(&self, session: u32) {
        self.push_on(session, Happened::Opened);
    }

    /// Something happened on no session.
    pub(crate) fn push(&self, what: Happened) {
        let session = self.inner().conduct.session();
        self.push_on(session, what);
    }

    /// Something that the doctor did.
    pub(crate) fn note(&self, what: &str) {
        self.push_on(0, Happened::Note(what.to_owned()));
    }

    /// Something happened on a session.
    pub(crate) fn push_on(&self, session: u32, what: Happened) {
        let entry = Entry { at: self.now(), session, what };
        let mut inner = self.inner();
        let place = inner.entries.len();
        if let Some(time) = inner.conduct.observe(place, &entry) {
            inner.times.push(time);
        }
        if place < MOST {
            inner.entries.push(entry);
        }
        drop(inner);
        self.0.changes.send_modify(|changes| *changes += 1);
    }

    /// What ends the session that is open now is not the bot's fault.
    pub(crate) fn excuse(&self) {
        self.inner().conduct.excuse();
    }

    /// The doctor ends a match. What the bot still says of it counts no more.
    pub(crate) fn forgive(&self, match_id: &str) {
        self.inner().conduct.forgive(match_id);
    }

    /// The decision of this number, as it was put to the bot last.
    pub(crate) fn decision(&self, match_id: &str, number: u32) -> Option<v1::Decision> {
        let inner = self.inner();
        inner.entries.iter().rev().find_map(|entry| match &entry.what {
            Happened::Down(v1::SessionResponse { what: Some(Down::Decision(asked)) })
                if asked.match_id == match_id && asked.number == number =>
            {
                Some(asked.clone())
            }
            _ => None,
        })
    }

    /// From now on no matches are played: the bot owes nothing.
    pub(crate) fn release(&self) {
        self.inner().conduct.release();
    }

    /// The first broken promise, if there is one by now.
    pub(crate) fn breach(&self) -> Option<Breach> {
        let now = self.now();
        let mut inner = self.inner();
        let last = inner.entries.len().saturating_sub(1);
        inner.conduct.breach(now, last)
    }

    /// Whether the bot has had a session at any time.
    pub(crate) fn was_connected(&self) -> bool {
        self.inner().conduct.session() > 0
    }

    /// Waits until `found` finds something, or a promise is broken. It sees all entries of the check.
    ///
    /// # Errors
    /// The broken promise.
    pub(crate) async fn find<T>(&self, mut found: impl FnMut(&Log<'_>) -> Option<T>) -> Result<T, Breach> {
        let either = |log: &Log<'_>| found(log).map(Ok).or_else(|| Some(Err(log.breach.clone()?)));
        self.wait(either).await
    }

    /// Waits until `found` finds something, whatever is broken meanwhile.
    pub(crate) async fn wait<T>(&self, mut found: impl FnMut(&Log<'_>) -> Option<T>) -> T {
        let mut changes = self.0.changes.subscribe();
        loop {
            changes.borrow_and_update();
            let (found, due) = self.look(&mut found);
            if let Some(found) = found {
                return found;
            }
            let overdue = async {
                match due {
                    Some(due) => tokio::time::sleep_until(self.0.start + due).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                // The sender lives as long as this.
                _ = changes.changed() => {}
                () = overdue => {}
            }
        }
    }

    /// What is found now, and when silence alone will change that.
    fn look<T>(&self, found: &mut impl FnMut(&Log<'_>) -> Option<T>) -> (Option<T>, Option<Duration>) {
        let now = self.now();
        let mut inner = self.inner();
        let last = inner.entries.len().saturating_sub(1);
        let breach = inner.conduct.breach(now, last);
        let due = inner.conduct.due().filter(|_| breach.is_none());
        let connected = inner.conduct.is_connected();
        (found(&Log { entries: &inner.entries, connected, breach }), due)
    }

    /// Waits for a broken promise.
    pub(crate) async fn broken(&self) -> Breach {
        self.wait(|log| log.breach.clone()).await
    }

    /// How many entries there are: where what comes next will stand.
    pub(crate) fn mark(&self) -> usize {
        self.inner().entries.len()
    }

    /// The entries so far.
    pub(crate) fn entries(&self) -> Vec<Entry> {
        self.inner().entries.clone()
    }

    /// The lines around a place, for people.
    pub(crate) fn lines(&self, around: Option<usize>) -> Vec<String> {
        words::excerpt(&self.inner().entries, around)
    }

    /// The times of all answers so far, of earlier checks too.
    pub(crate) fn times(&self) -> Vec<Duration> {
        self.inner().times.clone()
    }

    /// Time since the doctor began.
    pub(crate) fn now(&self) -> Duration {
        self.0.start.elapsed()
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.0.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
