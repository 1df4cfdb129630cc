use chickenfoot_rules::{Choice, End, LineId, MAX_PIP, MAX_SEATS, Move, Seat, Tile};

use crate::error::{Malformed, Problem};
use crate::v1;

impl From<Tile> for v1::Tile {
    fn from(tile: Tile) -> v1::Tile {
        v1::Tile { low: Some(tile.low().into()), high: Some(tile.high().into()) }
    }
}

impl TryFrom<&v1::Tile> for Tile {
    type Error = Malformed;

    fn try_from(wire: &v1::Tile) -> Result<Tile, Malformed> {
        let number = |field: &str, number: Option<u32>| {
            let number = number.ok_or_else(|| {
                Malformed::new(field, Problem::TileIncomplete, "must be set: 0 is a number like any other")
            })?;
            number_from_wire(field, number)
        };
        Tile::new(number("low", wire.low)?, number("high", wire.high)?)
            .ok_or_else(|| Malformed::out_of_range("low", format!("0 to {MAX_PIP}")))
    }
}

pub(crate) fn number_from_wire(field: &str, number: u32) -> Result<u8, Malformed> {
    match u8::try_from(number) {
        Ok(small) if small <= MAX_PIP => Ok(small),
        _ => Err(Malformed::out_of_range(field, format!("0 to {MAX_PIP}, not {number}"))),
    }
}

/// Reads a seat's number.
///
/// # Errors
/// 16 or more, with `field` as the field.
pub fn seat_from_wire(field: &str, number: u32) -> Result<Seat, Malformed> {
    u8::try_from(number)
        .ok()
        .and_then(Seat::new)
        .ok_or_else(|| Malformed::out_of_range(field, format!("0 to {}, not {number}", MAX_SEATS - 1)))
}

pub(crate) fn line_from_wire(field: &str, number: u32) -> Result<LineId, Malformed> {
    u8::try_from(number)
        .ok()
        .and_then(LineId::new)
        .ok_or_else(|| Malformed::out_of_range(field, format!("1 to 255, not {number}")))
}

pub(crate) fn small_from_wire(field: &str, number: u32) -> Result<u8, Malformed> {
    u8::try_from(number).map_err(|_| Malformed::out_of_range(field, format!("at most 255, not {number}")))
}

pub(crate) fn tiles_from_wire(field: &str, tiles: &[v1::Tile]) -> Result<Vec<Tile>, Malformed> {
    tiles
        .iter()
        .enumerate()
        .map(|(i, tile)| tile.try_into().map_err(|e: Malformed| e.within(&format!("{field}[{i}]"))))
        .collect()
}

pub(crate) fn wire_tiles(tiles: impl IntoIterator<Item = Tile>) -> Vec<v1::Tile> {
    tiles.into_iter().map(v1::Tile::from).collect()
}

pub(crate) fn wire_play(tile: Tile, end: u8, line: Option<LineId>) -> v1::Play {
    v1::Play { tile: Some(tile.into()), end: Some(end.into()), line: line.map(|line| line.number().into()) }
}

/// Reads a play: its tile, end and, if it names one, its arm or toe.
pub(crate) fn play_from_wire(play: &v1::Play) -> Result<(Tile, u8, Option<LineId>), Malformed> {
    let tile = play.tile.as_ref().ok_or_else(|| Malformed::missing("tile"))?;
    let tile = tile.try_into().map_err(|e: Malformed| e.within("tile"))?;
    let end = number_from_wire("end", play.end.ok_or_else(|| Malformed::missing("end"))?)?;
    let line = play.line.map(|line| line_from_wire("line", line)).transpose()?;
    Ok((tile, end, line))
}

impl From<Choice> for v1::Move {
    fn from(choice: Choice) -> v1::Move {
        use v1::r#move::Kind;
        let kind = match choice.action {
            Move::Play { tile, end } => Kind::Play(wire_play(tile, end, choice.line)),
            Move::Draw => Kind::Draw(v1::Draw {}),
            Move::Pass => Kind::Pass(v1::Pass {}),
            Move::Keep => Kind::Keep(v1::Keep {}),
        };
        v1::Move { kind: Some(kind) }
    }
}

impl From<Move> for v1::Move {
    fn from(action: Move) -> v1::Move {
        Choice::from(action).into()
    }
}

impl TryFrom<&v1::Move> for Choice {
    type Error = Malformed;

    fn try_from(wire: &v1::Move) -> Result<Choice, Malformed> {
        use v1::r#move::Kind;
        Ok(match wire.kind.as_ref().ok_or_else(|| Malformed::missing("kind"))? {
            Kind::Play(play) => {
                let (tile, end, line) = play_from_wire(play).map_err(|e| e.within("play"))?;
                Choice { action: Move::Play { tile, end }, line }
            }
            Kind::Draw(v1::Draw {}) => Move::Draw.into(),
            Kind::Pass(v1::Pass {}) => Move::Pass.into(),
            Kind::Keep(v1::Keep {}) => Move::Keep.into(),
        })
    }
}

/// The end of a round on the wire.
pub fn wire_end(end: End) -> v1::RoundEnd {
    use v1::round_end::How;
    let how = match end {
        End::Out(seat) => How::Out(seat.number().into()),
        End::Blocked => How::Blocked(v1::Blocked {}),
    };
    v1::RoundEnd { how: Some(how) }
}

/// Reads the end of a round.
///
/// # Errors
/// Nothing is set, or no seat has that number.
pub fn end_from_wire(wire: &v1::RoundEnd) -> Result<End, Malformed> {
    use v1::round_end::How;
    match wire.how.as_ref().ok_or_else(|| Malformed::missing("how"))? {
        How::Out(seat) => Ok(End::Out(seat_from_wire("out", *seat)?)),
        How::Blocked(v1::Blocked {}) => Ok(End::Blocked),
    }
}
