use chickenfoot_rules::{
    Choice, Decision, Entry, Event, Match, MatchSetup, Refused, Seat, SeededDeals, StartError, Status,
};
use chickenfoot_store::{AgentName, Cause, LogRow, MatchRow, Summary};

use crate::message::{Answer, ChoiceError};

/// A match as the fold of its stored log, with what the arena needs beside the game itself.
///
/// Owners, readers and late answers all build their state with it, from the same rows.
pub(crate) struct Fold {
    pub(crate) game: Match,
    /// How many rows of the log are in it.
    pub(crate) position: u32,
    answers: Vec<Answered>,
    timeouts: Vec<u32>,
}

/// A decision that was answered.
struct Answered {
    number: u32,
    seat: Seat,
    choice: Choice,
    /// The position of the choice among the options of its decision.
    option: u32,
}

impl Fold {
    /// The match before its first row. The first events are appended to `out`.
    pub(crate) fn start(row: &MatchRow, out: &mut Vec<Event>) -> Result<Fold, StartError> {
        let start = row.start();
        let deals = SeededDeals::new(row.rules, &row.deal_id, &row.seed, &start.seats);
        let setup = MatchSetup {
            rules: row.rules,
            deal_id: start.deal_id,
            commitment: start.commitment,
            seats: start.seats,
            deals: Box::new(deals),
            forced: row.forced,
        };
        let game = Match::start(setup, out)?;
        Ok(Fold { game, position: 0, answers: Vec::new(), timeouts: vec![0; row.seats.len()] })
    }

    /// Adds a row. What happens is appended to `out`; a refused row changes nothing.
    pub(crate) fn push(&mut self, row: &LogRow, out: &mut Vec<Event>) -> Result<(), Refused> {
        let asked = self.game.decision().cloned();
        self.game.commit(row.entry, out)?;
        self.position += 1;
        if let (Some(Decision { number, seat, mut moves }), Entry::Choice(choice)) = (asked, row.entry) {
            let option = moves.position(|action| action == choice.action).unwrap_or_default();
            self.answers.push(Answered { number, seat, choice, option: option as u32 });
            if row.cause == Cause::TimedOut {
                self.timeouts[seat.index()] += 1;
            }
        }
        Ok(())
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
                Ok(Verdict::Repeated(old.choice))
            } else {
                Err(ChoiceError::Answered { played: old.choice, open })
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
            timeouts: self.timeouts.clone(),
            forfeited: game.results().iter().map(|result| result.forfeited.is_some()).collect(),
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
    Repeated(Choice),
}

impl Answered {
    /// Whether an answer is the one that was taken. One that names no arm or toe leaves that open.
    fn is(&self, answer: Answer) -> bool {
        match answer {
            Answer::Option(option) => option == self.option,
            Answer::Move(Choice { action, line }) => {
                action == self.choice.action && (line.is_none() || line == self.choice.line)
            }
        }
    }
}
