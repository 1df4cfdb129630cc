use std::time::Duration;

use chickenfoot_rules::{
    Choice, Decision, Entry, Event, Match, MatchSetup, Refused, Seat, StartError, Status,
};
use chickenfoot_store::{
    AgentName, Cause, ClockRules, FaultRules, LogRow, MatchRow, OutReason, SeatLedger, Summary,
};

use crate::message::{Answer, ChoiceError, Chosen};

/// A match as the fold of its stored log, with what the arena needs beside the game itself.
///
/// Owners, readers and late answers all build their state with it, from the same rows.
pub(crate) struct Fold {
    pub(crate) game: Match,
    /// How many rows of the log are in it.
    pub(crate) position: u32,
    answers: Vec<Answered>,
    ledger: Vec<SeatLedger>,
    clock: ClockRules,
    faults: FaultRules,
}

/// A decision that was answered.
struct Answered {
    number: u32,
    seat: Seat,
    chosen: Chosen,
    /// The position of the choice among the options of its decision.
    option: u32,
}

impl Fold {
    /// The match before its first row. The first events are appended to `out`.
    pub(crate) fn start(row: &MatchRow, out: &mut Vec<Event>) -> Result<Fold, StartError> {
        let game = Match::start(MatchSetup::seeded(row.start(), &row.seed, row.forced), out)?;
        Ok(Fold {
            game,
            position: 0,
            answers: Vec::new(),
            ledger: vec![SeatLedger::default(); row.seats.len()],
            clock: row.clock,
            faults: row.faults,
        })
    }

    /// Adds a row. What happens is appended to `out`; a refused row changes nothing.
    pub(crate) fn push(&mut self, row: &LogRow, out: &mut Vec<Event>) -> Result<(), Refused> {
        let asked = self.game.decision().cloned();
        self.game.commit(row.entry, out)?;
        self.position += 1;
        match row.entry {
            Entry::Choice(choice) => {
                if let Some(Decision { number, seat, mut moves }) = asked {
                    let option = moves.position(|action| action == choice.action).unwrap_or_default();
                    let chosen = Chosen { choice, think: row.think, granted: self.granted(seat) };
                    self.answers.push(Answered { number, seat, chosen, option: option as u32 });
                    self.book(seat, row);
                }
            }
            Entry::Forfeit(seat) => self.book(seat, row),
            Entry::Abort => {
                if let Some(Decision { seat, .. }) = asked {
                    self.book(seat, row);
                }
            }
        }
        Ok(())
    }

    /// Books what a row says of its seat.
    fn book(&mut self, seat: Seat, row: &LogRow) {
        let clock = self.clock;
        let ledger = &mut self.ledger[seat.index()];
        ledger.illegal += row.illegal;
        ledger.strikes += row.illegal / self.faults.illegal.max(1);
        if let Entry::Choice(_) = row.entry {
            ledger.think += row.think;
            let over = row.think.saturating_sub(clock.decision);
            ledger.bank_used = (ledger.bank_used + over).min(clock.bank);
        }
        match row.cause {
            Cause::Late => {
                ledger.late += 1;
                ledger.strikes += 1;
            }
            Cause::Gone => {
                ledger.gone += 1;
                ledger.strikes += 1;
            }
            Cause::Agent if matches!(row.entry, Entry::Forfeit(_)) => ledger.out = Some(OutReason::Left),
            Cause::Strikes => ledger.out = Some(OutReason::Strikes),
            Cause::Strict => ledger.out = Some(OutReason::Strict),
            Cause::Agent | Cause::House | Cause::Creator | Cause::Organiser | Cause::ServerFault => {}
        }
    }

    /// The time that a seat has for a decision now: the decision's own and what is left of its bank.
    pub(crate) fn granted(&self, seat: Seat) -> Duration {
        self.clock.decision + self.bank_left(seat)
    }

    /// What is left of a seat's bank.
    pub(crate) fn bank_left(&self, seat: Seat) -> Duration {
        self.clock.bank.saturating_sub(self.ledger[seat.index()].bank_used)
    }

    /// A seat whose faults take it out of the match, as the log says, and why.
    pub(crate) fn due_out(&self) -> Option<(Seat, Cause)> {
        let seats = Seat::all(self.ledger.len() as u8).zip(&self.ledger);
        seats.filter(|(_, ledger)| ledger.out.is_none()).find_map(|(seat, ledger)| {
            let faults = ledger.late + ledger.gone + ledger.illegal;
            if self.faults.strict && faults > 0 {
                Some((seat, Cause::Strict))
            } else {
                (ledger.strikes > self.faults.strikes).then_some((seat, Cause::Strikes))
            }
        })
    }

    /// Turns an agent's answer into the entry that it asks for, or says why not.
    pub(crate) fn answer(
        &self,
        row: &MatchRow,
        agent: &AgentName,
        number: u32,
        answer: Answer,
    ) -> Result<Verdict, ChoiceError> {
        if !row.seats.iter().any(|seat| seat.is_held_by(agent)) {
            return Err(ChoiceError::NotSeated);
        }
        let open = self.game.decision();
        // Only the agent's own: what others were asked would tell when they had no choice.
        let own = |old: &&Answered| row.seats[old.seat.index()].is_held_by(agent);
        let found = self.answers.binary_search_by_key(&number, |old| old.number).ok();
        if let Some(old) = found.and_then(|i| self.answers.get(i)).filter(own) {
            let open = open.map_or(0, |decision| decision.number);
            return if old.is(answer) {
                Ok(Verdict::Repeated(old.chosen))
            } else {
                Err(ChoiceError::Answered { played: old.chosen.choice, open })
            };
        }
        let decision = open.ok_or(ChoiceError::Over)?;
        if number != decision.number {
            return Err(ChoiceError::NotOpen { open: decision.number });
        }
        if !row.seats[decision.seat.index()].is_held_by(agent) {
            return Err(ChoiceError::NotYours { seat: decision.seat });
        }
        let choice = match answer {
            Answer::Move(choice) => choice,
            Answer::Option(option) => {
                let options = decision.moves.total() as u32;
                let nth = decision.moves.clone().nth(option as usize);
                nth.ok_or(ChoiceError::NoSuchOption { options })?.into()
            }
        };
        self.game.check(number, decision.seat, choice).map(Verdict::New).map_err(|why| match why {
            Refused::Illegal(why) => ChoiceError::Illegal(why),
            Refused::Line(_) => ChoiceError::NoSuchLine,
            Refused::NotOpen { open } => ChoiceError::NotOpen { open },
            Refused::NotOnTurn { on_turn } => ChoiceError::NotYours { seat: on_turn },
            Refused::Over | Refused::Forfeited | Refused::Deal(_) => ChoiceError::Over,
        })
    }

    /// How the match stands, in the form that is stored at its end.
    pub(crate) fn summary(&self) -> Summary {
        let game = &self.game;
        Summary {
            round: game.round(),
            totals: game.totals().to_vec(),
            places: if game.status() == Status::Ended { game.places() } else { Vec::new() },
            ledger: self.ledger.clone(),
            head_seq: game.seq(),
            digest: game.digest(),
        }
    }
}

/// What to do with a valid answer.
pub(crate) enum Verdict {
    /// Store this.
    New(Entry),
    /// It is stored already; say the same again.
    Repeated(Chosen),
}

impl Answered {
    /// Whether an answer is the one that was taken. One that names no arm or toe leaves that open.
    fn is(&self, answer: Answer) -> bool {
        match answer {
            Answer::Option(option) => option == self.option,
            Answer::Move(Choice { action, line }) => {
                let chosen = self.chosen.choice;
                action == chosen.action && (line.is_none() || line == chosen.line)
            }
        }
    }
}
