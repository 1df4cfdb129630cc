use std::collections::BTreeMap;
use std::time::Duration;

use chickenfoot_rules::Move;
use tokio::time::Instant;

use super::fault::Fault;
use super::lines::{self, Answer as Line, Chosen, Decision, Message, Refused, Start, move_text};

/// So often an illegal answer to one decision is told; more are only counted, so that nobody goes in circles.
const REFUSALS: u32 = 3;

/// So much of an unreadable line is told, in characters.
const QUOTED: usize = 200;

/// What lies before a program: its matches, what it was asked, and what it answered. It reads no clock and talks to
/// nobody: it is told what happened and when, and says what is to be done.
#[derive(Debug)]
pub(super) struct Desk {
    games: BTreeMap<String, Game>,
    silence: Option<Duration>,
    fallback: bool,
}

/// What is to be done.
#[derive(Debug, Default)]
pub(super) struct Todo {
    /// Lines for the process.
    pub(super) say: Vec<String>,
    /// Answers for the service.
    pub(super) answers: Vec<Answer>,
    /// What went wrong.
    pub(super) faults: Vec<Wrong>,
}

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

/// A fault, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) fault: Fault,
    pub(super) about: Option<(String, u32)>,
    pub(super) text: String,
}

#[derive(Debug, Default)]
struct Game {
    start: Option<Start>,
    asked: Option<Asked>,
    answered: Option<Answer>,
}

/// The open decision of a match. There is never more than one.
#[derive(Debug)]
struct Asked {
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

impl Desk {
    pub(super) fn new(silence: Option<Duration>, fallback: bool) -> Desk {
        Desk { games: BTreeMap::new(), silence, fallback }
    }

    /// How many matches there are.
    pub(super) fn games(&self) -> usize {
        self.games.len()
    }

    /// Something came for the program.
    pub(super) fn take(&mut self, message: Message, now: Instant) -> Todo {
        let id = message.match_id().to_owned();
        let line = match message {
            Message::Start(start) => {
                let game = self.games.entry(id).or_default();
                // After a new session it comes again.
                if game.start.as_ref() == Some(&start) {
                    return Todo::default();
                }
                game.start = Some(start.clone());
                Message::Start(start).line()
            }
            Message::Decision(decision) => return self.games.entry(id).or_default().ask(*decision, now),
            Message::Refused(refused) => return overruled(refused),
            Message::Event(event) => Message::Event(event).line(),
            Message::End(end) => {
                self.games.remove(&id);
                Message::End(end).line()
            }
        };
        Todo { say: vec![line], ..Todo::default() }
    }

    /// A line came from the program.
    pub(super) fn hear(&mut self, line: &[u8]) -> Todo {
        match Line::read(line) {
            Ok(answer) => match self.games.get_mut(&answer.match_id) {
                Some(game) => game.answer(answer),
                None => stale(&answer, "DECISION_NOT_OPEN", "no match of this id goes on"),
            },
            Err(why) => garbage(&why.0, line),
        }
    }

    /// All that a fresh process has to know, and is asked.
    pub(super) fn again(&mut self, now: Instant) -> Vec<String> {
        let mut say = vec![lines::hello()];
        for game in self.games.values_mut() {
            say.extend(game.start.clone().map(|start| Message::Start(start).line()));
            say.extend(game.asked.as_mut().map(|asked| asked.tell(now)));
        }
        say
    }

    /// When there may be something to do without anybody saying anything. `heard` is when the running process wrote
    /// last; `None` while none runs.
    pub(super) fn next(&self, heard: Option<Instant>) -> Option<Instant> {
        let asked = self.games.values().filter_map(|game| game.asked.as_ref());
        asked.filter_map(|asked| asked.next(heard, self.silence, self.fallback)).min()
    }

    /// Does what time has come for. The flag says whether the process is stuck and has to be started again.
    pub(super) fn due(&mut self, now: Instant, heard: Option<Instant>) -> (Todo, bool) {
        let (mut todo, mut stuck) = (Todo::default(), false);
        for game in self.games.values_mut() {
            let Some(asked) = &mut game.asked else { continue };
            if asked.over(self.fallback).is_some_and(|over| over <= now) {
                let is_silent = asked.wrote_nothing(heard);
                stuck |= is_silent;
                todo.faults.extend(asked.overdue(is_silent));
                if self.fallback {
                    todo.answers.extend(game.settle(0, true));
                }
            } else if asked.silent_at(heard, self.silence).is_some_and(|silent| silent <= now) {
                stuck = true;
                todo.faults.push(asked.wrong(Fault::Silent, "nothing was written for too long"));
            }
        }
        (todo, stuck)
    }
}

impl Game {
    fn ask(&mut self, decision: Decision, now: Instant) -> Todo {
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

    fn answer(&mut self, line: Line) -> Todo {
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
    fn settle(&mut self, at: usize, fallback: bool) -> Option<Answer> {
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

    fn tell(&mut self, now: Instant) -> String {
        self.told = Some(now);
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(now));
        self.decision.line(left)
    }

    /// When it is too late for the program, unless that was said already.
    fn over(&self, fallback: bool) -> Option<Instant> {
        let deadline = self.deadline.filter(|_| !self.overdue)?;
        if fallback { deadline.checked_sub(self.margin) } else { Some(deadline) }
    }

    /// When the running process counts as stuck.
    fn silent_at(&self, heard: Option<Instant>, silence: Option<Duration>) -> Option<Instant> {
        let since = self.told?.max(heard?);
        since.checked_add(silence?).filter(|_| !self.overdue)
    }

    fn next(&self, heard: Option<Instant>, silence: Option<Duration>, fallback: bool) -> Option<Instant> {
        self.over(fallback).into_iter().chain(self.silent_at(heard, silence)).min()
    }

    /// Whether a process runs that has written nothing since it was asked.
    fn wrote_nothing(&self, heard: Option<Instant>) -> bool {
        matches!((self.told, heard), (Some(told), Some(heard)) if heard <= told)
    }

    /// Its time is up; says so once.
    fn overdue(&mut self, is_silent: bool) -> Option<Wrong> {
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

    fn wrong(&self, fault: Fault, text: &str) -> Wrong {
        let about = Some((self.decision.match_id.clone(), self.decision.number));
        Wrong { fault, about, text: text.to_owned() }
    }
}

/// The service refused an answer: nearly always because the clock was faster.
fn overruled(refused: Refused) -> Todo {
    let about = Some((refused.match_id.clone(), refused.decision));
    let text = format!("the service refused the answer: {} ({})", refused.message, refused.reason);
    let wrong = Wrong { fault: Fault::Stale, about, text };
    Todo { say: vec![Message::Refused(refused).line()], faults: vec![wrong], ..Todo::default() }
}

fn stale(line: &Line, reason: &str, message: &str) -> Todo {
    // The id is the program's own text.
    let about = Some((quote(&line.match_id), line.decision));
    let wrong = Wrong { fault: Fault::Stale, about, text: message.to_owned() };
    Todo { say: vec![refusal(line, reason, message)], faults: vec![wrong], ..Todo::default() }
}

fn refusal(line: &Line, reason: &str, message: &str) -> String {
    let refused = Refused {
        match_id: quote(&line.match_id),
        decision: line.decision,
        reason: reason.to_owned(),
        message: message.to_owned(),
    };
    Message::Refused(refused).line()
}

/// A line that is no answer. Blank ones are let pass.
fn garbage(why: &str, line: &[u8]) -> Todo {
    if line.trim_ascii().is_empty() {
        return Todo::default();
    }
    let quoted = quote(&String::from_utf8_lossy(line));
    let text = format!("{quoted:?} is no answer: {why}");
    let wrong = Wrong { fault: Fault::Garbage, about: None, text };
    Todo { say: vec![lines::unreadable(why, &quoted)], faults: vec![wrong], ..Todo::default() }
}

/// A line was longer than a line may be.
pub(super) fn too_long(bytes: usize) -> Todo {
    let why = format!("a line has at most {bytes} bytes");
    let wrong = Wrong { fault: Fault::Garbage, about: None, text: why.clone() };
    Todo { say: vec![lines::unreadable(&why, "")], faults: vec![wrong], ..Todo::default() }
}

/// The beginning of a text of the program's.
fn quote(text: &str) -> String {
    text.trim_end().chars().take(QUOTED).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::fixture::decision;
    use super::*;

    /// Lines that are nearly right, and any others.
    fn line() -> impl Strategy<Value = Vec<u8>> {
        let number = prop_oneof![Just(6_u64), any::<u64>()];
        let right = (prop_oneof![Just("0a"), Just("0b")], number, any::<u64>(), any::<bool>());
        let right = right.prop_map(|(id, decision, option, small)| {
            let option = if small { option % 3 } else { option };
            format!(r#"{{"match":"{id}","decision":{decision},"option":{option}}}"#).into_bytes()
        });
        let spoilt =
            (right.clone(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(mut line, at, byte)| {
                let at = at.index(line.len());
                line[at] = byte;
                line
            });
        prop_oneof![right, spoilt, proptest::collection::vec(any::<u8>(), 0..100)]
    }

    proptest! {
        #[test]
        fn no_bytes_panic_and_at_most_one_answer_comes_of_them(
            lines in proptest::collection::vec(line(), 0..50),
        ) {
            let mut desk = Desk::new(None, false);
            desk.take(decision("0a", 6, 30), Instant::now());
            let mut answers = Vec::new();
            for line in lines {
                let todo = desk.hear(&line);
                prop_assert!(todo.say.iter().all(|line| line.ends_with('\n') && line.matches('\n').count() == 1));
                answers.extend(todo.answers);
            }
            prop_assert!(answers.len() <= 1);
            prop_assert!(answers.iter().all(|answer| (answer.match_id.as_str(), answer.decision) == ("0a", 6)));
        }
    }
}
