use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use chickenfoot_picture::Style as Branches;

use crate::text::{clean, columns, cut};

/// How a view looks: colours or none, and which characters there are. Nothing is told by colour alone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) colours: bool,
    pub(crate) branches: Branches,
}

/// What a piece of text is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    /// What is of less weight.
    Faint,
    /// A title.
    Strong,
    /// A line across the view.
    Bar,
    /// The newest tile.
    Newest,
    /// Where a tile may be laid.
    Open,
    /// Who is on turn, or where the cursor is.
    Here,
    /// What went wrong.
    Alert,
}

/// Pieces of text, side by side.
pub(crate) type Line = Vec<(String, Tone)>;

impl Look {
    fn style(self, tone: Tone) -> Style {
        let style = Style::new();
        let coloured = |color: Color, plain: Style| if self.colours { plain.fg(color) } else { plain };
        match tone {
            Tone::Plain => style,
            Tone::Faint => style.add_modifier(Modifier::DIM),
            Tone::Strong | Tone::Here => style.add_modifier(Modifier::BOLD),
            Tone::Bar => style.add_modifier(Modifier::REVERSED),
            Tone::Newest => coloured(Color::Yellow, style.add_modifier(Modifier::BOLD | Modifier::REVERSED)),
            Tone::Open => coloured(Color::Cyan, style.add_modifier(Modifier::BOLD)),
            Tone::Alert => coloured(Color::Red, style.add_modifier(Modifier::BOLD | Modifier::REVERSED)),
        }
    }

    /// The mark of who is on turn, or where the cursor is.
    pub(crate) fn here(self) -> &'static str {
        match self.branches {
            Branches::Ascii => ">",
            Branches::Unicode => "▶",
        }
    }

    /// The line between two columns.
    pub(crate) fn upright(self) -> &'static str {
        match self.branches {
            Branches::Ascii => "|",
            Branches::Unicode => "│",
        }
    }

    /// A full and an empty part of a bar.
    pub(crate) fn bar(self) -> [char; 2] {
        match self.branches {
            Branches::Ascii => ['#', '.'],
            Branches::Unicode => ['█', '░'],
        }
    }
}

/// Where something is drawn, and how.
pub(crate) struct Pen<'a> {
    pub(crate) buffer: &'a mut Buffer,
    pub(crate) look: Look,
}

impl Pen<'_> {
    /// Writes pieces in a row of an area, from its top; what does not fit is cut off with a mark.
    pub(crate) fn put(&mut self, area: Rect, row: u16, line: &[(String, Tone)]) {
        if row >= area.height {
            return;
        }
        let (mut x, y) = (area.x, area.y + row);
        for (text, tone) in line {
            let room = usize::from(area.right().saturating_sub(x));
            let text = cut(&clean(text), room);
            (x, _) = self.buffer.set_stringn(x, y, text, room, self.look.style(*tone));
        }
    }

    /// Writes one piece in a row.
    pub(crate) fn say(&mut self, area: Rect, row: u16, text: impl Into<String>, tone: Tone) {
        self.put(area, row, &[(text.into(), tone)]);
    }

    /// Writes a row over the whole width: one text at the left, one at the right, which goes first where both have no room.
    pub(crate) fn bar(&mut self, area: Rect, row: u16, [left, right]: [&str; 2], tone: Tone) {
        let width = usize::from(area.width);
        let (left, right) = (clean(left), cut(&clean(right), width));
        let room = width.saturating_sub(columns(&right) + usize::from(!right.is_empty()));
        let text = crate::text::fit(&left, room) + if right.is_empty() { "" } else { " " } + &right;
        self.say(area, row, text, tone);
    }
}

/// Where a window of so many rows over so many lines begins, if it is to show `wanted` and stays put where it can.
pub(crate) fn scrolled(top: usize, wanted: Option<usize>, lines: usize, rows: usize) -> usize {
    let last = lines.saturating_sub(rows);
    let top = match wanted {
        Some(line) if line < top => line.saturating_sub(rows / 4),
        Some(line) if line >= top + rows => line + 1 + rows / 4 - rows.min(line + 1 + rows / 4),
        Some(_) | None => top,
    };
    top.min(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_stays_put_as_long_as_it_shows_what_is_wanted() {
        assert_eq!(scrolled(3, Some(3), 40, 10), 3);
        assert_eq!(scrolled(3, Some(12), 40, 10), 3);
        assert_eq!(scrolled(3, Some(13), 40, 10), 6, "with a quarter of the window to spare");
        assert_eq!(scrolled(3, Some(2), 40, 10), 0);
        assert_eq!(scrolled(9, None, 12, 10), 2, "no further than to the last line");
        assert_eq!(scrolled(0, Some(0), 0, 0), 0);
        assert_eq!(scrolled(0, Some(5), 6, 0), 6, "a window without rows does no harm");
    }
}
