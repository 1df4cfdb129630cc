use std::fmt;

use chickenfoot_rules::{Act, End, LineId, Lines, Step, Terms, Tile, Tiles, View};

/// The table of a round as a tree: doubles, the arms and toes that begin on them, and the tiles of each in order.
///
/// It holds where every tile lies, not where it is drawn: each drawing derives that by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    hub: Double,
    runs: Vec<Run>,
    newest: Option<Tile>,
    tiles: Tiles,
    toes: u8,
    /// Says which places there are, so that this crate has no second opinion on the rules.
    lines: Lines,
}

/// A double that lines begin on: the starting double with its arms, or the double of a foot with its toes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Double {
    /// The number it bears.
    pub number: u8,
    /// The arms or toes on it, oldest first.
    pub lines: Vec<LineId>,
    /// Arms or toes that it still takes.
    pub missing: u8,
}

/// An arm or a toe with the tiles on it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its number.
    pub id: LineId,
    /// `None` for an arm; for a toe the line whose double it stands on.
    pub parent: Option<LineId>,
    /// Its tiles from the inside out, at least one; the closing double is not among them.
    pub tiles: Vec<Laid>,
    /// The double that closes it.
    pub double: Option<Double>,
}

/// A tile as it lies on the table. Never a double: those are [`Double`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Laid {
    /// The tile.
    pub tile: Tile,
    /// The number by which it is joined to the table.
    pub inner: u8,
    /// The number that faces outward.
    pub outer: u8,
}

impl Run {
    /// The number of its open end; `None` once a double has closed it.
    pub fn tip(&self) -> Option<u8> {
        match self.double {
            None => self.tiles.last().map(|laid| laid.outer),
            Some(_) => None,
        }
    }
}

impl Table {
    /// The table with nothing but the starting double.
    pub fn new(terms: &Terms, starting_double: u8) -> Table {
        // `Lines` counts on at least one, and the field is anyone's to set.
        let toes = terms.toes.max(1);
        Table {
            hub: Double { number: starting_double, lines: Vec::new(), missing: terms.opening_arms },
            runs: Vec::new(),
            newest: None,
            tiles: Tile::double(starting_double).into_iter().collect(),
            toes,
            lines: Lines::new(&Terms { toes, ..*terms }, starting_double),
        }
    }

    /// The table after these steps of a round. A step that does not fit is left out: a careless peer gets a poorer
    /// picture, nothing worse. [`Table::step`] tells of it.
    pub fn from_steps(terms: &Terms, starting_double: u8, steps: &[Step]) -> Table {
        let mut table = Table::new(terms, starting_double);
        for step in steps {
            let _ = table.step(step);
        }
        table
    }

    /// Follows a step. Only a play changes the table.
    ///
    /// # Errors
    /// As [`Table::lay`].
    pub fn step(&mut self, step: &Step) -> Result<(), Misfit> {
        match step.act {
            Act::Play { tile, end, line } => self.lay(tile, end, Some(line)).map(|_| ()),
            Act::Start | Act::Draw | Act::Pass => Ok(()),
        }
    }

    /// Lays a tile on a number, on the line that is named or else on the oldest that shows the number. Returns the
    /// line.
    ///
    /// # Errors
    /// The tile lies on the table already, or the line cannot take it. Then nothing has changed.
    pub fn lay(&mut self, tile: Tile, end: u8, line: Option<LineId>) -> Result<LineId, Misfit> {
        if self.tiles.contains(tile) {
            return Err(Misfit::LaidAlready);
        }
        let id = self.lines.lay(tile, end, line).map_err(|_| Misfit::NoSuchPlace)?;
        self.tiles.insert(tile);
        self.newest = Some(tile);
        let laid = Laid { tile, inner: end, outer: tile.outward(end).unwrap_or(end) };
        match self.runs.get_mut(index(id)) {
            None => self.begin(id, laid),
            Some(run) if !tile.is_double() => run.tiles.push(laid),
            Some(run) => {
                run.double = Some(Double { number: end, lines: Vec::new(), missing: self.toes });
            }
        }
        Ok(id)
    }

    /// Tells how the round ended. The steps do not say when a hand is empty, and a double that was the last tile of
    /// its hand takes no toes.
    pub fn finish(&mut self, end: End) {
        let last = match end {
            End::Out(_) => self.newest.filter(|tile| tile.is_double()),
            End::Blocked => None,
        };
        if let Some(tile) = last {
            let mut doubles = self.runs.iter_mut().filter_map(|run| run.double.as_mut());
            if let Some(double) = doubles.find(|double| double.number == tile.low()) {
                double.missing = 0;
            }
        }
    }

    /// The starting double with the arms.
    pub fn hub(&self) -> &Double {
        &self.hub
    }

    /// All arms and toes in the order in which they were begun.
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// One arm or toe.
    pub fn run(&self, id: LineId) -> Option<&Run> {
        self.runs.get(index(id))
    }

    /// The tile laid last; `None` while only the starting double lies.
    pub fn newest(&self) -> Option<Tile> {
        self.newest
    }

    /// All tiles on the table, the starting double included.
    pub fn tiles(&self) -> Tiles {
        self.tiles
    }

    /// The line whose double lacks toes that may still be laid.
    pub(crate) fn foot(&self) -> Option<LineId> {
        let lacks = |id: &LineId| {
            self.run(*id).and_then(|run| run.double.as_ref()).is_some_and(|double| double.missing > 0)
        };
        self.lines.foot().filter(lacks)
    }

    fn begin(&mut self, id: LineId, laid: Laid) {
        let line = self.lines.all().get(index(id));
        let parent = line.and_then(|line| line.parent);
        let double = match parent {
            None => Some(&mut self.hub),
            Some(parent) => self.runs.get_mut(index(parent)).and_then(|run| run.double.as_mut()),
        };
        if let Some(double) = double {
            double.lines.push(id);
            double.missing = double.missing.saturating_sub(1);
        }
        self.runs.push(Run { id, parent, tiles: vec![laid], double: None });
    }
}

/// What a seat may know includes the table.
impl From<&View<'_>> for Table {
    fn from(view: &View<'_>) -> Table {
        Table::from_steps(&Terms::from(&view.rules), view.starting_double, &view.history)
    }
}

/// Lines are numbered from 1 without holes, in the order in which they were begun.
fn index(id: LineId) -> usize {
    usize::from(id.number()) - 1
}

/// A tile that cannot lie where it is said to lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// The tile lies on the table already.
    LaidAlready,
    /// No arm or toe of that number can take the tile on that end.
    NoSuchPlace,
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Misfit::LaidAlready => "the tile lies on the table already",
            Misfit::NoSuchPlace => "no arm or toe of that number can take the tile on that end",
        })
    }
}

impl std::error::Error for Misfit {}
