use std::borrow::Cow;

use chickenfoot_rules::{Act, Foot, MAX_PIP, MAX_SEATS, Numbers, SeatState, Step, Tile, Tiles, View};

use crate::error::Malformed;
use crate::game::{number_from_wire, play_from_wire, seat_from_wire, small_from_wire, tiles_from_wire};
use crate::rules::rules_from_wire;
use crate::v1;

mod encoded;
mod plain;
mod writer;

pub use encoded::View as EncodedView;
use plain::Plain;

impl TryFrom<&v1::View> for View<'static> {
    type Error = Malformed;

    fn try_from(wire: &v1::View) -> Result<View<'static>, Malformed> {
        let wire = Plain::of(wire)?;
        let rules = wire.rules.as_ref().ok_or_else(|| Malformed::missing("rules"))?;
        let rules = rules_from_wire(rules, wire.seats.len()).map_err(|e| e.within("rules"))?;
        let history: Vec<Step> = each("history", &wire.history, step_from_wire)?;
        let starting_double = number_from_wire("starting_double", wire.starting_double)?;
        let drawn = wire.drawn.as_ref().map(Tile::try_from).transpose().map_err(|e| e.within("drawn"))?;
        Ok(View {
            rules,
            round: small_from_wire("round", wire.round)?,
            seat: seat_from_wire("seat", wire.seat)?,
            starting_double,
            hand: tiles_from_wire("hand", &wire.hand)?.into_iter().collect(),
            drawn,
            table: table(starting_double, &history),
            ends: ends_from_wire(&wire.ends)?,
            foot: wire.foot.as_ref().map(foot_from_wire).transpose().map_err(|e| e.within("foot"))?,
            arms_left: small_from_wire("arms_left", wire.arms_left)?,
            boneyard: small_from_wire("boneyard", wire.boneyard)?,
            seats: seats_from_wire(&wire.seats, rules.players())?,
            history: Cow::Owned(history),
        })
    }
}

/// The tiles on the table: the starting double and all that were laid.
fn table(starting_double: u8, history: &[Step]) -> Tiles {
    let laid = history.iter().filter_map(|step| match step.act {
        Act::Play { tile, .. } => Some(tile),
        Act::Start | Act::Draw | Act::Pass => None,
    });
    laid.chain(Tile::double(starting_double)).collect()
}

fn ends_from_wire(wire: &[v1::OpenEnd]) -> Result<[u8; MAX_PIP as usize + 1], Malformed> {
    let mut ends = [0_u8; MAX_PIP as usize + 1];
    for number in each("ends", wire, |end| number_from_wire("number", end.number))? {
        let count = &mut ends[usize::from(number)];
        *count = count.saturating_add(1);
    }
    Ok(ends)
}

fn foot_from_wire(wire: &v1::Foot) -> Result<Foot, Malformed> {
    let missing = small_from_wire("missing", wire.missing)?;
    Ok(Foot { number: number_from_wire("number", wire.number)?, missing })
}

fn seats_from_wire(wire: &[v1::SeatView], players: u8) -> Result<[SeatState; MAX_SEATS], Malformed> {
    if wire.len() != usize::from(players) {
        return Err(Malformed::out_of_range("seats", format!("{players} of them, not {}", wire.len())));
    }
    let mut seats = [SeatState::default(); MAX_SEATS];
    for (seat, state) in seats.iter_mut().zip(each("seats", wire, seat_state_from_wire)?) {
        *seat = state;
    }
    Ok(seats)
}

fn seat_state_from_wire(wire: &v1::SeatView) -> Result<SeatState, Malformed> {
    let lacks = each("lacks", &wire.lacks, |number| number_from_wire("", *number))?;
    Ok(SeatState {
        tiles: small_from_wire("tiles", wire.tiles)?,
        total: wire.total,
        lacks: lacks.into_iter().collect::<Numbers>(),
    })
}

fn step_from_wire(wire: &v1::Step) -> Result<Step, Malformed> {
    use v1::step::Act as Wire;
    let act = match wire.act.as_ref().ok_or_else(|| Malformed::missing("act"))? {
        Wire::Start(v1::Start {}) => Act::Start,
        Wire::Play(play) => {
            let (tile, end, line) = play_from_wire(play).map_err(|e| e.within("play"))?;
            let line = line.ok_or_else(|| Malformed::missing("play.line"))?;
            Act::Play { tile, end, line }
        }
        Wire::Draw(v1::Draw {}) => Act::Draw,
        Wire::Pass(v1::Pass {}) => Act::Pass,
    };
    Ok(Step { seat: seat_from_wire("seat", wire.seat)?, act })
}

/// Reads each element; an error names its position.
pub(crate) fn each<W, T>(
    field: &str,
    wire: &[W],
    read: impl Fn(&W) -> Result<T, Malformed>,
) -> Result<Vec<T>, Malformed> {
    let at = |(i, element)| read(element).map_err(|e| e.within(&format!("{field}[{i}]")));
    wire.iter().enumerate().map(at).collect()
}
