mod draw;
mod rows;

use chickenfoot_protocol::v1;
use tokio::time::Instant;

use super::game::Wish;
use super::key::Key;
use super::link::Link;
use crate::tournament::Pace;

use self::rows::{Row, Rows};

/// A tournament as somebody looks at it, line by line.
///
/// It is fed with what the service says and with keys, and reads nothing by itself.
pub(crate) struct Hall {
    id: String,
    now: Option<v1::WatchTournamentResponse>,
    pace: Pace,
    /// The matches that are being played, as they were asked for last.
    running: Vec<v1::Match>,
    link: Link,
    /// The line that the mark is at.
    cursor: usize,
    /// The first line that is shown.
    top: usize,
    /// How many lines were shown last.
    page: usize,
}

impl Hall {
    /// A tournament of which nothing is known yet.
    pub(crate) fn new(id: &str) -> Hall {
        Hall {
            id: id.to_owned(),
            now: None,
            pace: Pace::default(),
            running: Vec::new(),
            link: Link::Up,
            cursor: 0,
            top: 0,
            page: 1,
        }
    }

    /// Takes how the tournament stands.
    pub(crate) fn take(&mut self, now: v1::WatchTournamentResponse, at: Instant) {
        if let Some(progress) = now.tournament.as_ref().and_then(|it| it.progress.as_ref()) {
            self.pace.note(at, progress);
        }
        let over = is_over(&now);
        self.keep_place(|hall| {
            hall.now = Some(now);
            if over {
                hall.running.clear();
            }
        });
        self.link = Link::Up;
    }

    /// Takes the matches that are being played.
    pub(crate) fn play(&mut self, running: Vec<v1::Match>) {
        if !self.is_over() {
            self.keep_place(|hall| hall.running = running);
        }
    }

    /// Takes how the connection is.
    pub(crate) fn link(&mut self, link: Link) {
        self.link = link;
    }

    /// What the service said last.
    pub(crate) fn last(&self) -> Option<&v1::WatchTournamentResponse> {
        self.now.as_ref()
    }

    /// Whether the tournament will not change any more.
    pub(crate) fn is_over(&self) -> bool {
        self.now.as_ref().is_some_and(is_over)
    }

    /// Takes a key.
    pub(crate) fn press(&mut self, key: Key) -> Wish {
        let rows = self.rows();
        let last = rows.len().saturating_sub(1);
        self.cursor = match key {
            Key::Quit => return Wish::Quit,
            Key::Interrupt => return Wish::Interrupt,
            Key::Open => {
                let chosen = rows.get(self.cursor).and_then(|row| row.game.clone());
                return chosen.map_or(Wish::Nothing, Wish::Open);
            }
            Key::Up => self.cursor.saturating_sub(1),
            Key::Down => self.cursor + 1,
            Key::RoundBack => self.cursor.saturating_sub(self.page),
            Key::RoundOn => self.cursor + self.page,
            Key::First => 0,
            Key::Last => last,
            Key::Section => {
                let heads: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].head).collect();
                let next = heads.iter().find(|at| **at > self.cursor).or(heads.first());
                // The first line below the heading.
                next.map_or(0, |at| at + 1)
            }
            Key::Back
            | Key::Help
            | Key::StepBack
            | Key::StepOn
            | Key::PlayPause
            | Key::Live
            | Key::Slower
            | Key::Faster => self.cursor,
        }
        .min(last);
        Wish::Nothing
    }

    /// Lets something change, and has the mark stay at the match that it was at.
    fn keep_place(&mut self, change: impl FnOnce(&mut Hall)) {
        let before = self.rows();
        let chosen = before.get(self.cursor).and_then(|row| row.game.clone());
        change(self);
        let rows = self.rows();
        if let Some(at) = chosen.and_then(|id| rows.iter().position(|row| row.game.as_ref() == Some(&id))) {
            self.cursor = at;
        } else if before.len() < 2 {
            // The first line is a heading.
            self.cursor = 1;
        }
        self.cursor = self.cursor.min(rows.len().saturating_sub(1));
    }

    /// All lines for the width that they need at most.
    fn rows(&self) -> Vec<Row> {
        Rows { now: self.now.as_ref(), running: &self.running, width: usize::MAX, bar: ['#', '.'] }.all()
    }
}

fn is_over(now: &v1::WatchTournamentResponse) -> bool {
    let state = now.tournament.as_ref().map(v1::Tournament::state);
    matches!(state, Some(v1::TournamentState::Finished | v1::TournamentState::Cancelled))
}

#[cfg(test)]
mod tests;
