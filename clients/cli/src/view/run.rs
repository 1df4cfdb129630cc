#[cfg(unix)]
use std::future::poll_fn;
#[cfg(unix)]
use std::task::Poll;
use std::time::Duration;

use crossterm::event::{Event, EventStream};
use futures_util::StreamExt;
use tokio::time::{Instant, MissedTickBehavior, interval};

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1;

use super::app::App;
use super::feed::{Feed, News};
use super::game::{Game, Wish};
use super::hall::Hall;
use super::key::key;
use super::link::Link;
use super::paint::Look;
use super::screen::Screen;
use crate::error::Failure;
use crate::tournament::Ending;

/// How often the time is told to a view.
const TICK: Duration = Duration::from_millis(50);

/// The shortest time between two drawings: a match may have thousands of events in a second.
const FRAME: Duration = Duration::from_millis(25);

/// News that are taken in before the view is drawn again.
const AT_ONCE: usize = 1000;

/// How a view is to be shown.
#[derive(Clone, Copy)]
pub(crate) struct Showing {
    pub(crate) look: Look,
    /// Whether it ends when what it shows is over.
    pub(crate) exit: bool,
}

/// Shows a match until somebody quits, and gives how it stood at last. `start` is the event to begin at; else the newest.
pub(crate) async fn watch_match(
    client: Client,
    id: &str,
    start: Option<u64>,
    showing: Showing,
) -> Result<(Ending, Option<v1::Match>), Failure> {
    let feed = Feed::of_match(client.clone(), id);
    let show =
        Show { client: Some(client), app: App::of_game(Game::new(id, start)), hall: None, game: Some(feed) };
    let (ending, app) = show.run(showing).await?;
    Ok((ending, app.game.filter(Game::is_over).and_then(|game| game.about().cloned())))
}

/// Shows a match that is over.
pub(crate) async fn replay(
    about: v1::Match,
    moments: Vec<(v1::Event, v1::Scene)>,
    look: Look,
) -> Result<Ending, Failure> {
    let app = App::of_game(Game::replay(about, moments, Instant::now()));
    let show = Show { client: None, app, hall: None, game: None };
    Ok(show.run(Showing { look, exit: false }).await?.0)
}

/// Shows a tournament until somebody quits, and gives how it stood at last, if it was over.
pub(crate) async fn watch_tournament(
    client: Client,
    id: &str,
    showing: Showing,
) -> Result<(Ending, Option<v1::WatchTournamentResponse>), Failure> {
    let feed = Feed::of_tournament(client.clone(), id);
    let show = Show { client: Some(client), app: App::of_hall(Hall::new(id)), hall: Some(feed), game: None };
    let (ending, app) = show.run(showing).await?;
    Ok((ending, app.hall.filter(Hall::is_over).and_then(|hall| hall.last().cloned())))
}

/// A view and where its news come from.
struct Show {
    /// None for what needs no service.
    client: Option<Client>,
    app: App,
    hall: Option<Feed>,
    game: Option<Feed>,
}

/// What came.
enum Came {
    /// From the terminal; `None` if that is gone.
    Terminal(Option<std::io::Result<Event>>),
    Hall(News),
    Game(News),
    Tick,
    Stop(Ending),
}

impl Show {
    async fn run(mut self, showing: Showing) -> Result<(Ending, App), Failure> {
        // The first news, or why there are none, come before the terminal is filled.
        self.first().await?;
        // Before the terminal is taken, so that no signal finds it taken and nobody there to give it back.
        let mut stops = Stops::new();
        let mut screen = Screen::open(showing.look)?;
        let mut keys = EventStream::new();
        let mut ticks = interval(TICK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
        let (mut changed, mut drawn) = (true, None::<Instant>);
        loop {
            if changed && drawn.is_none_or(|drawn| drawn.elapsed() >= FRAME) {
                screen.draw(&mut self.app)?;
                (changed, drawn) = (false, Some(Instant::now()));
            }
            let came = tokio::select! {
                biased;
                ending = stops.next() => Came::Stop(ending),
                event = keys.next() => Came::Terminal(event),
                news = next(&mut self.hall) => Came::Hall(news),
                news = next(&mut self.game) => Came::Game(news),
                _ = ticks.tick() => Came::Tick,
            };
            changed |= match came {
                Came::Stop(ending) => return Ok((ending, self.app)),
                Came::Terminal(None) => return Ok((Ending::Done, self.app)),
                Came::Terminal(Some(event)) => match self.terminal(&event?) {
                    Some(ending) => return Ok((ending, self.app)),
                    None => true,
                },
                Came::Hall(news) => self.hall_news(news)?,
                Came::Game(news) => self.game_news(news)?,
                Came::Tick => self.app.tick(Instant::now()),
            };
            if showing.exit && self.app.is_over() && !self.has_news() {
                return Ok((Ending::Done, self.app));
            }
        }
    }

    /// Waits for the first news of what is to be shown.
    async fn first(&mut self) -> Result<(), Failure> {
        if self.hall.is_some() {
            let news = next(&mut self.hall).await;
            self.hall_news(news)?;
        } else if self.game.is_some() {
            let news = next(&mut self.game).await;
            self.game_news(news)?;
        }
        Ok(())
    }

    /// Takes what came from the terminal; gives how the view ends, if it does.
    fn terminal(&mut self, event: &Event) -> Option<Ending> {
        match self.app.press(key(event)?, Instant::now()) {
            Wish::Nothing => None,
            Wish::Quit => Some(Ending::Done),
            Wish::Interrupt => Some(Ending::Interrupted),
            Wish::Back => {
                self.game = None;
                None
            }
            Wish::Open(id) => {
                self.game = self.client.clone().map(|client| Feed::of_match(client, &id));
                None
            }
        }
    }

    fn hall_news(&mut self, first: News) -> Result<bool, Failure> {
        let Some(hall) = &mut self.app.hall else { return Ok(false) };
        for news in all(first, &mut self.hall) {
            match news {
                News::Tournament(now) => hall.take(*now, Instant::now()),
                News::Running(running) => hall.play(running),
                News::Link(link) => hall.link(link),
                News::Failed(failure) => return Err(failure),
                News::About(_) | News::Happened(..) => {}
            }
        }
        Ok(true)
    }

    fn game_news(&mut self, first: News) -> Result<bool, Failure> {
        let Some(game) = &mut self.app.game else { return Ok(false) };
        for news in all(first, &mut self.game) {
            match news {
                News::About(about) => game.describe(*about),
                News::Happened(event, scene) => game.take(*event, *scene, Instant::now()),
                News::Link(link) => game.link(link),
                // Before a tournament it is only the match that cannot be shown.
                News::Failed(failure) if self.app.hall.is_some() => {
                    game.link(Link::Gone { why: failure.to_string() });
                }
                News::Failed(failure) => return Err(failure),
                News::Tournament(_) | News::Running(_) => {}
            }
        }
        Ok(true)
    }

    /// Whether something that came waits to be taken in, or is still to come.
    fn has_news(&self) -> bool {
        let feeds = [&self.hall, &self.game];
        feeds.into_iter().flatten().any(|feed| !feed.news.is_empty() || !feed.news.is_closed())
    }
}

/// The next news of a feed; never, if there are no more.
async fn next(feed: &mut Option<Feed>) -> News {
    if let Some(feed) = feed
        && let Some(news) = feed.news.recv().await
    {
        return news;
    }
    std::future::pending().await
}

/// News, and all that came with them.
fn all(first: News, feed: &mut Option<Feed>) -> Vec<News> {
    let more = std::iter::from_fn(|| feed.as_mut()?.news.try_recv().ok());
    std::iter::once(first).chain(more.take(AT_ONCE)).collect()
}

/// The signals that ask the command to stop. SIGINT comes from others; the terminal sends Ctrl-C as a key.
#[cfg(unix)]
struct Stops {
    signals: Vec<(tokio::signal::unix::Signal, Ending)>,
}

#[cfg(unix)]
impl Stops {
    /// From here on they do not end the process by themselves.
    fn new() -> Stops {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [
            (SignalKind::interrupt(), Ending::Interrupted),
            (SignalKind::terminate(), Ending::Terminated),
            (SignalKind::hangup(), Ending::Terminated),
        ];
        // Without signals the process is ended from outside.
        let signals = kinds.into_iter().filter_map(|(kind, ending)| Some((signal(kind).ok()?, ending)));
        Stops { signals: signals.collect() }
    }

    /// Ready when one comes.
    async fn next(&mut self) -> Ending {
        poll_fn(|context| {
            let come = self.signals.iter_mut().find_map(|(signal, ending)| match signal.poll_recv(context) {
                Poll::Ready(Some(())) => Some(*ending),
                Poll::Ready(None) | Poll::Pending => None,
            });
            come.map_or(Poll::Pending, Poll::Ready)
        })
        .await
    }
}

/// What asks the command to stop.
#[cfg(not(unix))]
struct Stops;

#[cfg(not(unix))]
impl Stops {
    fn new() -> Stops {
        Stops
    }

    async fn next(&mut self) -> Ending {
        match tokio::signal::ctrl_c().await {
            Ok(()) => Ending::Interrupted,
            Err(_) => std::future::pending().await,
        }
    }
}
