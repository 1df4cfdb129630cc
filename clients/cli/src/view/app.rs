use ratatui::layout::Rect;
use tokio::time::Instant;

use super::game::{Game, Wish};
use super::hall::Hall;
use super::help::{self, Topic};
use super::key::Key;
use super::paint::Pen;

/// What is on the screen: a match, or a tournament with perhaps one of its matches before it, and perhaps the help before all.
pub(crate) struct App {
    pub(crate) hall: Option<Hall>,
    pub(crate) game: Option<Game>,
    help: bool,
}

impl App {
    /// The view of a match alone.
    pub(crate) fn of_game(game: Game) -> App {
        App { hall: None, game: Some(game), help: false }
    }

    /// The view of a tournament.
    pub(crate) fn of_hall(hall: Hall) -> App {
        App { hall: Some(hall), game: None, help: false }
    }

    /// Takes a key.
    pub(crate) fn press(&mut self, key: Key, now: Instant) -> Wish {
        if self.help && !matches!(key, Key::Quit | Key::Interrupt) {
            self.help = false;
            return Wish::Nothing;
        }
        let wish = match (key, &mut self.game, &mut self.hall) {
            (Key::Help, ..) => {
                self.help = true;
                Wish::Nothing
            }
            (_, Some(game), _) => game.press(key, now),
            (_, None, Some(hall)) => hall.press(key),
            (_, None, None) => Wish::Quit,
        };
        match wish {
            Wish::Open(id) => {
                self.game = Some(Game::new(&id, None));
                Wish::Open(id)
            }
            // A match that was opened by itself has nothing behind it.
            Wish::Back if self.hall.is_some() => {
                self.game = None;
                Wish::Back
            }
            Wish::Back => Wish::Nothing,
            other @ (Wish::Nothing | Wish::Quit | Wish::Interrupt) => other,
        }
    }

    /// Takes the time; `true` if something changed that is shown.
    pub(crate) fn tick(&mut self, now: Instant) -> bool {
        self.game.as_mut().is_some_and(|game| game.tick(now))
    }

    /// Whether what was opened at first will not change any more.
    pub(crate) fn is_over(&self) -> bool {
        match (&self.hall, &self.game) {
            (Some(hall), _) => hall.is_over(),
            (None, Some(game)) => game.is_over(),
            (None, None) => true,
        }
    }

    /// Draws all of it.
    pub(crate) fn draw(&mut self, pen: &mut Pen<'_>, area: Rect) {
        match (&mut self.game, &mut self.hall) {
            (Some(_), _) if self.help => help::draw(Topic::Game, pen, area),
            (None, _) if self.help => help::draw(Topic::Hall, pen, area),
            (Some(game), _) => game.draw(pen, area),
            (None, Some(hall)) => hall.draw(pen, area),
            (None, None) => {}
        }
    }
}
