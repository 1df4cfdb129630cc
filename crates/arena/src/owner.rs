use std::sync::Arc;
use std::time::Duration;

use chickenfoot_rules::{Choice, Entry, Event, Seat, Status};
use chickenfoot_store::{
    AbortReason, AgentName, Append, Appended, Cause, EntryId, LogRow, MatchRow, MatchState, Occupant,
    StoreError,
};
use chickenfoot_strategy::Strategy;

use crate::bus::{Delivery, Subject, Subscription};
use crate::fold::{Fold, Verdict};
use crate::house;
use crate::message::{ChoiceError, DecisionNote, OwnerReply, ToAgent, ToOwner, decode, encode};
use crate::shared::Shared;

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
    events: Vec<Event>,
    /// When the open decision was offered.
    offered_at: Duration,
}

/// Why a task gives a match up before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// Another incarnation writes.
    Fenced,
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
    pub(crate) async fn load(shared: Arc<Shared>, row: MatchRow, inbox: Subscription) -> Result<Owner, Stop> {
        let fold = load(&shared, &row).await?;
        let house = house::players(&shared, &row);
        let offered_at = shared.clock.now();
        Ok(Owner { shared, row, fold, house, inbox, events: Vec::new(), offered_at })
    }

    /// Plays the match to its end.
    pub(crate) async fn run(mut self) -> Result<(), Stop> {
        for agent in self.row.agents() {
            self.tell(&agent, &ToAgent::Started(self.row.id));
        }
        self.hint();
        let mut since_yield = 0;
        while let Some(decision) = self.fold.game.decision() {
            let (seat, first) = (decision.seat, decision.moves.clone().next());
            self.offered_at = self.shared.clock.now();
            if let Some(player) = self.house[seat.index()].as_mut() {
                let view = self.fold.game.view();
                let action = view.map(|view| player.choose(&view)).or(first);
                let choice = action.map(Choice::from).ok_or_else(no_option)?;
                self.choose(seat, choice, Cause::House).await?;
                // A match between players of the house never waits, so it has to make room for others.
                since_yield += 1;
                if since_yield % 32 == 0 {
                    tokio::task::yield_now().await;
                }
            } else {
                self.offer();
                self.wait(seat, first.map(Choice::from).ok_or_else(no_option)?).await?;
            }
        }
        for agent in self.row.agents() {
            self.tell(&agent, &ToAgent::Ended(self.row.id));
        }
        Ok(())
    }

    /// Waits for the answer to the open decision; when its time is up, `default` is played.
    async fn wait(&mut self, seat: Seat, default: Choice) -> Result<(), Stop> {
        let clock = Arc::clone(&self.shared.clock);
        let deadline = self.offered_at + self.row.decision_time;
        let number = self.fold.game.decision().map(|decision| decision.number);
        let mut time_out = clock.sleep_until(deadline);
        loop {
            tokio::select! {
                // What has arrived goes before the time-out, so that a slow server never costs a bot its move.
                biased;
                Some(delivery) = self.inbox.next() => self.receive(delivery).await?,
                () = &mut time_out => return self.choose(seat, default, Cause::TimedOut).await,
            }
            let open = self.fold.game.decision();
            if open.map(|decision| (decision.number, decision.seat)) != number.map(|number| (number, seat)) {
                return Ok(());
            }
        }
    }

    async fn receive(&mut self, delivery: Delivery) -> Result<(), Stop> {
        let reply = match decode(&delivery.message) {
            Some(ToOwner::Choose { agent, decision, answer }) => {
                match self.fold.answer(&self.row, &agent, decision, answer) {
                    Ok(Verdict::Repeated(choice)) => OwnerReply::Chosen(choice),
                    Ok(Verdict::New(entry)) => self.accept(entry).await?,
                    Err(why) => OwnerReply::Refused(why),
                }
            }
            Some(ToOwner::Leave { agent }) => {
                // Again and again: an entry that was overtaken is not in the log.
                while let Some(seat) = self.seat_to_forfeit(&agent) {
                    self.commit(Entry::Forfeit(seat), Cause::Agent).await?;
                }
                OwnerReply::Done
            }
            Some(ToOwner::Abort) => {
                while self.fold.game.status() == Status::Running {
                    self.commit(Entry::Abort, Cause::Creator).await?;
                }
                OwnerReply::Done
            }
            Some(ToOwner::Resend { agent }) => {
                self.resend(&agent);
                OwnerReply::Done
            }
            None => return Ok(()),
        };
        delivery.reply(encode(&reply));
        Ok(())
    }

    /// A seat of the agent's that plays on; none once the match is over.
    fn seat_to_forfeit(&self, agent: &AgentName) -> Option<Seat> {
        let game = &self.fold.game;
        let plays = |seat: &Seat| game.results()[seat.index()].forfeited.is_none();
        let seats = self.row.seats_of(agent).into_iter();
        seats.filter(|_| game.status() == Status::Running).find(plays)
    }

    async fn accept(&mut self, entry: Entry) -> Result<OwnerReply, Stop> {
        Ok(match (self.commit(entry, Cause::Agent).await?, entry) {
            (Committed::Stored, Entry::Choice(choice)) => OwnerReply::Chosen(choice),
            // Someone else's entry took the place: the asker asks again and is answered from the log.
            _ => OwnerReply::Refused(ChoiceError::Unavailable),
        })
    }

    /// Commits the choice of a seat unless the log says that the decision is answered already.
    async fn choose(&mut self, seat: Seat, choice: Choice, cause: Cause) -> Result<(), Stop> {
        let number = self.fold.game.decision().map_or(0, |decision| decision.number);
        let entry = self
            .fold
            .game
            .check(number, seat, choice)
            .map_err(|why| Stop::Corrupt(format!("the choice for seat {seat} is refused: {why}")))?;
        self.commit(entry, cause).await.map(|_| ())
    }

    /// Stores an entry and plays on. When it returns, the log and the memory agree.
    async fn commit(&mut self, entry: Entry, cause: Cause) -> Result<Committed, Stop> {
        let think = self.shared.clock.now().saturating_sub(self.offered_at);
        let row = LogRow { entry, cause, think };
        let position = self.fold.position;
        self.events.clear();
        self.fold.push(&row, &mut self.events).map_err(|why| Stop::Corrupt(why.to_string()))?;
        let state = match self.fold.game.status() {
            Status::Running => None,
            Status::Ended => Some(MatchState::Finished),
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
        // The same append may be tried again after `Unknown`: its id makes that safe.
        for attempt in 0_u32.. {
            match self.shared.journal.append(vec![append.clone()]).await.pop() {
                Some(Appended::Appended | Appended::Duplicate) => break,
                Some(Appended::Fenced) => return Err(Stop::Fenced),
                Some(Appended::Conflict) => {
                    self.fold = load(&self.shared, &self.row).await?;
                    return Ok(Committed::Overtaken);
                }
                Some(Appended::Unknown) | None => {
                    let pause = Duration::from_millis(50 << attempt.min(5));
                    self.shared.clock.sleep_until(self.shared.clock.now() + pause).await;
                }
            }
        }
        self.hint();
        Ok(Committed::Stored)
    }

    /// Sends the open decision to the agent that is asked.
    fn offer(&self) {
        let Some(decision) = self.fold.game.decision() else {
            return;
        };
        let Some(Occupant::Agent(agent)) = &self.row.seats[decision.seat.index()].occupant else {
            return;
        };
        let Some(view) = self.fold.game.view() else { return };
        let spent = self.shared.clock.now().saturating_sub(self.offered_at);
        let note = DecisionNote {
            match_id: self.row.id,
            number: decision.number,
            view: view.into_owned(),
            left: self.row.decision_time.saturating_sub(spent),
            granted: self.row.decision_time,
        };
        self.tell(agent, &ToAgent::Decision(Box::new(note)));
    }

    fn resend(&self, agent: &AgentName) {
        let seat = self.fold.game.decision().map(|decision| decision.seat);
        if seat.is_some_and(|seat| self.row.seats[seat.index()].is_held_by(agent)) {
            self.offer();
        }
    }

    fn tell(&self, agent: &AgentName, message: &ToAgent) {
        self.shared.bus.publish(&Subject::Agent(agent.clone()), encode(message));
    }

    /// Tells the readers of the log that it has grown.
    fn hint(&self) {
        self.shared.bus.publish(&Subject::Watch(self.row.id), encode(&self.fold.position));
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
