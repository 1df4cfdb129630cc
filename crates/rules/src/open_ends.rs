use crate::number::Numbers;
use crate::round::Foot;
use crate::tile::{MAX_PIP, Tile};

/// What can be played on: the open ends, the unfinished foot, the arms still to begin. Everybody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OpenEnds {
    by_number: [u8; MAX_PIP as usize + 1],
    /// The numbers of which `by_number` has any.
    shown: Numbers,
    hub: u8,
    arms_left: u8,
    foot: Option<Foot>,
}

impl OpenEnds {
    /// The table after the starting double `hub` was laid and before any arm was begun.
    #[inline]
    pub fn new(hub: u8, arms: u8) -> OpenEnds {
        OpenEnds {
            by_number: [0; MAX_PIP as usize + 1],
            shown: Numbers::EMPTY,
            hub,
            arms_left: arms,
            foot: None,
        }
    }

    /// As [`OpenEnds::new`] for a table that has come further.
    pub(crate) fn at(
        hub: u8,
        by_number: [u8; MAX_PIP as usize + 1],
        arms_left: u8,
        foot: Option<Foot>,
    ) -> OpenEnds {
        let shown = (0..=MAX_PIP).filter(|number| by_number[usize::from(*number)] > 0).collect();
        OpenEnds { by_number, shown, hub, arms_left, foot }
    }

    /// How many open ends show each number. Places for missing toes and arms are not counted.
    #[inline]
    pub fn by_number(&self) -> &[u8; MAX_PIP as usize + 1] {
        &self.by_number
    }

    /// The starting double's number.
    #[inline]
    pub fn hub(&self) -> u8 {
        self.hub
    }

    /// Arms that the starting double still takes; 0 in free play.
    #[inline]
    pub fn arms_left(&self) -> u8 {
        self.arms_left
    }

    /// The unfinished chicken foot.
    #[inline]
    pub fn foot(&self) -> Option<Foot> {
        self.foot
    }

    /// The numbers that a tile may be laid on now: the starting double's in the opening, the foot's while one is
    /// unfinished, else those of all open ends.
    #[inline]
    pub fn numbers(&self) -> Numbers {
        if self.arms_left > 0 {
            Numbers::only(self.hub)
        } else if let Some(foot) = self.foot {
            Numbers::only(foot.number)
        } else {
            self.shown
        }
    }

    /// Lays a tile on an end that shows the number `end`. A double in free play opens a foot of so many `toes`; none
    /// with 0, as when it is the last tile of a hand.
    ///
    /// A tile that does not fit leaves ends that no rules describe, and nothing worse.
    #[inline]
    pub fn lay(&mut self, tile: Tile, end: u8, toes: u8) {
        let outward = tile.outward(end).unwrap_or(end);
        if self.arms_left > 0 {
            self.arms_left -= 1;
            self.open(outward);
        } else if let Some(foot) = &mut self.foot {
            foot.missing = foot.missing.saturating_sub(1);
            if foot.missing == 0 {
                self.foot = None;
            }
            self.open(outward);
        } else {
            self.close(end);
            if !tile.is_double() {
                self.open(outward);
            } else if toes > 0 {
                self.foot = Some(Foot { number: end, missing: toes });
            }
        }
    }

    #[inline]
    fn open(&mut self, number: u8) {
        if let Some(count) = self.by_number.get_mut(usize::from(number)) {
            *count = count.saturating_add(1);
            self.shown.insert(number);
        }
    }

    #[inline]
    fn close(&mut self, number: u8) {
        if let Some(count) = self.by_number.get_mut(usize::from(number)) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.shown.remove(number);
            }
        }
    }
}
