pub(crate) mod draw;
mod film;
mod seats;
mod situation;

use std::time::Duration;

use chickenfoot_protocol::v1;
use tokio::time::Instant;

use self::film::Film;
use super::key::Key;
use super::link::Link;

/// Events a second, from the slowest to the fastest.
const SPEEDS: [f64; 7] = [0.5, 1.0, 2.0, 4.0, 10.0, 25.0, 100.0];

/// The one to begin with.
const SPEED: usize = 2;

/// A match as somebody looks at it: all that is known of it, and which moment is shown.
///
/// It is fed with what the service says, with keys and with the time, and reads nothing by itself.
pub(crate) struct Game {
    id: String,
    /// As the service last described it.
    about: Option<v1::Match>,
    film: Film,
    /// Whether the newest event is shown, whatever comes.
    live: bool,
    /// Since when the next event is waited for, while it plays by itself.
    playing: Option<Instant>,
    speed: usize,
    link: Link,
    /// The number of the match's last event, as far as that is known.
    head: u64,
    /// Where the view begins, once there are as many events.
    start: Option<u64>,
    /// When the newest event came.
    came: Option<Instant>,
    now: Option<Instant>,
    /// The first line of the table that is shown.
    top: usize,
    /// Whether somebody scrolled, and the newest tile is not looked for.
    scrolled: bool,
}

/// What the loop around a view has to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    Nothing,
    /// End the view.
    Quit,
    /// End the view: somebody interrupted it.
    Interrupt,
    /// Go back to where it was opened from.
    Back,
    /// Open the view of a match.
    Open(String),
}

impl Game {
    /// A match of which nothing is known yet; shown live, or from one of its events on.
    pub(crate) fn new(id: &str, start: Option<u64>) -> Game {
        Game {
            id: id.to_owned(),
            about: None,
            film: Film::default(),
            live: start.is_none(),
            playing: None,
            speed: SPEED,
            link: Link::Up,
            head: 0,
            start,
            came: None,
            now: None,
            top: 0,
            scrolled: false,
        }
    }

    /// A match that is over, from its beginning.
    pub(crate) fn replay(about: v1::Match, moments: Vec<(v1::Event, v1::Scene)>, now: Instant) -> Game {
        let mut game = Game::new(&about.id, Some(1));
        game.describe(about);
        for (event, scene) in moments {
            game.take(event, scene, now);
        }
        game
    }

    /// Takes how the match stands.
    pub(crate) fn describe(&mut self, about: v1::Match) {
        self.head = self.head.max(about.head_seq);
        self.about = Some(about);
    }

    /// Takes the next event, and what everybody may know after it.
    pub(crate) fn take(&mut self, event: v1::Event, scene: v1::Scene, now: Instant) {
        self.head = self.head.max(event.seq);
        if self.film.push(event, scene) {
            self.came = Some(now);
            self.arrive();
        }
        if self.link.is_down() && self.behind() == 0 {
            self.link = Link::Up;
        }
    }

    /// Takes how the connection is.
    pub(crate) fn link(&mut self, link: Link) {
        // A connection that is back is told of once nothing is missing any more.
        self.link = if link == Link::Up && self.behind() > 0 { self.link.clone() } else { link };
    }

    /// The number of the last event that came.
    pub(crate) fn seen(&self) -> u64 {
        self.film.last_seq()
    }

    /// Whether nothing more will come.
    pub(crate) fn is_over(&self) -> bool {
        // One that never began has no events.
        let state = self.about.as_ref().map(v1::Match::state);
        self.film.is_over() || self.film.len() == 0 && state == Some(v1::MatchState::Aborted)
    }

    /// How the match stands, as the service last said.
    pub(crate) fn about(&self) -> Option<&v1::Match> {
        self.about.as_ref()
    }

    /// Takes the time: what plays by itself goes on. `true` if something changed that is shown.
    pub(crate) fn tick(&mut self, now: Instant) -> bool {
        let second =
            |at: Option<Instant>, came: Instant| at.map(|at| at.saturating_duration_since(came).as_secs());
        // The clock of the seat on turn is shown in seconds.
        let runs = self.live && !self.is_over();
        let clock = runs && self.came.is_some_and(|came| second(self.now, came) != second(Some(now), came));
        self.now = Some(now);
        self.play(now) || clock
    }

    fn play(&mut self, now: Instant) -> bool {
        let Some(mut since) = self.playing else { return false };
        let pause = Duration::from_secs_f64(1.0 / SPEEDS[self.speed]);
        let mut moved = false;
        while now.duration_since(since) >= pause {
            since += pause;
            moved = true;
            if !self.go(self.film.at() + 1) {
                self.playing = None;
                self.live = !self.is_over();
                return true;
            }
        }
        self.playing = Some(since);
        moved
    }

    /// Takes a key.
    pub(crate) fn press(&mut self, key: Key, now: Instant) -> Wish {
        match key {
            Key::Quit => return Wish::Quit,
            Key::Interrupt => return Wish::Interrupt,
            Key::Back => return Wish::Back,
            Key::Up => self.scroll(self.top.saturating_sub(1)),
            Key::Down => self.scroll(self.top + 1),
            Key::StepBack => self.seek(self.film.at().saturating_sub(1).max(1)),
            Key::StepOn => self.seek(self.film.at() + 1),
            Key::First => self.seek(1),
            Key::RoundBack => self.seek(self.film.round_before()),
            Key::RoundOn => self.seek(self.film.round_after()),
            Key::Last | Key::Live => {
                self.go(self.film.len());
                (self.live, self.playing) = (true, None);
            }
            Key::PlayPause => self.play_or_pause(now),
            Key::Slower => self.speed = self.speed.saturating_sub(1),
            Key::Faster => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            Key::Open | Key::Help | Key::Section => {}
        }
        Wish::Nothing
    }

    fn play_or_pause(&mut self, now: Instant) {
        let at_end = self.film.at() == self.film.len();
        match self.playing {
            Some(_) => self.playing = None,
            // A match that goes on is stopped, one that is over begins again.
            None if at_end && !self.is_over() => self.live = !self.live,
            None => {
                if at_end {
                    self.go(1);
                }
                (self.playing, self.live) = (Some(now), false);
            }
        }
    }

    /// Shows a moment that somebody asked for. Where there is no other, as at either end, all stays as it is.
    fn seek(&mut self, at: usize) {
        let at = at.min(self.film.len());
        if at == self.film.at() {
            return;
        }
        (self.live, self.playing) = (false, None);
        self.go(at);
    }

    /// Shows the moment after so many events, if there are as many.
    fn go(&mut self, at: usize) -> bool {
        self.start = None;
        self.scrolled = false;
        self.film.go(at)
    }

    /// Shows what came, if that is wanted.
    fn arrive(&mut self) {
        if self.live {
            self.film.go(self.film.len());
        } else if let Some(start) = self.start {
            // Until somebody presses a key, the moment is the one that was asked for on the command line.
            self.film.go(usize::try_from(start).unwrap_or(usize::MAX).min(self.film.len()));
        }
    }

    fn scroll(&mut self, top: usize) {
        self.scrolled = true;
        self.top = top;
    }

    /// Events that the match has and that did not come yet.
    fn behind(&self) -> u64 {
        self.head.saturating_sub(self.seen())
    }
}

#[cfg(test)]
mod tests;
