//! The words that options and tournament files share, and what they mean on the wire.

use chickenfoot_protocol::v1;
use clap::ValueEnum;

/// A rule set.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Preset {
    Trains,
    Classic,
}

/// Who starts a round.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Starter {
    Lot,
    Holder,
}

/// What becomes of a drawn tile that fits.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum DrawnTile {
    MustPlay,
    MayPlay,
}

/// Who makes a move that has no alternative.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Forced {
    Automatic,
    Asked,
}

/// The number of a word on the wire; 0, left to the service, for none.
pub(crate) fn wire(word: Option<impl Into<i32>>) -> i32 {
    word.map_or(0, Into::into)
}

impl From<Preset> for i32 {
    fn from(preset: Preset) -> i32 {
        match preset {
            Preset::Trains => v1::Preset::Trains,
            Preset::Classic => v1::Preset::Classic,
        }
        .into()
    }
}

impl From<Starter> for i32 {
    fn from(starter: Starter) -> i32 {
        match starter {
            Starter::Lot => v1::Starter::Lot,
            Starter::Holder => v1::Starter::Holder,
        }
        .into()
    }
}

impl From<DrawnTile> for i32 {
    fn from(drawn_tile: DrawnTile) -> i32 {
        match drawn_tile {
            DrawnTile::MustPlay => v1::DrawnTile::MustPlay,
            DrawnTile::MayPlay => v1::DrawnTile::MayPlay,
        }
        .into()
    }
}

impl From<Forced> for i32 {
    fn from(forced: Forced) -> i32 {
        match forced {
            Forced::Automatic => v1::ForcedMoves::Automatic,
            Forced::Asked => v1::ForcedMoves::Asked,
        }
        .into()
    }
}
