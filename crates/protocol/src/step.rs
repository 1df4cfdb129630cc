use chickenfoot_rules::Act;
use prost::bytes::{Buf, BufMut};
use prost::encoding::{DecodeContext, WireType, message, skip_field, uint32};
use prost::{DecodeError, Message};

use crate::game::play_from_wire;
use crate::v1;

/// A step of a view's history, in place of the type that the contract's compiler would make of `chickenfoot.v1.Step`: the
/// same bytes on the wire, written in one go.
///
/// Every decision carries the whole history of its round, so this is most of what the service sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Whose turn it was, from 0.
    pub seat: u32,
    /// What it did; none if that cannot be read.
    pub act: Option<Act>,
}

/// The field of each act in the contract.
const START: u32 = 2;
const PLAY: u32 = 3;
const DRAW: u32 = 4;
const PASS: u32 = 5;

/// Bytes of the longest act: a play on an arm or toe from 128 on.
const LONGEST: usize = 13;

impl Step {
    /// The act as it is written, and its length.
    fn act_bytes(&self) -> ([u8; LONGEST], usize) {
        let mut out = [0; LONGEST];
        let len = match self.act {
            None => 0,
            Some(Act::Start) => empty(START, &mut out),
            Some(Act::Draw) => empty(DRAW, &mut out),
            Some(Act::Pass) => empty(PASS, &mut out),
            Some(Act::Play { tile, end, line }) => {
                // Tiles and ends take one byte each; a line takes two from 128 on.
                let line = line.number();
                let long = line > 127;
                let (low, high) = (tile.low(), tile.high());
                out = [
                    key(PLAY),
                    10 + u8::from(long),
                    key(1),
                    4,
                    varint_key(1),
                    low,
                    varint_key(2),
                    high,
                    varint_key(2),
                    end,
                    varint_key(3),
                    if long { line | 0x80 } else { line },
                    1,
                ];
                12 + usize::from(long)
            }
        };
        (out, len)
    }
}

/// The first byte of a field that holds a message.
const fn key(field: u32) -> u8 {
    (field << 3) as u8 | WireType::LengthDelimited as u8
}

/// The first byte of a field that holds a number.
const fn varint_key(field: u32) -> u8 {
    (field << 3) as u8 | WireType::Varint as u8
}

/// Writes a message without fields.
fn empty(field: u32, out: &mut [u8; LONGEST]) -> usize {
    out[0] = key(field);
    2
}

impl Message for Step {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        if self.seat != 0 {
            uint32::encode(1, &self.seat, buf);
        }
        let (bytes, len) = self.act_bytes();
        buf.put_slice(&bytes[..len]);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        match tag {
            1 => uint32::merge(wire_type, &mut self.seat, buf, ctx),
            START | DRAW | PASS => {
                message::merge(wire_type, &mut (), buf, ctx)?;
                self.act = Some(match tag {
                    START => Act::Start,
                    DRAW => Act::Draw,
                    _ => Act::Pass,
                });
                Ok(())
            }
            PLAY => {
                let mut play = v1::Play::default();
                message::merge(wire_type, &mut play, buf, ctx)?;
                self.act = play_from_wire(&play)
                    .ok()
                    .and_then(|(tile, end, line)| Some(Act::Play { tile, end, line: line? }));
                Ok(())
            }
            _ => skip_field(wire_type, tag, buf, ctx),
        }
    }

    fn encoded_len(&self) -> usize {
        let seat = if self.seat == 0 { 0 } else { uint32::encoded_len(1, &self.seat) };
        seat + match self.act {
            None => 0,
            Some(Act::Start | Act::Draw | Act::Pass) => 2,
            Some(Act::Play { line, .. }) => 12 + usize::from(line.number() > 127),
        }
    }

    fn clear(&mut self) {
        *self = Step::default();
    }
}

#[cfg(test)]
mod tests {
    use chickenfoot_rules::{LineId, Tile};

    use super::*;
    use crate::game::wire_play;

    /// The message as the contract has it.
    #[derive(Clone, PartialEq, prost::Message)]
    struct Plain {
        #[prost(uint32, tag = "1")]
        seat: u32,
        #[prost(oneof = "Kind", tags = "2, 3, 4, 5")]
        act: Option<Kind>,
    }

    #[derive(Clone, PartialEq, prost::Oneof)]
    enum Kind {
        #[prost(message, tag = "2")]
        Start(v1::Start),
        #[prost(message, tag = "3")]
        Play(v1::Play),
        #[prost(message, tag = "4")]
        Draw(v1::Draw),
        #[prost(message, tag = "5")]
        Pass(v1::Pass),
    }

    fn plain(step: &Step) -> Plain {
        let act = step.act.map(|act| match act {
            Act::Start => Kind::Start(v1::Start {}),
            Act::Play { tile, end, line } => Kind::Play(wire_play(tile, end, Some(line))),
            Act::Draw => Kind::Draw(v1::Draw {}),
            Act::Pass => Kind::Pass(v1::Pass {}),
        });
        Plain { seat: step.seat, act }
    }

    fn steps() -> Vec<Step> {
        let play = |low, high, end, line| {
            let (tile, line) = (Tile::new(low, high).unwrap(), LineId::new(line).unwrap());
            Act::Play { tile, end, line }
        };
        let plays = [(0, 0, 0, 1), (18, 18, 18, 127), (0, 18, 0, 128), (3, 9, 9, 255)];
        let plays = plays.map(|(low, high, end, line)| Some(play(low, high, end, line)));
        let acts = [None, Some(Act::Start), Some(Act::Draw), Some(Act::Pass)].into_iter().chain(plays);
        acts.flat_map(|act| [0, 1, 15, 127, 128, u32::MAX].map(|seat| Step { seat, act })).collect()
    }

    #[test]
    fn it_is_written_and_read_as_the_contract_has_it() {
        for step in steps() {
            let (bytes, plain) = (step.encode_to_vec(), plain(&step));
            assert_eq!(bytes, plain.encode_to_vec(), "{step:?}");
            assert_eq!(bytes.len(), step.encoded_len());
            assert_eq!(Step::decode(bytes.as_slice()), Ok(step));
        }
    }

    #[test]
    fn what_cannot_be_read_is_no_act() {
        let play = |tile, end, line| {
            let plain = Plain { seat: 2, act: Some(Kind::Play(v1::Play { tile, end, line })) };
            Step::decode(plain.encode_to_vec().as_slice()).unwrap()
        };
        let tile = Some(v1::Tile { low: Some(1), high: Some(2) });
        assert_eq!(play(tile, Some(2), Some(1)).act.map(|_| ()), Some(()));
        for (tile, end, line) in [
            (None, Some(2), Some(1)),
            (tile, None, Some(1)),
            (tile, Some(2), None),
            (tile, Some(19), Some(1)),
            (tile, Some(2), Some(256)),
            (Some(v1::Tile { low: None, high: Some(2) }), Some(2), Some(1)),
        ] {
            assert_eq!(play(tile, end, line), Step { seat: 2, act: None });
        }
        // An act of a later contract.
        assert_eq!(Step::decode([0x08, 0x02, 0x32, 0x00].as_slice()), Ok(Step { seat: 2, act: None }));
    }

    #[test]
    fn broken_bytes_are_refused() {
        for step in steps().into_iter().filter(|step| step.act.is_some()) {
            let bytes = step.encode_to_vec();
            let cut = &bytes[..bytes.len() - 1];
            assert!(Step::decode(cut).is_err(), "{step:?}");
        }
    }
}
