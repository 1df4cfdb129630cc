use chickenfoot_rules::{Contributor, Deed, Hex32, Made, Outcome, Record, RoundRecord, Rules, Tile};

use crate::error::Malformed;
use crate::game::{end_from_wire, number_from_wire, play_from_wire, seat_from_wire, small_from_wire};
use crate::game::{tiles_from_wire, wire_end, wire_play, wire_tiles};
use crate::v1;
use crate::view::each;

impl From<&Record> for v1::Record {
    fn from(record: &Record) -> v1::Record {
        v1::Record {
            format: record.format.clone(),
            match_id: record.match_id.clone(),
            rules_text: record.rules.text(),
            deal_id: record.deal_id.clone(),
            commitment: record.commitment.0.to_vec(),
            seed: record.seed.0.to_vec(),
            seats: record.seats.iter().map(v1::Contributor::from).collect(),
            block: record.block.iter().map(v1::Contributor::from).collect(),
            rounds: record.rounds.iter().map(v1::RoundRecord::from).collect(),
            outcome: match record.outcome {
                Outcome::Finished => v1::MatchState::Finished,
                Outcome::Aborted => v1::MatchState::Aborted,
            }
            .into(),
            totals: record.totals.clone(),
            places: record.places.iter().map(|place| u32::from(*place)).collect(),
            digest: record.digest.0.to_vec(),
        }
    }
}

impl From<&RoundRecord> for v1::RoundRecord {
    fn from(round: &RoundRecord) -> v1::RoundRecord {
        let list = |tiles: &Vec<Tile>| v1::TileList { tiles: wire_tiles(tiles.iter().copied()) };
        v1::RoundRecord {
            starting_double: round.starting_double.into(),
            starter: round.starter.map(|seat| seat.number().into()),
            hands: round.hands.iter().map(list).collect(),
            boneyard: Some(list(&round.boneyard)),
            moves: round.moves.iter().map(v1::RecordedMove::from).collect(),
            end: round.end.map(wire_end),
            scores: round.scores.iter().map(|score| u32::from(*score)).collect(),
        }
    }
}

impl From<&Made> for v1::RecordedMove {
    fn from(made: &Made) -> v1::RecordedMove {
        use v1::recorded_move::What;
        let what = match made.what {
            Deed::Start => What::Start(v1::Start {}),
            Deed::Play { tile, end, line } => What::Play(wire_play(tile, end, Some(line))),
            Deed::Draw(tile) => What::Draw(tile.into()),
            Deed::Pass => What::Pass(v1::Pass {}),
            Deed::Keep => What::Keep(v1::Keep {}),
            Deed::Forfeit => What::Forfeit(v1::Forfeit {}),
        };
        v1::RecordedMove { seat: made.seat.number().into(), what: Some(what) }
    }
}

impl TryFrom<&v1::Record> for Record {
    type Error = Malformed;

    fn try_from(wire: &v1::Record) -> Result<Record, Malformed> {
        Ok(Record {
            format: wire.format.clone(),
            match_id: wire.match_id.clone(),
            rules: Rules::from_text(&wire.rules_text).map_err(|e| Malformed::from(e).within("rules_text"))?,
            deal_id: wire.deal_id.clone(),
            commitment: hash_from_wire("commitment", &wire.commitment)?,
            seed: hash_from_wire("seed", &wire.seed)?,
            seats: each("seats", &wire.seats, contributor_from_wire)?,
            block: each("block", &wire.block, contributor_from_wire)?,
            rounds: each("rounds", &wire.rounds, round_from_wire)?,
            outcome: match v1::MatchState::try_from(wire.outcome) {
                Ok(v1::MatchState::Finished) => Outcome::Finished,
                Ok(v1::MatchState::Aborted) => Outcome::Aborted,
                _ => return Err(Malformed::out_of_range("outcome", "finished or aborted")),
            },
            totals: wire.totals.clone(),
            places: each("places", &wire.places, |place| small_from_wire("", *place))?,
            digest: hash_from_wire("digest", &wire.digest)?,
        })
    }
}

fn contributor_from_wire(wire: &v1::Contributor) -> Result<Contributor, Malformed> {
    Ok(Contributor { name: wire.name.clone(), entropy: hash_from_wire("entropy", &wire.entropy)? })
}

fn hash_from_wire(field: &str, bytes: &[u8]) -> Result<Hex32, Malformed> {
    let bytes = bytes.try_into();
    bytes.map(Hex32).map_err(|_| Malformed::out_of_range(field, "32 bytes"))
}

fn round_from_wire(wire: &v1::RoundRecord) -> Result<RoundRecord, Malformed> {
    let boneyard = wire.boneyard.as_ref().ok_or_else(|| Malformed::missing("boneyard"))?;
    Ok(RoundRecord {
        starting_double: number_from_wire("starting_double", wire.starting_double)?,
        starter: wire.starter.map(|seat| seat_from_wire("starter", seat)).transpose()?,
        hands: each("hands", &wire.hands, |hand| tiles_from_wire("tiles", &hand.tiles))?,
        boneyard: tiles_from_wire("boneyard.tiles", &boneyard.tiles)?,
        moves: each("moves", &wire.moves, made_from_wire)?,
        end: wire.end.as_ref().map(end_from_wire).transpose().map_err(|e| e.within("end"))?,
        scores: each("scores", &wire.scores, |score| {
            u16::try_from(*score).map_err(|_| Malformed::out_of_range("", "at most 65535"))
        })?,
    })
}

fn made_from_wire(wire: &v1::RecordedMove) -> Result<Made, Malformed> {
    use v1::recorded_move::What;
    let what = match wire.what.as_ref().ok_or_else(|| Malformed::missing("what"))? {
        What::Start(v1::Start {}) => Deed::Start,
        What::Play(play) => {
            let (tile, end, line) = play_from_wire(play).map_err(|e| e.within("play"))?;
            Deed::Play { tile, end, line: line.ok_or_else(|| Malformed::missing("play.line"))? }
        }
        What::Draw(tile) => Deed::Draw(tile.try_into().map_err(|e: Malformed| e.within("draw"))?),
        What::Pass(v1::Pass {}) => Deed::Pass,
        What::Keep(v1::Keep {}) => Deed::Keep,
        What::Forfeit(v1::Forfeit {}) => Deed::Forfeit,
    };
    Ok(Made { seat: seat_from_wire("seat", wire.seat)?, what })
}
