use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, StdoutLock, Write};

use chickenfoot_picture::{Outline, Style, Table};
use serde_json::Value;

use crate::error::Failure;
use crate::text::clean;
use crate::view::Look;

/// Stdout: the one place that data are written to, as text or as JSON lines.
pub(crate) struct Output {
    out: BufWriter<StdoutLock<'static>>,
    json: bool,
    terminal: bool,
    /// Whether it is a terminal on which a cursor can move.
    screen: bool,
    colors: bool,
    style: Style,
}

impl Output {
    /// Colours only for a terminal that wants them, box characters only for one that says it has them.
    pub(crate) fn new(json: bool) -> Output {
        let stdout = io::stdout().lock();
        let terminal = stdout.is_terminal();
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Output {
            out: BufWriter::new(stdout),
            json,
            terminal,
            screen: terminal && !dumb,
            colors: terminal && !dumb && !set("NO_COLOR"),
            style: if terminal && is_utf8() { Style::Unicode } else { Style::Ascii },
        }
    }

    /// From here on draws in ASCII alone.
    pub(crate) fn ascii(&mut self) {
        self.style = Style::Ascii;
    }

    /// How a view that fills the terminal looks; `None` where there can be none, as in a pipe or for a program.
    pub(crate) fn look(&self) -> Option<Look> {
        let look = Look { colours: self.colors, branches: self.style };
        (self.screen && !self.json).then_some(look)
    }

    /// Whether a program reads.
    pub(crate) fn is_json(&self) -> bool {
        self.json
    }

    /// Writes a line of text.
    pub(crate) fn line(&mut self, text: impl Display) -> Result<(), Failure> {
        Ok(if self.terminal {
            writeln!(self.out, "{}", harmless(text))
        } else {
            writeln!(self.out, "{text}")
        }?)
    }

    /// Writes a table: its first line stands out.
    pub(crate) fn rows(&mut self, lines: &[String]) -> Result<(), Failure> {
        let mut lines = lines.iter();
        if let Some(head) = lines.next() {
            self.heading(head)?;
        }
        lines.try_for_each(|line| self.line(line))
    }

    /// Writes bytes as they are.
    pub(crate) fn raw(&mut self) -> &mut dyn Write {
        &mut self.out
    }

    /// Writes text that has its line feeds.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        Ok(self.out.write_all(text.as_bytes())?)
    }

    /// Writes a line that stands out on a terminal.
    pub(crate) fn heading(&mut self, text: impl Display) -> Result<(), Failure> {
        if self.colors {
            Ok(writeln!(self.out, "\x1b[1m{}\x1b[0m", harmless(text))?)
        } else {
            self.line(text)
        }
    }

    /// Writes a JSON value as one line.
    pub(crate) fn value(&mut self, value: &Value) -> Result<(), Failure> {
        self.line(value)
    }

    /// Draws the table. With `line_ids` every open end bears its number, for someone who chooses among equal ones.
    pub(crate) fn table(&mut self, table: &Table, line_ids: bool) -> Result<(), Failure> {
        let outline = Outline { style: self.style, line_ids, ..Outline::default() };
        self.text(&outline.render(table))
    }

    /// Shows what was written so far to whoever waits for it.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        Ok(self.out.flush()?)
    }
}

/// Tells the person at the terminal something that is no data.
pub(crate) fn note(text: impl Display) {
    let mut stderr = io::stderr().lock();
    // Without stderr there is nobody to tell.
    let _ = if stderr.is_terminal() {
        writeln!(stderr, "{}", harmless(text))
    } else {
        writeln!(stderr, "{text}")
    };
}

/// Text for a terminal, which may hold names that others chose. Its own line feeds and tabs stay.
fn harmless(text: impl Display) -> String {
    let text = text.to_string();
    text.split_inclusive(['\n', '\t'])
        .map(|part| {
            let end = part.len() - usize::from(part.ends_with(['\n', '\t']));
            clean(&part[..end]) + &part[end..]
        })
        .collect()
}

/// Whether the locale says that text is UTF-8; the first variable that is set decides, as in POSIX.
fn is_utf8() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"]
        .into_iter()
        .filter_map(std::env::var_os)
        .find(|value| !value.is_empty());
    locale.is_some_and(|locale| {
        let locale = locale.to_string_lossy().to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_do_no_harm_to_a_terminal_and_lines_stay_lines() {
        assert_eq!(harmless("a\tb\n\x1b[31mc\u{202e}\n"), "a\tb\n\u{fffd}[31mc\u{fffd}\n");
        assert_eq!(harmless("plain"), "plain");
    }
}
