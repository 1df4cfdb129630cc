use chickenfoot_picture::Outline;
use ratatui::layout::Rect;

use super::film::{Frame, time};
use super::seats::{SeatLine, seconds};
use super::{Game, SPEEDS};
use crate::text::{columns, cut, fit, wrap};
use crate::view::paint::{Line, Pen, Tone, scrolled};

/// From this width on the seats stand beside the table.
const WIDE: u16 = 70;

/// Rows of moves that the seats leave at least.
const MOVES: usize = 3;

impl Game {
    /// Draws the view into an area of any size.
    pub(crate) fn draw(&mut self, pen: &mut Pen<'_>, area: Rect) {
        let status = wrap(&self.situation(), area.width.into());
        let wide = area.width >= WIDE;
        let status_rows = if wide { 1 } else { status.len().clamp(1, 2) as u16 };
        let [head, body] = split(area, 1);
        let [body, rest] = split(body, body.height.saturating_sub(status_rows + 1));
        let [status_area, foot] = split(rest, status_rows);
        pen.bar(head, 0, [&self.title(area.width), &self.moment()], Tone::Bar);
        if wide {
            self.draw_wide(pen, body);
            pen.say(status_area, 0, self.situation(), Tone::Strong);
        } else {
            self.draw_narrow(pen, body);
            for (row, line) in (0..).zip(status) {
                pen.say(status_area, row, line, Tone::Strong);
            }
        }
        self.draw_foot(pen, foot);
    }

    fn title(&self, width: u16) -> String {
        let state = self.about().map_or("", |about| crate::json::state(about.state()));
        let id = if width < 100 { self.id.get(..8).unwrap_or(&self.id) } else { &self.id };
        format!("match {id} {state}").trim_end().to_owned()
    }

    /// Which moment is shown.
    fn moment(&self) -> String {
        let (at, len) = (self.film.at(), self.film.len());
        let event = format!("event {at} of {len}");
        if self.playing.is_some() {
            format!("{event}, plays {} a second", SPEEDS[self.speed])
        } else if self.is_over() {
            if at == len { format!("{event}, the end") } else { event }
        } else if self.live {
            format!("{event}, LIVE")
        } else {
            format!("{event}, {} new", len - at)
        }
    }

    fn draw_wide(&mut self, pen: &mut Pen<'_>, area: Rect) {
        let side = (area.width * 2 / 5).clamp(34, 48);
        let [table, right] = split_left(area, area.width - side);
        let [rule, right] = split_left(right, 2);
        self.draw_table(pen, Rect { width: table.width - 1, ..table });
        for row in 0..rule.height {
            pen.say(rule, row, pen.look.upright(), Tone::Faint);
        }
        let used = self.draw_seats(pen, right);
        let [_, moves] = split(right, used + 1);
        self.draw_moves(pen, moves);
    }

    fn draw_narrow(&mut self, pen: &mut Pen<'_>, area: Rect) {
        let seats = self.seats();
        let rows = seats.len().div_ceil(2).min(usize::from(area.height) / 3);
        let [top, rest] = split(area, rows as u16);
        self.draw_seats_in_pairs(pen, top, &seats);
        let [table, moves] = split(rest, rest.height.saturating_sub(1));
        self.draw_table(pen, table);
        self.draw_moves(pen, moves);
    }

    /// Two seats a row; those around the one on turn, if not all have room.
    fn draw_seats_in_pairs(&self, pen: &mut Pen<'_>, area: Rect, seats: &[SeatLine]) {
        let room = usize::from(area.height) * 2;
        let turn = seats.iter().position(|seat| seat.on_turn).unwrap_or(0);
        let first = (turn.saturating_sub(room / 2)).min(seats.len().saturating_sub(room)) / 2 * 2;
        let width = usize::from(area.width / 2);
        for (row, pair) in (0..).zip(seats.iter().skip(first).take(room).collect::<Vec<_>>().chunks(2)) {
            let line: Line = pair.iter().map(|seat| cell(seat, width, pen.look.here())).collect();
            pen.put(area, row, &line);
        }
    }

    /// Returns the rows that were used.
    fn draw_seats(&self, pen: &mut Pen<'_>, area: Rect) -> u16 {
        let (seats, width) = (self.seats(), usize::from(area.width));
        let names = width.saturating_sub(2 + 6 + 8);
        pen.say(area, 0, format!("  {} tiles  points", fit("seat", names)), Tone::Faint);
        let height = usize::from(area.height);
        let full = 1 + 2 * seats.len() + 1 + MOVES <= height;
        let mut row = 1;
        for seat in &seats {
            let (mark, tone) = if seat.on_turn { (pen.look.here(), Tone::Here) } else { (" ", Tone::Plain) };
            let name = fit(&format!("{} {}", seat.number, seat.name), names);
            let tiles = seat.tiles.map_or("?".to_owned(), |tiles| tiles.to_string());
            pen.say(area, row, format!("{mark} {name} {tiles:>5} {:>7}", seat.points), tone);
            row += 1;
            if full {
                pen.say(area, row, cut(&format!("    {}", seat.more.join(", ")), width), Tone::Faint);
                row += 1;
            }
        }
        row
    }

    /// The last moves, the newest at the bottom.
    fn draw_moves(&self, pen: &mut Pen<'_>, area: Rect) {
        let (past, rows) = (self.film.past(), usize::from(area.height));
        let mut lines: Vec<(String, Tone)> = Vec::new();
        for (at, frame) in past.iter().enumerate().skip(past.len().saturating_sub(rows)) {
            let tone = if at + 1 == past.len() { Tone::Strong } else { Tone::Plain };
            lines.extend(wrap(&told(frame), area.width.into()).into_iter().map(|line| (line, tone)));
        }
        let last = lines.split_off(lines.len().saturating_sub(rows));
        for (row, line) in (0..).zip(last) {
            pen.put(area, row, &[line]);
        }
    }

    /// The outline of the table. It stays where it is as long as the newest tile is in sight.
    fn draw_table(&mut self, pen: &mut Pen<'_>, area: Rect) {
        let Some(table) = self.film.table() else { return };
        let outline = Outline { style: pen.look.branches, width: area.width.into(), ..Outline::default() };
        let text = outline.render(table);
        let lines: Vec<&str> = text.lines().collect();
        let newest = lines.iter().position(|line| line.contains('*'));
        let wanted = newest.filter(|_| !self.scrolled).or((!self.scrolled).then_some(0));
        self.top = scrolled(self.top, wanted, lines.len(), area.height.into());
        for (row, line) in (0..area.height).zip(&lines[self.top..]) {
            pen.put(area, row, &tones(line));
        }
        let below = lines.len().saturating_sub(self.top + usize::from(area.height));
        self.draw_more(pen, area, below);
    }

    /// Says how many lines of the table lie above and below.
    fn draw_more(&self, pen: &mut Pen<'_>, area: Rect, below: usize) {
        let mut say = |row: u16, count: usize, where_: &str| {
            let text = format!(" {count} {where_}");
            let width = columns(&text) as u16;
            if count > 0 && width < area.width && area.height > 2 {
                let corner = Rect { x: area.right() - width, width, ..area };
                pen.say(corner, row, text, Tone::Faint);
            }
        };
        say(0, self.top, "above");
        say(area.height.saturating_sub(1), below, "below");
    }

    fn draw_foot(&self, pen: &mut Pen<'_>, area: Rect) {
        if let Some(words) = self.link.words(self.behind()) {
            pen.bar(area, 0, [&words, ""], Tone::Alert);
            return;
        }
        let keys = if area.width >= WIDE {
            "q quit  \u{2190}\u{2192} step  PgUp PgDn round  Home End  space play  l live  ? help"
        } else {
            "q quit  \u{2190}\u{2192} step  space play  ? help"
        };
        pen.say(area, 0, crate::view::help::arrows(keys, pen.look), Tone::Faint);
    }
}

/// An event in words, with the time that its decision took.
fn told(frame: &Frame) -> String {
    // Names are filled up for lists that are read as columns; here is no room for that.
    let words: Vec<&str> = frame.text.split_whitespace().collect();
    let think = frame.scene.think.map(time);
    let think = think.map(|think| format!(" ({})", seconds(think))).unwrap_or_default();
    words.join(" ") + &think
}

/// A seat in half a row.
fn cell(seat: &SeatLine, width: usize, here: &str) -> (String, Tone) {
    let mark = if seat.on_turn { here } else { " " };
    let tiles = seat.tiles.map_or("?".to_owned(), |tiles| tiles.to_string());
    let room = width.saturating_sub(11);
    let name = format!("{} {}", seat.number, seat.name);
    // What a player of the house plays says more than whose it is.
    let short = format!("{} {}", seat.number, seat.name.trim_start_matches("house:"));
    let name = fit(if columns(&name) > room { &short } else { &name }, room);
    let tone = if seat.on_turn { Tone::Here } else { Tone::Plain };
    (fit(&format!("{mark}{name}{tiles:>3}t{:>4}p", seat.points), width), tone)
}

/// A line of the outline with its newest tile and its open places made out.
fn tones(line: &str) -> Line {
    // The branches, up to the first tile or place.
    let begin = line.find(|c: char| c.is_ascii_digit() || matches!(c, '[' | '(' | '>')).unwrap_or(line.len());
    let (branches, words) = line.split_at(begin);
    let mut pieces = vec![(branches.to_owned(), Tone::Faint)];
    if words.starts_with('(') {
        pieces.push((words.to_owned(), Tone::Open));
        return pieces;
    }
    for (at, word) in words.split(' ').enumerate() {
        if at > 0 {
            pieces.push((" ".to_owned(), Tone::Plain));
        }
        let tone = match word {
            _ if word.ends_with('*') => Tone::Newest,
            _ if word.starts_with('>') => Tone::Open,
            _ => Tone::Plain,
        };
        pieces.push((word.to_owned(), tone));
    }
    pieces
}

/// The first rows of an area, and the rest.
fn split(area: Rect, rows: u16) -> [Rect; 2] {
    let rows = rows.min(area.height);
    [Rect { height: rows, ..area }, Rect { y: area.y + rows, height: area.height - rows, ..area }]
}

/// The first columns of an area, and the rest.
fn split_left(area: Rect, width: u16) -> [Rect; 2] {
    let width = width.min(area.width);
    [Rect { width, ..area }, Rect { x: area.x + width, width: area.width - width, ..area }]
}
