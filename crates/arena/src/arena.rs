use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chickenfoot_rules::{Entry, Record};
use chickenfoot_store::{AgentName, Incarnation, Journal, MatchId, MatchRow, MatchState, Summary};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::bus::{Bus, NoAnswer, Subject, Subscription};
use crate::deliveries::Deliveries;
use crate::error::Error;
use crate::feed::{Feeds, HINTS, LOOK_AGAIN, Watch};
use crate::house::House;
use crate::message::{Answer, ChoiceError, Chosen, OwnerReply, ToOwner, decode, encode};
use crate::owner::{Stop, load};
use crate::shared::Shared;
use crate::time::Clock;

/// How long an owner may take to say how its match stands.
const SUMMARY_TIME: Duration = Duration::from_millis(100);

/// How long one request to a match's owner may take before it is sent again.
const REQUEST_TIME: Duration = Duration::from_secs(2);

/// How often a request is sent before its caller is told to repeat it.
const REQUEST_TRIES: u32 = 5;

/// How long a request waits for the owner of a match to begin, or for the one before it to end.
const ENDING: Duration = Duration::from_millis(5);

/// The parts that an arena is made of.
pub struct Parts {
    /// Where matches are kept.
    pub journal: Arc<dyn Journal>,
    /// What carries messages.
    pub bus: Arc<dyn Bus>,
    /// Time.
    pub clock: Arc<dyn Clock>,
    /// The players of the house.
    pub house: House,
    /// Which run of which server this is.
    pub incarnation: Incarnation,
}

/// All matches of a server. Cheap to clone; must be used inside a tokio runtime.
#[derive(Clone)]
pub struct Arena {
    pub(crate) shared: Arc<Shared>,
    /// The matches that have a task here, each with what ends it.
    pub(crate) owned: Arc<Mutex<HashMap<MatchId, CancellationToken>>>,
    /// Those tasks, and what is stored as a whole.
    pub(crate) owners: TaskTracker,
    /// Whether a match may rest since the store failed.
    pub(crate) rests: Arc<AtomicBool>,
    feeds: Arc<Feeds>,
    deliveries: Arc<Deliveries>,
}

impl Arena {
    /// An arena of these parts. Matches that were running before are not taken up until they are asked for.
    pub fn new(parts: Parts) -> Arena {
        let Parts { journal, bus, clock, house, incarnation } = parts;
        let shared =
            Arc::new(Shared { journal, bus, clock, house, incarnation, stopping: CancellationToken::new() });
        Arena {
            feeds: Arc::new(Feeds::new(Arc::clone(&shared))),
            deliveries: Arc::new(Deliveries::new(Arc::clone(&shared))),
            shared,
            owned: Arc::default(),
            owners: TaskTracker::new(),
            rests: Arc::default(),
        }
    }

    /// The row of a match.
    ///
    /// # Errors
    /// There is no such match, or the store failed.
    pub async fn row(&self, id: MatchId) -> Result<MatchRow, Error> {
        self.shared.journal.row(id).await?.ok_or(Error::NoSuchMatch)
    }

    /// How a match stands: the stored summary of one that is over, that of the log of one that is running, nothing of
    /// one that has not started. The log is read only where the owner does not say at once what is in it: every match
    /// that begins is asked about by all its seats.
    ///
    /// # Errors
    /// The store failed, or the stored log does not fit the rules.
    pub async fn summary(&self, row: &MatchRow) -> Result<Option<Summary>, Error> {
        match row.state {
            MatchState::Open => Ok(None),
            MatchState::Running => match self.owners_summary(row.id).await {
                Some(summary) => Ok(Some(summary)),
                None => Ok(Some(load(&self.shared, row).await.map_err(Error::from)?.summary())),
            },
            MatchState::Finished | MatchState::Aborted(_) => Ok(row.summary.clone()),
        }
    }

    async fn owners_summary(&self, id: MatchId) -> Option<Summary> {
        let clock = &self.shared.clock;
        let subject = Subject::Owner(id);
        let answer = tokio::select! {
            answer = self.shared.bus.request(&subject, encode(&ToOwner::Summary)) => answer.ok()?,
            // It may be storing, or a player of the house may be thinking.
            () = clock.sleep_until(clock.now() + SUMMARY_TIME) => return None,
        };
        match decode(&answer)? {
            OwnerReply::Summary(summary) => Some(*summary),
            OwnerReply::Chosen(_) | OwnerReply::Refused(_) | OwnerReply::Done => None,
        }
    }

    /// The record of a match that is over.
    ///
    /// # Errors
    /// There is no such match, it or its block is not over, or it never began.
    pub async fn record(&self, id: MatchId) -> Result<Record, Error> {
        let row = self.row(id).await?;
        if !row.state.is_over() {
            return Err(Error::NotOver);
        }
        if row.summary.is_none() {
            return Err(Error::NeverBegan);
        }
        if !row.is_open_to_all() {
            return Err(Error::Sealed);
        }
        let log = self.shared.journal.log(id, 0).await?;
        let entries: Vec<Entry> = log.iter().map(|row| row.entry).collect();
        Record::of(&id.to_string(), &row.seed, &row.start(), row.forced, &entries)
            .map_err(|why| Error::Corrupt(why.to_string()))
    }

    /// Answers a decision. Repeating the same answer is safe and gets the same choice back.
    ///
    /// # Errors
    /// Why the answer was refused.
    pub async fn choose(
        &self,
        id: MatchId,
        agent: &AgentName,
        decision: u32,
        answer: Answer,
    ) -> Result<Chosen, ChoiceError> {
        let received = self.shared.clock.now();
        let kept = self.deliveries.of(id, agent, decision);
        let message = |now: Duration| ToOwner::Choose {
            agent: agent.clone(),
            decision,
            answer,
            age: now.saturating_sub(received),
            handed: kept.as_ref().map(|kept| kept.handed(now)),
        };
        let reply = self.ask_owner(id, message).await;
        if let (Ok(_), Some(kept)) = (&reply, &kept) {
            self.deliveries.forget(id, kept);
        }
        match reply {
            Ok(Some(OwnerReply::Chosen(chosen))) => Ok(chosen),
            Ok(Some(OwnerReply::Refused(why))) => Err(why),
            Ok(Some(OwnerReply::Done | OwnerReply::Summary(_))) => Err(ChoiceError::Unavailable),
            Ok(None) => self.answer_from_log(id, agent, decision, answer).await,
            Err(Error::NoSuchMatch) => Err(ChoiceError::NoSuchMatch),
            Err(_) => Err(ChoiceError::Unavailable),
        }
    }

    /// Has the open decision of a match sent again to an agent's session, if it is the agent's.
    pub async fn resend(&self, id: MatchId, agent: &AgentName) {
        // The time left that comes with it is that of the clock as it runs.
        self.deliveries.tell_at_once(id);
        // A match that is over or does not answer has nothing to send; the session asks again.
        let _ = self.ask_owner(id, |_| ToOwner::Resend { agent: agent.clone() }).await;
    }

    /// Says that a stream of an agent has a decision: from here on its time runs. `stream` tells the agent's streams
    /// apart.
    pub fn delivered(&self, id: MatchId, agent: &AgentName, decision: u32, stream: u64) {
        self.deliveries.keep(id, agent, decision, stream);
    }

    /// Says that a stream of an agent is gone, and with it the decisions that it had.
    pub fn lost(&self, id: MatchId, agent: &AgentName, stream: u64) {
        self.deliveries.tell_at_once(id);
        let message = ToOwner::Lost { agent: agent.clone(), stream };
        self.shared.bus.publish(&Subject::Owner(id), encode(&message));
    }

    /// Reads the events of a match from a number on, as a spectator.
    ///
    /// # Errors
    /// There is no such match, or the store failed.
    pub async fn watch(&self, id: MatchId, after_seq: u64) -> Result<Watch, Error> {
        let row = self.row(id).await?;
        Ok(self.feeds.watch(row, after_seq))
    }

    /// Waits until the state of a match makes its row as wanted. Safe to drop and call again.
    ///
    /// # Errors
    /// There is no such match, or the store failed.
    pub async fn until(&self, id: MatchId, wanted: impl Fn(&MatchRow) -> bool) -> Result<MatchRow, Error> {
        let mut hints = self.shared.bus.subscribe(Subject::State(id), HINTS);
        loop {
            let row = self.row(id).await?;
            if wanted(&row) {
                return Ok(row);
            }
            let clock = &self.shared.clock;
            tokio::select! {
                _ = hints.next() => {}
                // Hints may be lost.
                () = clock.sleep_until(clock.now() + LOOK_AGAIN) => {}
            }
        }
    }

    /// Each seat's scores of the rounds so far, of a match that was begun.
    ///
    /// # Errors
    /// The store failed, or the stored log does not fit the rules.
    pub async fn round_scores(&self, row: &MatchRow) -> Result<Vec<Vec<u16>>, Error> {
        let fold = load(&self.shared, row).await.map_err(Error::from)?;
        Ok(fold.game.results().iter().map(|result| result.rounds.clone()).collect())
    }

    /// What is told to an agent's sessions from now on.
    pub fn listen(&self, agent: &AgentName, capacity: usize) -> Subscription {
        self.shared.bus.subscribe(Subject::Agent(agent.clone()), capacity)
    }

    /// Tells something to an agent's sessions.
    pub fn tell(&self, agent: &AgentName, message: &crate::message::ToAgent) {
        self.shared.bus.publish(&Subject::Agent(agent.clone()), encode(message));
    }

    /// Whether the house has a player of that name.
    pub fn has_house(&self, name: &str) -> bool {
        (self.shared.house)(name, [0; 32]).is_some()
    }

    /// The store of matches.
    pub fn journal(&self) -> &dyn Journal {
        &*self.shared.journal
    }

    /// The arena's time.
    pub fn clock(&self) -> &Arc<dyn Clock> {
        &self.shared.clock
    }

    /// Stops all matches where they stand and returns when their tasks have ended: what they were storing is stored, and
    /// their logs go on from there when the store is opened again. From now on nothing is decided here any more, and
    /// who asks is told to repeat it.
    pub async fn stop(&self) {
        self.shared.stopping.cancel();
        self.owners.close();
        self.owners.wait().await;
    }

    /// Gives a running match up: its task ends at a stored decision, and nothing is kept of the match here. Whichever
    /// arena is asked for it next takes it up again from its log, with a fresh clock. It is how a match moves to another
    /// server; here it does nothing for a match without a task.
    pub fn drop_from_memory(&self, id: MatchId) {
        if let Some(stopping) = lock(&self.owned).get(&id) {
            stopping.cancel();
        }
    }

    /// How many matches this arena is running.
    pub fn running(&self) -> usize {
        lock(&self.owned).len()
    }

    /// Sends a request to the owner of a match until it is answered. `None` if the match is not running. `message` is
    /// told when it is sent.
    pub(crate) async fn ask_owner(
        &self,
        id: MatchId,
        message: impl Fn(Duration) -> ToOwner,
    ) -> Result<Option<OwnerReply>, Error> {
        let subject = Subject::Owner(id);
        for _ in 0..REQUEST_TRIES {
            let clock = &self.shared.clock;
            let now = clock.now();
            let time_out = clock.sleep_until(now + REQUEST_TIME);
            let answer = tokio::select! {
                // With the answer there, nobody looks at the time.
                biased;
                answer = self.shared.bus.request(&subject, encode(&message(now))) => answer,
                () = time_out => Err(NoAnswer::Lost),
            };
            match answer {
                Ok(answer) => return decode(&answer).map(Some).ok_or(Error::Unavailable),
                Err(NoAnswer::Lost) => {}
                Err(NoAnswer::NoReceiver) => {
                    if self.row(id).await?.state != MatchState::Running {
                        return Ok(None);
                    }
                    self.own(id).await;
                    // An owner that is just ending has its place until it is gone.
                    clock.sleep_until(clock.now() + ENDING).await;
                }
            }
        }
        Err(Error::Unavailable)
    }

    /// An answer for a match without an owner: its log knows what was played.
    async fn answer_from_log(
        &self,
        id: MatchId,
        agent: &AgentName,
        decision: u32,
        answer: Answer,
    ) -> Result<Chosen, ChoiceError> {
        let row = self.row(id).await.map_err(|why| match why {
            Error::NoSuchMatch => ChoiceError::NoSuchMatch,
            _ => ChoiceError::Unavailable,
        })?;
        if row.summary.is_none() {
            let seated = row.seats.iter().any(|seat| seat.is_held_by(agent));
            return Err(match (seated, row.state.is_over()) {
                (false, _) => ChoiceError::NotSeated,
                (true, true) => ChoiceError::Over,
                (true, false) => ChoiceError::NotStarted,
            });
        }
        let fold = load(&self.shared, &row).await.map_err(|_| ChoiceError::Unavailable)?;
        match fold.answer(&row, agent, decision, answer)? {
            crate::fold::Verdict::Repeated(chosen) => Ok(chosen),
            crate::fold::Verdict::New(_) => Err(ChoiceError::Over),
        }
    }

    /// Tells whoever cares that a match is over.
    pub(crate) fn tell_end(&self, row: &MatchRow) {
        self.shared.tell_log(row.id);
        self.shared.tell_state(row.id);
        for agent in row.agents() {
            self.tell(&agent, &crate::message::ToAgent::Ended(row.id));
        }
    }
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Error {
        match stop {
            Stop::Fenced | Stop::Stopping => Error::Unavailable,
            Stop::Store(why) => Error::Store(why),
            Stop::Corrupt(why) => Error::Corrupt(why),
        }
    }
}

/// Whether a match has a task is written in one step, so a panic elsewhere does not spoil it.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
