use std::fmt;

use crate::round::Terms;
use crate::tile::Tile;

/// The number of an arm or toe, from 1 in the order in which they were begun in the round.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct LineId(u8);

impl LineId {
    /// The arm or toe with this number; `None` for 0.
    pub const fn new(number: u8) -> Option<LineId> {
        if number == 0 { None } else { Some(LineId(number)) }
    }

    /// The number, at least 1.
    pub const fn number(self) -> u8 {
        self.0
    }
}

impl fmt::Display for LineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl fmt::Debug for LineId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An arm or a toe: a run of tiles with at most one open end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// Its number.
    pub id: LineId,
    /// `None` for an arm; for a toe the line whose double it stands on.
    pub parent: Option<LineId>,
    /// The outward number of its open end; `None` once a double has closed it.
    pub tip: Option<u8>,
}

/// The places of the table: which arms and toes there are and what each shows.
///
/// Legality never asks for it, so it is apart from [`crate::Round`], which a search copies. Of several ends that show
/// the same number the *oldest* is the one whose arm or toe was begun first: the one of the lowest [`LineId`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lines {
    lines: Vec<Line>,
    hub: u8,
    arms_left: u8,
    toes: u8,
    foot: Option<OpenFoot>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OpenFoot {
    line: LineId,
    number: u8,
    missing: u8,
}

impl Lines {
    /// The table with nothing but the starting double.
    pub fn new(terms: &Terms, hub: u8) -> Lines {
        Lines { lines: Vec::new(), hub, arms_left: terms.opening_arms, toes: terms.toes, foot: None }
    }

    /// All arms and toes in the order in which they were begun.
    pub fn all(&self) -> &[Line] {
        &self.lines
    }

    /// The line whose double lacks toes.
    pub fn foot(&self) -> Option<LineId> {
        self.foot.map(|foot| foot.line)
    }

    /// Where a tile may be laid on a number now, oldest first. An arm or toe that is still to be begun bears the
    /// next free number.
    pub fn places(&self, end: u8) -> Vec<LineId> {
        self.each_place(end).collect()
    }

    fn each_place(&self, end: u8) -> impl Iterator<Item = LineId> {
        // While arms or toes are to be begun, nothing else is open.
        let begin_on = if self.arms_left > 0 { Some(self.hub) } else { self.foot.map(|foot| foot.number) };
        let begun = (begin_on == Some(end)).then(|| self.next_id());
        let longer = self.lines.iter().filter(move |line| begin_on.is_none() && line.tip == Some(end));
        begun.into_iter().chain(longer.map(|line| line.id))
    }

    /// Where [`Lines::lay`] would lay a tile on a number: at the place that is named, else at the oldest.
    ///
    /// # Errors
    /// There is no such place.
    pub fn place(&self, end: u8, at: Option<LineId>) -> Result<LineId, NoSuchLine> {
        let is_wanted = |place: &LineId| at.is_none_or(|at| at == *place);
        self.each_place(end).find(is_wanted).ok_or(NoSuchLine)
    }

    /// Lays a tile on a number: at the place that is named, else at the oldest. Returns the place.
    ///
    /// # Errors
    /// There is no such place. Whether the seat may play the tile is for [`crate::Round`] to say.
    pub fn lay(&mut self, tile: Tile, end: u8, at: Option<LineId>) -> Result<LineId, NoSuchLine> {
        let id = self.place(end, at)?;
        let outward = tile.outward(end).ok_or(NoSuchLine)?;
        if self.arms_left > 0 {
            self.arms_left -= 1;
            self.lines.push(Line { id, parent: None, tip: Some(outward) });
        } else if let Some(foot) = &mut self.foot {
            self.lines.push(Line { id, parent: Some(foot.line), tip: Some(outward) });
            foot.missing -= 1;
            if foot.missing == 0 {
                self.foot = None;
            }
        } else if let Some(line) = self.lines.iter_mut().find(|line| line.id == id) {
            if tile.is_double() {
                line.tip = None;
                self.foot = Some(OpenFoot { line: id, number: end, missing: self.toes });
            } else {
                line.tip = Some(outward);
            }
        }
        Ok(id)
    }

    fn next_id(&self) -> LineId {
        LineId(self.lines.len() as u8 + 1)
    }
}

/// No arm or toe of that number can take the tile on that end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSuchLine;

impl fmt::Display for NoSuchLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no arm or toe of that number shows that end")
    }
}

impl std::error::Error for NoSuchLine {}
