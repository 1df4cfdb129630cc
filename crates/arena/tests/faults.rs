//! What a seat's time is, what counts as a fault, and what faults cost.

#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use chickenfoot_arena::{
    Aborter, Answer, Arena, Bus, ChoiceError, Chosen, Clock, DecisionNote, LocalBus, NewMatch, NoAnswer,
    Parts, Subject, Subscription, ToAgent, TokioClock,
};
use chickenfoot_rules::{Entry, ForcedMoves, Move, Preset, RuleOptions, Seat, Seed};
use chickenfoot_store::{
    AgentName, Cause, ClockRules, FaultRules, Incarnation, Journal, LogRow, MatchId, MatchState, Memory,
    OutReason, SeatLedger, SeatSpec, Summary,
};
use futures_util::FutureExt;
use futures_util::future::select_all;

/// How long after a deadline the owner waits for what was received before.
const TRANSIT: Duration = Duration::from_millis(100);

const CLOCK: ClockRules = ClockRules { decision: s(10), bank: s(5), grace: s(4) };
const PATIENT: FaultRules = FaultRules { strikes: 1000, illegal: 2, strict: false };
const STRICT: FaultRules = FaultRules { strikes: 1000, illegal: 2, strict: true };

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Time that can jump: to a timer that was set before, the whole service has stood still.
struct Jumping {
    inner: TokioClock,
    jumped: Mutex<Duration>,
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
struct Forgetful {
    bus: LocalBus,
    loses: AtomicBool,
}

#[async_trait]
impl Bus for Forgetful {
    fn publish(&self, subject: &Subject, message: Bytes) {
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
struct Table {
    arena: Arena,
    journal: Arc<Memory>,
    bus: Arc<Forgetful>,
    clock: Arc<Jumping>,
    agents: Vec<AgentName>,
    inboxes: Vec<Subscription>,
    id: MatchId,
}

fn arena(journal: &Arc<Memory>, bus: &Arc<Forgetful>, clock: &Arc<Jumping>, incarnation: u64) -> Arena {
    Arena::new(Parts {
        journal: journal.clone(),
        bus: bus.clone(),
        clock: clock.clone(),
        house: Arc::new(chickenfoot_strategy::by_name),
        incarnation: Incarnation(incarnation),
    })
}

impl Table {
    async fn set(players: u8, clock: ClockRules, faults: FaultRules) -> Table {
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
        };
        let id = arena.create(new, |_| None).await.unwrap().id;
        for agent in &agents {
            arena.join(id, agent, None, Default::default()).await.unwrap();
        }
        Table { arena, journal, bus, clock: time, agents, inboxes, id }
    }

    /// Another run of the server over the same store.
    async fn restart(&mut self) {
        self.arena.stop().await;
        self.bus = Arc::default();
        self.arena = arena(&self.journal, &self.bus, &self.clock, 2);
        self.inboxes = self.agents.iter().map(|agent| self.arena.listen(agent, 4096)).collect();
        assert_eq!(self.arena.recover().await.unwrap(), 1);
    }

    /// The next decision that anybody is asked for; `None` if the match is over.
    async fn asked(&mut self) -> Option<DecisionNote> {
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
    async fn asked_of(&mut self, seat: Seat) -> DecisionNote {
        loop {
            let note = self.asked().await.expect("the seat is asked again");
            if note.view.seat == seat {
                return note;
            }
            self.choose(&note, 0).await.unwrap();
        }
    }

    /// Answers everything with the first option from here to the end; returns how often each seat was asked.
    async fn play_out(&mut self) -> Vec<u32> {
        let mut asked = vec![0; self.agents.len()];
        while let Some(note) = self.asked().await {
            asked[note.view.seat.index()] += 1;
            self.choose(&note, 0).await.unwrap();
        }
        asked
    }

    fn agent(&self, note: &DecisionNote) -> AgentName {
        self.agents[note.view.seat.index()].clone()
    }

    async fn choose(&self, note: &DecisionNote, option: u32) -> Result<Chosen, ChoiceError> {
        self.answer(note, Answer::Option(option)).await
    }

    async fn answer(&self, note: &DecisionNote, answer: Answer) -> Result<Chosen, ChoiceError> {
        self.arena.choose(self.id, &self.agent(note), note.number, answer).await
    }

    /// An answer that no decision takes.
    async fn blunder(&self, note: &DecisionNote) {
        let refused = self.choose(note, 999).await;
        assert_eq!(refused, Err(ChoiceError::NoSuchOption { options: note.view.moves().total() as u32 }));
    }

    async fn delivered(&self, note: &DecisionNote, stream: u64) {
        self.arena.delivered(self.id, &self.agent(note), note.number, stream);
        settle().await;
    }

    async fn lost(&self, note: &DecisionNote, stream: u64) {
        self.arena.lost(self.id, &self.agent(note), stream);
        settle().await;
    }

    /// The service stands still for a while, its timers with it.
    fn stand_still(&self, time: Duration) {
        *self.clock.jumped.lock().unwrap() += time;
    }

    async fn log(&self) -> Vec<LogRow> {
        self.journal.log(self.id, 0).await.unwrap()
    }

    /// How the match stands; once it is over, its record is verified too.
    async fn summary(&self) -> Summary {
        let row = self.arena.row(self.id).await.unwrap();
        if row.state.is_over() {
            assert_eq!(self.arena.record(self.id).await.unwrap().verify(), Ok(()));
        }
        self.arena.summary(&row).await.unwrap().unwrap()
    }

    async fn ledger(&self, seat: Seat) -> SeatLedger {
        self.summary().await.ledger[seat.index()]
    }
}

/// Lets the match's task take what was sent to it.
async fn settle() {
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
}

async fn pass(time: Duration) {
    tokio::time::advance(time).await;
    settle().await;
}

#[tokio::test(start_paused = true)]
async fn a_decision_that_a_stream_has_and_does_not_answer_is_late() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    pass(s(2)).await;
    table.delivered(&note, 1).await;
    let from = table.clock.now();
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(10) + TRANSIT, "the grace is not for it");
    let log = table.log().await;
    assert_eq!((log.len(), log[0].cause, log[0].think), (1, Cause::Late, s(10)));
    let Entry::Choice(played) = log[0].entry else { panic!("{:?}", log[0]) };
    assert_eq!(Some(played.action), note.view.moves().next());
    let ledger = table.ledger(note.view.seat).await;
    assert_eq!(ledger, SeatLedger { late: 1, strikes: 1, think: s(10), ..SeatLedger::default() });
}

#[tokio::test(start_paused = true)]
async fn a_decision_that_no_stream_has_is_gone_after_grace_and_time_and_the_grace_is_used_up() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    let from = table.clock.now();
    pass(s(3)).await;
    table.arena.resend(table.id, &table.agent(&note)).await;
    assert_eq!(table.asked().await.unwrap().left, s(10), "the clock stands");
    pass(s(3)).await;
    table.arena.resend(table.id, &table.agent(&note)).await;
    assert_eq!(table.asked().await.unwrap().left, s(8), "the grace was four seconds");
    let next = table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(14) + TRANSIT);
    let log = table.log().await;
    assert_eq!((log[0].cause, log[0].think), (Cause::Gone, s(10)));
    if next.view.seat != note.view.seat {
        table.choose(&next, 0).await.unwrap();
        table.asked_of(note.view.seat).await;
    }
    let from = table.clock.now();
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(10) + TRANSIT);
    let ledger = table.ledger(note.view.seat).await;
    assert_eq!(ledger, SeatLedger { gone: 2, strikes: 2, think: s(20), ..SeatLedger::default() });
}

#[tokio::test(start_paused = true)]
async fn time_beyond_the_decisions_own_is_taken_from_the_bank_until_it_is_empty() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    let seat = note.view.seat;
    assert_eq!((note.left, note.granted, note.bank), (s(15), s(10), s(5)));
    table.delivered(&note, 1).await;
    pass(s(12)).await;
    table.choose(&note, 0).await.unwrap();

    let note = table.asked_of(seat).await;
    assert_eq!((note.left, note.granted, note.bank), (s(13), s(10), s(3)));
    table.delivered(&note, 1).await;
    pass(s(9)).await;
    table.choose(&note, 0).await.unwrap();
    let note = table.asked_of(seat).await;
    assert_eq!(note.bank, s(3), "who keeps to the time keeps the bank");

    table.delivered(&note, 1).await;
    let from = table.clock.now();
    let next = table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(13) + TRANSIT);
    let note = if next.view.seat == seat {
        next
    } else {
        table.choose(&next, 0).await.unwrap();
        table.asked_of(seat).await
    };
    assert_eq!((note.left, note.granted, note.bank), (s(10), s(10), s(0)));
    table.delivered(&note, 1).await;
    let from = table.clock.now();
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(10) + TRANSIT);
    let ledger = table.ledger(seat).await;
    assert_eq!((ledger.late, ledger.bank_used, ledger.think), (2, s(5), s(12 + 9 + 13 + 10)));
}

#[tokio::test(start_paused = true)]
async fn a_lost_stream_stops_the_clock_for_what_is_left_of_the_grace_of_the_match() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(3)).await;
    table.lost(&note, 1).await;
    pass(s(2)).await;
    table.delivered(&note, 2).await;
    pass(s(1)).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(4));

    let note = table.asked_of(note.view.seat).await;
    pass(s(3)).await;
    table.delivered(&note, 3).await;
    pass(s(1)).await;
    let made = table.choose(&note, 0).await.unwrap();
    assert_eq!(made.think, s(2), "two seconds of grace were left");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_has_not_got_the_decision_stops_no_clock_when_it_is_lost() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    table.delivered(&note, 2).await;
    table.lost(&note, 1).await;
    pass(s(3)).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(3));
}

#[tokio::test(start_paused = true)]
async fn a_decision_whose_stream_is_lost_for_good_is_gone() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    let from = table.clock.now();
    table.delivered(&note, 1).await;
    pass(s(6)).await;
    table.lost(&note, 1).await;
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(14) + TRANSIT);
    assert_eq!(table.log().await[0].cause, Cause::Gone);
}

#[tokio::test(start_paused = true)]
async fn an_illegal_answer_is_refused_and_counted_and_the_clock_runs_on() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    let seat = note.view.seat;
    table.delivered(&note, 1).await;
    pass(s(2)).await;
    for _ in 0..4 {
        table.blunder(&note).await;
    }
    let refused = table.answer(&note, Answer::Move(Move::Pass.into())).await;
    assert!(matches!(refused, Err(ChoiceError::Illegal(_))), "{refused:?}");
    pass(s(1)).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(3));
    assert_eq!(table.log().await[0].illegal, 5);
    let ledger = table.ledger(seat).await;
    assert_eq!((ledger.illegal, ledger.strikes), (5, 2), "two to one decision make a strike");

    // One each to two decisions make none.
    for _ in 0..2 {
        let note = table.asked_of(seat).await;
        table.blunder(&note).await;
        table.choose(&note, 0).await.unwrap();
    }
    let ledger = table.ledger(seat).await;
    assert_eq!((ledger.illegal, ledger.strikes), (7, 2));
}

#[tokio::test(start_paused = true)]
async fn an_answer_at_the_wrong_time_or_place_is_no_fault() {
    let mut table = Table::set(2, CLOCK, STRICT).await;
    let note = table.asked().await.unwrap();
    let (mine, other) = (table.agent(&note), table.agents[1 - note.view.seat.index()].clone());
    let stranger: AgentName = "stranger".parse().unwrap();
    for (agent, number) in [(&mine, note.number + 1), (&other, note.number), (&stranger, note.number)] {
        let refused = table.arena.choose(table.id, agent, number, Answer::Option(999)).await;
        assert!(
            matches!(
                refused,
                Err(ChoiceError::NotOpen { .. } | ChoiceError::NotYours { .. } | ChoiceError::NotSeated)
            ),
            "{refused:?}"
        );
    }
    table.choose(&note, 0).await.unwrap();
    let refused = table.choose(&note, 999).await;
    assert!(matches!(refused, Err(ChoiceError::Answered { .. })), "{refused:?}");
    table.play_out().await;
    for ledger in table.summary().await.ledger {
        assert_eq!((ledger.illegal, ledger.strikes, ledger.out), (0, 0, None));
    }
}

#[tokio::test(start_paused = true)]
async fn a_seat_with_too_many_strikes_is_out_and_last_and_the_others_play_on() {
    let faults = FaultRules { strikes: 1, ..PATIENT };
    let mut table = Table::set(3, CLOCK, faults).await;
    let note = table.asked().await.unwrap();
    let seat = note.view.seat;
    table.delivered(&note, 1).await;
    let next = table.asked().await.unwrap();
    assert_eq!(table.ledger(seat).await.out, None, "one strike is allowed");
    let note = if next.view.seat == seat {
        next
    } else {
        table.choose(&next, 0).await.unwrap();
        table.asked_of(seat).await
    };
    // The second strike is made of illegal answers.
    table.blunder(&note).await;
    table.blunder(&note).await;
    table.choose(&note, 0).await.unwrap();
    let asked = table.play_out().await;
    assert_eq!(asked[seat.index()], 0);
    assert_eq!(asked.iter().filter(|asked| **asked > 0).count(), 2);
    let log = table.log().await;
    let outs: Vec<&LogRow> = log.iter().filter(|row| row.entry == Entry::Forfeit(seat)).collect();
    assert!(matches!(outs[..], [LogRow { cause: Cause::Strikes, .. }]));
    let summary = table.summary().await;
    assert_eq!(summary.places[seat.index()], 3);
    for other in Seat::all(3).filter(|other| *other != seat) {
        assert_eq!(summary.ledger[other.index()].out, None);
    }
    let ledger = summary.ledger[seat.index()];
    assert_eq!(
        (ledger.out, ledger.strikes, ledger.late, ledger.illegal),
        (Some(OutReason::Strikes), 2, 1, 2)
    );
}

#[tokio::test(start_paused = true)]
async fn in_a_strict_match_the_first_fault_of_any_kind_takes_the_seat_out() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Kind {
        Late,
        Gone,
        Illegal,
    }
    for kind in [Kind::Late, Kind::Gone, Kind::Illegal] {
        let mut table = Table::set(3, CLOCK, STRICT).await;
        let note = table.asked().await.unwrap();
        let seat = note.view.seat;
        match kind {
            Kind::Late => table.delivered(&note, 1).await,
            Kind::Gone => {}
            Kind::Illegal => table.blunder(&note).await,
        }
        let asked = table.play_out().await;
        assert_eq!(asked[seat.index()], 0, "{kind:?}");
        let log = table.log().await;
        let at = log.iter().position(|row| row.entry == Entry::Forfeit(seat)).unwrap();
        assert_eq!((at, log[at].cause), (usize::from(kind != Kind::Illegal), Cause::Strict), "{kind:?}");
        let summary = table.summary().await;
        assert_eq!(summary.places[seat.index()], 3);
        let ledger = summary.ledger[seat.index()];
        let count = |of| u32::from(kind == of);
        assert_eq!(
            (ledger.late, ledger.gone, ledger.illegal, ledger.out),
            (count(Kind::Late), count(Kind::Gone), count(Kind::Illegal), Some(OutReason::Strict))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn who_leaves_is_out_and_the_clock_of_another_seat_runs_on() {
    let mut table = Table::set(3, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    let leaver = note.view.seat.next(3);
    table.delivered(&note, 1).await;
    pass(s(4)).await;
    table.blunder(&note).await;
    table.arena.leave(table.id, &table.agents[leaver.index()]).await.unwrap();
    pass(s(2)).await;
    table.blunder(&note).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(6));
    let asked = table.play_out().await;
    assert_eq!(asked[leaver.index()], 0);
    let summary = table.summary().await;
    assert_eq!(summary.places[leaver.index()], 3);
    let left = SeatLedger { out: Some(OutReason::Left), ..SeatLedger::default() };
    assert_eq!(summary.ledger[leaver.index()], left, "nobody else's mistakes are its own");
    let ledger = summary.ledger[note.view.seat.index()];
    assert_eq!((ledger.illegal, ledger.strikes, ledger.out), (2, 1, None));
}

#[tokio::test(start_paused = true)]
async fn who_leaves_on_turn_or_ends_the_match_keeps_the_mistakes_made_before() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.blunder(&note).await;
    table.arena.leave(table.id, &table.agent(&note)).await.unwrap();
    let ledger = table.ledger(note.view.seat).await;
    assert_eq!((ledger.illegal, ledger.out), (1, Some(OutReason::Left)));

    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.blunder(&note).await;
    table.arena.abort(table.id, Aborter::Creator).await.unwrap();
    assert_eq!(table.ledger(note.view.seat).await.illegal, 1);
}

#[tokio::test(start_paused = true)]
async fn the_ledger_of_a_match_is_the_sum_of_what_happened_in_it() {
    let mut table = Table::set(3, CLOCK, PATIENT).await;
    let mut sum = [SeatLedger::default(); 3];
    let (mut stood, mut count) = ([s(0); 3], 0);
    while let Some(note) = table.asked().await {
        let i = note.view.seat.index();
        let bank = CLOCK.bank - sum[i].bank_used;
        assert_eq!((note.bank, note.left), (bank, CLOCK.decision + bank), "decision {count}");
        let mut think = s(0);
        match count % 7 {
            1 => {
                table.delivered(&note, 1).await;
                pass(s(11).min(CLOCK.decision + bank)).await;
                think = s(11).min(CLOCK.decision + bank);
            }
            2 | 5 => {
                let illegal = count % 7;
                for _ in 0..illegal {
                    table.blunder(&note).await;
                }
                sum[i].illegal += illegal;
                sum[i].strikes += illegal / PATIENT.illegal;
            }
            3 => {
                // Not delivered at once: grace first, then time.
                pass(s(1)).await;
                table.delivered(&note, 1).await;
                think = s(1).saturating_sub(CLOCK.grace - stood[i]);
                stood[i] = (stood[i] + s(1)).min(CLOCK.grace);
            }
            _ => {}
        }
        match count % 7 {
            4 | 6 => {
                think = CLOCK.decision + bank;
                sum[i].strikes += 1;
                if count % 7 == 4 {
                    table.delivered(&note, 1).await;
                    sum[i].late += 1;
                } else {
                    stood[i] = CLOCK.grace;
                    sum[i].gone += 1;
                }
            }
            _ => {
                let made = table.choose(&note, 0).await.unwrap();
                assert_eq!((made.think, made.granted), (think, CLOCK.decision + bank), "decision {count}");
            }
        }
        sum[i].think += think;
        sum[i].bank_used += think.saturating_sub(CLOCK.decision);
        count += 1;
    }
    assert!(count > 14, "every kind happened, and more than once");
    assert_eq!(table.summary().await.ledger, sum);
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_told_its_time_and_what_was_granted_and_so_is_its_repetition() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(12)).await;
    let made = table.choose(&note, 0).await.unwrap();
    assert_eq!((made.think, made.granted), (s(12), s(15)));
    pass(s(1)).await;
    assert_eq!(table.choose(&note, 0).await, Ok(made));
    table.play_out().await;
    assert_eq!(table.choose(&note, 0).await, Ok(made), "and after the match, from the log");
}

#[tokio::test(start_paused = true)]
async fn after_a_restart_the_clock_is_fresh_and_the_grace_whole_and_the_bank_as_it_was() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    let seat = note.view.seat;
    pass(s(3)).await;
    table.delivered(&note, 1).await;
    pass(s(12)).await;
    table.choose(&note, 0).await.unwrap();
    let note = table.asked_of(seat).await;
    table.delivered(&note, 1).await;
    pass(s(8)).await;

    table.restart().await;
    let again = table.asked().await.unwrap();
    let from = table.clock.now();
    assert_eq!((again.number, again.left, again.bank), (note.number, s(13), s(3)));
    let before = table.log().await.len();
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(4 + 13) + TRANSIT);
    assert_eq!(table.log().await[before].cause, Cause::Gone);
    table.play_out().await;
    assert_eq!(table.arena.row(table.id).await.unwrap().state, MatchState::Finished);
    table.summary().await;
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_received_in_time_counts_although_it_is_read_later() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(10)).await;
    let (arena, agent) = (table.arena.clone(), table.agent(&note));
    let answer = arena.choose(table.id, &agent, note.number, Answer::Option(1));
    tokio::pin!(answer);
    assert!(answer.as_mut().now_or_never().is_none(), "it waits in the queue");
    tokio::time::advance(TRANSIT * 3).await;
    let made = answer.await.unwrap();
    assert_eq!(Some(made.choice.action), note.view.moves().nth(1));
    assert_eq!(table.log().await[0].cause, Cause::Agent);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_lost_on_the_way_and_sent_again_counts_from_when_it_was_received() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    // It is sent again after two seconds: then the deadline is over, but not yet the owner's patience.
    let received = s(8) + TRANSIT / 2;
    pass(received).await;
    table.bus.loses.store(true, Ordering::Relaxed);
    let made = table.choose(&note, 1).await.unwrap();
    assert_eq!((made.think, table.clock.now()), (received, s(10) + TRANSIT / 2));
    assert_eq!(table.log().await[0].cause, Cause::Agent);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_received_after_the_deadline_is_late_although_the_timer_has_not_fired() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(10) + TRANSIT / 2).await;
    assert!(table.log().await.is_empty());
    let refused = table.choose(&note, 1).await;
    assert!(
        matches!(refused, Err(ChoiceError::Answered { played, .. }) if Some(played.action) == note.view.moves().next())
    );
    let log = table.log().await;
    assert_eq!((log[0].cause, log[0].think), (Cause::Late, s(10)));
}

#[tokio::test(start_paused = true)]
async fn time_in_which_the_service_stood_still_is_charged_to_nobody() {
    let mut table = Table::set(2, CLOCK, STRICT).await;
    let note = table.asked().await.unwrap();
    pass(s(2)).await;
    table.delivered(&note, 1).await;
    pass(s(3)).await;
    table.stand_still(s(60));
    let again = table.asked().await.unwrap();
    assert_eq!((again.number, again.left, again.bank), (note.number, s(15), s(5)), "it is offered afresh");
    assert!(table.log().await.is_empty());
    table.delivered(&again, 1).await;
    pass(s(1)).await;
    assert_eq!(table.choose(&again, 0).await.unwrap().think, s(1));
    assert_eq!(table.ledger(note.view.seat).await, SeatLedger { think: s(1), ..SeatLedger::default() });
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_read_before_the_timer_of_a_service_that_stood_still_counts() {
    let mut table = Table::set(2, CLOCK, STRICT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(3)).await;
    table.stand_still(s(60));
    let made = table.choose(&note, 1).await.unwrap();
    assert_eq!(Some(made.choice.action), note.view.moves().nth(1));
    let ledger = table.ledger(note.view.seat).await;
    assert_eq!((ledger.late, ledger.bank_used, ledger.out), (0, s(0), None));
}
