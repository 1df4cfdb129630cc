use crate::deal::Commitment;
use crate::event::{Event, MatchStart};
use crate::lines::LineId;
use crate::round::End;
use crate::seat::Seat;
use crate::set::Tiles;
use crate::tile::Tile;

/// Who looks at a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// Someone without a seat, while the match or its block goes on: sees no hidden tile.
    Spectator,
    /// A seat, while the match or its block goes on: sees its own tiles.
    Seat(Seat),
    /// Anyone after the match, and the block that it may belong to, has ended: sees everything.
    Afterwards,
}

/// An [`Event`] as one viewer sees it: built from what that viewer may know, with the same number as the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// The match begins. What binds it to the other matches of a block is empty until the viewer may know it.
    MatchStarted(Box<MatchStart>),
    /// A round begins.
    RoundStarted {
        /// The round, from 1.
        round: u8,
        /// The number of its starting double.
        starting_double: u8,
    },
    /// A seat was dealt its hand.
    HandDealt {
        /// The seat.
        seat: Seat,
        /// How many tiles.
        count: u8,
        /// The tiles, if the viewer may know them.
        tiles: Option<Tiles>,
    },
    /// The starting double lies in the centre.
    StartLaid {
        /// Who found or held it.
        seat: Seat,
    },
    /// A seat laid a tile.
    Played {
        /// The seat.
        seat: Seat,
        /// The tile.
        tile: Tile,
        /// The number it was laid on.
        end: u8,
        /// The arm or toe it lies on.
        line: LineId,
    },
    /// A seat drew a tile.
    Drew {
        /// The seat.
        seat: Seat,
        /// The tile, if the viewer may know it.
        tile: Option<Tile>,
    },
    /// A seat ended its turn without a play.
    Passed {
        /// The seat.
        seat: Seat,
        /// Whether it kept a drawn tile that fits; always false to a viewer who may not know.
        kept: bool,
    },
    /// A round ended.
    RoundEnded {
        /// How.
        end: End,
        /// Each seat's score in this round.
        scores: Vec<u16>,
        /// Each seat's score so far.
        totals: Vec<u32>,
    },
    /// A seat gave up.
    SeatForfeited {
        /// The seat.
        seat: Seat,
    },
    /// The match was played to its end.
    MatchEnded {
        /// Each seat's final score.
        totals: Vec<u32>,
        /// Each seat's place, from 1.
        places: Vec<u8>,
    },
    /// The match was ended before its time.
    MatchAborted,
}

/// Matches of one block have the same deal, and whoever knew which they are could use in one what it saw in another.
/// Until the block is over, nothing in them says so.
fn start_seen_by(viewer: Viewer, start: &MatchStart) -> Box<MatchStart> {
    let mut seen = start.clone();
    if viewer != Viewer::Afterwards && !start.block.is_empty() {
        seen.deal_id = String::new();
        seen.commitment = Commitment::default();
        seen.block = Vec::new();
    }
    Box::new(seen)
}

impl Event {
    /// The seat whose secret the event holds until the match is over; `None` for one that is public as it is.
    pub fn private_to(&self) -> Option<Seat> {
        match self {
            Event::HandDealt { seat, .. } | Event::Drew { seat, .. } | Event::Kept { seat } => Some(*seat),
            Event::MatchStarted(_)
            | Event::RoundStarted { .. }
            | Event::StartLaid { .. }
            | Event::Played { .. }
            | Event::Passed { .. }
            | Event::RoundEnded { .. }
            | Event::SeatForfeited { .. }
            | Event::MatchEnded { .. }
            | Event::MatchAborted => None,
        }
    }

    /// What a viewer sees of the event.
    pub fn seen_by(&self, viewer: Viewer) -> Seen {
        let may_know = |owner: Seat| match viewer {
            Viewer::Spectator => false,
            Viewer::Seat(seat) => seat == owner,
            Viewer::Afterwards => true,
        };
        match self {
            Event::MatchStarted(start) => Seen::MatchStarted(start_seen_by(viewer, start)),
            Event::RoundStarted { round, starting_double } => {
                Seen::RoundStarted { round: *round, starting_double: *starting_double }
            }
            Event::HandDealt { seat, tiles } => Seen::HandDealt {
                seat: *seat,
                count: tiles.len() as u8,
                tiles: may_know(*seat).then_some(*tiles),
            },
            Event::StartLaid { seat } => Seen::StartLaid { seat: *seat },
            Event::Played { seat, tile, end, line } => {
                Seen::Played { seat: *seat, tile: *tile, end: *end, line: *line }
            }
            Event::Drew { seat, tile } => Seen::Drew { seat: *seat, tile: may_know(*seat).then_some(*tile) },
            Event::Passed { seat } => Seen::Passed { seat: *seat, kept: false },
            Event::Kept { seat } => Seen::Passed { seat: *seat, kept: may_know(*seat) },
            Event::RoundEnded { end, scores, totals } => {
                Seen::RoundEnded { end: *end, scores: scores.clone(), totals: totals.clone() }
            }
            Event::SeatForfeited { seat } => Seen::SeatForfeited { seat: *seat },
            Event::MatchEnded { totals, places } => {
                Seen::MatchEnded { totals: totals.clone(), places: places.clone() }
            }
            Event::MatchAborted => Seen::MatchAborted,
        }
    }
}
