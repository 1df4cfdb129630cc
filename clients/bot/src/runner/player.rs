use std::collections::{BTreeSet, HashMap};
use std::time::{Duration, Instant};

use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use chickenfoot_protocol::{Malformed, rules_from_wire, seat_from_wire};
use chickenfoot_rules::{Hex32, Move, Seat};
use tokio::sync::mpsc;
use tracing::{debug, info, warn};

use super::{Accepted, After, Seats, Stats};
use crate::bot::{Bot, GameEnd, GameInfo, Turn};
use crate::client::entropy;
use crate::error::Error;
use crate::session::Session;

/// Most matches that the service lets a new session take up.
pub(crate) const MAX_RESUME: usize = 1000;

/// The matches of an agent; they outlive a session.
pub(super) struct Player<'a> {
    make: Box<dyn MakeBot + 'a>,
    tables: HashMap<Place, Table>,
    stats: Stats,
    /// Where bots that have thought come back to.
    done: mpsc::Sender<Thought>,
    thinking: mpsc::Receiver<Thought>,
    up: Option<mpsc::Sender<v1::SessionRequest>>,
    games: Option<u64>,
    tell: Option<Accepted>,
}

/// Gives the bot for a seat.
///
/// A trait of its own, in a box: a future that holds a function of this type itself cannot be told to be `Send` where it
/// is spawned.
trait MakeBot: Send {
    fn make(&mut self, game: &GameInfo) -> Box<dyn Bot>;
}

impl<F: FnMut(&GameInfo) -> Box<dyn Bot> + Send> MakeBot for F {
    fn make(&mut self, game: &GameInfo) -> Box<dyn Bot> {
        self(game)
    }
}

/// One seat of one match.
type Place = (String, Seat);

/// A seat that is played, and what was asked of it.
struct Table {
    game: GameInfo,
    /// Away while it thinks.
    bot: Option<Box<dyn Bot>>,
    /// The last decision that was answered, and the answer: sent again when the decision comes again.
    answer: Option<(u32, v1::Choice)>,
    /// The decision that is being thought about, or waits for the bot to come back.
    asked: Option<Asked>,
    end: Option<GameEnd>,
}

/// A decision, and when it came.
struct Asked {
    decision: v1::Decision,
    received: Instant,
}

/// A bot comes back from its thoughts, with its answer.
struct Thought {
    place: Place,
    bot: Option<Box<dyn Bot>>,
    decision: u32,
    answer: Option<Move>,
}

impl<'a> Player<'a> {
    /// No matches yet. Is done after `games` of them, if that is said.
    pub(super) fn new(
        make: impl FnMut(&GameInfo) -> Box<dyn Bot> + Send + 'a,
        games: Option<u64>,
        tell: Option<Accepted>,
    ) -> Player<'a> {
        let (done, thinking) = mpsc::channel(1024);
        let (tables, stats) = (HashMap::new(), Stats::default());
        let make = Box::new(make);
        Player { make, tables, stats, done, thinking, up: None, games, tell }
    }

    /// Whether no bot has still to be told of the end of its match, because it was thinking when that came.
    fn all_are_told(&self) -> bool {
        self.tables.values().all(|table| table.end.is_none())
    }

    async fn receive(&mut self, message: Down) -> Result<Option<After>, Error> {
        match message {
            Down::SeatOffer(offer) => self.accept(offer.r#match.unwrap_or_default().id).await,
            Down::GameStarted(started) => self.started(&started)?,
            Down::Decision(decision) => self.decision(decision).await?,
            Down::ChoiceAccepted(accepted) => self.accepted(&accepted)?,
            Down::Refusal(refusal) => self.refused(&refusal),
            Down::GameEnded(ended) => self.ended(&ended)?,
            Down::Goodbye(goodbye) => return goodbye_means(&goodbye).map(Some),
            Down::Hello(_) | Down::GameEvent(_) | Down::Heartbeat(_) => {}
        }
        Ok(None)
    }

    /// Takes an offered seat and adds entropy to its deals.
    async fn accept(&mut self, match_id: String) {
        info!(match_id, "seat taken");
        self.send(Up::OfferReply(v1::OfferReply { match_id, accept: true, entropy: entropy() })).await;
    }

    fn started(&mut self, started: &v1::GameStarted) -> Result<(), Error> {
        let wire = started.r#match.as_ref().ok_or_else(|| Malformed::missing("game_started.match"))?;
        for seat in &started.seats {
            let game = game_info(wire, *seat)?;
            let place = (game.match_id.clone(), game.seat);
            // After a reconnect the bot is still there.
            if self.tables.contains_key(&place) {
                continue;
            }
            debug!(match_id = game.match_id, seat = %game.seat, "match started");
            let mut bot = self.make.make(&game);
            bot.start(&game);
            self.tables.insert(place, Table { game, bot: Some(bot), answer: None, asked: None, end: None });
        }
        Ok(())
    }

    async fn decision(&mut self, decision: v1::Decision) -> Result<(), Error> {
        let place = (decision.match_id.clone(), seat_from_wire("decision.seat", decision.seat)?);
        let Some(table) = self.tables.get_mut(&place) else {
            warn!(match_id = decision.match_id, "a decision for a match that was not announced");
            return Ok(());
        };
        if let Some((_, choice)) = table.answer.as_ref().filter(|(number, _)| *number == decision.number) {
            // The service does not have it yet: it was lost with the connection.
            let choice = choice.clone();
            self.send(Up::Choice(choice)).await;
            return Ok(());
        }
        if table.asked.as_ref().is_some_and(|asked| asked.decision.number == decision.number) {
            return Ok(());
        }
        table.asked = Some(Asked { decision, received: Instant::now() });
        self.think(place)
    }

    /// Lets the bot think about what is asked, apart from the connection.
    fn think(&mut self, place: Place) -> Result<(), Error> {
        let Some(table) = self.tables.get_mut(&place) else {
            return Ok(());
        };
        let Some(Asked { decision, received }) = &table.asked else {
            return Ok(());
        };
        // It may have waited for the bot to come back.
        let turn = Turn { received: *received, ..Turn::try_from(decision)? };
        let number = decision.number;
        // Away: it still thinks about an older decision, and is asked when it comes back.
        let Some(mut bot) = table.bot.take() else {
            return Ok(());
        };
        let done = self.done.clone();
        tokio::task::spawn_blocking(move || {
            let chosen = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| bot.choose(&turn)));
            let answer = match chosen {
                Ok(answer) if turn.options.contains(&answer) => Some(answer),
                Ok(answer) => {
                    warn!(match_id = place.0, %answer, "not an option; the first one is played");
                    turn.options.first().copied()
                }
                Err(_) => {
                    warn!(match_id = place.0, "the bot panicked; the first option is played");
                    turn.options.first().copied()
                }
            };
            // Fails only when the runner has stopped.
            let _ = done.blocking_send(Thought { place, bot: Some(bot), decision: number, answer });
        });
        Ok(())
    }

    async fn thought(&mut self, thought: Thought) -> Result<(), Error> {
        let Thought { place, bot, decision, answer } = thought;
        let Some(table) = self.tables.get_mut(&place) else {
            return Ok(());
        };
        table.bot = bot;
        if table.end.is_some() {
            self.finish(&place);
            return Ok(());
        }
        if table.asked.as_ref().is_none_or(|asked| asked.decision.number != decision) {
            return self.think(place);
        }
        table.asked = None;
        let Some(answer) = answer else { return Ok(()) };
        let choice = v1::Choice {
            match_id: place.0.clone(),
            decision,
            choice: Some(v1::choice::Choice::Move(answer.into())),
        };
        table.answer = Some((decision, choice.clone()));
        self.send(Up::Choice(choice)).await;
        Ok(())
    }

    fn accepted(&mut self, accepted: &v1::ChoiceAccepted) -> Result<(), Error> {
        self.stats.choices += 1;
        if let Some(tell) = &self.tell {
            let made = accepted.r#move.as_ref().ok_or_else(|| Malformed::missing("choice_accepted.move"))?;
            tell(&accepted.match_id, accepted.decision, made.try_into()?);
        }
        Ok(())
    }

    fn refused(&mut self, refusal: &v1::Refusal) {
        self.stats.refused += 1;
        warn!(match_id = refusal.match_id, reason = refusal.reason, "refused: {}", refusal.message);
    }

    fn ended(&mut self, ended: &v1::GameEnded) -> Result<(), Error> {
        let wire = ended.r#match.as_ref().ok_or_else(|| Malformed::missing("game_ended.match"))?;
        let end = GameEnd {
            finished: wire.state() == v1::MatchState::Finished,
            totals: wire.seats.iter().map(|seat| seat.total).collect(),
            places: wire.seats.iter().map(|seat| seat.place).collect(),
            digest: wire.digest.clone(),
        };
        let places: Vec<Place> = self.tables.keys().filter(|(id, _)| *id == wire.id).cloned().collect();
        if !places.is_empty() {
            self.stats.games += 1;
        }
        for place in places {
            if let Some(table) = self.tables.get_mut(&place) {
                table.end = Some(end.clone());
                if table.bot.is_some() {
                    self.finish(&place);
                }
            }
        }
        Ok(())
    }

    fn finish(&mut self, place: &Place) {
        if let Some(Table { game, bot: Some(mut bot), end: Some(end), .. }) = self.tables.remove(place) {
            bot.end(&game, &end);
        }
    }

    /// Sends a message if the session still takes any. One that does not is over, and why is told by what is still to be
    /// read of it: a Goodbye, say, with the time to come back.
    async fn send(&mut self, what: Up) {
        if let Some(up) = &self.up
            && up.send(v1::SessionRequest { what: Some(what) }).await.is_err()
        {
            self.up = None;
        }
    }
}

impl Seats for Player<'_> {
    fn wants_events(&self) -> bool {
        false
    }

    fn known(&self) -> Vec<v1::Resume> {
        let going_on = self.tables.iter().filter(|(_, table)| table.end.is_none());
        let ids: BTreeSet<&String> = going_on.map(|((match_id, _), _)| match_id).collect();
        let resume = |match_id: &String| v1::Resume { match_id: match_id.clone(), after_seq: 0 };
        ids.into_iter().take(MAX_RESUME).map(resume).collect()
    }

    async fn play(&mut self, session: &mut Session) -> Result<After, Error> {
        self.up = Some(session.sender());
        loop {
            if self.games.is_some_and(|games| self.stats.games >= games) && self.all_are_told() {
                return Ok(After::Done);
            }
            tokio::select! {
                message = session.next() => {
                    if let Some(after) = self.receive(message?).await? {
                        return Ok(after);
                    }
                }
                Some(thought) = self.thinking.recv() => self.thought(thought).await?,
            }
        }
    }

    fn stats(&mut self) -> &mut Stats {
        &mut self.stats
    }
}

pub(crate) fn goodbye_means(goodbye: &v1::Goodbye) -> Result<After, Error> {
    match goodbye.reason() {
        v1::GoodbyeReason::Replaced => Err(Error::Replaced),
        v1::GoodbyeReason::Unauthenticated => Err(Error::Refused {
            code: tonic::Code::Unauthenticated,
            reason: "TOKEN_INVALID".to_owned(),
            message: goodbye.message.clone(),
            metadata: HashMap::new(),
        }),
        v1::GoodbyeReason::Shutdown | v1::GoodbyeReason::Unspecified => {
            let pause = goodbye.retry_after.and_then(|wire| Duration::try_from(wire).ok());
            info!(message = goodbye.message, "the service says goodbye");
            Ok(After::Pause(pause.unwrap_or(Duration::from_secs(1))))
        }
    }
}

fn game_info(wire: &v1::Match, seat: u32) -> Result<GameInfo, Error> {
    let rules = wire.rules.as_ref().ok_or_else(|| Malformed::missing("match.rules"))?;
    let commitment = match wire.commitment.as_slice() {
        [] => None,
        bytes => {
            let bytes = bytes.try_into();
            Some(Hex32(bytes.map_err(|_| Malformed::out_of_range("match.commitment", "32 bytes"))?))
        }
    };
    Ok(GameInfo {
        match_id: wire.id.clone(),
        rules: rules_from_wire(rules, wire.seats.len()).map_err(|e| e.within("match.rules"))?,
        seat: seat_from_wire("seats", seat)?,
        names: wire.seats.iter().map(|seat| seat.name.clone()).collect(),
        commitment,
    })
}
