use std::iter;

use chickenfoot_rules::Tile;

use crate::table::{Double, Laid, Run, Table};

/// The table as indented text, for terminals, pipes and screen readers.
///
/// A line of text is an arm or toe up to its double, with the toes of that double indented below. `*` marks the newest
/// tile, `>5` an open end; `(toe open: 6)` and `(arm open: 9)` hold the places of lines that are still to be begun.
/// Because those places are there from the start, a play changes one arm or toe and moves others down at most: every
/// other line of text stays as it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outline {
    /// The characters of the branches.
    pub style: Style,
    /// Columns. A longer run goes on in the next line, indented by two columns more; a single tile is never parted,
    /// so a deeply nested toe may stand out at a very small width. `usize::MAX` never wraps.
    pub width: usize,
    /// Whether to write each open end's line after it, as in `>5 #3`, for someone who chooses among equal ends.
    pub line_ids: bool,
}

impl Outline {
    /// In UTF-8, each run of tiles on one line however long it is, without the numbers of the lines: as scenes have it.
    pub const UNBROKEN: Outline = Outline { style: Style::Unicode, width: usize::MAX, line_ids: false };
}

impl Default for Outline {
    /// ASCII, 80 columns, without the numbers of the lines.
    fn default() -> Outline {
        Outline { style: Style::Ascii, width: 80, line_ids: false }
    }
}

/// The characters of an [`Outline`]. Both styles give the same text, column by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// ASCII alone.
    Ascii,
    /// Branches in box-drawing characters, in UTF-8.
    Unicode,
}

/// How a line on a double is joined to it: the text before its first tile and before all that hangs below.
#[derive(Clone, Copy)]
struct Joint {
    first: &'static str,
    below: &'static str,
}

impl Style {
    fn inner(self) -> Joint {
        let (first, below) = match self {
            Style::Ascii => ("|-", "| "),
            Style::Unicode => ("├─", "│ "),
        };
        Joint { first, below }
    }

    fn last(self) -> Joint {
        let first = match self {
            Style::Ascii => "`-",
            Style::Unicode => "└─",
        };
        Joint { first, below: "  " }
    }

    fn joints(self, count: usize) -> impl Iterator<Item = Joint> {
        iter::repeat_n(self.inner(), count.saturating_sub(1)).chain([self.last()])
    }
}

impl Outline {
    /// The outline of a table. Every line ends in a line feed, none in a space.
    pub fn render(&self, table: &Table) -> String {
        let mut pen = Pen { outline: self, table, text: format!("[{0}|{0}]\n", table.hub().number) };
        pen.draw_lines(table.hub(), "arm", "");
        pen.text
    }
}

struct Pen<'a> {
    outline: &'a Outline,
    table: &'a Table,
    text: String,
}

impl Pen<'_> {
    /// Draws what stands on a double: the lines that are there, then the places of those that are missing.
    fn draw_lines(&mut self, double: &Double, kind: &str, indent: &str) {
        let runs = double.lines.iter().map(|id| self.table.run(*id));
        let places = iter::repeat_n(None, usize::from(double.missing));
        let count = double.lines.len() + usize::from(double.missing);
        for (run, joint) in runs.chain(places).zip(self.outline.style.joints(count)) {
            let first = format!("{indent}{}", joint.first);
            match run {
                Some(run) => self.draw_run(run, first, &format!("{indent}{}", joint.below)),
                None => self.put(&format!("{first}({kind} open: {})", double.number)),
            }
        }
    }

    fn draw_run(&mut self, run: &Run, first: String, below: &str) {
        self.put_wrapped(first, &format!("{below}  "), &self.words(run));
        if let Some(double) = &run.double {
            self.draw_lines(double, "toe", below);
        }
    }

    /// What no line's end may part: each tile, the last one together with the open end behind it.
    fn words(&self, run: &Run) -> Vec<String> {
        let tile = |laid: &Laid| format!("{}-{}{}", laid.inner, laid.outer, self.mark(Some(laid.tile)));
        let mut words: Vec<String> = run.tiles.iter().map(tile).collect();
        if let Some(Double { number, .. }) = run.double {
            words.push(format!("[{number}|{number}]{}", self.mark(Tile::double(number))));
        } else if let (Some(word), Some(tip)) = (words.last_mut(), run.tip()) {
            word.push_str(&format!(" >{tip}"));
            if self.outline.line_ids {
                word.push_str(&format!(" {}", run.id));
            }
        }
        words
    }

    fn mark(&self, tile: Option<Tile>) -> &'static str {
        if tile == self.table.newest() { "*" } else { "" }
    }

    /// Writes words in as many lines as they need. One column is kept for the mark of the newest tile, so that its
    /// coming and going moves no line's end.
    fn put_wrapped(&mut self, first: String, next: &str, words: &[String]) {
        let room = self.outline.width.saturating_sub(1);
        let mut words = words.iter();
        let mut line = first;
        line.extend(words.next().map(String::as_str));
        for word in words {
            if columns(&line) + 1 + columns(word) > room {
                self.put(&line);
                line = format!("{next}{word}");
            } else {
                line.push(' ');
                line.push_str(word);
            }
        }
        self.put(&line);
    }

    fn put(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }
}

/// How many columns a text takes without the mark of the newest tile. No character here is wider than one.
fn columns(text: &str) -> usize {
    text.chars().filter(|c| *c != '*').count()
}
