use std::collections::HashMap;
use std::future::Future;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use chickenfoot_rules::{Entry, Event};
use chickenfoot_store::{MatchId, MatchRow, MatchState, StoreError};
use tokio::sync::watch;
use tracing::{error, warn};

use crate::bus::{Subject, Subscription};
use crate::fold::Fold;
use crate::owner::Stop;
use crate::shared::Shared;

/// How long a reader waits for a hint before it looks at the log by itself: hints may be lost.
pub(crate) const LOOK_AGAIN: Duration = Duration::from_secs(1);

/// Hints that may wait; one is as good as many.
pub(crate) const HINTS: usize = 2;

/// The matches that are being watched. All readers of a match share one copy of its events, which is built from the
/// stored log and never from the owner's memory.
pub(crate) struct Feeds {
    shared: Arc<Shared>,
    live: Mutex<HashMap<MatchId, Weak<Feed>>>,
}

struct Feed {
    id: MatchId,
    feeds: Weak<Feeds>,
    events: Mutex<Vec<Arc<Told>>>,
    head: watch::Sender<Head>,
}

impl Drop for Feed {
    fn drop(&mut self) {
        let Some(feeds) = self.feeds.upgrade() else { return };
        let mut live = lock(&feeds.live);
        // There may be a newer one.
        if live.get(&self.id).is_some_and(|feed| feed.strong_count() == 0) {
            live.remove(&self.id);
        }
    }
}

/// How far a feed has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Head {
    seq: u64,
    end: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The match is over.
    Over,
    /// The log cannot be read; what was read holds.
    Broken,
}

impl Head {
    /// The number of the last event that is shown to a reader who sees the match this many events late.
    fn shown(self, delay: u64) -> u64 {
        match self.end {
            Some(End::Over) => self.seq,
            Some(End::Broken) | None => self.seq.saturating_sub(delay),
        }
    }
}

impl Feeds {
    pub(crate) fn new(shared: Arc<Shared>) -> Feeds {
        Feeds { shared, live: Mutex::default() }
    }

    pub(crate) fn watch(self: &Arc<Self>, row: MatchRow, after: u64) -> Watch {
        let sealed = row.block.as_ref().is_some_and(|link| link.sealed);
        let delay = row.spectator_delay.into();
        let feed = self.feed(row);
        Watch { head: feed.head.subscribe(), feed, next: after.saturating_add(1), sealed, delay }
    }

    fn feed(self: &Arc<Self>, row: MatchRow) -> Arc<Feed> {
        let mut live = lock(&self.live);
        if let Some(feed) = live.get(&row.id).and_then(Weak::upgrade) {
            return feed;
        }
        let feed = Arc::new(Feed {
            id: row.id,
            feeds: Arc::downgrade(self),
            events: Mutex::default(),
            head: watch::Sender::default(),
        });
        live.insert(row.id, Arc::downgrade(&feed));
        drop(live);
        let pump = Pump {
            hints: self.shared.bus.subscribe(Subject::Watch(row.id), HINTS),
            shared: Arc::clone(&self.shared),
            feed: Arc::downgrade(&feed),
            row,
            fold: None,
        };
        tokio::spawn(pump.run());
        feed
    }
}

/// Reads the events of one match at its own pace.
///
/// It reads as a spectator: as many events late as the match says, until it is over. [`Watch::undelayed`] is for seats.
pub struct Watch {
    feed: Arc<Feed>,
    head: watch::Receiver<Head>,
    next: u64,
    /// Whether the match's block went on when this was begun.
    sealed: bool,
    /// How many events late it reads.
    delay: u64,
}

/// An event with what the log says beside it.
#[derive(Clone, Debug)]
pub struct Told {
    /// What happened.
    pub event: Event,
    /// The time that the decision took of which this is the first that came.
    pub think: Option<Duration>,
}

/// What a [`Watch`] brings.
#[derive(Clone, Debug)]
pub enum Watched {
    /// An event and its number.
    Event(u64, Arc<Told>),
    /// The match is over and all its events were read.
    Over,
    /// The log cannot be read any further.
    Broken,
}

impl Watch {
    /// From now on reads every event at once: its reader has a seat in the match.
    pub fn undelayed(&mut self) {
        self.delay = 0;
    }

    /// An event that this reader may see by now, whether [`Watch::next`] has come to it or not.
    pub fn told(&self, seq: u64) -> Option<Arc<Told>> {
        let index = usize::try_from(seq.checked_sub(1)?).ok()?;
        let shown = self.head_seq();
        lock(&self.feed.events).get(index).filter(|_| seq <= shown).cloned()
    }

    /// Ready when the match has begun, or is over without it.
    pub fn begun(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut head = self.head.clone();
        async move {
            // Without a feed nothing begins any more.
            let _ = head.wait_for(|head| head.seq > 0 || head.end.is_some()).await;
        }
    }

    /// The next event. Safe to drop and call again.
    pub async fn next(&mut self) -> Watched {
        loop {
            // Read before the events: what it says is there, is there.
            let head = *self.head.borrow_and_update();
            let index = usize::try_from(self.next - 1).unwrap_or(usize::MAX);
            if self.next <= head.shown(self.delay)
                && let Some(event) = lock(&self.feed.events).get(index).cloned()
            {
                self.next += 1;
                return Watched::Event(self.next - 1, event);
            }
            match head.end {
                Some(End::Over) => return Watched::Over,
                Some(End::Broken) => return Watched::Broken,
                None => {}
            }
            if self.head.changed().await.is_err() {
                return Watched::Broken;
            }
        }
    }

    /// The number of the last event that [`Watch::next`] brought; at first the one it was to begin after.
    pub fn at(&self) -> u64 {
        self.next - 1
    }

    /// The number of the last event so far that this reader may see.
    pub fn head_seq(&self) -> u64 {
        self.head.borrow().shown(self.delay)
    }

    /// Whether nothing of the match is secret any more: it is over, and so was its block when this was begun.
    pub fn tells_all(&self) -> bool {
        self.head.borrow().end == Some(End::Over) && !self.sealed
    }
}

/// Follows the log of one match for as long as somebody reads.
struct Pump {
    shared: Arc<Shared>,
    hints: Subscription,
    feed: Weak<Feed>,
    row: MatchRow,
    fold: Option<Fold>,
}

impl Pump {
    async fn run(mut self) {
        loop {
            let Some(feed) = self.feed.upgrade() else { return };
            let end = match self.read(&feed).await {
                Ok(over) => over.then_some(End::Over),
                Err(Stop::Store(StoreError::Unavailable(why))) => {
                    warn!(match_id = %self.row.id, why, "the log cannot be read now; its readers wait");
                    None
                }
                Err(why) => {
                    error!(match_id = %self.row.id, ?why, "the log cannot be read");
                    Some(End::Broken)
                }
            };
            let seq = lock(&feed.events).len() as u64;
            feed.head.send_if_modified(|head| {
                let now = Head { seq, end };
                std::mem::replace(head, now) != now
            });
            drop(feed);
            if end.is_some() {
                return;
            }
            let clock = Arc::clone(&self.shared.clock);
            tokio::select! {
                _ = self.hints.next() => {}
                () = clock.sleep_until(clock.now() + LOOK_AGAIN) => {}
            }
        }
    }

    /// Reads what is new in the log. Whether the match is over.
    async fn read(&mut self, feed: &Feed) -> Result<bool, Stop> {
        let mut told = Vec::new();
        let mut events = Vec::new();
        if self.fold.is_none() {
            if let Some(row) = self.shared.journal.row(self.row.id).await? {
                self.row = row;
            }
            match self.row.state {
                MatchState::Open => return Ok(false),
                // Ended before it began: there is nothing to see.
                MatchState::Aborted(_) if self.row.summary.is_none() => return Ok(true),
                MatchState::Running | MatchState::Finished | MatchState::Aborted(_) => {}
            }
            let fold = Fold::start(&self.row, &mut events).map_err(|why| Stop::Corrupt(why.to_string()))?;
            self.fold = Some(fold);
            tell(&mut events, None, &mut told);
            // They are read only once, even if the log cannot be read now.
            lock(&feed.events).append(&mut told);
        }
        let Some(fold) = &mut self.fold else {
            return Ok(false);
        };
        for row in self.shared.journal.log(self.row.id, fold.position).await? {
            fold.push(&row, &mut events).map_err(|why| Stop::Corrupt(why.to_string()))?;
            tell(&mut events, matches!(row.entry, Entry::Choice(_)).then_some(row.think), &mut told);
        }
        lock(&feed.events).extend(told);
        Ok(fold.game.decision().is_none())
    }
}

/// Adds the events that came of one entry of the log; the first of them is what was decided.
fn tell(events: &mut Vec<Event>, mut think: Option<Duration>, told: &mut Vec<Arc<Told>>) {
    told.extend(events.drain(..).map(|event| Arc::new(Told { event, think: think.take() })));
}

/// Events are only ever appended, so a panic elsewhere does not spoil them.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use chickenfoot_rules::{ForcedMoves, Preset, RuleOptions};
    use chickenfoot_store::{ClockRules, FaultRules, Incarnation, Memory, SeatSpec};

    use super::*;
    use crate::{Arena, LocalBus, NewMatch, Parts, TokioClock};

    #[tokio::test(start_paused = true)]
    async fn nothing_is_kept_of_a_match_that_was_watched_to_its_end() {
        let arena = Arena::new(Parts {
            journal: Arc::new(Memory::new()),
            bus: Arc::new(LocalBus::new()),
            clock: Arc::new(TokioClock::new()),
            house: Arc::new(chickenfoot_strategy::by_name),
            incarnation: Incarnation(1),
        });
        let s = Duration::from_secs;
        let new = NewMatch {
            creator: "ann".parse().unwrap(),
            rules: RuleOptions::new(Preset::Trains, 2).resolve().unwrap(),
            seats: vec![SeatSpec::House("greedy".to_owned()); 2],
            clock: ClockRules { decision: s(1), bank: s(0), grace: s(0) },
            faults: FaultRules { strikes: 1, illegal: 1, strict: false },
            forced: ForcedMoves::Automatic,
            spectator_delay: 0,
            fixed: None,
            rated: false,
            block: None,
        };
        let row = arena.create(new, |_| None).await.unwrap();
        let feeds = Arc::new(Feeds::new(Arc::clone(&arena.shared)));
        let mut watches = [feeds.watch(row.clone(), 0), feeds.watch(row, 0)];
        for watch in &mut watches {
            while let Watched::Event(..) = watch.next().await {}
            assert_eq!(lock(&feeds.live).len(), 1, "its readers share it");
        }
        drop(watches);
        assert_eq!(lock(&feeds.live).len(), 0);
    }
}
