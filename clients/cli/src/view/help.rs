use chickenfoot_picture::Style as Branches;
use ratatui::layout::Rect;

use super::paint::{Look, Pen, Tone};

/// The keys of the view of a match.
const GAME: &[[&str; 2]] = &[
    ["\u{2190} \u{2192}", "one event back or forward"],
    ["PgUp PgDn", "to the start of this round, or of the next"],
    ["Home End", "first event, newest event"],
    ["l", "live: follow the newest event"],
    ["space", "play by itself, or stop"],
    ["- +", "slower, faster"],
    ["\u{2191} \u{2193}", "scroll the table"],
    ["Esc", "back to the tournament"],
    ["? h", "this help"],
    ["q", "quit"],
];

/// The keys of the view of a tournament.
const HALL: &[[&str; 2]] = &[
    ["\u{2191} \u{2193}", "move through the lines"],
    ["PgUp PgDn", "a page"],
    ["Home End", "first line, last line"],
    ["Tab", "to the next section"],
    ["Enter", "look at the running match under the mark"],
    ["Esc", "back from a match"],
    ["? h", "this help"],
    ["q", "quit"],
];

/// How the table is to be read.
const SIGNS: [&str; 3] = [
    "6-9* is the newest tile, >5 an open end, [8|8] a",
    "double; (toe open: 6) and (arm open: 9) are places",
    "of lines that are still to be begun.",
];

/// Which view the help is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Topic {
    Game,
    Hall,
}

/// Draws the help over the whole area.
pub(crate) fn draw(topic: Topic, pen: &mut Pen<'_>, area: Rect) {
    let (title, keys) = match topic {
        Topic::Game => ("keys of a match", GAME),
        Topic::Hall => ("keys of a tournament", HALL),
    };
    pen.bar(area, 0, [title, "any key goes back"], Tone::Bar);
    let mut row = 1;
    for [key, what] in keys {
        let key = format!("{:<11}", arrows(key, pen.look));
        pen.put(area, row, &[(key, Tone::Strong), ((*what).to_owned(), Tone::Plain)]);
        row += 1;
    }
    if topic == Topic::Game {
        for line in SIGNS {
            row += 1;
            pen.say(area, row, line, Tone::Plain);
        }
    }
}

/// The names of keys in the characters that there are.
pub(crate) fn arrows(text: &str, look: Look) -> String {
    match look.branches {
        Branches::Unicode => text.to_owned(),
        Branches::Ascii => {
            let words =
                [("\u{2190}", "left "), ("\u{2192}", "right"), ("\u{2191}", "up "), ("\u{2193}", "down")];
            words.iter().fold(text.to_owned(), |text, (arrow, word)| text.replace(arrow, word))
        }
    }
}
