use std::time::Duration;

use chickenfoot_bot::{Client, Error};
use chickenfoot_protocol::v1::{self, event::What};
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::JoinHandle;
use tokio::time::{Instant, MissedTickBehavior, interval, interval_at, sleep};

use super::link::Link;
use crate::error::Failure;

/// Messages that wait to be taken in.
const QUEUE: usize = 256;

/// How often the service is asked for what its streams do not tell.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// The pause before a lost connection is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// Best entrants of a tournament that are shown.
const STANDINGS: u32 = 200;

/// Something that came from the service.
pub(crate) enum News {
    /// How a match stands.
    About(Box<v1::Match>),
    /// The next event of a match, with its scene.
    Happened(Box<v1::Event>, Box<v1::Scene>),
    /// How a tournament stands.
    Tournament(Box<v1::WatchTournamentResponse>),
    /// The matches of a tournament that are being played.
    Running(Vec<v1::Match>),
    /// How the connection is.
    Link(Link),
    /// Nothing more will come, because of this.
    Failed(Failure),
}

/// News as they come, until it is dropped.
pub(crate) struct Feed {
    pub(crate) news: Receiver<News>,
    task: JoinHandle<()>,
}

impl Feed {
    /// News of a match: all its events from the first on, and how it stands.
    pub(crate) fn of_match(client: Client, id: &str) -> Feed {
        let id = id.to_owned();
        Feed::new(async move |news| match_news(&client, &id, &news).await)
    }

    /// News of a tournament.
    pub(crate) fn of_tournament(client: Client, id: &str) -> Feed {
        let id = id.to_owned();
        Feed::new(async move |news| tournament_news(&client, &id, &news).await)
    }

    fn new<F>(read: impl FnOnce(Sender<News>) -> F) -> Feed
    where
        F: Future<Output = Result<(), Failure>> + Send + 'static,
    {
        let (sender, news) = channel(QUEUE);
        let reading = read(sender.clone());
        let task = tokio::spawn(async move {
            if let Err(failure) = reading.await {
                tell(&sender, News::Failed(failure)).await;
            }
        });
        Feed { news, task }
    }
}

impl Drop for Feed {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Who dropped the feed wants no more news, and its task is ended.
async fn tell(news: &Sender<News>, what: News) {
    let _ = news.send(what).await;
}

async fn match_news(client: &Client, id: &str, news: &Sender<News>) -> Result<(), Failure> {
    let mut watch = MatchWatch { client, id, news, seen: 0, answered: false };
    loop {
        match watch.follow().await {
            Ok(()) => return Ok(()),
            // A service that never answered is most likely not there.
            Err(error) if error.is_passing() && watch.answered => {
                tell(news, News::Link(Link::Down { why: error.to_string() })).await;
                sleep(PAUSE).await;
            }
            Err(error) => return Err(error.into()),
        }
    }
}

struct MatchWatch<'a> {
    client: &'a Client,
    id: &'a str,
    news: &'a Sender<News>,
    /// The number of the last event that came.
    seen: u64,
    /// Whether the service answered at all.
    answered: bool,
}

impl MatchWatch<'_> {
    /// Until the match is over, or the connection is lost.
    async fn follow(&mut self) -> Result<(), Error> {
        // How far the match is comes before its events, so that it can be told how many are missing.
        self.ask().await?;
        let mut watch = self.client.watch_scenes(self.id, self.seen, false).await?;
        tell(self.news, News::Link(Link::Up)).await;
        // It was asked just now.
        let mut asks = interval_at(Instant::now() + ASK_EVERY, ASK_EVERY);
        asks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut over = false;
        loop {
            tokio::select! {
                told = watch.next() => {
                    let Some((event, scene)) = told? else { break };
                    self.seen = event.seq;
                    over = matches!(event.what, Some(What::MatchEnded(_) | What::MatchAborted(_)));
                    tell(self.news, News::Happened(Box::new(event), Box::new(scene))).await;
                }
                _ = asks.tick() => {
                    self.ask().await?;
                }
            }
        }
        let state = self.ask().await?;
        // A stream that ends before the match was cut off, as by a service that stops.
        match state {
            v1::MatchState::Finished | v1::MatchState::Aborted => Ok(()),
            _ if over => Ok(()),
            _ => Err(Error::Ended),
        }
    }

    async fn ask(&mut self) -> Result<v1::MatchState, Error> {
        let about = self.client.get_match(self.id).await?;
        self.answered = true;
        let state = about.state();
        tell(self.news, News::About(Box::new(about))).await;
        Ok(state)
    }
}

async fn tournament_news(client: &Client, id: &str, news: &Sender<News>) -> Result<(), Failure> {
    let lost = news.clone();
    let mut watch = client.watch_tournament(id, STANDINGS).await?.on_lost(move |error| {
        // With the queue full the next message tells more than this one.
        let _ = lost.try_send(News::Link(Link::Down { why: error.to_string() }));
    });
    let mut asks = interval(ASK_EVERY);
    asks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            now = watch.next() => {
                let Some(now) = now? else { return Ok(()) };
                tell(news, News::Tournament(Box::new(now))).await;
            }
            _ = asks.tick() => match client.running_matches(id).await {
                Ok(page) => tell(news, News::Running(page.entries)).await,
                // The watch notices it too, and comes back by itself.
                Err(error) if error.is_passing() => {}
                Err(error) => return Err(error.into()),
            },
        }
    }
}
