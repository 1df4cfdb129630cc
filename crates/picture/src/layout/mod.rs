mod foot;
mod ground;
mod search;
mod spot;

use chickenfoot_rules::{End, LineId, Terms, Tile};

use crate::geometry::{Area, Bounds, Point};
use crate::table::{Misfit, Table};
use ground::Ground;
use search::{Place, Search};
use spot::{HALF_WIDTH, Kind, Spot};

/// Where every tile of a round lies, and where the next ones may.
///
/// It grows tile by tile, and a tile never moves once it is laid: the layout after some tiles is the beginning of the
/// layout after more. It is made of whole numbers alone and so is the same on every platform.
#[derive(Clone, Debug)]
pub struct Layout {
    table: Table,
    ground: Ground,
    tiles: Vec<Placed>,
    slots: Vec<Slot>,
    toes: u8,
}

/// A tile with its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The tile.
    pub tile: Tile,
    /// The arm or toe that it lies on; `None` for the starting double.
    pub line: Option<LineId>,
    /// The number by which it is joined to the table.
    pub inner: u8,
    /// The number that faces outward.
    pub outer: u8,
    /// Its place. The heading is the one of its line; a double lies across it, the starting double does not.
    pub area: Area,
    /// What joins it to the table where it does not lie against it.
    pub stem: Option<Stem>,
}

/// A connection between a tile and the one that it is joined to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stem {
    /// At the tile that was there.
    pub from: Point,
    /// At the tile that was laid.
    pub to: Point,
    /// Whether it is longer than a tile and a half: nothing nearer was free.
    pub is_connector: bool,
}

/// A place where a tile may lie next, or could at some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// What it is the place of.
    pub kind: SlotKind,
    /// The number that it shows.
    pub number: u8,
    /// The place of a tile that goes straight on.
    pub area: Area,
    /// How many tiles lay on the table when it came, the starting double included.
    pub since: usize,
    /// How many tiles lay on the table when it was taken, the tile that took it included; `None` while it is open.
    pub until: Option<usize>,
}

/// What a [`Slot`] is the place of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    /// An arm that is to be begun.
    Arm,
    /// A toe that is to be begun.
    Toe,
    /// The next tile of an arm or a toe.
    End(LineId),
}

impl Layout {
    /// The starting double in the middle, lying from left to right.
    pub fn new(terms: &Terms, starting_double: u8) -> Layout {
        let table = Table::new(terms, starting_double);
        let ground = Ground::new(edge(terms.max_pip), starting_double, terms.opening_arms);
        let hub = table.tiles().iter().map(|tile| Placed {
            tile,
            line: None,
            inner: starting_double,
            outer: starting_double,
            area: ground.tiles[0],
            stem: None,
        });
        let mut layout =
            Layout { tiles: hub.collect(), table, ground, slots: Vec::new(), toes: terms.toes.max(1) };
        for spot in std::mem::take(&mut layout.ground.spots) {
            layout.open(spot);
        }
        layout
    }

    /// Lays a tile on a number, on the line that is named or else on the oldest that shows the number.
    ///
    /// # Errors
    /// As [`Table::lay`]. Then nothing has changed.
    pub fn place(&mut self, tile: Tile, end: u8, line: Option<LineId>) -> Result<&Placed, Misfit> {
        let lines = self.table.runs().len();
        let foot = self.table.foot().is_some();
        let id = self.table.lay(tile, end, line)?;
        let kind = match usize::from(id.number()) > lines {
            false => Kind::Line(id),
            true if foot => Kind::Toe,
            true => Kind::Arm,
        };
        // The spots are those of the table's lines, so there is one of each.
        let at = self.ground.spots.iter().position(|spot| spot.kind == kind).ok_or(Misfit::NoSuchPlace)?;
        let outer = tile.outward(end).unwrap_or(end);
        let search =
            Search { ground: &mut self.ground, spot: at, is_double: tile.is_double(), outward: outer };
        let place = search.place();
        let spot = self.ground.spots.remove(at);
        self.put(&spot, &place);
        if tile.is_double() {
            self.ground.doubles |= 1 << (end % 32);
        }
        self.open_next(id, outer, &spot, &place);
        self.tiles.push(Placed {
            tile,
            line: Some(id),
            inner: end,
            outer,
            area: place.area,
            stem: stem(&spot, &place),
        });
        Ok(&self.tiles[self.tiles.len() - 1])
    }

    /// Tells how the round ended: as [`Table::finish`].
    pub fn finish(&mut self, end: End) {
        self.table.finish(end);
        if self.table.foot().is_none() {
            let count = self.tiles.len();
            for spot in &self.ground.spots {
                if spot.kind == Kind::Toe {
                    self.slots[spot.entry].until = Some(count);
                }
            }
            self.ground.spots.retain(|spot| spot.kind != Kind::Toe);
        }
    }

    /// The tiles in the order in which they were laid, the starting double first.
    pub fn tiles(&self) -> &[Placed] {
        &self.tiles
    }

    /// All places that there ever were for a next tile, in the order in which they came.
    pub fn slots(&self) -> &[Slot] {
        &self.slots
    }

    /// What all tiles fit in.
    pub fn bounds(&self) -> Bounds {
        Bounds::of(self.tiles.iter().map(|placed| &placed.area))
    }

    /// What all tiles and all places for a next tile fit in that there ever were while at most so many tiles lay.
    pub fn bounds_after(&self, tiles: usize) -> Bounds {
        let laid = self.tiles.iter().take(tiles).map(|placed| &placed.area);
        let was_there =
            |slot: &&Slot| slot.since <= tiles && slot.until.is_none_or(|until| until > slot.since);
        Bounds::of(laid.chain(self.slots.iter().filter(was_there).map(|slot| &slot.area)))
    }

    /// The arms and toes.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How many pairs of areas were looked at so far: what the layout cost, as a figure that is the same on every machine.
    pub fn comparisons(&self) -> u64 {
        self.ground.work
    }

    fn put(&mut self, spot: &Spot, place: &Place) {
        self.slots[spot.entry].until = Some(self.tiles.len() + 1);
        self.ground.tiles.push(place.area);
        self.ground.parents.push(spot.parent);
        self.ground.stems.extend(place.stem);
    }

    /// Opens what a tile that was just put makes room for.
    fn open_next(&mut self, id: LineId, outer: u8, spot: &Spot, place: &Place) {
        let parent = self.ground.tiles.len() - 1;
        let home = if spot.kind == Kind::Toe { place.heading } else { spot.home };
        if let Some(foot) = place.foot {
            for way in foot.toes.into_iter().cycle().take(usize::from(self.toes)) {
                self.open(Spot::new(Kind::Toe, outer, parent, way, way.heading));
            }
        } else {
            self.open(Spot::new(Kind::Line(id), outer, parent, place.onward(), home));
        }
    }

    fn open(&mut self, mut spot: Spot) {
        let kind = match spot.kind {
            Kind::Arm => SlotKind::Arm,
            Kind::Toe => SlotKind::Toe,
            Kind::Line(id) => SlotKind::End(id),
        };
        spot.entry = self.slots.len();
        self.slots.push(Slot {
            kind,
            number: spot.number,
            area: spot.slot,
            since: self.ground.tiles.len(),
            until: None,
        });
        self.ground.spots.push(spot);
    }
}

impl Slot {
    /// Whether it is open when so many tiles lie on the table, the starting double included.
    pub fn is_open(&self, tiles: usize) -> bool {
        self.since <= tiles && self.until.is_none_or(|until| until > tiles)
    }
}

impl Placed {
    /// The middles of both halves: of the inner number, then of the outer one.
    pub fn halves(&self) -> [Point; 2] {
        let lies_across = self.area.half_width > self.area.half_length;
        let heading = if lies_across { self.area.heading.turned(6) } else { self.area.heading };
        [-HALF_WIDTH, HALF_WIDTH].map(|distance| self.area.centre.ahead(heading, distance))
    }
}

/// Half the side of the square in which there is room for all tiles of a set four times over.
fn edge(max_pip: u8) -> i32 {
    let n = u64::from(max_pip);
    (250_000 * 8 * (n + 1) * (n + 2)).isqrt() as i32
}

fn stem(spot: &Spot, place: &Place) -> Option<Stem> {
    let stem = place.stem?;
    let to = stem.centre.ahead(stem.heading, stem.half_length);
    Some(Stem { from: spot.anchor, to, is_connector: stem.half_length > search::LONGEST_SHORT / 2 })
}
