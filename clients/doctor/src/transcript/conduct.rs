use std::collections::{HashMap, HashSet};
use std::time::Duration;

use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use tonic::Status;

use super::game::{Asked, Game};
use super::promise::{Breach, Promise};
use super::refused::blame;
use super::words::answer_text;
use super::{Entry, Happened};

/// How many messages the bot may send beyond those that it received.
const UNASKED: u64 = 64;

/// Follows the transcript and finds the first promise that the bot breaks. It reads no clock: time comes with the entries.
pub(crate) struct Conduct {
    patience: Duration,
    session: u32,
    connected: bool,
    /// Whether the end of the session is not the bot's fault.
    excused: bool,
    /// Whether the bot owes nothing any more.
    released: bool,
    said: u64,
    heard: u64,
    games: HashMap<String, Game>,
    /// Matches of earlier checks. What is still said of them counts no more.
    old: HashSet<String>,
    breach: Option<Breach>,
}

impl Conduct {
    /// `patience` is the time that the bot has for a decision.
    pub(crate) fn new(patience: Duration) -> Conduct {
        Conduct {
            patience,
            session: 0,
            connected: false,
            excused: false,
            released: false,
            said: 0,
            heard: 0,
            games: HashMap::new(),
            old: HashSet::new(),
            breach: None,
        }
    }

    /// Begins another check with the same session.
    pub(crate) fn forget(&mut self) {
        self.old.extend(self.games.drain().map(|(id, _)| id));
        (self.breach, self.said, self.heard) = (None, 0, 0);
        self.released = false;
        // What was disturbed in an earlier check was made good, or there is a new session.
        self.excused &= !self.connected;
    }

    pub(crate) fn forgive(&mut self, match_id: &str) {
        self.games.remove(match_id);
        self.old.insert(match_id.to_owned());
    }

    pub(crate) fn excuse(&mut self) {
        self.excused = true;
    }

    pub(crate) fn release(&mut self) {
        self.released = true;
    }

    pub(crate) fn session(&self) -> u32 {
        self.session
    }

    pub(crate) fn is_connected(&self) -> bool {
        self.connected
    }

    /// The first broken promise, time that has passed without an answer included. `last` is the last place so far.
    pub(crate) fn breach(&mut self, now: Duration, last: usize) -> Option<Breach> {
        if self.breach.is_none() && self.due().is_some_and(|due| due <= now) {
            self.breach = self.overdue(now, last);
        }
        self.breach.clone().filter(|_| !self.released)
    }

    /// When the next promise is broken by silence.
    pub(crate) fn due(&self) -> Option<Duration> {
        let decisions = self.open().map(|(_, _, asked)| asked.at);
        decisions.chain(self.offers().map(|(at, ..)| at)).min().map(|at| at + self.patience)
    }

    /// Takes note of what happened. Gives the time that an answer took, if it is the first to its decision.
    pub(crate) fn observe(&mut self, place: usize, entry: &Entry) -> Option<Duration> {
        match &entry.what {
            Happened::Opened => {
                (self.session, self.connected, self.excused) = (entry.session, true, false);
            }
            Happened::Up(message) => return self.up(place, entry, message),
            Happened::Down(message) => self.down(place, entry, message),
            Happened::Unreadable(bytes) => {
                self.blame(
                    Promise::SpeaksTheProtocol.broken(place, format!("{bytes} bytes that are no message")),
                );
            }
            Happened::HungUp(how) if entry.session == self.session => self.hung_up(place, how),
            Happened::Ended(status) if entry.session == self.session => self.ended(place, status),
            Happened::Exited(how) => {
                if self.breach.as_ref().is_some_and(|breach| breach.promise == Promise::Stays) {
                    // It hung up because it ended.
                    self.breach = None;
                }
                self.blame(Promise::KeepsRunning.broken(place, how));
            }
            Happened::Fault { promise, match_id, what } if !self.old.contains(match_id) => {
                self.blame(promise.broken(place, what));
            }
            Happened::HungUp(_)
            | Happened::Ended(_)
            | Happened::Note(_)
            | Happened::Wrote(_)
            | Happened::Fault { .. } => {}
        }
        None
    }

    fn up(&mut self, place: usize, entry: &Entry, message: &v1::SessionRequest) -> Option<Duration> {
        self.said += 1;
        if self.said > 2 * self.heard + UNASKED {
            let what = format!("it sent {} messages where {} had come", self.said, self.heard);
            self.blame(Promise::NoFlood.broken(place, what));
        }
        match &message.what {
            Some(Up::OfferReply(reply)) => {
                if !reply.accept && !self.old.contains(&reply.match_id) {
                    self.blame(Promise::TakesSeats.broken(place, "it declined the seat"));
                }
                if let Some(game) = self.games.get_mut(&reply.match_id) {
                    game.offered = None;
                }
                None
            }
            Some(Up::Choice(choice)) => self.choice(place, entry, choice),
            Some(Up::Open(_)) | None => None,
        }
    }

    fn choice(&mut self, place: usize, entry: &Entry, choice: &v1::Choice) -> Option<Duration> {
        if self.old.contains(&choice.match_id) {
            return None;
        }
        let number = choice.decision;
        let game = self.games.entry(choice.match_id.clone()).or_default();
        let newest = game.asked.keys().next_back().copied().unwrap_or_default();
        let Some(asked) = game.asked.get_mut(&number) else {
            let (promise, what) = match newest {
                0 => (
                    Promise::OnlyWhatIsAsked,
                    format!("it answered decision {number} before it was asked anything"),
                ),
                _ if number == 0 => {
                    (Promise::OpenDecision, "it answered without the decision's number".to_owned())
                }
                _ => (
                    Promise::OnlyWhatIsAsked,
                    format!(
                        "it answered decision {number}, which it was never asked; {newest} is the newest"
                    ),
                ),
            };
            self.blame(promise.broken(place, what));
            return None;
        };
        let answer = answer_text(choice, &asked.options);
        asked.answers += 1;
        let breach = asked.judge(number, newest, &answer);
        // Over a lost connection there is no time to measure.
        let first = asked.answer.is_none() && asked.session == entry.session;
        let time = first.then(|| entry.at.saturating_sub(asked.at));
        asked.answer.get_or_insert(answer);
        asked.open = false;
        if let Some((promise, what)) = breach {
            self.blame(promise.broken(place, what));
        }
        time
    }

    fn down(&mut self, place: usize, entry: &Entry, message: &v1::SessionResponse) {
        self.heard += 1;
        match &message.what {
            Some(Down::SeatOffer(offer)) => {
                let id = offer.r#match.as_ref().map(|wire| wire.id.clone()).unwrap_or_default();
                if !self.old.contains(&id) {
                    self.games.entry(id).or_default().offered = Some((entry.at, place, entry.session));
                }
            }
            Some(Down::GameStarted(started)) => {
                if let Some(game) = started.r#match.as_ref().and_then(|wire| self.game(&wire.id)) {
                    (game.started, game.offered) = (true, None);
                }
            }
            Some(Down::Decision(decision)) => {
                if let Some(game) = self.game(&decision.match_id) {
                    game.started = true;
                    game.ask(place, entry, decision);
                }
            }
            Some(Down::ChoiceAccepted(accepted)) => {
                if let Some(asked) = self.asked(&accepted.match_id, accepted.decision) {
                    asked.acknowledged = true;
                }
            }
            Some(Down::Refusal(refusal)) => self.refused(place, refusal),
            Some(Down::GameEnded(ended)) => {
                if let Some(game) = ended.r#match.as_ref().and_then(|wire| self.game(&wire.id)) {
                    game.over = true;
                }
            }
            Some(Down::Goodbye(_)) => self.excused = true,
            Some(Down::Hello(_) | Down::GameEvent(_) | Down::Heartbeat(_)) | None => {}
        }
    }

    fn refused(&mut self, place: usize, refusal: &v1::Refusal) {
        if self.old.contains(&refusal.match_id) {
            return;
        }
        let asked = self.asked(&refusal.match_id, refusal.decision);
        let late =
            refusal.reason == "DECISION_ANSWERED" && asked.as_ref().is_some_and(|asked| asked.answers == 1);
        let answer = asked.and_then(|asked| asked.answer.clone()).unwrap_or_else(|| "its answer".to_owned());
        let blame = if late {
            let what = format!("its answer to decision {} came after its time", refusal.decision);
            Some((Promise::AnswersInTime, what))
        } else {
            blame(refusal, &answer)
        };
        if let Some((promise, what)) = blame {
            self.blame(promise.broken(place, what));
        }
    }

    fn hung_up(&mut self, place: usize, how: &str) {
        let was = std::mem::replace(&mut self.connected, false);
        let open = self.games.values().any(|game| game.started && !game.over);
        if was && open && !self.excused {
            self.blame(Promise::Stays.broken(place, format!("it left in the middle of a match: {how}")));
        }
    }

    fn ended(&mut self, place: usize, status: &Status) {
        self.connected = false;
        let reason = chickenfoot_bot::Error::from(status.clone()).reason().map(str::to_owned);
        match reason.as_deref() {
            Some("TOKEN_MISSING" | "TOKEN_INVALID") => {
                let what = format!("the service does not know its token: {}", status.message());
                self.blame(Promise::Connects.broken(place, what));
            }
            Some("SHUTTING_DOWN" | "UNAVAILABLE" | "INTERNAL") | None => self.excused = true,
            Some(reason) => {
                let what = format!("the service ended its session with {reason}: {}", status.message());
                self.blame(Promise::SpeaksTheProtocol.broken(place, what));
            }
        }
    }

    fn overdue(&self, now: Duration, last: usize) -> Option<Breach> {
        let patience = self.patience.as_secs_f64();
        let late = |at: Duration| at + self.patience <= now;
        if let Some((_, number, asked)) = self.open().find(|(_, _, asked)| late(asked.at)) {
            let what = format!("no answer to decision {number} came within {patience} s");
            return Some(Promise::AnswersInTime.broken(asked.place.min(last), what));
        }
        let (_, place, _) = self.offers().find(|(at, ..)| late(*at))?;
        let what = format!("no answer to the offer of a seat came within {patience} s");
        Some(Promise::TakesSeats.broken(place.min(last), what))
    }

    /// The decisions that wait for an answer on the open session.
    fn open(&self) -> impl Iterator<Item = (&String, u32, &Asked)> {
        let waits = self.connected && !self.excused && !self.released;
        let games = self.games.iter().filter(move |(_, game)| waits && !game.over);
        let all =
            games.flat_map(|(id, game)| game.asked.iter().map(move |(number, asked)| (id, *number, asked)));
        all.filter(|(_, _, asked)| asked.open && asked.session == self.session)
    }

    fn offers(&self) -> impl Iterator<Item = (Duration, usize, u32)> {
        let waits = self.connected && !self.excused && !self.released;
        let offers = self.games.values().filter_map(|game| game.offered);
        offers.filter(move |(_, _, session)| waits && *session == self.session)
    }

    /// A match of this check.
    fn game(&mut self, id: &str) -> Option<&mut Game> {
        if self.old.contains(id) { None } else { Some(self.games.entry(id.to_owned()).or_default()) }
    }

    fn asked(&mut self, id: &str, number: u32) -> Option<&mut Asked> {
        self.games.get_mut(id)?.asked.get_mut(&number)
    }

    fn blame(&mut self, breach: Breach) {
        if !self.released {
            self.breach.get_or_insert(breach);
        }
    }
}

#[cfg(test)]
mod tests;
