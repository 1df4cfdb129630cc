use std::pin::{Pin, pin};
use std::sync::Arc;
use std::time::Duration;

use chickenfoot_rules::{Choice, Entry, Event, Move, Seat, Status};
use chickenfoot_store::{
    AbortReason, AgentName, Append, Appended, Cause, EntryId, LogRow, MatchRow, MatchState, Occupant,
    StoreError,
};
use chickenfoot_strategy::Strategy;
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

use crate::bus::{Delivery, Subject, Subscription};
use crate::clock::DecisionClock;
use crate::fold::{Fold, Verdict};
use crate::house;
use crate::message::{
    Answer, ChoiceError, Chosen, DecisionNote, Handed, OwnerReply, ToAgent, ToOwner, decode, encode,
};
use crate::shared::Shared;
use crate::timer::Timer;

/// How long after a deadline the answer to a decision may still arrive if it was received before: it may have waited
/// in a queue of the service.
const TRANSIT: Duration = Duration::from_millis(100);

/// A timer that fires so much too late means that the service itself stood still; that time is charged to nobody.
const LAG: Duration = Duration::from_millis(500);

/// The task of one running match: it alone writes the match's log.
///
/// Its memory runs ahead of the log only inside [`Owner::commit`]; nothing is answered or published before the log
/// has it. So the task may end at any moment and another one go on from the log.
pub(crate) struct Owner {
    shared: Arc<Shared>,
    row: MatchRow,
    fold: Fold,
    house: Vec<Option<Box<dyn Strategy>>>,
    inbox: Subscription,
    /// Cancelled when the match is not to go on here.
    stopping: CancellationToken,
    events: Vec<Event>,
    /// The clock of the open decision.
    clock: DecisionClock,
    /// Fires when the time of the open decision is up.
    timer: Timer,
    /// The streams that have the open decision.
    streams: Vec<u64>,
    /// Illegal answers to the open decision.
    illegal: u32,
    /// What is left of each seat's grace. Not in the log: after a restart of the service it is whole again.
    grace: Vec<Duration>,
}

/// Why a task gives a match up before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Another incarnation writes.
    Fenced,
    /// No match is to go on here.
    Stopping,
    /// The store failed.
    Store(StoreError),
    /// The stored log does not fit the rules.
    Corrupt(String),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Stop {
        Stop::Store(error)
    }
}

impl Owner {
    /// Loads a running match. `inbox` was subscribed before, so that no message falls between.
    pub(crate) async fn load(
        shared: Arc<Shared>,
        row: MatchRow,
        inbox: Subscription,
        stopping: CancellationToken,
    ) -> Result<Owner, Stop> {
        let fold = load(&shared, &row).await?;
        let house = house::players(&shared, &row);
        let clock = DecisionClock::offered(shared.clock.now(), row.clock.decision, row.clock.grace);
        let timer = Timer::new(Arc::clone(&shared.clock));
        let grace = vec![row.clock.grace; row.seats.len()];
        Ok(Owner {
            shared,
            row,
            fold,
            house,
            inbox,
            stopping,
            events: Vec::new(),
            clock,
            timer,
            streams: Vec::new(),
            illegal: 0,
            grace,
        })
    }

    /// Plays the match to its end.
    pub(crate) async fn run(&mut self) -> Result<(), Stop> {
        for agent in self.row.agents() {
            self.tell(&agent, &ToAgent::Started(self.row.id));
        }
        self.shared.tell_log(self.row.id);
        self.shared.tell_state(self.row.id);
        let mut since_yield = 0;
        let stopping = self.stopping.clone();
        let mut stopping = pin!(stopping.cancelled());
        while let Some(decision) = self.fold.game.decision() {
            if self.stopping.is_cancelled() {
                return Err(Stop::Stopping);
            }
            let (seat, first) = (decision.seat, decision.moves.clone().next());
            if let Some((out, cause)) = self.fold.due_out() {
                self.commit(Entry::Forfeit(out), cause, Duration::ZERO).await?;
            } else if self.house[seat.index()].is_some() {
                let action = self.ask_house(seat).await.or(first);
                let choice = action.map(Choice::from).ok_or_else(no_option)?;
                self.choose(seat, choice, Cause::House, Duration::ZERO).await?;
                // A match between players of the house never waits, so it has to make room for others.
                since_yield += 1;
                if since_yield % 32 == 0 {
                    tokio::task::yield_now().await;
                }
            } else {
                let default = first.map(Choice::from).ok_or_else(no_option)?;
                self.wait(seat, default, stopping.as_mut()).await?;
            }
        }
        for agent in self.row.agents() {
            self.tell(&agent, &ToAgent::Ended(self.row.id));
        }
        self.shared.tell_state(self.row.id);
        Ok(())
    }

    /// Lets a player of the house choose. One that searches does so on a thread of its own, where nothing waits for it.
    async fn ask_house(&mut self, seat: Seat) -> Option<Move> {
        let view = self.fold.game.view()?;
        let player = self.house[seat.index()].as_mut()?;
        if player.effort().is_none() {
            return Some(player.choose(&view));
        }
        let view = view.into_owned();
        let mut player = self.house[seat.index()].take()?;
        let thinking = tokio::task::spawn_blocking(move || {
            let action = player.choose(&view);
            (player, action)
        });
        match thinking.await {
            Ok((player, action)) => {
                self.house[seat.index()] = Some(player);
                Some(action)
            }
            // As if it had panicked here; cancelled it is when the runtime ends, and with it this task.
            Err(why) => why.try_into_panic().map_or(None, |panic| std::panic::resume_unwind(panic)),
        }
    }

    /// Waits for the answer to the open decision; when its time is up, `default` is played.
    async fn wait(
        &mut self,
        seat: Seat,
        default: Choice,
        mut stopping: Pin<&mut WaitForCancellationFuture<'_>>,
    ) -> Result<(), Stop> {
        let asked = self.open();
        self.illegal = 0;
        self.start_clock(seat);
        while self.open() == asked && self.fold.due_out().is_none() {
            let deadline = self.clock.deadline();
            tokio::select! {
                // What has arrived goes before the time-out, so that a slow service never costs a bot its move.
                biased;
                Some(delivery) = self.inbox.next() => self.receive(delivery).await?,
                () = &mut stopping => return Err(Stop::Stopping),
                () = self.timer.until(deadline + TRANSIT) => {
                    if self.shared.clock.now() > deadline + TRANSIT + LAG {
                        self.start_clock(seat);
                    } else {
                        self.time_out(seat, default).await?;
                    }
                }
            }
        }
        self.grace[seat.index()] = self.clock.grace_left(self.shared.clock.now());
        Ok(())
    }

    /// The open decision.
    fn open(&self) -> Option<(u32, Seat)> {
        self.fold.game.decision().map(|decision| (decision.number, decision.seat))
    }

    /// Offers the open decision with a fresh clock.
    fn start_clock(&mut self, seat: Seat) {
        let now = self.shared.clock.now();
        self.fresh_clock(seat, now);
        self.offer(now);
    }

    fn fresh_clock(&mut self, seat: Seat, now: Duration) {
        let (granted, grace) = (self.fold.granted(seat), self.grace[seat.index()]);
        self.clock = DecisionClock::offered(now, granted, grace);
        self.streams.clear();
    }

    /// Plays the default for a decision whose time is up.
    async fn time_out(&mut self, seat: Seat, default: Choice) -> Result<(), Stop> {
        let cause = if self.clock.is_delivered() { Cause::Late } else { Cause::Gone };
        self.choose(seat, default, cause, self.fold.granted(seat)).await
    }

    async fn receive(&mut self, delivery: Delivery) -> Result<(), Stop> {
        let sent = self.shared.clock.now().saturating_sub(delivery.age());
        let reply = match decode(&delivery.message) {
            Some(ToOwner::Choose { agent, decision, answer, age, handed }) => {
                if let Some(handed) = handed {
                    self.delivered(&agent, decision, handed, sent);
                }
                self.answer(&agent, decision, answer, sent.saturating_sub(age)).await?
            }
            Some(ToOwner::Leave { agent }) => {
                // Again and again: an entry that was overtaken is not in the log.
                while let Some(seat) = self.seat_to_forfeit(&agent) {
                    self.commit(Entry::Forfeit(seat), Cause::Agent, Duration::ZERO).await?;
                }
                OwnerReply::Done
            }
            Some(ToOwner::Abort { by }) => {
                while self.fold.game.status() == Status::Running {
                    self.commit(Entry::Abort, by.cause(), Duration::ZERO).await?;
                }
                OwnerReply::Done
            }
            Some(ToOwner::Summary) => OwnerReply::Summary(Box::new(self.fold.summary())),
            Some(ToOwner::Resend { agent }) => {
                if self.is_asked(&agent) {
                    self.offer(self.shared.clock.now());
                }
                OwnerReply::Done
            }
            Some(ToOwner::Delivered { agent, decision, handed }) => {
                self.delivered(&agent, decision, handed, sent);
                return Ok(());
            }
            Some(ToOwner::Lost { agent, stream }) => {
                // Another one of the agent's may have it still: that of a newer session, or a watch.
                let had = self.streams.len();
                self.streams.retain(|it| *it != stream);
                if self.is_asked(&agent) && had > 0 && self.streams.is_empty() {
                    self.clock.lost(self.shared.clock.now());
                }
                return Ok(());
            }
            None => return Ok(()),
        };
        delivery.reply(encode(&reply));
        Ok(())
    }

    /// A stream of an agent has a decision, by a message of the moment `sent`.
    fn delivered(&mut self, agent: &AgentName, decision: u32, handed: Handed, sent: Duration) {
        if self.is_asked(agent) && self.open().is_some_and(|(open, _)| open == decision) {
            self.clock.delivered(sent.saturating_sub(handed.age));
            if !self.streams.contains(&handed.stream) {
                self.streams.push(handed.stream);
            }
        }
    }

    /// A seat of the agent's that plays on; none once the match is over.
    fn seat_to_forfeit(&self, agent: &AgentName) -> Option<Seat> {
        let game = &self.fold.game;
        let plays = |seat: &Seat| game.results()[seat.index()].forfeited.is_none();
        let seats = self.row.seats_of(agent).into_iter();
        seats.filter(|_| game.status() == Status::Running).find(plays)
    }

    /// An agent answers a decision; the service received that at the moment `received`.
    async fn answer(
        &mut self,
        agent: &AgentName,
        number: u32,
        answer: Answer,
        received: Duration,
    ) -> Result<OwnerReply, Stop> {
        let mut verdict = self.fold.answer(&self.row, agent, number, answer);
        if let (Ok(Verdict::New(_)), Some(decision)) = (&verdict, self.fold.game.decision())
            && received > self.clock.deadline()
        {
            let (seat, first) = (decision.seat, decision.moves.clone().next().ok_or_else(no_option)?);
            let now = self.shared.clock.now();
            if now > self.clock.deadline() + TRANSIT + LAG {
                // The timer had to fire long ago: the service stood still, and only the answer is read first.
                self.fresh_clock(seat, now);
            } else {
                self.time_out(seat, first.into()).await?;
                // Answered from the log now: refused with what was played, unless it is the same.
                verdict = self.fold.answer(&self.row, agent, number, answer);
            }
        }
        Ok(match verdict {
            Ok(Verdict::Repeated(chosen)) => OwnerReply::Chosen(chosen),
            Ok(Verdict::New(entry)) => {
                let think = self.clock.think(received);
                // Who answers has it: what storing takes is not the seat's grace.
                self.clock.delivered(received);
                self.accept(entry, think).await?
            }
            Err(why) => {
                if why.is_fault() {
                    self.illegal += 1;
                    self.note_illegal().await?;
                }
                OwnerReply::Refused(why)
            }
        })
    }

    /// In a strict match the first illegal answer takes the seat out.
    async fn note_illegal(&mut self) -> Result<(), Stop> {
        match self.open() {
            Some((_, seat)) if self.row.faults.strict => {
                self.commit(Entry::Forfeit(seat), Cause::Strict, Duration::ZERO).await.map(|_| ())
            }
            Some(_) | None => Ok(()),
        }
    }

    async fn accept(&mut self, entry: Entry, think: Duration) -> Result<OwnerReply, Stop> {
        let granted = self.open().map_or(Duration::ZERO, |(_, seat)| self.fold.granted(seat));
        Ok(match (self.commit(entry, Cause::Agent, think).await?, entry) {
            (Committed::Stored, Entry::Choice(choice)) => {
                OwnerReply::Chosen(Chosen { choice, think, granted })
            }
            // Someone else's entry took the place: the asker asks again and is answered from the log.
            _ => OwnerReply::Refused(ChoiceError::Unavailable),
        })
    }

    /// Commits the choice of a seat.
    async fn choose(
        &mut self,
        seat: Seat,
        choice: Choice,
        cause: Cause,
        think: Duration,
    ) -> Result<(), Stop> {
        let number = self.open().map_or(0, |(number, _)| number);
        let entry = self
            .fold
            .game
            .check(number, seat, choice)
            .map_err(|why| Stop::Corrupt(format!("the choice for seat {seat} is refused: {why}")))?;
        self.commit(entry, cause, think).await.map(|_| ())
    }

    /// Stores an entry and plays on. When it returns, the log and the memory agree.
    async fn commit(&mut self, entry: Entry, cause: Cause, think: Duration) -> Result<Committed, Stop> {
        // They are the asked seat's, so another one that leaves meanwhile takes none of them.
        let illegal = match (entry, self.open()) {
            (Entry::Forfeit(seat), Some((_, asked))) if seat != asked => 0,
            _ => std::mem::take(&mut self.illegal),
        };
        let row = LogRow { entry, cause, think, illegal };
        let position = self.fold.position;
        self.events.clear();
        self.fold.push(&row, &mut self.events).map_err(|why| Stop::Corrupt(why.to_string()))?;
        let state = match self.fold.game.status() {
            Status::Running => None,
            Status::Ended => Some(MatchState::Finished),
            Status::Aborted if cause == Cause::Organiser => Some(MatchState::Aborted(AbortReason::Organiser)),
            Status::Aborted => Some(MatchState::Aborted(AbortReason::Creator)),
        };
        let append = Append {
            match_id: self.row.id,
            position,
            id: EntryId(rand::random()),
            writer: self.shared.incarnation,
            row,
            end: state.map(|state| (state, self.fold.summary())),
        };
        match self.shared.append(&append, &self.stopping).await {
            Some(Appended::Appended | Appended::Duplicate) => {}
            Some(Appended::Fenced) => return Err(Stop::Fenced),
            Some(Appended::Conflict) => {
                // On the heap, for it is rare: here its room would be kept for as long as the match lasts.
                self.fold = Box::pin(load(&self.shared, &self.row)).await?;
                return Ok(Committed::Overtaken);
            }
            Some(Appended::Unknown) | None => return Err(Stop::Stopping),
        }
        self.shared.tell_log(self.row.id);
        Ok(Committed::Stored)
    }

    /// Sends the open decision to the agent that is asked.
    fn offer(&self, now: Duration) {
        let Some(decision) = self.fold.game.decision() else {
            return;
        };
        let Some(Occupant::Agent(agent)) = &self.row.seats[decision.seat.index()].occupant else {
            return;
        };
        let Some(view) = self.fold.game.view() else { return };
        let note = DecisionNote {
            match_id: self.row.id,
            number: decision.number,
            view: view.into_owned(),
            left: self.clock.left(now),
            granted: self.row.clock.decision,
            bank: self.fold.bank_left(decision.seat),
        };
        self.tell(agent, &ToAgent::Decision(Box::new(note)));
    }

    /// Whether the open decision is this agent's.
    fn is_asked(&self, agent: &AgentName) -> bool {
        self.open().is_some_and(|(_, seat)| self.row.seats[seat.index()].is_held_by(agent))
    }

    fn tell(&self, agent: &AgentName, message: &ToAgent) {
        self.shared.bus.publish(&Subject::Agent(agent.clone()), encode(message));
    }
}

enum Committed {
    Stored,
    /// The log had another entry in that place; the memory is the log's again.
    Overtaken,
}

fn no_option() -> Stop {
    Stop::Corrupt("a decision without an option".to_owned())
}

/// Builds the state of a match that has started from its log.
pub(crate) async fn load(shared: &Shared, row: &MatchRow) -> Result<Fold, Stop> {
    let mut events = Vec::new();
    let corrupt = |why: String| Stop::Corrupt(why);
    let mut fold = Fold::start(row, &mut events).map_err(|why| corrupt(why.to_string()))?;
    for log_row in shared.journal.log(row.id, 0).await? {
        events.clear();
        fold.push(&log_row, &mut events).map_err(|why| corrupt(why.to_string()))?;
    }
    Ok(fold)
}
