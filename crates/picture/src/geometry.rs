/// Steps of a full turn.
const TURN: u8 = 24;

/// 1000 times the cosine of each heading, rounded. A table, so that no platform computes another one.
const COSINES: [i32; TURN as usize] = [
    1000, 966, 866, 707, 500, 259, 0, -259, -500, -707, -866, -966, -1000, -966, -866, -707, -500, -259, 0,
    259, 500, 707, 866, 966,
];

/// A place on the table, in thousandths of a half tile from the middle of the starting double. `y` points down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Down.
    pub y: i32,
}

impl Point {
    /// The place that lies so far in a direction, to the nearest unit; halves are rounded up.
    pub(crate) fn ahead(self, heading: Heading, distance: i32) -> Point {
        let part = |of: i32| ((i64::from(distance) * i64::from(of) + 500).div_euclid(1000)) as i32;
        Point { x: self.x + part(heading.cos()), y: self.y + part(heading.sin()) }
    }

    /// The distance from the middle of the table, by the longer side.
    pub(crate) fn reach(self) -> i32 {
        self.x.abs().max(self.y.abs())
    }

    /// A thousand times what a vector to this point measures along a direction, and across it.
    fn along(self, from: Point, heading: Heading) -> (i64, i64) {
        let (dx, dy) = (i64::from(self.x - from.x), i64::from(self.y - from.y));
        let (cos, sin) = (i64::from(heading.cos()), i64::from(heading.sin()));
        (dx * cos + dy * sin, dy * cos - dx * sin)
    }
}

/// A direction in steps of 15 degrees, clockwise from the right: 0 to 23.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Heading(u8);

impl Heading {
    /// To the right.
    pub const RIGHT: Heading = Heading(0);
    /// Twelve o'clock.
    pub const UP: Heading = Heading(18);

    /// How many steps of 15 degrees, 0 to 23.
    pub const fn steps(self) -> u8 {
        self.0
    }

    /// In degrees, 0 to 345.
    pub const fn degrees(self) -> u16 {
        self.0 as u16 * (360 / TURN as u16)
    }

    pub(crate) fn turned(self, steps: i32) -> Heading {
        Heading((i32::from(self.0) + steps).rem_euclid(i32::from(TURN)) as u8)
    }

    /// Steps between two headings, the short way round: 0 to 12.
    pub(crate) fn apart(self, other: Heading) -> i32 {
        let steps = (i32::from(self.0) - i32::from(other.0)).rem_euclid(i32::from(TURN));
        steps.min(i32::from(TURN) - steps)
    }

    /// The heading that points best at a place from the middle; of equal ones the lowest. Right from the middle itself.
    pub(crate) fn towards(place: Point) -> Heading {
        let ahead = |heading: &Heading| place.along(Point::default(), *heading).0;
        let best = |best: Heading, next: Heading| if ahead(&next) > ahead(&best) { next } else { best };
        (1..TURN).map(Heading).fold(Heading(0), best)
    }

    pub(crate) fn cos(self) -> i32 {
        COSINES[usize::from(self.0)]
    }

    pub(crate) fn sin(self) -> i32 {
        self.turned(-i32::from(TURN / 4)).cos()
    }
}

/// A rectangle on the table, turned by a heading.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Area {
    /// Its middle.
    pub centre: Point,
    /// Which way its length lies.
    pub heading: Heading,
    /// Half its extent along the heading.
    pub half_length: i32,
    /// Half its extent across.
    pub half_width: i32,
}

impl Area {
    /// The area that begins in the middle of its near edge at `from`.
    pub(crate) fn ahead_of(from: Point, heading: Heading, half_length: i32, half_width: i32) -> Area {
        Area { centre: from.ahead(heading, half_length), heading, half_length, half_width }
    }

    /// Whether the two areas come closer than `gap` (by the separating axes of both).
    #[inline]
    pub(crate) fn is_near(&self, other: &Area, gap: i32) -> bool {
        let reach = self.radius() + other.radius() + gap;
        let far = |a: i32, b: i32| (a - b).abs() >= reach;
        let (a, b) = (self.centre, other.centre);
        !far(a.x, b.x) && !far(a.y, b.y) && !self.parts(other, gap) && !other.parts(self, gap)
    }

    /// Whether an axis of this area has the other one on one side, `gap` away.
    fn parts(&self, other: &Area, gap: i32) -> bool {
        let (along, across) = other.centre.along(self.centre, self.heading);
        let turn = other.heading.turned(-i32::from(self.heading.0));
        let (cos, sin) = (i64::from(turn.cos().abs()), i64::from(turn.sin().abs()));
        let (length, width) = (i64::from(other.half_length), i64::from(other.half_width));
        along.abs() >= 1000 * i64::from(self.half_length + gap) + length * cos + width * sin
            || across.abs() >= 1000 * i64::from(self.half_width + gap) + length * sin + width * cos
    }

    /// At least half its diagonal.
    #[inline]
    fn radius(&self) -> i32 {
        self.half_length.max(self.half_width) + self.half_length.min(self.half_width) / 2
    }

    /// Whether the strip of a length ahead of a point may come near this area: a quick test that errs on the safe side.
    #[inline]
    pub(crate) fn may_cut(&self, from: Point, heading: Heading, length: i32, half_width: i32) -> bool {
        let side = self.radius() + half_width;
        let reach = side + length;
        let centre = self.centre;
        if (centre.x - from.x).abs() >= reach || (centre.y - from.y).abs() >= reach {
            return false;
        }
        let (along, across) = centre.along(from, heading);
        let (side, reach) = (1000 * i64::from(side), 1000 * i64::from(reach));
        across.abs() < side && along > -side && along < reach
    }

    /// Its four corners, in order round it.
    pub fn corners(&self) -> [Point; 4] {
        let side = self.heading.turned(6);
        [(1, 1), (1, -1), (-1, -1), (-1, 1)].map(|(length, width)| {
            self.centre.ahead(self.heading, length * self.half_length).ahead(side, width * self.half_width)
        })
    }
}

/// A rectangle with upright sides that something fits in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bounds {
    /// The least `x`.
    pub left: i32,
    /// The least `y`.
    pub top: i32,
    /// The greatest `x`.
    pub right: i32,
    /// The greatest `y`.
    pub bottom: i32,
}

impl Bounds {
    /// What these areas fit in; a point in the middle if there are none.
    pub fn of<'a>(areas: impl IntoIterator<Item = &'a Area>) -> Bounds {
        let corners = areas.into_iter().flat_map(Area::corners);
        let point = |point: Point| Bounds { left: point.x, top: point.y, right: point.x, bottom: point.y };
        corners.map(point).reduce(Bounds::with).unwrap_or_else(|| point(Point::default()))
    }

    /// What both fit in.
    pub fn with(self, other: Bounds) -> Bounds {
        Bounds {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }

    /// From left to right.
    pub fn width(&self) -> i32 {
        self.right - self.left
    }

    /// From top to bottom.
    pub fn height(&self) -> i32 {
        self.bottom - self.top
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_point_where_they_say() {
        for steps in 0..TURN {
            let heading = Heading(steps);
            assert_eq!(Heading::towards(Point::default().ahead(heading, 7000)), heading);
            let angle = f64::from(heading.degrees()).to_radians();
            assert!((f64::from(heading.cos()) - 1000.0 * angle.cos()).abs() <= 0.5);
            assert!((f64::from(heading.sin()) - 1000.0 * angle.sin()).abs() <= 0.5);
        }
    }

    #[test]
    fn halves_are_rounded_up() {
        let right = |distance| Point::default().ahead(Heading(4), distance).x;
        assert_eq!((right(1), right(-1), right(3)), (1, 0, 2));
    }

    #[test]
    fn areas_are_near_up_to_the_gap() {
        let tile = |x, heading| Area {
            centre: Point { x, y: 0 },
            heading: Heading(heading),
            half_length: 1000,
            half_width: 500,
        };
        assert!(tile(0, 0).is_near(&tile(1999, 0), 0));
        assert!(!tile(0, 0).is_near(&tile(2000, 0), 0));
        assert!(tile(0, 0).is_near(&tile(2000, 0), 1));
        assert!(!tile(0, 0).is_near(&tile(1500, 6), 0));
        assert!(tile(0, 0).is_near(&tile(1499, 6), 0));
    }
}
