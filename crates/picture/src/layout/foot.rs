use super::ground::{Care, Eyes, Ground, KIN_GAP, SEAM};
use super::search::need;
use super::spot::{HALF_LENGTH, HALF_WIDTH, Way};
use crate::geometry::{Area, Heading};

/// The angles of the outer toes, best first.
const ANGLES: [i32; 5] = [3, 2, 4, 5, 6];

/// What a hundred units of a toe's outlook are worth.
pub(crate) const TOE_LOOK: i32 = 35;

/// The ways of the three toes of a double, and what they cost.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Foot {
    /// The middle one, then both sides.
    pub(crate) toes: [Way; 3],
    pub(crate) cost: i32,
}

/// A double that is to be laid, with the spot that it would be laid on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Double<'a> {
    pub(crate) area: &'a Area,
    pub(crate) heading: Heading,
    pub(crate) spot: usize,
    pub(crate) care: Care,
    pub(crate) near_edge: bool,
}

impl Double<'_> {
    /// The foot that has room on it; `None` if there is none for three toes.
    pub(crate) fn foot(&self, ground: &mut Ground) -> Option<Foot> {
        let middle = self.way(0, 0);
        let (mut cost, mut toes) = (self.cost(ground, middle, 0, i32::MAX)?, [middle; 3]);
        for (at, side) in [(1, -1), (2, 1)] {
            let mut best: Option<(i32, Way)> = None;
            for angle in ANGLES {
                let way = self.way(side, angle);
                let crowded = toes[..at].iter().any(|toe| toe.slot().is_near(&way.slot(), KIN_GAP));
                if crowded {
                    continue;
                }
                let limit = best.map_or(i32::MAX, |(least, _)| least);
                match self.cost(ground, way, angle, limit) {
                    Some(cost) if cost < limit => best = Some((cost, way)),
                    Some(_) | None => {}
                }
            }
            let (least, way) = best?;
            cost += least;
            toes[at] = way;
        }
        Some(Foot { toes, cost })
    }

    fn way(&self, side: i32, angle: i32) -> Way {
        toe(self.area, self.heading, side, angle)
    }

    /// What a toe costs; `None` if there is no room for it. Not exact from the limit on.
    fn cost(&self, ground: &mut Ground, way: Way, angle: i32, limit: i32) -> Option<i32> {
        let slot = way.slot();
        let cost = 90 * angle + 60 * way.heading.apart(Heading::towards(slot.centre));
        // Whatever is joined to the parent is a stranger to the toes.
        let clear = ground.is_clear_of_tiles(&slot, usize::MAX)
            && (self.care != Care::All || ground.is_clear_of_slots(&slot, self.spot));
        clear.then(|| {
            let eyes = Eyes { near_edge: self.near_edge, but: self.spot, need: need(cost, limit, TOE_LOOK) };
            cost - TOE_LOOK * ground.look(way, eyes) / 100
        })
    }
}

impl Foot {
    /// A foot whether there is room or not.
    pub(crate) fn open(area: &Area, heading: Heading) -> Foot {
        let toes = [(0, 0), (-1, ANGLES[0]), (1, ANGLES[0])];
        Foot { toes: toes.map(|(side, angle)| toe(area, heading, side, angle)), cost: 0 }
    }
}

/// The way of a toe: from the middle of a double's far edge, or from a corner and at an angle.
fn toe(area: &Area, heading: Heading, side: i32, angle: i32) -> Way {
    let edge = area.centre.ahead(heading, HALF_WIDTH);
    let corner = edge.ahead(heading.turned(6), side * HALF_LENGTH);
    let heading = heading.turned(side * angle);
    Way { anchor: corner.ahead(heading, SEAM), heading }
}
