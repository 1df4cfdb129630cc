//! Margins: how many pips a seat ends below its opponents.

use crate::{EntrantId, Game};

/// The margin of each seat of an entrant in a game: the mean of the points of the seats of other entrants less its own.
/// Nothing where nobody else sat.
pub(crate) fn of_entrant(game: &Game, entrant: EntrantId) -> impl Iterator<Item = f64> {
    let seats = || game.seating.iter().zip(&game.points);
    let others = mean(seats().filter(move |(who, _)| **who != entrant).map(|(_, points)| *points));
    let own = seats().filter(move |(who, _)| **who == entrant).map(|(_, points)| f64::from(*points));
    own.filter_map(move |own| others.map(|others| others - own))
}

/// The mean points of the seats of an entrant in a game; none if it has no seat.
pub(crate) fn mean_points(game: &Game, entrant: EntrantId) -> Option<f64> {
    let seats = game.seating.iter().zip(&game.points);
    mean(seats.filter(|(who, _)| **who == entrant).map(|(_, points)| *points))
}

fn mean(points: impl Iterator<Item = u32>) -> Option<f64> {
    // In whole numbers, so that the order of the seats cannot matter.
    let (sum, count) = points.fold((0u64, 0u32), |(sum, count), points| (sum + u64::from(points), count + 1));
    (count > 0).then(|| sum as f64 / f64::from(count))
}
