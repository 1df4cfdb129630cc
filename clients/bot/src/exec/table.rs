use std::collections::{BTreeMap, HashMap};

use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tracing::{info, warn};

use super::error::Error;
use super::fault::Ledger;
use super::lines::Message;
use super::program::Program;
use super::worker::{Answer, Said, Worker};
use crate::client::entropy;
use crate::runner::{After, MAX_RESUME, Seats, Stats, goodbye_means};
use crate::session::Session;

/// The matches of an agent, and the workers that play them; it outlives a session.
pub(super) struct Table {
    program: Program,
    workers: Workers,
    /// The matches that go on, each with the last event that came of it.
    matches: BTreeMap<String, u64>,
    said: mpsc::UnboundedSender<Said>,
    hears: mpsc::UnboundedReceiver<Said>,
    ending: JoinSet<()>,
    stats: Stats,
    ledger: Ledger,
    given_up: Option<Error>,
    pub(super) wants_events: bool,
    pub(super) games: Option<u64>,
}

enum Workers {
    /// One for all matches.
    One(Worker),
    /// One for each.
    Each(HashMap<String, Worker>),
}

impl Table {
    /// No matches yet. One worker for all starts at once.
    pub(super) fn new(program: Program, per_match: bool, ledger: Ledger) -> Table {
        let (said, hears) = mpsc::unbounded_channel();
        let workers = match per_match {
            true => Workers::Each(HashMap::new()),
            false => Workers::One(Worker::start(&program, "program", &ledger, said.clone())),
        };
        Table {
            program,
            workers,
            matches: BTreeMap::new(),
            said,
            hears,
            ending: JoinSet::new(),
            stats: Stats::default(),
            ledger,
            given_up: None,
            wants_events: false,
            games: None,
        }
    }

    /// Ends all processes, and says why the program was given up if it was.
    pub(super) async fn stop(mut self) -> Option<Error> {
        match self.workers {
            Workers::One(worker) => worker.stop().await,
            Workers::Each(workers) => {
                for worker in workers.into_values() {
                    self.ending.spawn(worker.stop());
                }
            }
        }
        while self.ending.join_next().await.is_some() {}
        self.ledger.change(|report| report.stats = self.stats);
        self.given_up
    }

    async fn receive(&mut self, down: Down, session: &Session) -> Result<Option<After>, crate::Error> {
        if let Some(message) = Message::from_wire(&down)? {
            self.note(&message);
            self.tell(message).await;
        }
        match down {
            Down::SeatOffer(offer) => accept(offer, session).await,
            Down::ChoiceAccepted(_) => self.stats.choices += 1,
            Down::Refusal(refusal) => {
                self.stats.refused += 1;
                warn!(match_id = refusal.match_id, reason = refusal.reason, "refused: {}", refusal.message);
            }
            Down::Goodbye(goodbye) => return goodbye_means(&goodbye).map(Some),
            Down::Hello(_) | Down::GameStarted(_) | Down::Decision(_) => {}
            Down::GameEvent(_) | Down::GameEnded(_) | Down::Heartbeat(_) => {}
        }
        self.ledger.change(|report| report.stats = self.stats);
        Ok(None)
    }

    /// Keeps in mind which matches go on, and how far.
    fn note(&mut self, message: &Message) {
        match message {
            Message::Start(start) => {
                self.matches.entry(start.match_id.clone()).or_default();
            }
            Message::Event(event) => {
                if let Some(seq) = self.matches.get_mut(&event.match_id) {
                    *seq = event.seq;
                }
            }
            Message::End(end) => {
                if self.matches.remove(&end.match_id).is_some() {
                    self.stats.games += 1;
                }
            }
            Message::Decision(_) | Message::Refused(_) => {}
        }
    }

    async fn tell(&mut self, message: Message) {
        let id = message.match_id().to_owned();
        match &mut self.workers {
            Workers::One(worker) => worker.tell(message).await,
            Workers::Each(workers) => {
                let is_over = matches!(message, Message::End(_));
                if matches!(message, Message::Start(_)) && !workers.contains_key(&id) {
                    let worker = Worker::start(&self.program, &id, &self.ledger, self.said.clone());
                    workers.insert(id.clone(), worker);
                }
                if let Some(worker) = workers.get(&id) {
                    worker.tell(message).await;
                }
                if is_over && let Some(worker) = workers.remove(&id) {
                    self.ending.spawn(worker.stop());
                }
            }
        }
        while self.ending.try_join_next().is_some() {}
    }

    /// Passes on what a worker said. Is false if there is nothing left to play with.
    async fn pass_on(&mut self, said: Said, session: &Session) -> bool {
        match (said, &self.workers) {
            // A session that takes none is over, and why is told by what is still to be read of it.
            (Said::Answer(answer), _) => {
                let _ = session.send(Up::Choice(answer.into())).await;
            }
            (Said::GaveUp(error), Workers::One(_)) => {
                self.given_up = Some(error);
                return false;
            }
            // The other matches have their own. This one is left to its clock.
            (Said::GaveUp(error), Workers::Each(_)) => warn!(%error, "a match is left to its clock"),
        }
        true
    }
}

impl Seats for Table {
    fn wants_events(&self) -> bool {
        self.wants_events
    }

    fn known(&self) -> Vec<v1::Resume> {
        let known = self.matches.iter().take(MAX_RESUME);
        known.map(|(id, seq)| v1::Resume { match_id: id.clone(), after_seq: *seq }).collect()
    }

    async fn play(&mut self, session: &mut Session) -> Result<After, crate::Error> {
        loop {
            if self.games.is_some_and(|games| self.stats.games >= games) {
                return Ok(After::Done);
            }
            tokio::select! {
                down = session.next() => {
                    if let Some(after) = self.receive(down?, session).await? {
                        return Ok(after);
                    }
                }
                Some(said) = self.hears.recv() => {
                    if !self.pass_on(said, session).await {
                        return Ok(After::Done);
                    }
                }
            }
        }
    }

    fn stats(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

/// Takes an offered seat and adds entropy to its deals.
async fn accept(offer: v1::SeatOffer, session: &Session) {
    let match_id = offer.r#match.unwrap_or_default().id;
    info!(match_id, "seat taken");
    // As for an answer.
    let _ = session.send(Up::OfferReply(v1::OfferReply { match_id, accept: true, entropy: entropy() })).await;
}

impl From<Answer> for v1::Choice {
    fn from(answer: Answer) -> v1::Choice {
        v1::Choice {
            match_id: answer.match_id,
            decision: answer.decision,
            choice: Some(v1::choice::Choice::Option(answer.option)),
        }
    }
}
