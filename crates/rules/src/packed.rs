//! A view as bytes, for the way between parts of a service: a bus carries one with every decision, so it is dense and
//! quick to write and read, and not a format to store. Both ends have to be of one version.

use std::borrow::Cow;

use crate::config::{DrawnTile, Preset, RuleOptions, Rules, Starter};
use crate::lines::LineId;
use crate::number::Numbers;
use crate::round::Foot;
use crate::seat::{MAX_SEATS, Seat};
use crate::set::Tiles;
use crate::tile::{MAX_PIP, Tile};
use crate::view::{Act, SeatState, Step, View};

/// Stands for a tile or a foot that is not there.
const NONE: u8 = u8::MAX;

impl View<'_> {
    /// The view as bytes: about 100, and four more for each step of its history.
    pub fn pack(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(100 + 9 * self.seats().len() + 4 * self.history.len());
        pack_rules(&self.rules, &mut out);
        out.extend_from_slice(&[self.round, self.seat.number(), self.starting_double]);
        pack_tiles(self.hand, &mut out);
        out.push(self.drawn.map_or(NONE, Tile::index));
        pack_tiles(self.table, &mut out);
        out.extend_from_slice(&self.ends);
        out.extend_from_slice(&self.foot.map_or([NONE; 2], |foot| [foot.number, foot.missing]));
        out.extend_from_slice(&[self.arms_left, self.boneyard]);
        for seat in self.seats() {
            out.push(seat.tiles);
            out.extend_from_slice(&seat.total.to_le_bytes());
            out.extend_from_slice(&seat.lacks.bits().to_le_bytes());
        }
        for step in self.history.iter() {
            out.extend_from_slice(&pack_step(*step));
        }
        out
    }

    /// Reads what [`View::pack`] wrote; `None` for anything else.
    pub fn unpack(bytes: &[u8]) -> Option<View<'static>> {
        let mut bytes = Reader(bytes);
        let rules = unpack_rules(&mut bytes)?;
        let [round, seat, starting_double] = bytes.array()?;
        let hand = unpack_tiles(&mut bytes)?;
        let drawn = match bytes.byte()? {
            NONE => None,
            index => Some(Tile::from_index(index)?),
        };
        let table = unpack_tiles(&mut bytes)?;
        let ends = bytes.array::<{ MAX_PIP as usize + 1 }>()?;
        let foot = match bytes.array()? {
            [NONE, NONE] => None,
            [number, missing] => Some(Foot { number, missing }),
        };
        let [arms_left, boneyard] = bytes.array()?;
        let mut seats = [SeatState::default(); MAX_SEATS];
        for seat in seats.iter_mut().take(rules.players().into()) {
            let tiles = bytes.byte()?;
            let total = u32::from_le_bytes(bytes.array()?);
            let lacks = Numbers::from_bits(u32::from_le_bytes(bytes.array()?))?;
            *seat = SeatState { tiles, total, lacks };
        }
        let (steps, rest) = bytes.0.as_chunks::<4>();
        let mut history = Vec::with_capacity(steps.len());
        for step in steps {
            history.push(unpack_step(*step)?);
        }
        rest.is_empty().then_some(View {
            rules,
            round,
            seat: Seat::new(seat)?,
            starting_double,
            hand,
            drawn,
            table,
            ends,
            foot,
            arms_left,
            boneyard,
            seats,
            history: Cow::Owned(history),
        })
    }
}

fn pack_rules(rules: &Rules, out: &mut Vec<u8>) {
    let kinds = u8::from(rules.starter() == Starter::Holder)
        | u8::from(rules.drawn_tile() == DrawnTile::MayPlay) << 1;
    out.extend_from_slice(&[
        rules.max_pip(),
        rules.players(),
        rules.hand_size(),
        rules.opening_arms(),
        kinds,
    ]);
    out.extend_from_slice(&[rules.reserve(), rules.double_blank(), rules.rounds()]);
}

fn unpack_rules(bytes: &mut Reader<'_>) -> Option<Rules> {
    let [max_pip, players, hand_size, opening_arms, kinds, reserve, double_blank, rounds] = bytes.array()?;
    if kinds > 3 {
        return None;
    }
    let options = RuleOptions {
        max_pip: Some(max_pip),
        hand_size: Some(hand_size),
        opening_arms: Some(opening_arms),
        starter: Some(if kinds & 1 == 0 { Starter::Lot } else { Starter::Holder }),
        drawn_tile: Some(if kinds & 2 == 0 { DrawnTile::MustPlay } else { DrawnTile::MayPlay }),
        reserve: Some(reserve),
        double_blank: Some(double_blank),
        rounds: Some(rounds),
        ..RuleOptions::new(Preset::admitting(opening_arms), players)
    };
    options.resolve().ok()
}

fn pack_tiles(tiles: Tiles, out: &mut Vec<u8>) {
    for word in tiles.words() {
        out.extend_from_slice(&word.to_le_bytes());
    }
}

fn unpack_tiles(bytes: &mut Reader<'_>) -> Option<Tiles> {
    let mut words = [0; 3];
    for word in &mut words {
        *word = u64::from_le_bytes(bytes.array()?);
    }
    Tiles::from_words(words)
}

/// Whose turn and what it did, and for a play tile, end and line.
fn pack_step(step: Step) -> [u8; 4] {
    let seat = step.seat.number();
    match step.act {
        Act::Start => [seat, 0, 0, 0],
        Act::Draw => [seat | 1 << 4, 0, 0, 0],
        Act::Pass => [seat | 2 << 4, 0, 0, 0],
        Act::Play { tile, end, line } => [seat | 3 << 4, tile.index(), end, line.number()],
    }
}

fn unpack_step([head, tile, end, line]: [u8; 4]) -> Option<Step> {
    let act = match (head >> 4, [tile, end, line]) {
        (0, [0, 0, 0]) => Act::Start,
        (1, [0, 0, 0]) => Act::Draw,
        (2, [0, 0, 0]) => Act::Pass,
        (3, _) => Act::Play { tile: Tile::from_index(tile)?, end, line: LineId::new(line)? },
        _ => return None,
    };
    Some(Step { seat: Seat::new(head & 15)?, act })
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }
}

impl serde::Serialize for View<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.pack())
    }
}

impl<'de> serde::Deserialize<'de> for View<'static> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<View<'static>, D::Error> {
        deserializer.deserialize_bytes(Bytes)
    }
}

/// Takes a packed view from a deserialiser.
struct Bytes;

impl serde::de::Visitor<'_> for Bytes {
    type Value = View<'static>;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a packed view")
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<View<'static>, E> {
        View::unpack(bytes).ok_or_else(|| E::custom("not a packed view"))
    }
}
