use std::time::Duration;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1;
use prost_types::Duration as WireDuration;
use tempfile::TempDir;
use tokio::time::timeout;
use tonic::transport::{Channel, Endpoint};

use crate::bot::Bot;
use crate::gateway::Gateway;
use crate::scene::Table;
use crate::service::Service;
use crate::transcript::{Breach, Entry, Happened, Log, Promise, Transcript};

/// How long the bot may take to come back after a lost connection.
pub(crate) const COME_BACK: Duration = Duration::from_secs(10);

/// How long a broken promise is looked at, for what explains it.
const LAST_BREATH: Duration = Duration::from_millis(500);

/// So many messages within that time are a flood.
const FLOOD: usize = 100;

/// Why a check stops before its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The bot broke a promise.
    Broken(Breach),
    /// It cannot be checked here, and why.
    Skipped(String),
    /// The doctor's own trouble.
    Trouble(String),
}

impl From<Breach> for Stop {
    fn from(breach: Breach) -> Stop {
        Stop::Broken(breach)
    }
}

impl From<chickenfoot_bot::Error> for Stop {
    fn from(error: chickenfoot_bot::Error) -> Stop {
        Stop::Trouble(format!("the private server: {error}"))
    }
}

/// All that a check works with.
pub(crate) struct Exam {
    /// The bot's name.
    pub(crate) name: String,
    /// The bot's token.
    pub(crate) token: String,
    pub(crate) bot: Bot,
    pub(crate) gateway: Gateway,
    pub(crate) transcript: Transcript,
    pub(crate) service: Service,
    /// The doctor's own agent, straight to the server.
    pub(crate) client: Client,
    pub(crate) client_token: String,
    /// How long the bot has for a decision.
    pub(crate) patience: Duration,
    /// The matches of this check.
    pub(crate) made: Vec<String>,
    /// For files that live as long as the examination. The last field: what uses it ends before.
    pub(crate) folder: TempDir,
}

impl Exam {
    /// Puts matches before the bot and waits until all are over and without a fault.
    pub(crate) async fn play(&mut self, tables: &[Table]) -> Result<Vec<v1::Match>, Stop> {
        let mut ids = Vec::new();
        for table in tables {
            ids.push(self.begin(table).await?);
        }
        self.over(&ids).await
    }

    /// Makes a match with the bot in it.
    pub(crate) async fn begin(&mut self, table: &Table) -> Result<String, Stop> {
        let config = table.config(&self.name).map_err(Stop::Trouble)?;
        let time = WireDuration::try_from(self.patience).map_err(|why| Stop::Trouble(why.to_string()))?;
        // No bank: what is late is seen at once. What the doctor itself breaks is covered by the grace.
        let config = v1::MatchConfig {
            decision_time: Some(time),
            bank: Some(WireDuration::default()),
            grace: Some(WireDuration { seconds: 60, nanos: 0 }),
            ..config
        };
        let id = self.client.create_match(config).await?.id;
        self.made.push(id.clone());
        Ok(id)
    }

    /// Waits until matches are over and looks at what the service counted.
    pub(crate) async fn over(&self, ids: &[String]) -> Result<Vec<v1::Match>, Stop> {
        let ended = async {
            let mut ended = Vec::new();
            for id in ids {
                ended.push(self.ended(id).await?);
            }
            Ok::<_, Stop>(ended)
        };
        let ended = tokio::select! {
            ended = ended => ended?,
            breach = self.transcript.broken() => return Err(self.explained(breach).await),
            breach = self.stays_away() => return Err(breach.into()),
        };
        if let Some(breach) = self.transcript.breach() {
            return Err(self.explained(breach).await);
        }
        ended.iter().try_for_each(|game| self.is_clean(game))?;
        Ok(ended)
    }

    /// Waits for something in the transcript, for this time and that of a decision; without it `promise` is broken, as
    /// `what` says.
    pub(crate) async fn expect<T>(
        &self,
        within: Duration,
        promise: Promise,
        what: &str,
        found: impl FnMut(&Log<'_>) -> Option<T>,
    ) -> Result<T, Stop> {
        match timeout(within + self.patience, self.transcript.find(found)).await {
            Ok(Ok(found)) => Ok(found),
            Ok(Err(breach)) => Err(self.explained(breach).await),
            Err(_) => Err(self.broken(promise, what)),
        }
    }

    /// Whether everything that was planned at the gateway has happened; else the check has shown nothing.
    pub(crate) fn was_disturbed(&self) -> Result<(), Stop> {
        if self.gateway.is_done() {
            return Ok(());
        }
        Err(Stop::Trouble("the matches were over before the gateway could disturb them".to_owned()))
    }

    /// A promise that is broken by what has not happened by now.
    pub(crate) fn broken(&self, promise: Promise, what: impl Into<String>) -> Stop {
        promise.broken(self.transcript.mark().saturating_sub(1), what).into()
    }

    /// Starts the server on its store, after it was killed if it ran.
    pub(crate) async fn start_server(&mut self) -> Result<(), String> {
        self.service.start().await?;
        self.gateway.upstream(Some(channel(self.service.address())?));
        self.client = client(self.service.address(), Some(&self.client_token))?;
        Ok(())
    }

    /// Ends the server as a loss of power would.
    pub(crate) async fn kill_server(&mut self) -> Result<(), Stop> {
        self.transcript.excuse();
        self.transcript.note("the doctor kills the server");
        self.service.kill().await.map_err(Stop::Trouble)?;
        self.gateway.upstream(None);
        Ok(())
    }

    /// Ends all matches of this check that are not over.
    pub(crate) async fn abort(&mut self) {
        for id in self.made.drain(..) {
            self.transcript.forgive(&id);
            // One that is over is refused.
            let _ = self.client.abort_match(&id).await;
        }
    }

    /// The match once it is over.
    async fn ended(&self, id: &str) -> Result<v1::Match, Stop> {
        let mut seen = 0;
        loop {
            let mut events = self.client.watch(id, seen).await?;
            while let Ok(Some(event)) = events.next().await {
                seen = event.seq;
            }
            let game = self.client.get_match(id).await?;
            match game.state() {
                v1::MatchState::Finished => return Ok(game),
                v1::MatchState::Aborted => {
                    return Err(Stop::Trouble(format!("match {id} was aborted: {}", game.abort_reason)));
                }
                v1::MatchState::Open | v1::MatchState::Running | v1::MatchState::Unspecified => {}
            }
        }
    }

    /// Ready when the bot has lost its session and stays away for too long.
    async fn stays_away(&self) -> Breach {
        loop {
            // A breach is told by who waits for one.
            if self.transcript.find(|log| (!log.connected).then_some(())).await.is_err() {
                return std::future::pending().await;
            }
            let back = self.transcript.find(|log| log.connected.then_some(()));
            match timeout(COME_BACK + self.patience, back).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return std::future::pending().await,
                Err(_) => {
                    let away = (COME_BACK + self.patience).as_secs();
                    let what = format!("no session came for {away} s, and its match waits");
                    return Promise::ComesBack.broken(self.transcript.mark().saturating_sub(1), what);
                }
            }
        }
    }

    /// Whether the service counted no fault of the bot.
    fn is_clean(&self, game: &v1::Match) -> Result<(), Stop> {
        let own = game.seats.iter().filter(|seat| seat.name == self.name);
        for ledger in own.filter_map(|seat| seat.ledger.as_ref()) {
            let counts = (ledger.late, ledger.gone, ledger.illegal, ledger.strikes);
            let promise = match counts {
                (0, 0, 0, 0) => continue,
                (0, 0, ..) => Promise::OptionInRange,
                _ => Promise::AnswersInTime,
            };
            let what = format!(
                "the service counted {} decisions late, {} gone, {} illegal answers",
                ledger.late, ledger.gone, ledger.illegal
            );
            return Err(self.broken(promise, what));
        }
        Ok(())
    }

    /// The breach as it looks a moment later, when more of it is to be seen: that the program ended, what the bridge says
    /// of it, that it was the first of a flood.
    async fn explained(&self, breach: Breach) -> Stop {
        let better = timeout(LAST_BREATH, self.transcript.wait(|log| better(log, &breach))).await;
        Stop::Broken(better.unwrap_or(breach))
    }
}

/// What says more than the breach, in the transcript from there on.
fn better(log: &Log<'_>, breach: &Breach) -> Option<Breach> {
    let place = breach.place.unwrap_or_default();
    let behind = || log.entries.iter().skip(place);
    let told = behind().find_map(|entry| match (breach.promise, &entry.what) {
        (Promise::Stays, Happened::Exited(how)) => Some(Promise::KeepsRunning.broken(place, how)),
        (Promise::AnswersInTime, Happened::Fault { promise, what, .. }) => Some(promise.broken(place, what)),
        _ => None,
    });
    let said = behind().filter(|entry| is_said(entry)).count();
    let flood = || Promise::NoFlood.broken(place, format!("{}; {said} messages came at once", breach.what));
    told.or_else(|| (said >= FLOOD).then(flood))
}

/// Whether the bot said something there.
fn is_said(entry: &Entry) -> bool {
    matches!(entry.what, Happened::Up(_) | Happened::Unreadable(_) | Happened::Fault { .. })
}

/// A client of the server itself.
pub(crate) fn client(address: &str, token: Option<&str>) -> Result<Client, String> {
    Client::connect(address, token).map_err(|why| why.to_string())
}

/// The way of the gateway to the server.
pub(crate) fn channel(address: &str) -> Result<Channel, String> {
    let endpoint = Endpoint::from_shared(address.to_owned()).map_err(|why| why.to_string())?;
    Ok(endpoint.tcp_nodelay(true).connect_lazy())
}
