use chickenfoot_rules::{Contributor, MatchStart, Seen};

use crate::game::{wire_end, wire_play, wire_tiles};
use crate::rules::wire_rules;
use crate::v1::{self, event::What};

/// What a viewer sees of an event, with the event's number.
pub fn wire_event(seq: u64, seen: &Seen) -> v1::Event {
    let what = match seen {
        Seen::MatchStarted(start) => What::MatchStarted(wire_start(start)),
        Seen::RoundStarted { round, starting_double } => What::RoundStarted(v1::RoundStarted {
            round: (*round).into(),
            starting_double: (*starting_double).into(),
        }),
        Seen::HandDealt { seat, count, tiles } => What::HandDealt(v1::HandDealt {
            seat: seat.number().into(),
            count: (*count).into(),
            tiles: tiles.map(|tiles| wire_tiles(tiles.iter())).unwrap_or_default(),
        }),
        Seen::StartLaid { seat } => What::StartLaid(v1::StartLaid { seat: seat.number().into() }),
        Seen::Played { seat, tile, end, line } => What::Played(v1::Played {
            seat: seat.number().into(),
            play: Some(wire_play(*tile, *end, Some(*line))),
        }),
        Seen::Drew { seat, tile } => {
            What::Drew(v1::Drew { seat: seat.number().into(), tile: tile.map(v1::Tile::from) })
        }
        Seen::Passed { seat, kept } => What::Passed(v1::Passed { seat: seat.number().into(), kept: *kept }),
        Seen::RoundEnded { end, scores, totals } => What::RoundEnded(v1::RoundEnded {
            end: Some(wire_end(*end)),
            scores: scores.iter().map(|score| u32::from(*score)).collect(),
            totals: totals.clone(),
        }),
        Seen::SeatForfeited { seat } => What::SeatForfeited(v1::SeatForfeited { seat: seat.number().into() }),
        Seen::MatchEnded { totals, places } => What::MatchEnded(v1::MatchEnded {
            totals: totals.clone(),
            places: places.iter().map(|place| u32::from(*place)).collect(),
        }),
        Seen::MatchAborted => What::MatchAborted(v1::MatchAborted {}),
    };
    v1::Event { seq, what: Some(what) }
}

fn wire_start(start: &MatchStart) -> v1::MatchStarted {
    v1::MatchStarted {
        rules: Some(wire_rules(&start.rules)),
        deal_id: start.deal_id.clone(),
        // Of a match whose block goes on neither is shown.
        commitment: if start.deal_id.is_empty() { Vec::new() } else { start.commitment.0.to_vec() },
        seats: start.seats.iter().map(v1::Contributor::from).collect(),
        block: start.block.iter().map(v1::Contributor::from).collect(),
    }
}

impl From<&Contributor> for v1::Contributor {
    fn from(contributor: &Contributor) -> v1::Contributor {
        v1::Contributor { name: contributor.name.clone(), entropy: contributor.entropy.0.to_vec() }
    }
}
