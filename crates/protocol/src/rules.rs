use chickenfoot_rules::{ConfigError, DrawnTile, ForcedMoves, Preset, RuleOptions, Rules, Starter};

use crate::error::{Malformed, Problem};
use crate::v1;

/// Rules on the wire, every option set.
pub fn wire_rules(rules: &Rules) -> v1::Rules {
    v1::Rules {
        preset: match rules.preset() {
            Preset::Trains => v1::Preset::Trains,
            Preset::Classic => v1::Preset::Classic,
        }
        .into(),
        players: Some(rules.players().into()),
        max_pip: Some(rules.max_pip().into()),
        hand_size: Some(rules.hand_size().into()),
        opening_arms: Some(rules.opening_arms().into()),
        starter: match rules.starter() {
            Starter::Lot => v1::Starter::Lot,
            Starter::Holder => v1::Starter::Holder,
        }
        .into(),
        drawn_tile: match rules.drawn_tile() {
            DrawnTile::MustPlay => v1::DrawnTile::MustPlay,
            DrawnTile::MayPlay => v1::DrawnTile::MayPlay,
        }
        .into(),
        reserve: Some(rules.reserve().into()),
        double_blank: Some(rules.double_blank().into()),
        rounds: Some(rules.rounds().into()),
    }
}

/// Reads rules: what is left out takes the preset's value, the number of players that of `seats`.
///
/// # Errors
/// The first option that is out of range or does not fit the others.
pub fn rules_from_wire(wire: &v1::Rules, seats: usize) -> Result<Rules, Malformed> {
    let preset = match known("preset", v1::Preset::try_from(wire.preset))? {
        v1::Preset::Unspecified | v1::Preset::Trains => Preset::Trains,
        v1::Preset::Classic => Preset::Classic,
    };
    let players = wire.players.unwrap_or(u32::try_from(seats).unwrap_or(u32::MAX));
    let options = RuleOptions {
        preset,
        // A number beyond a byte is beyond every bound too, and 255 is refused with the right one.
        players: u8::try_from(players).unwrap_or(u8::MAX),
        max_pip: wire.max_pip.map(byte),
        hand_size: wire.hand_size.map(byte),
        opening_arms: wire.opening_arms.map(byte),
        starter: match known("starter", v1::Starter::try_from(wire.starter))? {
            v1::Starter::Unspecified => None,
            v1::Starter::Lot => Some(Starter::Lot),
            v1::Starter::Holder => Some(Starter::Holder),
        },
        drawn_tile: match known("drawn_tile", v1::DrawnTile::try_from(wire.drawn_tile))? {
            v1::DrawnTile::Unspecified => None,
            v1::DrawnTile::MustPlay => Some(DrawnTile::MustPlay),
            v1::DrawnTile::MayPlay => Some(DrawnTile::MayPlay),
        },
        reserve: wire.reserve.map(byte),
        double_blank: wire.double_blank.map(byte),
        rounds: wire.rounds.map(byte),
    };
    Ok(options.resolve()?)
}

impl From<ConfigError> for Malformed {
    fn from(error: ConfigError) -> Malformed {
        Malformed::new(error.field, Problem::Rules, error.to_string())
    }
}

/// Who makes forced moves, on the wire.
pub fn wire_forced(forced: ForcedMoves) -> v1::ForcedMoves {
    match forced {
        ForcedMoves::Automatic => v1::ForcedMoves::Automatic,
        ForcedMoves::Asked => v1::ForcedMoves::Asked,
    }
}

/// Reads who makes forced moves; not given, the service does.
///
/// # Errors
/// A number that names nothing.
pub fn forced_from_wire(wire: i32) -> Result<ForcedMoves, Malformed> {
    Ok(match known("forced_moves", v1::ForcedMoves::try_from(wire))? {
        v1::ForcedMoves::Unspecified | v1::ForcedMoves::Automatic => ForcedMoves::Automatic,
        v1::ForcedMoves::Asked => ForcedMoves::Asked,
    })
}

fn byte(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

fn known<T>(field: &str, value: Result<T, prost::UnknownEnumValue>) -> Result<T, Malformed> {
    value.map_err(|e| Malformed::out_of_range(field, format!("one of the known values, not {}", e.0)))
}
