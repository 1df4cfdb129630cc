//! An arena on a store and a bus that misbehave as a test wants.

#![allow(dead_code)]

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chickenfoot_arena::{
    Arena, Bus, DecisionNote, House, LocalBus, NewMatch, Parts, Subscription, ToAgent, TokioClock,
};
use chickenfoot_rules::{Entry, ForcedMoves, Preset, Record, RuleOptions, Seed};
use chickenfoot_store::{
    AgentName, Append, Appended, Cause, ClockRules, EntryId, FaultRules, Incarnation, Journal, ListMatches,
    LogRow, MatchId, MatchRow, MatchState, Memory, Remembered, SeatSpec, StoreError, Summary, Updated,
};

/// What is wrong with one append.
pub enum Fault {
    /// It is stored, and the store does not say so.
    StoredUnknown,
    /// It is not stored, and the store does not say so.
    LostUnknown,
    /// This entry of somebody else's is stored in its place.
    Overtaken(Entry, Option<(MatchState, Summary)>),
    /// Another incarnation has taken over.
    Fenced,
}

/// A store in memory whose appends go wrong as planned.
#[derive(Default)]
pub struct Faulty {
    pub memory: Memory,
    plan: Mutex<VecDeque<Fault>>,
    /// Whether new matches are stored without its saying so.
    pub is_unsure: AtomicBool,
}

impl Faulty {
    /// The next append goes wrong in this way; those after it as planned after it.
    pub fn plan(&self, fault: Fault) {
        self.plan.lock().unwrap().push_back(fault);
    }

    /// Whether everything that was planned has happened.
    pub fn is_done(&self) -> bool {
        self.plan.lock().unwrap().is_empty()
    }
}

#[async_trait]
impl Journal for Faulty {
    async fn create(&self, row: MatchRow, remember: Option<Remembered>) -> Result<(), StoreError> {
        self.memory.create(row, remember).await?;
        // So that whoever waits may be gone when it is stored.
        tokio::task::yield_now().await;
        match self.is_unsure.load(Ordering::Relaxed) {
            true => Err(StoreError::Unavailable("nobody knows whether it was stored".to_owned())),
            false => Ok(()),
        }
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        self.memory.row(id).await
    }

    async fn update(&self, row: MatchRow, remember: Option<Remembered>) -> Result<Updated, StoreError> {
        self.memory.update(row, remember).await
    }

    async fn append(&self, batch: Vec<Append>) -> Vec<Appended> {
        let fault = self.plan.lock().unwrap().pop_front();
        match fault {
            None => self.memory.append(batch).await,
            Some(Fault::StoredUnknown) => {
                let answers = self.memory.append(batch).await;
                vec![Appended::Unknown; answers.len()]
            }
            Some(Fault::LostUnknown) => vec![Appended::Unknown; batch.len()],
            Some(Fault::Fenced) => vec![Appended::Fenced; batch.len()],
            Some(Fault::Overtaken(entry, end)) => {
                let mut other = batch[0].clone();
                other.id = EntryId(!other.id.0);
                other.row = LogRow { entry, cause: Cause::Agent, think: Duration::ZERO, illegal: 0 };
                other.end = end;
                assert_eq!(self.memory.append(vec![other]).await, [Appended::Appended]);
                self.memory.append(batch).await
            }
        }
    }

    async fn log(&self, id: MatchId, from: u32) -> Result<Vec<LogRow>, StoreError> {
        self.memory.log(id, from).await
    }

    async fn list(&self, query: ListMatches) -> Result<Vec<MatchRow>, StoreError> {
        self.memory.list(query).await
    }

    async fn of_agent(&self, agent: &AgentName) -> Result<Vec<MatchRow>, StoreError> {
        self.memory.of_agent(agent).await
    }

    async fn rated(&self, after: Option<(u64, MatchId)>, limit: usize) -> Result<Vec<MatchRow>, StoreError> {
        self.memory.rated(after, limit).await
    }

    async fn remove_ended(&self, before_ms: u64, limit: usize) -> Result<usize, StoreError> {
        self.memory.remove_ended(before_ms, limit).await
    }
}

pub const DECISION_TIME: Duration = Duration::from_secs(7);

/// A running match of ann on both seats, and what her session would hear.
pub struct Table {
    pub arena: Arena,
    pub journal: Arc<Faulty>,
    pub ann: AgentName,
    pub id: MatchId,
    inbox: Subscription,
}

impl Table {
    pub async fn set() -> Table {
        Table::on(Arc::new(LocalBus::new())).await
    }

    pub async fn on(bus: Arc<dyn Bus>) -> Table {
        Table::with_grace(bus, Duration::ZERO).await
    }

    pub async fn with_grace(bus: Arc<dyn Bus>, grace: Duration) -> Table {
        let journal = Arc::new(Faulty::default());
        let arena = arena(journal.clone(), bus, Arc::new(chickenfoot_strategy::by_name));
        let ann: AgentName = "ann".parse().unwrap();
        let inbox = arena.listen(&ann, 4096);
        let id = start(&arena, &ann, grace).await;
        Table { arena, journal, ann, id, inbox }
    }

    /// The next message to ann.
    pub async fn hear(&mut self) -> ToAgent {
        let delivery = self.inbox.next().await.expect("the subscription is held");
        ToAgent::decode(&delivery.message).expect("it was written by this version")
    }

    /// The next decision that ann is asked for; `None` if the match is over.
    pub async fn decision(&mut self) -> Option<DecisionNote> {
        loop {
            match self.hear().await {
                ToAgent::Decision(note) if note.match_id == self.id => return Some(*note),
                ToAgent::Ended(id) if id == self.id => return None,
                _ => {}
            }
        }
    }

    pub async fn log(&self) -> Vec<LogRow> {
        self.journal.memory.log(self.id, 0).await.unwrap()
    }

    pub async fn row(&self) -> MatchRow {
        self.arena.row(self.id).await.unwrap()
    }

    /// Lets the match go on by itself to its end: every decision times out.
    pub async fn run_out(&mut self) {
        while self.decision().await.is_some() {}
    }

    /// The record of the match, which is over; it must verify.
    pub async fn record(&self) -> Record {
        let record = self.arena.record(self.id).await.unwrap();
        assert_eq!(record.verify(), Ok(()));
        let summary = self.row().await.summary.unwrap();
        assert_eq!((summary.digest, &summary.totals), (record.digest, &record.totals));
        record
    }
}

/// An arena on this store and bus, with these players of the house.
pub fn arena(journal: Arc<Faulty>, bus: Arc<dyn Bus>, house: House) -> Arena {
    let clock = Arc::new(TokioClock::new());
    Arena::new(Parts { journal, bus, clock, house, incarnation: Incarnation(1) })
}

/// A match of one round with a fixed seed, in which the agent takes both seats.
async fn start(arena: &Arena, agent: &AgentName, grace: Duration) -> MatchId {
    let row = arena.create(new(agent, vec![SeatSpec::Open; 2], grace), |_| None).await.unwrap();
    for seat in [0, 1] {
        arena.join(row.id, agent, Some(seat), Default::default()).await.unwrap();
    }
    row.id
}

/// A match of one round with a fixed seed.
pub fn new(creator: &AgentName, seats: Vec<SeatSpec>, grace: Duration) -> NewMatch {
    let options = RuleOptions { rounds: Some(1), ..RuleOptions::new(Preset::Trains, 2) };
    NewMatch {
        creator: creator.clone(),
        rules: options.resolve().unwrap(),
        seats,
        clock: ClockRules { decision: DECISION_TIME, bank: Duration::ZERO, grace },
        faults: FaultRules { strikes: 1000, illegal: 3, strict: false },
        forced: ForcedMoves::Automatic,
        spectator_delay: 0,
        fixed: Some((Seed::new([7; 32]), "fixed".to_owned())),
        rated: false,
        block: None,
    }
}
