use std::time::Duration;

use chickenfoot_protocol::v1;
use tokio::time::Instant;
use tonic::Streaming;
use tracing::warn;

use crate::backoff::Backoff;
use crate::client::Client;
use crate::error::Error;

/// A tournament as it stands, and again after every change, to its end.
///
/// A lost connection and a restart of the service are taken in its stride: the watch comes back with growing pauses, and
/// goes on with how the tournament stands then.
pub struct TournamentWatch {
    client: Client,
    request: v1::WatchTournamentRequest,
    /// `None` after a loss, until it is taken up again.
    stream: Option<Streaming<v1::WatchTournamentResponse>>,
    backoff: Backoff,
    /// No attempt before.
    pause: Option<Instant>,
    /// Since when nothing has come, after a loss.
    silent: Option<Instant>,
    patience: Option<Duration>,
    /// Whether the last message was of a tournament that is over.
    over: bool,
    tell: Option<Tell>,
}

/// Is told of every loss.
type Tell = Box<dyn Fn(&Error) + Send>;

impl TournamentWatch {
    pub(crate) async fn open(
        client: Client,
        request: v1::WatchTournamentRequest,
    ) -> Result<TournamentWatch, Error> {
        let mut watch = TournamentWatch {
            client,
            request,
            stream: None,
            backoff: Backoff::default(),
            pause: None,
            silent: None,
            patience: None,
            over: false,
            tell: None,
        };
        watch.stream = Some(ask(watch.client.clone(), watch.request.clone()).await?);
        Ok(watch)
    }

    /// Gives up if the service says nothing for so long after the connection was lost. Otherwise it is tried again for as
    /// long as it takes.
    #[must_use]
    pub fn patience(self, patience: Duration) -> TournamentWatch {
        TournamentWatch { patience: Some(patience), ..self }
    }

    /// Has every loss of the connection, and every attempt to come back that failed, told to `lost`, which must return at
    /// once. Otherwise they are logged.
    #[must_use]
    pub fn on_lost(self, lost: impl Fn(&Error) + Send + 'static) -> TournamentWatch {
        TournamentWatch { tell: Some(Box::new(lost)), ..self }
    }

    /// How the tournament stands; `None` once it is over and that was told. May be given up while waiting; nothing is
    /// lost.
    ///
    /// # Errors
    /// What does not pass by itself, such as a tournament that is not there any more; or the patience is at its end.
    pub async fn next(&mut self) -> Result<Option<v1::WatchTournamentResponse>, Error> {
        loop {
            if self.over {
                return Ok(None);
            }
            match self.receive().await {
                Ok(message) => {
                    self.backoff.reset();
                    (self.pause, self.silent) = (None, None);
                    self.over = is_over(&message);
                    return Ok(Some(message));
                }
                Err(error) if error.is_passing() => self.lost(error)?,
                Err(error) => return Err(error),
            }
        }
    }

    async fn receive(&mut self) -> Result<v1::WatchTournamentResponse, Error> {
        if self.stream.is_none() {
            if let Some(pause) = self.pause {
                tokio::time::sleep_until(pause).await;
            }
            self.stream = Some(ask(self.client.clone(), self.request.clone()).await?);
        }
        let message = match &mut self.stream {
            Some(stream) => stream.message().await?,
            None => None,
        };
        // A stream that ends before the tournament does was cut off, as by a service that stops.
        message.ok_or(Error::Ended)
    }

    /// Notes a loss; fails with it if it has lasted for too long.
    fn lost(&mut self, error: Error) -> Result<(), Error> {
        let now = Instant::now();
        self.stream = None;
        // From the first loss on, whatever the silence before it: a stream says nothing while nothing changes.
        let since = *self.silent.get_or_insert(now);
        if self.patience.is_some_and(|patience| now.duration_since(since) >= patience) {
            return Err(error);
        }
        match &self.tell {
            Some(tell) => tell(&error),
            None => warn!(%error, "the watch of a tournament is lost; trying again"),
        }
        self.pause = Some(now + self.backoff.next());
        Ok(())
    }
}

/// Of nothing borrowed, so that a task may wait in [`TournamentWatch::next`] whatever is told of losses.
async fn ask(
    mut client: Client,
    request: v1::WatchTournamentRequest,
) -> Result<Streaming<v1::WatchTournamentResponse>, Error> {
    Ok(client.tournaments.watch_tournament(request).await?.into_inner())
}

fn is_over(message: &v1::WatchTournamentResponse) -> bool {
    let state = message.tournament.as_ref().map(v1::Tournament::state);
    matches!(state, Some(v1::TournamentState::Finished | v1::TournamentState::Cancelled))
}
