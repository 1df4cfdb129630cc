//! The lines between a program and the bridge, as `proto/LINES.md` specifies them.
//!
//! What goes down to a program is a [`Message`], what comes up from it an [`Answer`].

mod answer;
mod event;
mod message;
mod view;
mod wire;

pub use answer::{Answer, Chosen, Unreadable};
pub use event::{Event, What};
pub use message::{Decision, End, Message, Outcome, Refused, Start};
pub(super) use message::{hello, stop, unreadable};

/// The version of the lines, in the first one that a process gets. It rises when a program that goes by the old version
/// could not play any more.
pub const PROTOCOL: u32 = 1;

/// A move as a program reads and writes it: `play 4-9 9` (tile and end), `draw`, `pass` or `keep`.
pub fn move_text(action: chickenfoot_rules::Move) -> String {
    use chickenfoot_rules::Move;
    match action {
        Move::Play { tile, end } => format!("play {tile} {end}"),
        Move::Draw => "draw".to_owned(),
        Move::Pass => "pass".to_owned(),
        Move::Keep => "keep".to_owned(),
    }
}
