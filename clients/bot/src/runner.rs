use std::collections::HashMap;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use chickenfoot_protocol::v1::{self, session_request::What as Up, session_response::What as Down};
use chickenfoot_protocol::{Malformed, rules_from_wire, seat_from_wire};
use chickenfoot_rules::{Choice, Hex32, Move, Seat};
use tokio::sync::mpsc;
use tracing::{debug, info, warn};

use crate::backoff::Backoff;
use crate::bot::{Bot, GameEnd, GameInfo, Turn};
use crate::client::{Client, entropy};
use crate::error::Error;
use crate::options::ConnectOptions;
use crate::session::Session;

/// Plays an agent's matches: connects, answers, reconnects, until it is told to stop.
#[derive(Clone)]
pub struct Runner {
    address: String,
    options: ConnectOptions,
    client_name: String,
    agent: Option<String>,
    games: Option<u64>,
    accepted: Option<Accepted>,
}

/// Is told of every decision that the service has stored: the match, the decision's number, the choice as made.
type Accepted = Arc<dyn Fn(&str, u32, Choice) + Send + Sync>;

/// What a runner has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Matches that ended.
    pub games: u64,
    /// Decisions that were answered.
    pub choices: u64,
    /// Answers that the service refused.
    pub refused: u64,
    /// Times that the connection was lost.
    pub reconnects: u64,
}

/// One seat of one match.
type Place = (String, Seat);

impl Runner {
    /// A runner for the agent that has this token, at the service of this address.
    pub fn new(address: &str, token: &str) -> Runner {
        Runner::with_options(address, ConnectOptions::new().token(token))
    }

    /// A runner for the agent whose token is among the options, at the service of this address.
    pub fn with_options(address: &str, options: ConnectOptions) -> Runner {
        Runner {
            address: address.to_owned(),
            options,
            client_name: concat!("chickenfoot-bot/", env!("CARGO_PKG_VERSION")).to_owned(),
            agent: None,
            games: None,
            accepted: None,
        }
    }

    /// Stops by itself after so many matches.
    #[must_use]
    pub fn games(self, games: u64) -> Runner {
        Runner { games: Some(games), ..self }
    }

    /// Refuses to play as any other agent: a token says nothing about whose it is.
    #[must_use]
    pub fn agent(self, name: &str) -> Runner {
        Runner { agent: Some(name.to_owned()), ..self }
    }

    /// Has every decision that the service says it has stored told to `accepted`: the match, the decision's number and
    /// the choice as it was made. Must return at once.
    #[must_use]
    pub fn on_accepted(self, accepted: impl Fn(&str, u32, Choice) + Send + Sync + 'static) -> Runner {
        Runner { accepted: Some(Arc::new(accepted)), ..self }
    }

    /// What the service's operator reads as the client's name; at most 64 characters.
    #[must_use]
    pub fn client_name(self, name: &str) -> Runner {
        Runner { client_name: name.to_owned(), ..self }
    }

    /// Plays until `stop` is ready or the wanted matches are over. `make` gives the bot for each seat of each match.
    ///
    /// # Errors
    /// What does not pass by itself: the token is wrong, another session of the agent has taken over, the address is
    /// none. A lost connection is no error; it is tried again for as long as it takes.
    pub async fn run(
        &self,
        make: impl FnMut(&GameInfo) -> Box<dyn Bot> + Send,
        stop: impl Future<Output = ()>,
    ) -> Result<Stats, Error> {
        let client = Client::connect_with(&self.address, &self.options)?;
        let (done, thinking) = mpsc::channel(1024);
        let mut player = Player {
            make,
            tables: HashMap::new(),
            stats: Stats::default(),
            done,
            thinking,
            up: None,
            games: self.games,
            tell: self.accepted.clone(),
        };
        let mut backoff = Backoff::default();
        tokio::pin!(stop);
        loop {
            let open = v1::Open { events: false, client: self.client_name.clone() };
            let once = async {
                let (mut session, hello) = Session::open(&client, open).await?;
                self.check(&hello)?;
                backoff.reset();
                player.play(&mut session).await
            };
            let ended = tokio::select! {
                ended = once => ended,
                () = &mut stop => return Ok(player.stats),
            };
            let pause = match ended {
                Ok(After::Done) => return Ok(player.stats),
                Ok(After::Pause(pause)) => pause,
                Err(error) if error.is_passing() => {
                    let pause = backoff.next();
                    warn!(%error, ?pause, "the session is lost; trying again");
                    pause
                }
                Err(error) => return Err(error),
            };
            player.stats.reconnects += 1;
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = &mut stop => return Ok(player.stats),
            }
        }
    }

    fn check(&self, hello: &v1::Hello) -> Result<(), Error> {
        match &self.agent {
            Some(wanted) if *wanted != hello.agent => {
                Err(Error::OtherAgent { wanted: wanted.clone(), found: hello.agent.clone() })
            }
            _ => Ok(()),
        }
    }
}

/// What comes after a session that ended in order.
enum After {
    /// Nothing: all wanted matches are over.
    Done,
    /// Another session, after a pause that the service asked for.
    Pause(Duration),
}

/// The matches of an agent; they outlive a session.
struct Player<F> {
    make: F,
    tables: HashMap<Place, Table>,
    stats: Stats,
    /// Where bots that have thought come back to.
    done: mpsc::Sender<Thought>,
    thinking: mpsc::Receiver<Thought>,
    up: Option<mpsc::Sender<v1::SessionRequest>>,
    games: Option<u64>,
    tell: Option<Accepted>,
}

struct Table {
    game: GameInfo,
    /// Away while it thinks.
    bot: Option<Box<dyn Bot>>,
    /// The last decision that was answered, and the answer: sent again when the decision comes again.
    answer: Option<(u32, v1::Choice)>,
    /// The decision that is being thought about, or waits for the bot to come back.
    asked: Option<v1::Decision>,
    end: Option<GameEnd>,
}

/// A bot comes back from its thoughts, with its answer.
struct Thought {
    place: Place,
    bot: Option<Box<dyn Bot>>,
    decision: u32,
    answer: Option<Move>,
}

impl<F: FnMut(&GameInfo) -> Box<dyn Bot> + Send> Player<F> {
    async fn play(&mut self, session: &mut Session) -> Result<After, Error> {
        self.up = Some(session.sender());
        loop {
            if self.games.is_some_and(|games| self.stats.games >= games) {
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

    async fn receive(&mut self, message: Down) -> Result<Option<After>, Error> {
        match message {
            Down::SeatOffer(offer) => self.accept(offer.r#match.unwrap_or_default()).await?,
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
    async fn accept(&mut self, offered: v1::Match) -> Result<(), Error> {
        info!(match_id = offered.id, "seat taken");
        self.send(Up::OfferReply(v1::OfferReply { match_id: offered.id, accept: true, entropy: entropy() }))
            .await
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
            let mut bot = (self.make)(&game);
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
            return self.send(Up::Choice(choice)).await;
        }
        if table.asked.as_ref().is_some_and(|asked| asked.number == decision.number) {
            return Ok(());
        }
        table.asked = Some(decision);
        self.think(place)
    }

    /// Lets the bot think about what is asked, apart from the connection.
    fn think(&mut self, place: Place) -> Result<(), Error> {
        let Some(table) = self.tables.get_mut(&place) else {
            return Ok(());
        };
        let Some(decision) = &table.asked else {
            return Ok(());
        };
        let turn = Turn::try_from(decision)?;
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
        if table.asked.as_ref().is_none_or(|asked| asked.number != decision) {
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
        self.send(Up::Choice(choice)).await
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

    async fn send(&mut self, what: Up) -> Result<(), Error> {
        let Some(up) = &self.up else {
            return Err(Error::Ended);
        };
        up.send(v1::SessionRequest { what: Some(what) }).await.map_err(|_| Error::Ended)
    }
}

fn goodbye_means(goodbye: &v1::Goodbye) -> Result<After, Error> {
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
