//! Entries as they are stored.

use chickenfoot_rules::{Choice, Entry, ForcedMoves, LineId, Move, Seat, Tile};

use crate::play::{choice, for_all, matches, play, rng};

#[test]
fn every_entry_survives_its_bytes() {
    for_all(30, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (_, entries, _) = play(rules, &deals, ForcedMoves::Asked, |game| choice(game, &mut rng));
        for entry in entries {
            assert_eq!(Entry::from_bytes(entry.to_bytes()), Some(entry));
        }
    });
    for entry in Seat::all(16).map(Entry::Forfeit).chain([Entry::Abort]) {
        assert_eq!(Entry::from_bytes(entry.to_bytes()), Some(entry));
    }
}

/// All patterns of these are tried; they lie around every bound there is: kinds, seats, numbers, tiles.
const SAMPLE: [u8; 17] = [0, 1, 2, 3, 4, 5, 6, 9, 15, 16, 18, 19, 63, 64, 189, 190, 255];

#[test]
fn bytes_that_no_entry_has_are_none() {
    for kind in 0..=u8::MAX {
        for a in SAMPLE {
            for b in SAMPLE {
                for c in SAMPLE {
                    let bytes = [kind, a, b, c];
                    let entry = Entry::from_bytes(bytes);
                    assert_eq!(entry, expected(bytes), "{bytes:?}");
                    assert!(entry.is_none_or(|entry| entry.to_bytes() == bytes), "{bytes:?}");
                }
            }
        }
    }
}

fn expected(bytes: [u8; 4]) -> Option<Entry> {
    let [kind, a, b, c] = bytes;
    if kind == 0 {
        let tile = Tile::from_index(a)?;
        let action = Move::Play { tile, end: b };
        let line = LineId::new(c);
        return Some(Entry::Choice(Choice { action, line }));
    }
    if kind == 4 && b == 0 && c == 0 {
        return Seat::new(a).map(Entry::Forfeit);
    }
    if [a, b, c] != [0; 3] {
        return None;
    }
    match kind {
        1 => Some(Entry::Choice(Move::Draw.into())),
        2 => Some(Entry::Choice(Move::Pass.into())),
        3 => Some(Entry::Choice(Move::Keep.into())),
        5 => Some(Entry::Abort),
        _ => None,
    }
}
