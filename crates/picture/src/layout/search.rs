use super::foot::{Double, Foot, TOE_LOOK};
use super::ground::{CORRIDORS, Care, Eyes, GAP, Ground, SEAM, stem};
use super::spot::{HALF_LENGTH, HALF_WIDTH, Kind, Spot, Way};
use crate::geometry::{Area, Heading};

/// Stems that a tile may stand on like any other.
const SHORT: [i32; 4] = [0, 600, 1400, LONGEST_SHORT];
/// What is longer is a connector.
pub(crate) const LONGEST_SHORT: i32 = 2600;
/// Stems of last resort.
const LONG: [i32; 8] = [4000, 6000, 9000, 13_000, 18_000, 24_000, 32_000, 42_000];
/// No table is so large that a stem of this length ends on it.
const BEYOND: i32 = 1 << 26;
/// How far a tile may turn, in the order in which it is tried.
const TURNS: [i32; 13] = [0, 1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6];
/// What a hundred units of outlook are worth.
const LOOK: i32 = 55;
/// How far a toe may turn.
const TOE_TURN: i32 = 2;

/// Where a tile goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) area: Area,
    /// Where its line goes on: the heading that it was laid along.
    pub(crate) heading: Heading,
    pub(crate) stem: Option<Area>,
    pub(crate) foot: Option<Foot>,
}

impl Place {
    /// The way of the next tile.
    pub(crate) fn onward(&self) -> Way {
        let anchor = self.area.centre.ahead(self.heading, self.area.half_length + SEAM);
        Way { anchor, heading: self.heading }
    }
}

/// A tile that is to be laid on a spot.
pub(crate) struct Search<'a> {
    pub(crate) ground: &'a mut Ground,
    pub(crate) spot: usize,
    pub(crate) is_double: bool,
    /// The number that it will show; of a double the number of its toes.
    pub(crate) outward: u8,
}

/// What one pass allows.
#[derive(Clone, Copy)]
struct Pass {
    care: Care,
    edge: bool,
    turn: i32,
}

struct Best {
    cost: i32,
    place: Place,
}

impl Search<'_> {
    /// The cheapest place of the first pass that has any.
    pub(crate) fn place(mut self) -> Place {
        let spot = self.ground.spots[self.spot].clone();
        let careful = match spot.kind {
            Kind::Arm => 0,
            Kind::Toe => TOE_TURN,
            Kind::Line(_) => 6,
        };
        // An arm or a toe has its slot for itself, so it never has to leave it far.
        let free = if spot.kind == Kind::Toe { TOE_TURN } else { 6 };
        let first = Pass { care: Care::All, edge: true, turn: careful };
        let any = Pass { care: Care::Tiles, edge: false, turn: free };
        self.try_pass(&spot, &SHORT, first)
            .or_else(|| self.try_pass(&spot, &SHORT, Pass { edge: false, ..first }))
            .or_else(|| self.try_pass(&spot, &SHORT, any))
            .or_else(|| self.try_pass(&spot, &LONG, any))
            .unwrap_or_else(|| self.far_off(&spot))
    }

    /// Stems may cross tiles now, and grow until there is room.
    fn far_off(&mut self, spot: &Spot) -> Place {
        let pass = Pass { care: Care::Bare, edge: false, turn: 6 };
        let mut lengths = SHORT.into_iter().chain(LONG).chain((17..26).map(|power| 1 << power));
        let found = lengths.find_map(|length| self.try_pass(spot, &[length], pass));
        // There is always room off the table; but this must end on any input.
        found.unwrap_or_else(|| {
            let place = self.at(spot, BEYOND, 0);
            let foot = self.is_double.then(|| Foot::open(&place.area, place.heading));
            Place { foot, ..place }
        })
    }

    fn try_pass(&mut self, spot: &Spot, stems: &[i32], pass: Pass) -> Option<Place> {
        let mut best: Option<Best> = None;
        for length in stems {
            for turn in TURNS.into_iter().filter(|turn| turn.abs() <= pass.turn) {
                let limit = best.as_ref().map_or(i32::MAX, |best| best.cost);
                if let Some(found) = self.try_one(spot, *length, turn, pass, limit) {
                    best = Some(found);
                }
            }
        }
        best.map(|best| best.place)
    }

    /// A place with what it costs, if it is allowed and costs less than the limit.
    fn try_one(&mut self, spot: &Spot, length: i32, turn: i32, pass: Pass, limit: i32) -> Option<Best> {
        let mut place = self.at(spot, length, turn);
        let reach = place.area.centre.reach();
        let near_edge = 10 * reach > 7 * self.ground.edge;
        if pass.edge && reach + 700 > self.ground.edge {
            return None;
        }
        let mut cost = 320 * turn.abs() + if length > 0 { 2500 + 3 * length / 2 } else { 0 };
        if !near_edge {
            let outward = Heading::towards(place.area.centre);
            cost += 150 * place.heading.apart(outward) + 60 * place.heading.apart(spot.home);
        }
        // The best outlook cannot make up for more than this.
        let hope = if self.is_double { 3 * TOE_LOOK } else { LOOK } * CORRIDORS[0] / 100;
        if cost - hope >= limit || !self.is_free(&place, spot, pass.care) {
            return None;
        }
        cost += self.cut_feet(&place.area);
        let way = place.onward();
        if self.is_double {
            let double = Double {
                area: &place.area,
                heading: place.heading,
                spot: self.spot,
                care: pass.care,
                near_edge,
            };
            let foot = double.foot(self.ground)?;
            cost += foot.cost;
            place.foot = Some(foot);
        } else {
            cost += self.own_foot(way);
            let eyes = Eyes { near_edge, but: self.spot, need: need(cost, limit, LOOK) };
            cost -= LOOK * self.ground.look(way, eyes) / 100;
        }
        (cost < limit).then_some(Best { cost, place })
    }

    /// The place at the end of a stem, turned from the straight way.
    fn at(&self, spot: &Spot, length: i32, turn: i32) -> Place {
        let (half_length, half_width) =
            if self.is_double { (HALF_WIDTH, HALF_LENGTH) } else { (HALF_LENGTH, HALF_WIDTH) };
        let heading = spot.heading.turned(turn);
        let turns_aside = spot.kind != Kind::Toe && turn != 0;
        let aside = half_width * Heading::RIGHT.turned(turn).sin().abs() / 1000 + GAP / 2;
        let corner = if turns_aside { spot.anchor.ahead(spot.heading, aside) } else { spot.anchor };
        let near = corner.ahead(heading, length);
        Place {
            area: Area::ahead_of(near, heading, half_length, half_width),
            heading,
            stem: (length > 0).then(|| stem(corner, heading, length)),
            foot: None,
        }
    }

    fn is_free(&mut self, place: &Place, spot: &Spot, care: Care) -> bool {
        self.ground.is_clear_of_tiles(&place.area, spot.parent)
            && (care != Care::All || self.ground.is_clear_of_slots(&place.area, self.spot))
            && (care == Care::Bare
                || place.stem.is_none_or(|stem| self.ground.is_free_stem(&stem, spot.parent)))
    }

    /// What it costs to lie where others will need room for a foot.
    fn cut_feet(&mut self, area: &Area) -> i32 {
        self.ground.work += self.ground.spots.len() as u64;
        let cut = |(at, spot): (usize, &Spot)| {
            let waits = matches!(spot.kind, Kind::Line(_)) && !self.ground.is_played(spot.number);
            at != self.spot && waits && spot.foot_zone.is_near(area, 0)
        };
        2000 * self.ground.spots.iter().enumerate().filter(|spot| cut(*spot)).count() as i32
    }

    /// What it costs to show a number where its foot has no room.
    fn own_foot(&mut self, way: Way) -> i32 {
        let waits = !self.ground.is_played(self.outward);
        if waits && self.ground.is_cut(&way.foot_zone()) { 2000 } else { 0 }
    }
}

/// The outlook that is needed to bring a cost below a limit, at so much a hundred; not more than that.
pub(crate) fn need(cost: i32, limit: i32, worth: i32) -> i32 {
    let missing = 100 * (i64::from(cost) - i64::from(limit)) / i64::from(worth);
    missing.clamp(0, i64::from(i32::MAX)) as i32
}
