use crate::bytes::Hex32;
use crate::config::Rules;
use crate::deal::{Commitment, Contributor, Seed, SeededDeals};
use crate::lines::LineId;
use crate::round::End;
use crate::seat::Seat;
use crate::set::Tiles;
use crate::tile::Tile;

/// One thing that happened in a match, with everything that is true about it.
///
/// No viewer gets it before the match is over: [`crate::Seen`] is made from it for a viewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The match begins.
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
        /// Its hand.
        tiles: Tiles,
    },
    /// The starting double lies in the centre. By lot, this is no turn; otherwise it was the seat's turn.
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
        /// The arm or toe it lies on: a new one in the opening and on a chicken foot.
        line: LineId,
    },
    /// A seat drew a tile.
    Drew {
        /// The seat.
        seat: Seat,
        /// The tile.
        tile: Tile,
    },
    /// A seat passed, having no legal play.
    Passed {
        /// The seat.
        seat: Seat,
    },
    /// A seat kept a drawn tile that fits. To everyone else it looks like a pass.
    Kept {
        /// The seat.
        seat: Seat,
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
    /// A seat gave up: from here on the canonical first option is played for it, and it ranks last.
    SeatForfeited {
        /// The seat.
        seat: Seat,
    },
    /// The match was played to its end.
    MatchEnded {
        /// Each seat's final score.
        totals: Vec<u32>,
        /// Each seat's place, from 1; shared places are equal.
        places: Vec<u8>,
    },
    /// The match was ended before its time, without a result.
    MatchAborted,
}

/// What is fixed when a match begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchStart {
    /// The rules.
    pub rules: Rules,
    /// What the deals are bound to: the match id, or the id of a block of replays.
    pub deal_id: String,
    /// The promise that fixes the seed.
    pub commitment: Commitment,
    /// The seats' names and the entropy that each gave, by seat.
    pub seats: Vec<Contributor>,
    /// Who contributed to the deals of a block of replays: its entrants, sorted by name. Empty for a match of its own,
    /// to which its seats contribute.
    pub block: Vec<Contributor>,
}

impl MatchStart {
    /// The start of a match of its own, to whose deals its seats contribute.
    pub fn new(rules: Rules, deal_id: &str, seed: &Seed, seats: Vec<Contributor>) -> MatchStart {
        let commitment = seed.commitment(deal_id);
        MatchStart { rules, deal_id: deal_id.to_owned(), commitment, seats, block: Vec::new() }
    }

    /// The start of a match of a block of replays, to whose deals its entrants contribute. Without any it is a match of
    /// its own.
    pub fn of_block(
        rules: Rules,
        deal_id: &str,
        seed: &Seed,
        seats: Vec<Contributor>,
        block: Vec<Contributor>,
    ) -> MatchStart {
        MatchStart { block, ..MatchStart::new(rules, deal_id, seed, seats) }
    }

    /// The deals that follow from this start and the seed.
    pub fn deals(&self, seed: &Seed) -> SeededDeals {
        let contributors = if self.block.is_empty() { &self.seats } else { &self.block };
        SeededDeals::new(self.rules, &self.deal_id, seed, contributors)
    }
}

impl Event {
    /// Appends the canonical encoding, which the crate's documentation specifies.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Event::MatchStarted(start) => {
                out.push(1);
                text(out, &start.rules.text());
                text(out, &start.deal_id);
                out.extend_from_slice(&start.commitment.0);
                out.push(start.seats.len() as u8);
                contributors(out, &start.seats);
                out.push(start.block.len() as u8);
                contributors(out, &start.block);
            }
            Event::RoundStarted { round, starting_double } => {
                out.extend_from_slice(&[2, *round, *starting_double])
            }
            Event::HandDealt { seat, tiles } => {
                out.extend_from_slice(&[3, seat.number(), tiles.len() as u8]);
                for tile in tiles.iter() {
                    out.extend_from_slice(&[tile.low(), tile.high()]);
                }
            }
            Event::StartLaid { seat } => out.extend_from_slice(&[4, seat.number()]),
            Event::Played { seat, tile, end, line } => {
                out.extend_from_slice(&[5, seat.number(), tile.low(), tile.high(), *end, line.number()]);
            }
            Event::Drew { seat, tile } => out.extend_from_slice(&[6, seat.number(), tile.low(), tile.high()]),
            Event::Passed { seat } => out.extend_from_slice(&[7, seat.number()]),
            Event::Kept { seat } => out.extend_from_slice(&[8, seat.number()]),
            Event::RoundEnded { end, scores, totals } => {
                match end {
                    End::Out(seat) => out.extend_from_slice(&[9, 0, seat.number()]),
                    End::Blocked => out.extend_from_slice(&[9, 1, 0]),
                }
                out.push(scores.len() as u8);
                out.extend(scores.iter().flat_map(|score| u32::from(*score).to_be_bytes()));
                out.extend(totals.iter().flat_map(|total| total.to_be_bytes()));
            }
            Event::SeatForfeited { seat } => out.extend_from_slice(&[10, seat.number()]),
            Event::MatchEnded { totals, places } => {
                out.extend_from_slice(&[11, totals.len() as u8]);
                out.extend(totals.iter().flat_map(|total| total.to_be_bytes()));
                out.extend(places);
            }
            Event::MatchAborted => out.push(12),
        }
    }
}

fn contributors(out: &mut Vec<u8>, contributors: &[Contributor]) {
    for Contributor { name, entropy: Hex32(entropy) } in contributors {
        text(out, name);
        out.extend_from_slice(entropy);
    }
}

fn text(out: &mut Vec<u8>, text: &str) {
    out.extend((text.len() as u32).to_be_bytes());
    out.extend(text.as_bytes());
}
