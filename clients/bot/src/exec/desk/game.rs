use std::time::Duration;

use chickenfoot_rules::Move;
use tokio::time::Instant;

use super::refusals::{quote, refusal, stale};
use super::{Todo, Wrong};
use crate::exec::fault::Fault;
use crate::exec::lines::{Answer as Line, Chosen, Decision, Start, move_text};

/// So often an illegal answer to one decision is told; more are only counted, so that nobody goes in circles.
const REFUSALS: u32 = 3;

/// An answer of a program, one of the options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The match.
    pub match_id: String,
    /// The decision's number.
    pub decision: u32,
    /// The position of the option, from 0.
    pub option: u32,
    /// The option.
    pub action: Move,
    /// Whether it was answered in the program's place.
    pub fallback: bool,
}

#[derive(Debug, Default)]
pub(super) struct Game {
    pub(super) start: Option<Start>,
    pub(super) asked: Option<Asked>,
    answered: Option<Answer>,
}

/// The open decision of a match. There is never more than one.
#[derive(Debug)]
pub(super) struct Asked {
    decision: Decision,
    moves: Vec<String>,
    /// When its time is up; `None` where no clock runs.
    deadline: Option<Instant>,
    /// How long before that the first option is answered, if it is.
    margin: Duration,
    /// When the running process was told.
    told: Option<Instant>,
    /// Its time was up, and that was said.
    overdue: bool,
    refusals: u32,
}

impl Game {
    pub(super) fn ask(&mut self, decision: Decision, now: Instant) -> Todo {
        let number = decision.number;
        let mut todo = Todo::default();
        match (&mut self.asked, &self.answered) {
            // The service does not have the answer yet.
            (_, Some(answer)) if answer.decision == number => {
                todo.answers.push(answer.clone());
                return todo;
            }
            (_, Some(answer)) if answer.decision > number => return todo,
            (Some(asked), _) if asked.decision.number > number => return todo,
            (Some(asked), _) if asked.decision.number == number => {
                // Delivered again after a lost connection, with the time that is left now.
                asked.grant(decision.turn.time_left, now);
                return todo;
            }
            (Some(asked), _) => todo.faults.extend(asked.overdue(false)),
            (None, _) => {}
        }
        let mut asked = Asked::new(decision, now);
        todo.say.push(asked.tell(now));
        self.asked = Some(asked);
        todo
    }

    pub(super) fn answer(&mut self, line: Line) -> Todo {
        if let Some(asked) = self.asked.as_mut().filter(|asked| asked.decision.number == line.decision) {
            let position = match &line.chosen {
                Chosen::Option(at) => usize::try_from(*at).ok().filter(|at| *at < asked.moves.len()),
                Chosen::Move(text) => asked.moves.iter().position(|option| option == text),
            };
            return match position {
                Some(at) => Todo { answers: self.settle(at, false).into_iter().collect(), ..Todo::default() },
                None => asked.refuse(&line),
            };
        }
        match (&self.answered, &self.asked) {
            (Some(answer), _) if answer.decision == line.decision && answer.is(&line.chosen) => {
                Todo::default()
            }
            (Some(answer), _) if answer.decision == line.decision => {
                let text = format!("the decision is answered: {}", move_text(answer.action));
                stale(&line, "DECISION_ANSWERED", &text)
            }
            (_, Some(asked)) => {
                let text = format!("decision {} is open", asked.decision.number);
                stale(&line, "DECISION_NOT_OPEN", &text)
            }
            (_, None) => stale(&line, "DECISION_NOT_OPEN", "no decision of the match is open"),
        }
    }

    /// Answers the open decision by the option at a position.
    pub(super) fn settle(&mut self, at: usize, fallback: bool) -> Option<Answer> {
        let asked = self.asked.take()?;
        let answer = Answer {
            match_id: asked.decision.match_id.clone(),
            decision: asked.decision.number,
            option: at.try_into().ok()?,
            action: *asked.decision.turn.options.get(at)?,
            fallback,
        };
        self.answered = Some(answer.clone());
        Some(answer)
    }
}

impl Answer {
    fn is(&self, chosen: &Chosen) -> bool {
        match chosen {
            Chosen::Option(at) => u64::from(self.option) == *at,
            Chosen::Move(text) => move_text(self.action) == *text,
        }
    }
}

impl Asked {
    fn new(decision: Decision, now: Instant) -> Asked {
        let moves = decision.turn.options.iter().copied().map(move_text).collect();
        let left = decision.turn.time_left;
        let (deadline, margin) = (None, Duration::ZERO);
        let mut asked = Asked { decision, moves, deadline, margin, told: None, overdue: false, refusals: 0 };
        asked.grant(left, now);
        asked
    }

    /// So much time is left from now on.
    fn grant(&mut self, left: Duration, now: Instant) {
        self.deadline = now.checked_add(left);
        self.margin = (left / 10).clamp(Duration::from_millis(50), Duration::from_secs(1)).min(left / 2);
        self.overdue = false;
    }

    pub(super) fn tell(&mut self, now: Instant) -> String {
        self.told = Some(now);
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(now));
        self.decision.line(left)
    }

    /// When it is too late for the program, unless that was said already.
    pub(super) fn over(&self, fallback: bool) -> Option<Instant> {
        let deadline = self.deadline.filter(|_| !self.overdue)?;
        if fallback { deadline.checked_sub(self.margin) } else { Some(deadline) }
    }

    /// When the running process counts as stuck.
    pub(super) fn silent_at(&self, heard: Option<Instant>, silence: Option<Duration>) -> Option<Instant> {
        let since = self.told?.max(heard?);
        since.checked_add(silence?).filter(|_| !self.overdue)
    }

    pub(super) fn next(
        &self,
        heard: Option<Instant>,
        silence: Option<Duration>,
        fallback: bool,
    ) -> Option<Instant> {
        self.over(fallback).into_iter().chain(self.silent_at(heard, silence)).min()
    }

    /// Whether a process runs that has written nothing since it was asked.
    pub(super) fn wrote_nothing(&self, heard: Option<Instant>) -> bool {
        matches!((self.told, heard), (Some(told), Some(heard)) if heard <= told)
    }

    /// Its time is up; says so once.
    pub(super) fn overdue(&mut self, is_silent: bool) -> Option<Wrong> {
        if std::mem::replace(&mut self.overdue, true) {
            return None;
        }
        Some(match is_silent {
            true => self.wrong(Fault::Silent, "the time is up, and nothing was written"),
            false => self.wrong(Fault::Late, "the time is up"),
        })
    }

    fn refuse(&mut self, line: &Line) -> Todo {
        self.refusals += 1;
        let options = self.moves.len();
        let (reason, message) = match &line.chosen {
            Chosen::Option(at) => {
                ("OPTION_OUT_OF_RANGE", format!("option must be from 0 to {}, not {at}", options - 1))
            }
            Chosen::Move(text) => ("MOVE_ILLEGAL", format!("{:?} is none of the options", quote(text))),
        };
        let wrong = self.wrong(Fault::Illegal, &message);
        let say = (self.refusals <= REFUSALS).then(|| refusal(line, reason, &message));
        Todo { say: say.into_iter().collect(), faults: vec![wrong], ..Todo::default() }
    }

    pub(super) fn wrong(&self, fault: Fault, text: &str) -> Wrong {
        let about = Some((self.decision.match_id.clone(), self.decision.number));
        Wrong { fault, about, text: text.to_owned() }
    }
}
