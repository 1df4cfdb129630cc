//! The messages of a session, read as far as this client needs them: it passes over the rest, as any client may. A
//! decision's view is for the player; here nobody looks at it, so that the client costs about what an echo's does.

use bytes::Buf;
use chickenfoot_protocol::v1;
use prost::Message;
use tonic::Status;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};

/// What comes down. The numbers are those of `SessionResponse`.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Down {
    #[prost(oneof = "What", tags = "1, 2, 3, 4, 5, 6, 8, 9, 10")]
    pub(crate) what: Option<What>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum What {
    #[prost(message, tag = "1")]
    Hello(Nothing),
    #[prost(message, tag = "2")]
    Offer(Offer),
    #[prost(message, tag = "3")]
    Started(Started),
    #[prost(message, tag = "4")]
    Decision(Decision),
    #[prost(message, tag = "5")]
    Accepted(Decision),
    #[prost(message, tag = "6")]
    Refusal(v1::Refusal),
    #[prost(message, tag = "8")]
    Ended(Ended),
    #[prost(message, tag = "9")]
    Heartbeat(Nothing),
    #[prost(message, tag = "10")]
    Goodbye(v1::Goodbye),
}

/// A message of which nothing is read.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Nothing {}

/// A decision or the acknowledgement of one: both begin alike.
#[derive(Clone, PartialEq, Message)]
pub(crate) struct Decision {
    #[prost(string, tag = "1")]
    pub(crate) match_id: String,
    #[prost(uint32, tag = "2")]
    pub(crate) number: u32,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Offer {
    #[prost(message, optional, tag = "1")]
    pub(crate) game: Option<Game>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Game {
    #[prost(string, tag = "1")]
    pub(crate) id: String,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Started {
    #[prost(message, optional, tag = "1")]
    pub(crate) game: Option<Game>,
    #[prost(uint32, repeated, tag = "2")]
    pub(crate) seats: Vec<u32>,
}

#[derive(Clone, PartialEq, Message)]
pub(crate) struct Ended {
    #[prost(uint32, repeated, tag = "2")]
    pub(crate) seats: Vec<u32>,
}

/// Messages up as the contract has them, messages down thinly and with their size.
#[derive(Default)]
pub(crate) struct Thin;

impl Codec for Thin {
    type Encode = v1::SessionRequest;
    type Decode = (Down, usize);
    type Encoder = Thin;
    type Decoder = Thin;

    fn encoder(&mut self) -> Thin {
        Thin
    }

    fn decoder(&mut self) -> Thin {
        Thin
    }
}

impl Encoder for Thin {
    type Item = v1::SessionRequest;
    type Error = Status;

    fn encode(&mut self, item: v1::SessionRequest, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item.encode(buffer).map_err(|why| Status::internal(why.to_string()))
    }
}

impl Decoder for Thin {
    type Item = (Down, usize);
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<(Down, usize)>, Status> {
        let size = buffer.remaining();
        let down = Down::decode(buffer).map_err(|why| Status::internal(why.to_string()))?;
        Ok(Some((down, size)))
    }
}
