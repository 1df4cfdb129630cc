use super::spot::{HALF_LENGTH, HALF_WIDTH, Kind, Spot, Way};
use crate::geometry::{Area, Heading, Point};

/// Tiles that are not joined stay at least this far apart.
pub(crate) const GAP: i32 = 90;
/// Tiles that are joined, and toes of one foot, at least this far.
pub(crate) const KIN_GAP: i32 = 20;
/// How far a tile lies from the one that it is joined to.
pub(crate) const SEAM: i32 = 40;
/// How far a tile stays from the slots of others.
pub(crate) const SLOT_GAP: i32 = 20;
/// Half the width that a stem takes.
const STEM_HALF_WIDTH: i32 = 60;
/// Half the width of the strip that a line needs to go on.
const CORRIDOR_HALF_WIDTH: i32 = 620;
/// The lengths that a corridor is looked at.
pub(crate) const CORRIDORS: [i32; 4] = [11_000, 7000, 4000, 2000];

/// What lies on the table and what is kept free.
#[derive(Clone, Debug)]
pub(crate) struct Ground {
    /// Half the side of the square that the lines should stay in.
    pub(crate) edge: i32,
    /// The tiles in the order in which they were laid, the starting double first.
    pub(crate) tiles: Vec<Area>,
    /// The tile that each is joined to.
    pub(crate) parents: Vec<usize>,
    pub(crate) stems: Vec<Area>,
    pub(crate) spots: Vec<Spot>,
    /// Bit n: the double of n lies on the table.
    pub(crate) doubles: u32,
    /// How many areas were compared so far.
    pub(crate) work: u64,
}

/// What a tile may come upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// It keeps off tiles, stems and the slots of others.
    All,
    /// It may cover the slots of others.
    Tiles,
    /// Its stem may even cross tiles.
    Bare,
}

impl Ground {
    /// The table with nothing but the starting double, and the arms that may begin on it.
    pub(crate) fn new(edge: i32, number: u8, arms: u8) -> Ground {
        let hub = Area {
            centre: Point::default(),
            heading: Heading::RIGHT,
            half_length: HALF_LENGTH,
            half_width: HALF_WIDTH,
        };
        let arm = |position| {
            let way = arm(&hub, position, arms);
            Spot::new(Kind::Arm, number, 0, way, way.heading)
        };
        Ground {
            edge,
            spots: (0..arms).map(arm).collect(),
            tiles: vec![hub],
            parents: vec![0],
            stems: Vec::new(),
            doubles: 1 << (number % 32),
            work: 0,
        }
    }

    pub(crate) fn is_played(&self, double: u8) -> bool {
        self.doubles & 1 << (double % 32) != 0
    }

    /// Whether an area keeps its distance from all tiles, where it is joined to `parent`, or belongs to the same.
    pub(crate) fn is_clear_of_tiles(&mut self, area: &Area, parent: usize) -> bool {
        self.work += self.tiles.len() as u64;
        let gap = |of: usize| if of == parent || self.parents[of] == parent { KIN_GAP } else { GAP };
        !self.tiles.iter().enumerate().any(|(at, tile)| tile.is_near(area, gap(at)))
    }

    /// Whether an area keeps off the stems, and the slots of all spots but one.
    pub(crate) fn is_clear_of_slots(&mut self, area: &Area, but: usize) -> bool {
        self.work += (self.spots.len() + self.stems.len()) as u64;
        let mut spots = self.spots.iter().enumerate();
        !spots.any(|(at, spot)| at != but && spot.slot.is_near(area, SLOT_GAP))
            && !self.stems.iter().any(|stem| stem.is_near(area, 0))
    }

    /// Whether a stem meets no tile but those at its ends.
    pub(crate) fn is_free_stem(&mut self, stem: &Area, parent: usize) -> bool {
        self.work += self.tiles.len() as u64;
        !self.tiles.iter().enumerate().any(|(at, tile)| at != parent && tile.is_near(stem, 0))
    }

    /// Whether any tile lies in an area.
    pub(crate) fn is_cut(&mut self, zone: &Area) -> bool {
        self.work += self.tiles.len() as u64;
        self.tiles.iter().any(|tile| tile.is_near(zone, 0))
    }

    /// How good the outlook is from a place on: the longest corridor, straight on or a little to the side. Where it is not
    /// above `need`, any number up to `need` will do for an answer, which saves most of the work.
    pub(crate) fn look(&mut self, way: Way, eyes: Eyes) -> i32 {
        let mut best = eyes.need.max(0);
        for turn in [0, 1, -1, 2, -2_i32] {
            let price = 300 * turn.abs();
            let heading = way.heading.turned(turn);
            if let Some(length) = self.corridor(way.anchor, heading, best + price, eyes) {
                best = length - price;
            }
        }
        best
    }

    /// The longest strip ahead of a place that is free of tiles and of the slots of others; `None` if it is not above `floor`.
    fn corridor(&mut self, from: Point, heading: Heading, floor: i32, eyes: Eyes) -> Option<i32> {
        let inside = |length: &i32| !eyes.near_edge || from.ahead(heading, *length).reach() <= self.edge;
        let strip = |length| Area::ahead_of(from, heading, length / 2, CORRIDOR_HALF_WIDTH);
        let mut lengths = CORRIDORS.into_iter().take_while(|length| *length > floor).filter(inside);
        let mut length = lengths.next()?;
        let slots =
            self.spots.iter().enumerate().filter(|(at, _)| *at != eyes.but).map(|(_, spot)| &spot.slot);
        // What came last is most likely near.
        for area in self.tiles.iter().rev().chain(slots.rev()) {
            self.work += 1;
            while area.may_cut(from, heading, length, CORRIDOR_HALF_WIDTH) && strip(length).is_near(area, 0) {
                length = lengths.next()?;
            }
        }
        Some(length)
    }
}

/// How an outlook is judged.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eyes {
    /// Whether the edge of the table ends it.
    pub(crate) near_edge: bool,
    /// The spot whose slot is no hindrance.
    pub(crate) but: usize,
    /// What it has to be above, to be of any use.
    pub(crate) need: i32,
}

/// The stem from one place to another that lies so far ahead.
pub(crate) fn stem(from: Point, heading: Heading, length: i32) -> Area {
    Area::ahead_of(from, heading, length / 2, STEM_HALF_WIDTH)
}

/// The way of an arm: all round from twelve o'clock, clockwise, where it is clear of the starting double.
fn arm(hub: &Area, position: u8, of: u8) -> Way {
    let (position, of) = (i32::from(position), i32::from(of));
    let heading = Heading::UP.turned((48 * position + of) / (2 * of));
    // Where the ray leaves the double, by the side that it crosses first.
    let leaves = |half: i32, part: i32| if part == 0 { i32::MAX } else { 1000 * half / part.abs() };
    let out = leaves(HALF_LENGTH, heading.cos()).min(leaves(HALF_WIDTH, heading.sin())) + SEAM;
    let mut distance = if of > 6 { out.max(1400) } else { out };
    loop {
        let way = Way { anchor: Point::default().ahead(heading, distance), heading };
        if !way.slot().is_near(hub, KIN_GAP) {
            return way;
        }
        distance += 60;
    }
}
