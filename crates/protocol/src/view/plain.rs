use prost::Message;

use crate::error::{Malformed, Problem};
use crate::v1;

/// `chickenfoot.v1.View` field by field, to be read.
#[derive(Clone, PartialEq, prost::Message)]
pub(super) struct Plain {
    #[prost(message, tag = "1")]
    pub(super) rules: Option<v1::Rules>,
    #[prost(uint32, tag = "2")]
    pub(super) round: u32,
    #[prost(uint32, tag = "3")]
    pub(super) seat: u32,
    #[prost(uint32, tag = "4")]
    pub(super) starting_double: u32,
    #[prost(message, repeated, tag = "5")]
    pub(super) hand: Vec<v1::Tile>,
    #[prost(message, tag = "6")]
    pub(super) drawn: Option<v1::Tile>,
    #[prost(message, repeated, tag = "7")]
    pub(super) ends: Vec<v1::OpenEnd>,
    #[prost(message, tag = "8")]
    pub(super) foot: Option<v1::Foot>,
    #[prost(uint32, tag = "9")]
    pub(super) arms_left: u32,
    #[prost(uint32, tag = "10")]
    pub(super) boneyard: u32,
    #[prost(message, repeated, tag = "11")]
    pub(super) seats: Vec<v1::SeatView>,
    #[prost(message, repeated, tag = "12")]
    pub(super) history: Vec<v1::Step>,
}

impl Plain {
    pub(super) fn of(view: &v1::View) -> Result<Plain, Malformed> {
        let read = Plain::decode(view.as_bytes());
        read.map_err(|why| Malformed::new("", Problem::OutOfRange, format!("must be a view: {why}")))
    }
}
