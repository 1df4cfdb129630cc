//! Writes small messages straight into a vector, field by field, as <https://protobuf.dev/programming-guides/encoding/>
//! has it. prost goes through a trait that copies every byte with a call of its own.

use chickenfoot_rules::{Act, Rules, SeatState, Step, Tile};

use crate::rules::wire_rules;

/// The fields of a tile, of a step and of a play that hold a number.
const LOW: u8 = 1 << 3;
const HIGH: u8 = 2 << 3;
const SEAT: u8 = 1 << 3;
const END: u8 = 2 << 3;
const LINE: u8 = 3 << 3;

/// A field that holds a number; left out if that is 0.
pub(super) fn number(field: u8, value: u32, out: &mut Vec<u8>) {
    match value {
        0 => {}
        1..=127 => out.extend_from_slice(&[field << 3, value as u8]),
        _ => {
            out.push(field << 3);
            varint(value, out);
        }
    }
}

/// A field that holds a message of less than 128 bytes.
pub(super) fn message(field: u8, out: &mut Vec<u8>, content: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(&[field << 3 | 2, 0]);
    let start = out.len();
    content(out);
    let len = out.len() - start;
    debug_assert!(len < 128, "{len} bytes do not fit");
    out[start - 1] = len as u8;
}

/// A field that holds a tile.
pub(super) fn tile(field: u8, tile: Tile, out: &mut Vec<u8>) {
    out.extend_from_slice(&[field << 3 | 2, 4, LOW, tile.low(), HIGH, tile.high()]);
}

/// The fields of the rules, every one present and below 128.
pub(super) fn rules(rules: &Rules, out: &mut Vec<u8>) {
    let wire = wire_rules(rules);
    let (preset, starter, drawn_tile) = (wire.preset as u8, wire.starter as u8, wire.drawn_tile as u8);
    out.extend_from_slice(&[1 << 3, preset, 2 << 3, rules.players(), 3 << 3, rules.max_pip()]);
    out.extend_from_slice(&[4 << 3, rules.hand_size(), 5 << 3, rules.opening_arms(), 6 << 3, starter]);
    out.extend_from_slice(&[7 << 3, drawn_tile, 8 << 3, rules.reserve(), 9 << 3, rules.double_blank()]);
    out.extend_from_slice(&[10 << 3, rules.rounds()]);
}

pub(super) fn seat(seat: &SeatState, out: &mut Vec<u8>) {
    number(1, seat.tiles.into(), out);
    number(2, seat.total, out);
    if !seat.lacks.is_empty() {
        message(3, out, |out| seat.lacks.iter().for_each(|number| out.push(number)));
    }
}

/// A field that holds a step. Most of a view are steps, so each is copied in pieces of fixed sizes.
pub(super) fn step(field: u8, step: Step, out: &mut Vec<u8>) {
    let (seat, act) = (step.seat.number(), step.act);
    let seat_len = if seat == 0 { 0 } else { 2 };
    out.extend_from_slice(&[field << 3 | 2, seat_len + act_len(act)]);
    if seat != 0 {
        out.extend_from_slice(&[SEAT, seat]);
    }
    match act {
        Act::Start => out.extend_from_slice(&[2 << 3 | 2, 0]),
        Act::Draw => out.extend_from_slice(&[4 << 3 | 2, 0]),
        Act::Pass => out.extend_from_slice(&[5 << 3 | 2, 0]),
        Act::Play { tile, end, line } => {
            let (low, high, line) = (tile.low(), tile.high(), line.number());
            out.extend_from_slice(&[3 << 3 | 2, act_len(act) - 2, 1 << 3 | 2, 4, LOW, low, HIGH, high]);
            out.extend_from_slice(&[END, end, LINE, if line > 127 { line | 128 } else { line }]);
            if line > 127 {
                out.push(1);
            }
        }
    }
}

/// Bytes of the field of a step that says what was done. Tiles and ends take one each, a line two from 128 on.
fn act_len(act: Act) -> u8 {
    match act {
        Act::Start | Act::Draw | Act::Pass => 2,
        Act::Play { line, .. } => 12 + u8::from(line.number() > 127),
    }
}

fn varint(mut value: u32, out: &mut Vec<u8>) {
    while value > 127 {
        out.push(value as u8 | 128);
        value >>= 7;
    }
    out.push(value as u8);
}
