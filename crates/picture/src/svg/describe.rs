use std::fmt::Write;

use crate::layout::{Layout, Slot, SlotKind};

/// What lies on a table after so many tiles, in a sentence or two.
pub fn describe(layout: &Layout, tiles: usize) -> String {
    let open: Vec<&Slot> = layout.slots().iter().filter(|slot| slot.is_open(tiles)).collect();
    let mut text = match tiles {
        1 => "1 tile.".to_owned(),
        _ => format!("{tiles} tiles."),
    };
    let number = layout.tiles().first().map_or(0, |hub| hub.inner);
    // Writing to a string cannot fail.
    let _ = write!(text, " In the middle {number}-{number}.");
    if let (Some(newest), true) = (layout.tiles().get(tiles - 1), tiles > 1) {
        let _ = write!(text, " Laid last: {}-{}.", newest.inner, newest.outer);
    }
    let mut ends: Vec<u8> =
        open.iter().filter(|slot| matches!(slot.kind, SlotKind::End(_))).map(|slot| slot.number).collect();
    if !ends.is_empty() {
        ends.sort_unstable();
        let ends: Vec<String> = ends.iter().map(u8::to_string).collect();
        let _ = write!(text, " Open ends: {}.", ends.join(", "));
    }
    for (kind, what) in [(SlotKind::Arm, "Arms"), (SlotKind::Toe, "Toes")] {
        let lacking = || open.iter().filter(|slot| slot.kind == kind);
        if let Some(slot) = lacking().next() {
            let _ = write!(text, " {what} to be begun on {}: {}.", slot.number, lacking().count());
        }
    }
    text
}
