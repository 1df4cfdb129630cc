use std::future::Future;
use std::sync::Arc;

use chickenfoot_protocol::v1;
use chickenfoot_rules::Choice;
use tracing::warn;

mod player;
mod seats;
#[cfg(test)]
mod silence;

use crate::backoff::Backoff;
use crate::bot::{Bot, GameInfo};
use crate::client::Client;
use crate::error::Error;
use crate::options::ConnectOptions;
use crate::session::Session;
use player::Player;
pub(crate) use player::{MAX_RESUME, goodbye_means};
pub(crate) use seats::{After, Seats};

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
        let mut player = Player::new(make, self.games, self.accepted.clone());
        self.play(&mut player, stop).await
    }

    /// As [`Runner::run`], with these players of the seats.
    pub(crate) async fn play(
        &self,
        seats: &mut impl Seats,
        stop: impl Future<Output = ()>,
    ) -> Result<Stats, Error> {
        self.play_at(|| Client::connect_with(&self.address, &self.options), seats, stop).await
    }

    /// How many matches are wanted, if that was said.
    pub(crate) fn wanted_games(&self) -> Option<u64> {
        self.games
    }

    /// As [`Runner::play`], with connections from `connect`.
    async fn play_at(
        &self,
        connect: impl Fn() -> Result<Client, Error>,
        seats: &mut impl Seats,
        stop: impl Future<Output = ()>,
    ) -> Result<Stats, Error> {
        let mut backoff = Backoff::default();
        tokio::pin!(stop);
        loop {
            // A new connection for every session: the old one may be dead without either end having been told.
            let client = connect()?;
            let open = v1::Open {
                events: seats.wants_events(),
                client: self.client_name.clone(),
                resume: seats.known(),
            };
            let once = async {
                let (mut session, hello) = Session::open(&client, open).await?;
                self.check(&hello)?;
                backoff.reset();
                seats.play(&mut session).await
            };
            let ended = tokio::select! {
                ended = once => ended,
                () = &mut stop => return Ok(*seats.stats()),
            };
            let pause = match ended {
                Ok(After::Done) => return Ok(*seats.stats()),
                Ok(After::Pause(pause)) => pause,
                Err(error) if error.is_passing() => {
                    let pause = backoff.next();
                    warn!(%error, address = self.address, ?pause, "the session is lost; trying again");
                    pause
                }
                Err(error) => return Err(error),
            };
            seats.stats().reconnects += 1;
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = &mut stop => return Ok(*seats.stats()),
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
