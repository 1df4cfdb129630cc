use std::collections::BTreeMap;
use std::time::Duration;

use tokio::time::Instant;

use super::fault::Fault;
use super::lines::{self, Answer as Line, Message};

mod game;
mod refusals;

pub use game::Answer;
use game::Game;
pub(super) use refusals::too_long;
use refusals::{garbage, overruled, stale};

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

/// A fault, and what it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) fault: Fault,
    pub(super) about: Option<(String, u32)>,
    pub(super) text: String,
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::exec::fixture::decision;

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
