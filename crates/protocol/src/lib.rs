//! The wire types of `chickenfoot.v1` and the only conversions between them and the rules; with the feature `figures`
//! also those from the figures of tournaments, with `scenes` those from pictures.
//!
//! Everything that crosses the network passes here. Turning a value of the rules into its wire form cannot fail; the
//! way back checks every field and names the first one that is wrong, as [`Malformed`].

mod error;
mod event;
#[cfg(feature = "figures")]
mod figures;
mod game;
mod play;
mod raw;
mod record;
mod rules;
#[cfg(feature = "scenes")]
mod scene;
mod view;

pub use error::{Malformed, Problem};
pub use event::wire_event;
#[cfg(feature = "figures")]
pub use figures::{wire_ab, wire_pairings, wire_standings};
pub use game::{end_from_wire, seat_from_wire, wire_end};
pub use raw::Raw;
pub use rules::{forced_from_wire, rules_from_wire, wire_forced, wire_rules};
#[cfg(feature = "scenes")]
pub use scene::wire_scene;

/// The messages and services, generated from the contract; its comments are their documentation.
#[allow(missing_docs, clippy::all, rustdoc::all)]
pub mod v1 {
    pub use crate::play::Play;
    pub use crate::view::EncodedView as View;

    tonic::include_proto!("chickenfoot.v1");
}

/// The encoded `FileDescriptorSet` of the contract, for reflection.
pub const DESCRIPTOR: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptor.bin"));
