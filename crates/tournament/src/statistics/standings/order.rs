use std::cmp::{Ordering, Reverse};

use super::super::{Results, chance};
use super::Standing;

/// Puts the lines of a table in order.
pub(super) struct Order<'a> {
    pub(super) results: &'a Results<'a>,
    pub(super) seed: &'a [u8],
}

impl Order<'_> {
    /// Sorts the lines and gives them their places.
    pub(super) fn sort(&self, rows: &mut [Standing]) {
        // By the lot first: what follows leaves the order of equals alone.
        rows.sort_by_cached_key(|row| chance::digest("lot", self.seed, &row.entrant.0.to_be_bytes()));
        rows.sort_by(by_results);
        let head_to_head = self.head_to_head(rows);
        let tied = |one: &Standing, other: &Standing| by_results(one, other).is_eq();
        let share = |row: &Standing| head_to_head[row.entrant.index()];
        for group in rows.chunk_by_mut(tied) {
            group.sort_by_key(|row| Reverse(share(row)));
            for equals in group.chunk_by_mut(|one, other| share(one) == share(other)) {
                let by_lot = equals.len() > 1;
                equals.iter_mut().for_each(|row| row.by_lot = by_lot);
            }
        }
        rows.iter_mut().zip(1..).for_each(|(row, place)| row.place = place);
    }

    /// For each entrant the share of its meetings within its tied group that it won, a tie counting half, in millionths; one
    /// half without any.
    fn head_to_head(&self, rows: &[Standing]) -> Vec<i64> {
        let mut group_of = vec![None; self.results.entrants()];
        let groups = rows.chunk_by(|one, other| by_results(one, other).is_eq());
        for (number, group) in groups.enumerate().filter(|(_, group)| group.len() > 1) {
            group.iter().for_each(|row| group_of[row.entrant.index()] = Some(number));
        }
        // Twice the points won, and the meetings.
        let mut won = vec![(0u64, 0u64); self.results.entrants()];
        if group_of.iter().any(Option::is_some) {
            for game in self.results.games() {
                let seats = || game.seating.iter().map(|entrant| entrant.index()).zip(&game.places);
                for (one, place) in seats().filter(|(one, _)| group_of[*one].is_some()) {
                    let rivals =
                        seats().filter(|(other, _)| *other != one && group_of[*other] == group_of[one]);
                    for (_, other) in rivals {
                        won[one].0 += match place.cmp(other) {
                            Ordering::Less => 2,
                            Ordering::Equal => 1,
                            Ordering::Greater => 0,
                        };
                        won[one].1 += 1;
                    }
                }
            }
        }
        let share = |(won, meetings): &(u64, u64)| {
            if *meetings == 0 { 0.5 } else { *won as f64 / (2 * meetings) as f64 }
        };
        won.iter().map(|won| in_millionths(share(won))).collect()
    }
}

/// The better one first, before head to head and the lot.
fn by_results(one: &Standing, other: &Standing) -> Ordering {
    let score = |row: &Standing| row.score.map(in_millionths);
    // An entrant without a game comes after all that have one.
    let margin = |row: &Standing| row.margin.map(|margin| in_millionths(margin.value));
    let clean = |row: &Standing, games: u32| u128::from(row.clean_rounds) * u128::from(games.max(1));
    let lowest = |row: &Standing| row.lowest_round.unwrap_or(u32::MAX);
    score(other)
        .cmp(&score(one))
        .then_with(|| margin(other).cmp(&margin(one)))
        .then_with(|| clean(other, one.games).cmp(&clean(one, other.games)))
        .then_with(|| lowest(one).cmp(&lowest(other)))
}

/// A figure on a grid of millionths, so that rounding errors part no equals.
fn in_millionths(value: f64) -> i64 {
    (value * 1e6).round() as i64
}
