//! Text of others on a terminal: names and titles are whatever somebody chose.

use std::fmt::{self, Display, Write};

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// What stands for a character that a terminal must not get.
const MARK: char = '\u{fffd}';

/// A text without what would move the cursor, change colours, hide, or reorder what stands around it. Each such character
/// is replaced by one that shows, so that no two names look alike for the lack of it.
pub(crate) fn clean(text: impl Display) -> String {
    let mut clean = Cleaner(String::new());
    // Writing to a string cannot fail; a text that cannot be made is shown as far as it goes.
    let _ = write!(clean, "{text}");
    clean.0
}

struct Cleaner(String);

impl Write for Cleaner {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend(text.chars().map(|c| if is_harmful(c) { MARK } else { c }));
        Ok(())
    }
}

/// Control characters; what sets the direction of text; what takes no room and shows nothing.
fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e0fff}'
        )
}

/// How many columns a text takes on a terminal.
pub(crate) fn columns(text: &str) -> usize {
    text.width()
}

/// A text in so many columns: cut, with an ellipsis, or filled up with spaces.
pub(crate) fn fit(text: &str, width: usize) -> String {
    let short = cut(text, width);
    let room = width.saturating_sub(columns(&short));
    short + &" ".repeat(room)
}

/// A text in at most so many columns, with an ellipsis where something is missing.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if columns(text) <= width {
        return text.to_owned();
    }
    let mut short = String::new();
    let mut room = width.saturating_sub(1);
    for c in text.chars() {
        let Some(left) = room.checked_sub(c.width().unwrap_or(0)) else { break };
        room = left;
        short.push(c);
    }
    if width > 0 {
        short.push('~');
    }
    short
}

/// A text in lines of at most so many columns, parted between words where that is possible.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(cut(word, width)),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_control_a_terminal_is_replaced_by_something_that_shows() {
        assert_eq!(clean("\x1b[31mred\r\n"), "\u{fffd}[31mred\u{fffd}\u{fffd}");
        assert_eq!(clean("a\u{202e}b\u{200b}c\u{9b}d\u{2066}"), "a\u{fffd}b\u{fffd}c\u{fffd}d\u{fffd}");
        assert_eq!(clean("Grüße, 東京 שלום"), "Grüße, 東京 שלום");
    }

    #[test]
    fn texts_fit_their_columns_also_with_wide_characters() {
        assert_eq!(fit("abc", 5), "abc  ");
        assert_eq!(fit("abcdef", 5), "abcd~");
        assert_eq!(fit("東京都", 5), "東京~");
        assert_eq!(fit("東京都", 4), "東~ ");
        assert_eq!((fit("abc", 0), fit("abc", 1)), (String::new(), "~".to_owned()));
    }

    #[test]
    fn lines_are_parted_between_words() {
        assert_eq!(wrap("one two three", 8), ["one two", "three"]);
        assert_eq!(wrap("extraordinary", 5), ["extr~"]);
    }
}
