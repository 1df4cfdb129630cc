use chickenfoot_rules::LineId;

use crate::geometry::{Area, Heading, Point};

/// Half the length of a tile.
pub(crate) const HALF_LENGTH: i32 = 1000;
/// Half its width.
pub(crate) const HALF_WIDTH: i32 = 500;

/// A place where the next tile of an arm, a toe or a line may lie.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    pub(crate) kind: Kind,
    /// The number that it shows.
    pub(crate) number: u8,
    /// The tile that it is on, by its position in the order in which they were laid.
    pub(crate) parent: usize,
    /// Where the next tile begins.
    pub(crate) anchor: Point,
    pub(crate) heading: Heading,
    /// Where the arm or toe set out for.
    pub(crate) home: Heading,
    /// Where the next tile lies if it goes straight on. Others keep off it.
    pub(crate) slot: Area,
    /// The room that a double and its toes would take.
    pub(crate) foot_zone: Area,
    /// The position of that place among all that there ever were.
    pub(crate) entry: usize,
}

/// What begins or goes on at a [`Spot`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An arm that is to be begun.
    Arm,
    /// A toe that is to be begun.
    Toe,
    /// The open end of a line.
    Line(LineId),
}

/// A way from a place on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) anchor: Point,
    pub(crate) heading: Heading,
}

impl Way {
    /// Where a tile that is not laid crosswise lies on it.
    pub(crate) fn slot(self) -> Area {
        Area::ahead_of(self.anchor, self.heading, HALF_LENGTH, HALF_WIDTH)
    }

    /// The room that a double and its toes take on it.
    pub(crate) fn foot_zone(self) -> Area {
        Area::ahead_of(self.anchor, self.heading, 1650, 1700)
    }
}

impl Spot {
    pub(crate) fn new(kind: Kind, number: u8, parent: usize, way: Way, home: Heading) -> Spot {
        let Way { anchor, heading } = way;
        Spot {
            kind,
            number,
            parent,
            anchor,
            heading,
            home,
            slot: way.slot(),
            foot_zone: way.foot_zone(),
            entry: 0,
        }
    }
}
