use std::fmt;
use std::str::FromStr;

use crate::entry::Choice;
use crate::event::Event;
use crate::lines::LineId;
use crate::moves::Move;
use crate::round::End;
use crate::seat::Seat;
use crate::tile::Tile;

/// Something that a seat did in a round, as a record tells it.
///
/// As text it is the seat and words: `2 start`, `0 play 4-9 9 3` (tile, end, arm or toe), `1 draw 0-5`, `1 pass`,
/// `3 keep`, `2 forfeit`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Made {
    /// The seat.
    pub seat: Seat,
    /// What it did.
    pub what: Deed,
}

/// What a seat did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Found or held the starting double, which now lies in the centre.
    Start,
    /// Laid a tile.
    Play {
        /// The tile.
        tile: Tile,
        /// The number it was laid on.
        end: u8,
        /// The arm or toe it lies on.
        line: LineId,
    },
    /// Drew this tile.
    Draw(Tile),
    /// Passed.
    Pass,
    /// Kept a drawn tile that fits.
    Keep,
    /// Gave up.
    Forfeit,
}

impl Made {
    /// The answer to a decision that it is; `None` if no decision asks for it.
    pub fn choice(self) -> Option<Choice> {
        match self.what {
            Deed::Play { tile, end, line } => {
                Some(Choice { action: Move::Play { tile, end }, line: Some(line) })
            }
            Deed::Draw(_) => Some(Move::Draw.into()),
            Deed::Pass => Some(Move::Pass.into()),
            Deed::Keep => Some(Move::Keep.into()),
            Deed::Start | Deed::Forfeit => None,
        }
    }

    /// The event that tells of it: the way back from [`Made::from_event`].
    pub fn event(self) -> Event {
        let seat = self.seat;
        match self.what {
            Deed::Start => Event::StartLaid { seat },
            Deed::Play { tile, end, line } => Event::Played { seat, tile, end, line },
            Deed::Draw(tile) => Event::Drew { seat, tile },
            Deed::Pass => Event::Passed { seat },
            Deed::Keep => Event::Kept { seat },
            Deed::Forfeit => Event::SeatForfeited { seat },
        }
    }

    /// What an event says that a seat did; `None` for an event of another kind.
    pub fn from_event(event: &Event) -> Option<Made> {
        let (seat, what) = match *event {
            Event::StartLaid { seat } => (seat, Deed::Start),
            Event::Played { seat, tile, end, line } => (seat, Deed::Play { tile, end, line }),
            Event::Drew { seat, tile } => (seat, Deed::Draw(tile)),
            Event::Passed { seat } => (seat, Deed::Pass),
            Event::Kept { seat } => (seat, Deed::Keep),
            Event::SeatForfeited { seat } => (seat, Deed::Forfeit),
            Event::MatchStarted(_)
            | Event::RoundStarted { .. }
            | Event::HandDealt { .. }
            | Event::RoundEnded { .. }
            | Event::MatchEnded { .. }
            | Event::MatchAborted => return None,
        };
        Some(Made { seat, what })
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.seat)?;
        match self.what {
            Deed::Start => f.write_str("start"),
            Deed::Play { tile, end, line } => write!(f, "play {tile} {end} {}", line.number()),
            Deed::Draw(tile) => write!(f, "draw {tile}"),
            Deed::Pass => f.write_str("pass"),
            Deed::Keep => f.write_str("keep"),
            Deed::Forfeit => f.write_str("forfeit"),
        }
    }
}

/// A text that tells of nothing a seat can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseMadeError(String);

impl fmt::Display for ParseMadeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not a move such as \"0 play 4-9 9 3\", \"1 draw 0-5\" or \"1 pass\"", self.0)
    }
}

impl std::error::Error for ParseMadeError {}

impl FromStr for Made {
    type Err = ParseMadeError;

    fn from_str(text: &str) -> Result<Made, ParseMadeError> {
        parse(text).ok_or_else(|| ParseMadeError(text.to_owned()))
    }
}

fn parse(text: &str) -> Option<Made> {
    let mut words = text.split(' ');
    let seat = Seat::new(words.next()?.parse().ok()?)?;
    let what = match words.next()? {
        "start" => Deed::Start,
        "play" => Deed::Play {
            tile: words.next()?.parse().ok()?,
            end: words.next()?.parse().ok()?,
            line: LineId::new(words.next()?.parse().ok()?)?,
        },
        "draw" => Deed::Draw(words.next()?.parse().ok()?),
        "pass" => Deed::Pass,
        "keep" => Deed::Keep,
        "forfeit" => Deed::Forfeit,
        _ => return None,
    };
    words.next().is_none().then_some(Made { seat, what })
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Out(seat) => write!(f, "out {seat}"),
            End::Blocked => f.write_str("blocked"),
        }
    }
}

/// A text that is no end of a round: `out` with a seat, or `blocked`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParseEndError(String);

impl fmt::Display for ParseEndError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is not the end of a round: \"out 2\" or \"blocked\"", self.0)
    }
}

impl std::error::Error for ParseEndError {}

impl FromStr for End {
    type Err = ParseEndError;

    fn from_str(text: &str) -> Result<End, ParseEndError> {
        let end = match text.split_once(' ') {
            None if text == "blocked" => Some(End::Blocked),
            Some(("out", seat)) => seat.parse().ok().and_then(Seat::new).map(End::Out),
            _ => None,
        };
        end.ok_or_else(|| ParseEndError(text.to_owned()))
    }
}
