//! Whether tiles overlap where they are drawn: real numbers and true angles, not the layout's own test.
use chickenfoot_picture::{Area, Layout};

type Vector = (f64, f64);

/// The first two tiles that share more than a hair, by position.
pub fn overlap(layout: &Layout) -> Option<(usize, usize)> {
    let shapes: Vec<[Vector; 4]> = layout.tiles().iter().map(|placed| corners(&placed.area)).collect();
    let pairs = (0..shapes.len()).flat_map(|a| (0..a).map(move |b| (b, a)));
    pairs.into_iter().find(|(a, b)| {
        let (one, other) = (layout.tiles()[*a].area.centre, layout.tiles()[*b].area.centre);
        // Further apart than two tiles' diagonals.
        let near = (one.x - other.x).abs() < 2300 && (one.y - other.y).abs() < 2300;
        near && depth(&shapes[*a], &shapes[*b]) > 0.0
    })
}

fn corners(area: &Area) -> [Vector; 4] {
    let angle = f64::from(area.heading.degrees()).to_radians();
    let (cos, sin) = (angle.cos(), angle.sin());
    let (length, width) = (f64::from(area.half_length), f64::from(area.half_width));
    [(length, width), (length, -width), (-length, -width), (-length, width)].map(|(along, across)| {
        (
            f64::from(area.centre.x) + along * cos - across * sin,
            f64::from(area.centre.y) + along * sin + across * cos,
        )
    })
}

/// How deep two convex shapes lie in each other; negative if an edge of one has the other beyond it.
fn depth(a: &[Vector; 4], b: &[Vector; 4]) -> f64 {
    let edges = |shape: &[Vector; 4]| {
        let shape = *shape;
        (0..2).map(move |at| (shape[at + 1].0 - shape[at].0, shape[at + 1].1 - shape[at].1))
    };
    edges(a).chain(edges(b)).map(|edge| depth_across(a, b, edge)).fold(f64::INFINITY, f64::min)
}

fn depth_across(a: &[Vector; 4], b: &[Vector; 4], edge: Vector) -> f64 {
    let length = edge.0.hypot(edge.1);
    let span = |shape: &[Vector; 4]| {
        let heights = shape.map(|corner| (corner.0 * edge.1 - corner.1 * edge.0) / length);
        (
            heights.into_iter().fold(f64::INFINITY, f64::min),
            heights.into_iter().fold(f64::NEG_INFINITY, f64::max),
        )
    };
    let (a, b) = (span(a), span(b));
    (a.1 - b.0).min(b.1 - a.0)
}
