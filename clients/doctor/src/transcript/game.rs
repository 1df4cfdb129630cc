use std::collections::BTreeMap;
use std::time::Duration;

use chickenfoot_protocol::v1;

use super::Entry;
use super::promise::Promise;
use super::words::option_texts;

/// How many answers more than questions are no flood yet: a bot may repeat itself after a lost connection.
const REPEATS: u32 = 8;

/// A match that the bot plays, as far as the transcript tells.
#[derive(Default)]
pub(super) struct Game {
    /// When and where the seat was offered, until the bot took it.
    pub(super) offered: Option<(Duration, usize, u32)>,
    pub(super) started: bool,
    pub(super) over: bool,
    pub(super) asked: BTreeMap<u32, Asked>,
}

/// A decision that was put to the bot.
pub(super) struct Asked {
    pub(super) place: usize,
    pub(super) at: Duration,
    pub(super) session: u32,
    pub(super) options: Vec<String>,
    pub(super) deliveries: u32,
    pub(super) answers: u32,
    /// The first answer.
    pub(super) answer: Option<String>,
    /// Whether no answer came since it was delivered last.
    pub(super) open: bool,
    pub(super) acknowledged: bool,
}

impl Game {
    /// A decision is put to the bot.
    pub(super) fn ask(&mut self, place: usize, entry: &Entry, decision: &v1::Decision) {
        let fresh = || Asked {
            place,
            at: entry.at,
            session: entry.session,
            options: option_texts(&decision.options),
            deliveries: 0,
            answers: 0,
            answer: None,
            open: true,
            acknowledged: false,
        };
        let asked = self.asked.entry(decision.number).or_insert_with(fresh);
        asked.deliveries += 1;
        (asked.place, asked.at, asked.session, asked.open) = (place, entry.at, entry.session, true);
    }
}

impl Asked {
    /// What is wrong with one more answer, which is counted already.
    pub(super) fn judge(&self, number: u32, newest: u32, answer: &str) -> Option<(Promise, String)> {
        let first = self.answer.as_deref()?;
        if self.acknowledged && self.answers > self.deliveries && newest > number {
            let what = format!("it answered decision {number} once more, while decision {newest} is open");
            return Some((Promise::OpenDecision, what));
        }
        if first != answer {
            let what = format!("it answered decision {number} with {first}, and then with {answer}");
            return Some((Promise::OneAnswer, what));
        }
        if self.answers > self.deliveries + REPEATS {
            let what = format!(
                "it answered decision {number} {} times, where it was asked {} times",
                self.answers, self.deliveries
            );
            return Some((Promise::NoFlood, what));
        }
        None
    }
}
