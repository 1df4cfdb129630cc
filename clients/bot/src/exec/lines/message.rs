use std::time::Duration;

use chickenfoot_rules::Rules;
use serde::Serialize;

use super::view::Seen;
use super::{Event, PROTOCOL, move_text};
use crate::bot::Turn;

/// What a program is told of a match.
#[derive(Clone, Debug)]
pub enum Message {
    /// A match begins, or goes on.
    Start(Start),
    /// A seat has to choose.
    Decision(Box<Decision>),
    /// Something happened. Only if events were asked for.
    Event(Event),
    /// An answer was refused.
    Refused(Refused),
    /// A match is over.
    End(End),
}

/// A match begins, or goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Start {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The program's seats, from 0; mostly one.
    pub seats: Vec<u32>,
    /// Who sits where, by seat.
    pub names: Vec<String>,
    /// The rules.
    pub rules: Rules,
}

/// A seat has to choose.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The match.
    pub match_id: String,
    /// The number of the decision in its match.
    pub number: u32,
    /// What the seat may know, its options, and its time. The longest time that there is means that no clock runs.
    pub turn: Turn,
}

/// An answer was refused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The decision.
    pub decision: u32,
    /// The reason: one that `proto/README.md` lists.
    pub reason: String,
    /// A text for people.
    pub message: String,
}

/// A match is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// How.
    pub outcome: Outcome,
    /// Each seat's score, from seat 0. The lowest wins.
    pub totals: Vec<u32>,
    /// Each seat's place, from 1; none if the match was aborted.
    pub places: Vec<u32>,
    /// The digest of all that happened, in hexadecimal digits; empty where it is not to be known yet.
    pub digest: String,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was played to its end.
    Finished,
    /// It was ended before its time, without a result.
    Aborted,
}

impl Message {
    /// The match that it is about.
    pub fn match_id(&self) -> &str {
        match self {
            Message::Start(start) => &start.match_id,
            Message::Decision(decision) => &decision.match_id,
            Message::Event(event) => &event.match_id,
            Message::Refused(refused) => &refused.match_id,
            Message::End(end) => &end.match_id,
        }
    }

    /// The line, with its line feed.
    pub fn line(&self) -> String {
        text(&match self {
            Message::Start(start) => Line::Start(start),
            Message::Decision(decision) => return decision.line(Some(decision.turn.time_left)),
            Message::Event(event) => Line::Event(event),
            Message::Refused(refused) => Line::Refused(refused),
            Message::End(end) => Line::End(end),
        })
    }
}

impl Decision {
    /// The line, with its line feed. `left` is what remains of its time by now; `None` where no clock runs.
    pub fn line(&self, left: Option<Duration>) -> String {
        text(&Line::Decision(Asked::of(self, left)))
    }
}

/// The first line that a process gets.
pub(crate) fn hello() -> String {
    text(&Line::Hello { protocol: PROTOCOL })
}

/// The last one.
pub(crate) fn stop() -> String {
    text(&Line::Stop)
}

/// A line of the program could not be read.
pub(crate) fn unreadable(message: &str, line: &str) -> String {
    text(&Line::Error { message, line })
}

/// Every kind of line, with `type` as its first key and the others in the order in which they stand here.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Line<'a> {
    Hello { protocol: u32 },
    Start(&'a Start),
    Decision(Asked<'a>),
    Event(&'a Event),
    Refused(&'a Refused),
    End(&'a End),
    Error { message: &'a str, line: &'a str },
    Stop,
}

fn text(line: &Line<'_>) -> String {
    // Texts, numbers and lists of them: nothing that JSON cannot say.
    let mut text = serde_json::to_string(line).unwrap_or_default();
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Asked<'a> {
    r#match: &'a str,
    decision: u32,
    seat: u8,
    /// Milliseconds; null where no clock runs.
    time_left_ms: Option<u64>,
    options: Vec<String>,
    view: Seen<'a>,
}

impl Asked<'_> {
    fn of(decision: &Decision, left: Option<Duration>) -> Asked<'_> {
        let Turn { view, options, .. } = &decision.turn;
        Asked {
            r#match: &decision.match_id,
            decision: decision.number,
            seat: view.seat.number(),
            time_left_ms: left.map(|left| left.as_millis().try_into().unwrap_or(u64::MAX)),
            options: options.iter().copied().map(move_text).collect(),
            view: Seen::of(view),
        }
    }
}
