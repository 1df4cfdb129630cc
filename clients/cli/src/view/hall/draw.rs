use chickenfoot_protocol::v1;
use ratatui::layout::Rect;

use super::{Hall, Rows};
use crate::text::{columns, wrap};
use crate::tournament::{Progress, format_word, state_word};
use crate::view::help::arrows;
use crate::view::paint::{Pen, Tone, scrolled};

/// Columns of the bar that shows how far it is.
const BAR: usize = 24;

impl Hall {
    /// Draws the view into an area of any size.
    pub(crate) fn draw(&mut self, pen: &mut Pen<'_>, area: Rect) {
        let [title, state] = self.title();
        pen.bar(area, 0, [&title, &state], Tone::Bar);
        let progress = self.progress(pen, area.width.into());
        let mut row = 1;
        for line in progress {
            pen.say(area, row, line, Tone::Plain);
            row += 1;
        }
        let rest = area.height.saturating_sub(row + 1);
        let body = Rect { y: area.y + row.min(area.height), height: rest, ..area };
        self.draw_rows(pen, body);
        let foot = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..area };
        self.draw_foot(pen, foot);
    }

    fn title(&self) -> [String; 2] {
        let Some(tournament) = self.now.as_ref().and_then(|now| now.tournament.as_ref()) else {
            return [format!("tournament {}", self.id), "asking the service".to_owned()];
        };
        let config = tournament.config.as_ref();
        let name = config.map_or("", |config| config.name.as_str());
        let format = format_word(config).unwrap_or("tournament");
        [name.to_owned(), format!("{format}, {}", state_word(tournament.state()))]
    }

    /// How far it is, and how it goes, in as many lines as that needs.
    fn progress(&self, pen: &Pen<'_>, width: usize) -> Vec<String> {
        let Some(now) = &self.now else { return Vec::new() };
        let progress = Progress { now, pace: &self.pace };
        let counts = now.tournament.as_ref().and_then(|it| it.progress).unwrap_or_default();
        if progress.state() == v1::TournamentState::Open {
            let entrants = now.tournament.as_ref().map_or(0, |it| it.entrants);
            return vec![format!("not started, {entrants} entrants so far")];
        }
        let (done, all) = progress.blocks();
        let mut text = match all {
            Some(all) => format!("{done}/{all} blocks"),
            None => format!("{done} blocks"),
        };
        if counts.stage > 1 {
            text += &format!(", stage {}", counts.stage);
        }
        text += &format!(", {}", progress.pace_text());
        let why = now.tournament.as_ref().map_or("", |it| it.message.as_str());
        if !why.is_empty() {
            text += &format!(", {}", crate::text::clean(why));
        }
        let bar = all.filter(|all| *all > 0).map(|all| bar(done, all, pen.look.bar())).unwrap_or_default();
        if columns(&bar) + columns(&text) <= width {
            return vec![bar + &text];
        }
        let bar = Some(bar).filter(|bar| !bar.is_empty());
        bar.into_iter().chain(wrap(&text, width)).collect()
    }

    fn draw_rows(&mut self, pen: &mut Pen<'_>, area: Rect) {
        // A column for the mark and one beside it.
        let width = usize::from(area.width).saturating_sub(2);
        let bar = pen.look.bar();
        let rows = Rows { now: self.now.as_ref(), running: &self.running, width, bar }.all();
        self.page = usize::from(area.height).max(1);
        // With its heading, if that is right above.
        let heading = self.cursor > 0 && rows.get(self.cursor - 1).is_some_and(|row| row.head);
        let wanted = if heading && self.cursor - 1 < self.top { self.cursor - 1 } else { self.cursor };
        self.top = scrolled(self.top, Some(wanted), rows.len(), area.height.into());
        for (at, row) in rows.iter().enumerate().skip(self.top).take(area.height.into()) {
            let mark = if at == self.cursor { pen.look.here() } else { " " };
            let tone = match (at == self.cursor, row.head) {
                (_, true) => Tone::Faint,
                (true, false) => Tone::Here,
                (false, false) => Tone::Plain,
            };
            pen.put(
                area,
                (at - self.top) as u16,
                &[(format!("{mark} "), Tone::Here), (row.text.clone(), tone)],
            );
        }
    }

    fn draw_foot(&self, pen: &mut Pen<'_>, area: Rect) {
        if let Some(words) = self.link.words(0) {
            pen.bar(area, 0, [&words, ""], Tone::Alert);
            return;
        }
        let keys = match area.width {
            0..60 => "q quit  \u{2191}\u{2193} scroll  Enter match  ? help",
            _ => "q quit  \u{2191}\u{2193} scroll  Tab next section  Enter on a match shows it  ? help",
        };
        pen.say(area, 0, arrows(keys, pen.look), Tone::Faint);
    }
}

/// How far it is, as a bar of characters.
fn bar(done: u64, all: u64, [full, empty]: [char; 2]) -> String {
    let filled = (u128::from(done.min(all)) * BAR as u128 / u128::from(all.max(1))) as usize;
    let cells = (0..BAR).map(|at| if at < filled { full } else { empty });
    format!("{} ", cells.collect::<String>())
}
