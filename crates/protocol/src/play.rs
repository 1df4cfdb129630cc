use prost::bytes::{Buf, BufMut};
use prost::encoding::{DecodeContext, WireType, encoded_len_varint, message, skip_field, uint32};
use prost::{DecodeError, Message};

use crate::v1;

/// A tile laid on an end, in place of the type that the contract's compiler would make of `chickenfoot.v1.Play`: with
/// the same fields, but written in one piece. Most options of a decision are plays, and the compiler's type would go
/// through eight calls for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Play {
    /// The tile.
    pub tile: Option<v1::Tile>,
    /// The number of the end it is laid on: one of the tile's own. Always set.
    pub end: Option<u32>,
    /// The arm or toe it is laid on, from 1. In an option this is left out. In a choice it may be left out: then the
    /// oldest end that shows the number is taken. In an event it is set. It matters for drawing the table alone.
    pub line: Option<u32>,
}

impl Message for Play {
    fn encode_raw(&self, buf: &mut impl BufMut) {
        let mut bytes = Bytes { bytes: [0; Bytes::ROOM], len: 0 };
        if let Some(tile) = self.tile {
            bytes.push(1 << 3 | 2);
            bytes.push(tile_len(tile) as u8);
            bytes.number(1, tile.low);
            bytes.number(2, tile.high);
        }
        bytes.number(2, self.end);
        bytes.number(3, self.line);
        buf.put_slice(&bytes.bytes[..bytes.len]);
    }

    fn merge_field(
        &mut self,
        tag: u32,
        wire_type: WireType,
        buf: &mut impl Buf,
        ctx: DecodeContext,
    ) -> Result<(), DecodeError> {
        let named = |field: &'static str| {
            move |mut error: DecodeError| {
                error.push("Play", field);
                error
            }
        };
        match tag {
            1 => {
                message::merge(wire_type, self.tile.get_or_insert_default(), buf, ctx).map_err(named("tile"))
            }
            2 => uint32::merge(wire_type, self.end.get_or_insert_default(), buf, ctx).map_err(named("end")),
            3 => uint32::merge(wire_type, self.line.get_or_insert_default(), buf, ctx).map_err(named("line")),
            _ => skip_field(wire_type, tag, buf, ctx),
        }
    }

    fn encoded_len(&self) -> usize {
        self.tile.map_or(0, |tile| 2 + tile_len(tile)) + number_len(self.end) + number_len(self.line)
    }

    fn clear(&mut self) {
        *self = Play::default();
    }
}

/// The fields of a play before they are written: a tile and two numbers, each of up to five bytes.
struct Bytes {
    bytes: [u8; Bytes::ROOM],
    len: usize,
}

impl Bytes {
    const ROOM: usize = 2 + 4 * 6;

    fn push(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    fn number(&mut self, field: u8, number: Option<u32>) {
        if let Some(mut number) = number {
            self.push(field << 3);
            while number > 127 {
                self.push(number as u8 | 128);
                number >>= 7;
            }
            self.push(number as u8);
        }
    }
}

fn tile_len(tile: v1::Tile) -> usize {
    number_len(tile.low) + number_len(tile.high)
}

fn number_len(number: Option<u32>) -> usize {
    number.map_or(0, |number| 1 + encoded_len_varint(number.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the contract's compiler has it.
    #[derive(Clone, PartialEq, Message)]
    struct Plain {
        #[prost(message, optional, tag = "1")]
        tile: Option<v1::Tile>,
        #[prost(uint32, optional, tag = "2")]
        end: Option<u32>,
        #[prost(uint32, optional, tag = "3")]
        line: Option<u32>,
    }

    fn numbers() -> impl Iterator<Item = Option<u32>> {
        [None, Some(0), Some(18), Some(127), Some(128), Some(u32::MAX)].into_iter()
    }

    #[test]
    fn it_is_written_and_read_as_the_contract_has_it() {
        let tiles = numbers().flat_map(|low| numbers().map(move |high| Some(v1::Tile { low, high })));
        for tile in tiles.chain([None]) {
            for (end, line) in numbers().flat_map(|end| numbers().map(move |line| (end, line))) {
                let play = Play { tile, end, line };
                let bytes = play.encode_to_vec();
                assert_eq!(bytes, Plain { tile, end, line }.encode_to_vec());
                assert_eq!(bytes.len(), play.encoded_len());
                assert_eq!(Play::decode(bytes.as_slice()), Ok(play));
            }
        }
    }

    #[test]
    fn what_is_no_play_is_refused_and_says_where() {
        // An end that is a text, and a tile that is shorter than it says.
        for bytes in [&[0x12, 0x01, 0x00][..], &[0x0a, 0x02, 0x08]] {
            let (ours, theirs) = (Play::decode(bytes).unwrap_err(), Plain::decode(bytes).unwrap_err());
            assert_eq!(ours.to_string(), theirs.to_string().replace("Plain", "Play"));
        }
        // A field of a later version is passed over.
        assert_eq!(Play::decode([0x20, 0x01].as_slice()), Ok(Play::default()));
    }
}
