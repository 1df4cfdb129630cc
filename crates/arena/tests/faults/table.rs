use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chickenfoot_arena::{
    Answer, Arena, Bus, ChoiceError, Chosen, Clock, DecisionNote, LocalBus, NewMatch, NoAnswer, Parts,
    Subject, Subscription, ToAgent, TokioClock,
};
use chickenfoot_rules::{ForcedMoves, Preset, RuleOptions, Seat, Seed};
use chickenfoot_store::{
    AgentName, ClockRules, FaultRules, Incarnation, Journal, LogRow, MatchId, Memory, SeatLedger, SeatSpec,
    Summary,
};
use futures_util::future::select_all;

/// How long after a deadline the owner waits for what was received before.
pub const TRANSIT: Duration = Duration::from_millis(100);

pub const CLOCK: ClockRules = ClockRules { decision: s(10), bank: s(5), grace: s(4) };
pub const PATIENT: FaultRules = FaultRules { strikes: 1000, illegal: 2, strict: false };
pub const STRICT: FaultRules = FaultRules { strikes: 1000, illegal: 2, strict: true };

pub const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Time that can jump: to a timer that was set before, the whole service has stood still.
pub struct Jumping {
    pub inner: TokioClock,
    pub jumped: Mutex<Duration>,
}

#[async_trait]
impl Clock for Jumping {
    fn now(&self) -> Duration {
        self.inner.now() + *self.jumped.lock().unwrap()
    }

    fn unix_ms(&self) -> u64 {
        0
    }

    async fn sleep_until(&self, at: Duration) {
        let jumped = *self.jumped.lock().unwrap();
        self.inner.sleep_until(at.saturating_sub(jumped)).await;
    }
}

/// A bus that loses the next request if it is told to; the asker finds out when it gives up.
#[derive(Default)]
pub struct Forgetful {
    pub bus: LocalBus,
    pub loses: AtomicBool,
    /// Messages to the match that wait for no answer: of decisions that were delivered, and of streams that were lost.
    pub told: AtomicU32,
}

#[async_trait]
impl Bus for Forgetful {
    fn publish(&self, subject: &Subject, message: Bytes) {
        if matches!(subject, Subject::Owner(_)) {
            self.told.fetch_add(1, Ordering::Relaxed);
        }
        self.bus.publish(subject, message);
    }

    fn subscribe(&self, subject: Subject, capacity: usize) -> Subscription {
        self.bus.subscribe(subject, capacity)
    }

    async fn request(&self, subject: &Subject, message: Bytes) -> Result<Bytes, NoAnswer> {
        if self.loses.swap(false, Ordering::Relaxed) {
            return std::future::pending().await;
        }
        self.bus.request(subject, message).await
    }
}

/// A running match of one agent a seat, and what their sessions would hear.
pub struct Table {
    pub arena: Arena,
    pub journal: Arc<Memory>,
    pub bus: Arc<Forgetful>,
    pub clock: Arc<Jumping>,
    pub agents: Vec<AgentName>,
    pub inboxes: Vec<Subscription>,
    pub id: MatchId,
}

pub fn arena(journal: &Arc<Memory>, bus: &Arc<Forgetful>, clock: &Arc<Jumping>, incarnation: u64) -> Arena {
    Arena::new(Parts {
        journal: journal.clone(),
        bus: bus.clone(),
        clock: clock.clone(),
        house: Arc::new(chickenfoot_strategy::by_name),
        incarnation: Incarnation(incarnation),
    })
}

impl Table {
    pub async fn set(players: u8, clock: ClockRules, faults: FaultRules) -> Table {
        let journal = Arc::new(Memory::new());
        let bus = Arc::<Forgetful>::default();
        let time = Arc::new(Jumping { inner: TokioClock::new(), jumped: Mutex::default() });
        let arena = arena(&journal, &bus, &time, 1);
        let agents: Vec<AgentName> = (0..players).map(|i| format!("agent-{i}").parse().unwrap()).collect();
        let inboxes = agents.iter().map(|agent| arena.listen(agent, 4096)).collect();
        let options = RuleOptions { rounds: Some(1), ..RuleOptions::new(Preset::Trains, players) };
        let new = NewMatch {
            creator: agents[0].clone(),
            rules: options.resolve().unwrap(),
            seats: vec![SeatSpec::Open; agents.len()],
            clock,
            faults,
            forced: ForcedMoves::Automatic,
            spectator_delay: 0,
            fixed: Some((Seed::new([7; 32]), "fixed".to_owned())),
            rated: false,
            block: None,
        };
        let id = arena.create(new, |_| None).await.unwrap().id;
        for agent in &agents {
            arena.join(id, agent, None, Default::default()).await.unwrap();
        }
        Table { arena, journal, bus, clock: time, agents, inboxes, id }
    }

    /// Another run of the server over the same store.
    pub async fn restart(&mut self) {
        self.arena.stop().await;
        self.bus = Arc::default();
        self.arena = arena(&self.journal, &self.bus, &self.clock, 2);
        self.inboxes = self.agents.iter().map(|agent| self.arena.listen(agent, 4096)).collect();
        assert_eq!(self.arena.recover().await.unwrap(), 1);
    }

    /// The next decision that anybody is asked for; `None` if the match is over.
    pub async fn asked(&mut self) -> Option<DecisionNote> {
        loop {
            let next = self.inboxes.iter_mut().map(|inbox| Box::pin(inbox.next()));
            let delivery = select_all(next).await.0.unwrap();
            match ToAgent::decode(&delivery.message).unwrap() {
                ToAgent::Decision(note) => return Some(*note),
                ToAgent::Ended(_) => return None,
                _ => {}
            }
        }
    }

    /// The next decision of a seat. The others answer at once.
    pub async fn asked_of(&mut self, seat: Seat) -> DecisionNote {
        loop {
            let note = self.asked().await.expect("the seat is asked again");
            if note.view.seat == seat {
                return note;
            }
            self.choose(&note, 0).await.unwrap();
        }
    }

    /// Answers everything with the first option from here to the end; returns how often each seat was asked.
    pub async fn play_out(&mut self) -> Vec<u32> {
        let mut asked = vec![0; self.agents.len()];
        while let Some(note) = self.asked().await {
            asked[note.view.seat.index()] += 1;
            self.choose(&note, 0).await.unwrap();
        }
        asked
    }

    pub fn agent(&self, note: &DecisionNote) -> AgentName {
        self.agents[note.view.seat.index()].clone()
    }

    pub async fn choose(&self, note: &DecisionNote, option: u32) -> Result<Chosen, ChoiceError> {
        self.answer(note, Answer::Option(option)).await
    }

    pub async fn answer(&self, note: &DecisionNote, answer: Answer) -> Result<Chosen, ChoiceError> {
        self.arena.choose(self.id, &self.agent(note), note.number, answer).await
    }

    /// An answer that no decision takes.
    pub async fn blunder(&self, note: &DecisionNote) {
        let refused = self.choose(note, 999).await;
        assert_eq!(refused, Err(ChoiceError::NoSuchOption { options: note.view.moves().total() as u32 }));
    }

    pub async fn delivered(&self, note: &DecisionNote, stream: u64) {
        self.arena.delivered(self.id, &self.agent(note), note.number, stream);
        settle().await;
    }

    pub async fn lost(&self, note: &DecisionNote, stream: u64) {
        self.arena.lost(self.id, &self.agent(note), stream);
        settle().await;
    }

    /// The service stands still for a while, its timers with it.
    pub fn stand_still(&self, time: Duration) {
        *self.clock.jumped.lock().unwrap() += time;
    }

    pub async fn log(&self) -> Vec<LogRow> {
        self.journal.log(self.id, 0).await.unwrap()
    }

    /// How the match stands; once it is over, its record is verified too.
    pub async fn summary(&self) -> Summary {
        let row = self.arena.row(self.id).await.unwrap();
        if row.state.is_over() {
            assert_eq!(self.arena.record(self.id).await.unwrap().verify(), Ok(()));
        }
        self.arena.summary(&row).await.unwrap().unwrap()
    }

    pub async fn ledger(&self, seat: Seat) -> SeatLedger {
        self.summary().await.ledger[seat.index()]
    }
}

/// Lets the match's task take what was sent to it.
pub async fn settle() {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

pub async fn pass(time: Duration) {
    tokio::time::advance(time).await;
    settle().await;
}
