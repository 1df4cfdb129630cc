//! Text of others on a terminal: names and titles are whatever somebody chose.

use std::fmt::Display;

use chickenfoot_tournament::report::page::visible;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A text without what would move the cursor, change colours, hide, or reorder what stands around it. Each such character
/// is replaced by one that shows, so that no two names look alike for the lack of it.
pub(crate) fn clean(text: impl Display) -> String {
    visible(&text.to_string())
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
