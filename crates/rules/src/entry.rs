use crate::lines::LineId;
use crate::moves::Move;
use crate::seat::Seat;
use crate::tile::Tile;

/// One entry of a match's log: all that, beside the setup, decides what happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// The seat on turn made its decision.
    Choice(Choice),
    /// A seat gave up.
    Forfeit(Seat),
    /// The match was ended without a result.
    Abort,
}

/// A seat's answer to a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Choice {
    /// The move.
    pub action: Move,
    /// For a play: on which of several ends that show the same number. `None` for the oldest.
    pub line: Option<LineId>,
}

impl From<Move> for Choice {
    fn from(action: Move) -> Choice {
        Choice { action, line: None }
    }
}

impl Entry {
    /// The entry in four bytes: a kind and its operands.
    pub fn to_bytes(self) -> [u8; 4] {
        match self {
            Entry::Choice(Choice { action: Move::Play { tile, end }, line }) => {
                [0, tile.index(), end, line.map_or(0, LineId::number)]
            }
            Entry::Choice(Choice { action: Move::Draw, .. }) => [1, 0, 0, 0],
            Entry::Choice(Choice { action: Move::Pass, .. }) => [2, 0, 0, 0],
            Entry::Choice(Choice { action: Move::Keep, .. }) => [3, 0, 0, 0],
            Entry::Forfeit(seat) => [4, seat.number(), 0, 0],
            Entry::Abort => [5, 0, 0, 0],
        }
    }

    /// Reads what [`Entry::to_bytes`] wrote; `None` for anything else.
    pub fn from_bytes(bytes: [u8; 4]) -> Option<Entry> {
        let entry = match bytes {
            [0, tile, end, line] => {
                let action = Move::Play { tile: Tile::from_index(tile)?, end };
                Entry::Choice(Choice { action, line: LineId::new(line) })
            }
            [1, 0, 0, 0] => Entry::Choice(Move::Draw.into()),
            [2, 0, 0, 0] => Entry::Choice(Move::Pass.into()),
            [3, 0, 0, 0] => Entry::Choice(Move::Keep.into()),
            [4, seat, 0, 0] => Entry::Forfeit(Seat::new(seat)?),
            [5, 0, 0, 0] => Entry::Abort,
            _ => return None,
        };
        Some(entry)
    }
}
