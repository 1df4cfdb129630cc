//! Scenes, as they are told.

use chickenfoot_picture::{Area, Bounds, Placed, Scene, Slot, SlotKind, Stem};
use chickenfoot_rules::{Foot, SeatState};

use crate::v1;

/// The scene of the event of this number, without think time and outline, which do not follow from it.
pub fn wire_scene(seq: u64, scene: &Scene) -> v1::Scene {
    let situation = &scene.situation;
    v1::Scene {
        seq,
        round: situation.round.into(),
        on_turn: situation.on_turn.map(|seat| seat.number().into()),
        seats: situation.seats.iter().map(wire_seat_state).collect(),
        foot: situation
            .foot
            .map(|Foot { number, missing }| v1::Foot { number: number.into(), missing: missing.into() }),
        arms_left: situation.arms_left.into(),
        boneyard: situation.boneyard.into(),
        clears: scene.clears,
        laid: scene.laid.iter().map(|(index, placed)| wire_placed(*index, placed)).collect(),
        opened: scene.opened.iter().map(|(id, slot)| wire_slot(*id, slot)).collect(),
        closed: scene.closed.iter().map(|id| small(*id)).collect(),
        bounds: scene.bounds.map(|Bounds { left, top, right, bottom }| v1::Bounds {
            left,
            top,
            right,
            bottom,
        }),
        think: None,
        outline: String::new(),
    }
}

fn wire_seat_state(seat: &SeatState) -> v1::SeatView {
    v1::SeatView {
        tiles: seat.tiles.into(),
        total: seat.total,
        lacks: seat.lacks.iter().map(u32::from).collect(),
    }
}

fn wire_placed(index: usize, placed: &Placed) -> v1::PlacedTile {
    v1::PlacedTile {
        index: small(index),
        tile: Some(placed.tile.into()),
        inner: placed.inner.into(),
        outer: placed.outer.into(),
        area: Some(wire_area(&placed.area)),
        stem: placed.stem.map(|Stem { from, to, is_connector }| v1::Stem {
            from_x: from.x,
            from_y: from.y,
            to_x: to.x,
            to_y: to.y,
            connector: is_connector,
        }),
        line: placed.line.map(|line| line.number().into()),
    }
}

fn wire_slot(id: usize, slot: &Slot) -> v1::Slot {
    v1::Slot {
        id: small(id),
        kind: match slot.kind {
            SlotKind::Arm => v1::SlotKind::Arm,
            SlotKind::Toe => v1::SlotKind::Toe,
            SlotKind::End(_) => v1::SlotKind::End,
        }
        .into(),
        number: slot.number.into(),
        area: Some(wire_area(&slot.area)),
    }
}

fn wire_area(area: &Area) -> v1::Area {
    // A tile's half sides are 500 and 1000.
    let half = |length: i32| u32::try_from(length).unwrap_or_default();
    v1::Area {
        x: area.centre.x,
        y: area.centre.y,
        heading: area.heading.steps().into(),
        half_length: half(area.half_length),
        half_width: half(area.half_width),
    }
}

/// A round has at most 190 tiles, and few more than two places for each.
fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
