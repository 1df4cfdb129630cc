use chickenfoot_rules::{Rules, Tile};
use serde::Serialize;

/// Something that happened in a match, as the program's seats may see it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Event {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: String,
    /// The number of the event in its match, from 1.
    pub seq: u64,
    /// What happened.
    #[serde(flatten)]
    pub what: What,
}

/// What happened. Seats count from 0; what the seats may not know is `null` or empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum What {
    /// The match began.
    MatchStarted { rules: Rules, names: Vec<String> },
    /// A round began.
    RoundStarted { round: u32, starting_double: u32 },
    /// A seat was dealt its hand.
    HandDealt { seat: u32, count: u32, tiles: Vec<Tile> },
    /// The starting double was laid by who found or held it.
    StartLaid { seat: u32 },
    /// A seat laid a tile on an end, on this arm or toe.
    Played { seat: u32, tile: Tile, end: u8, line: u8 },
    /// A seat drew a tile.
    Drew { seat: u32, tile: Option<Tile> },
    /// A seat ended its turn without a play.
    Passed { seat: u32, kept: bool },
    /// A round ended: `out 2` or `blocked`.
    RoundEnded { end: String, scores: Vec<u32>, totals: Vec<u32> },
    /// A seat gave up or was taken out.
    SeatForfeited { seat: u32 },
    /// The match was played to its end.
    MatchEnded { totals: Vec<u32>, places: Vec<u32> },
    /// The match was ended before its time.
    MatchAborted,
    /// Something that this version does not know.
    Unknown,
}
