//! Who sits where, and behind whom.

mod orders;

use std::collections::HashMap;

use crate::lots::{Lots, Purpose};
use crate::{EntrantId, Seating};
use orders::orders;

/// Who sits at a block's table, before anybody has a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Seats {
    /// These, in the rotations of one circular order.
    Rotations(Vec<EntrantId>),
    /// The same, and all of it again with the two of the pair swapped.
    Swapped { group: Vec<EntrantId>, pair: (EntrantId, EntrantId) },
    /// As given.
    Given(Vec<Seating>),
}

/// Chooses circular orders so that everybody follows everybody equally often.
///
/// A group's first order may be any; those of a group that meets again go through a set of [`orders`]. Among its orders
/// the one is taken whose pairs followed each other least so far, in lower-numbered blocks, counting squares; where two
/// seats changed over make it better still, they are.
#[derive(Debug)]
pub(crate) struct Seater {
    lots: Lots,
    /// How often the second followed the first.
    follows: HashMap<(EntrantId, EntrantId), u32>,
}

impl Seater {
    pub(crate) fn new(lots: Lots) -> Self {
        Self { lots, follows: HashMap::new() }
    }

    /// The matches of block `number`. Blocks have to come in the order of their numbers.
    pub(crate) fn seat(&mut self, number: u32, seats: Seats) -> Vec<Seating> {
        match seats {
            Seats::Given(seatings) => seatings,
            Seats::Rotations(group) => rotations(&self.order(number, group)),
            Seats::Swapped { group, pair } => {
                let order = self.order(number, group);
                let mut seatings = rotations(&order);
                let swapped = swap(&order, pair);
                self.count(&swapped);
                for seating in rotations(&swapped) {
                    if !seatings.contains(&seating) {
                        seatings.push(seating);
                    }
                }
                seatings
            }
        }
    }

    /// The circular order for a group, which is counted as used.
    fn order(&mut self, number: u32, mut group: Vec<EntrantId>) -> Seating {
        group.sort_unstable();
        let set = orders(group.len());
        let first = self.lots.stream(Purpose::Seating, u64::from(number)).below(set.len());
        let best = (0..set.len())
            .map(|at| {
                let order = &set[(first + at) % set.len()];
                order.iter().map(|&seat| group[usize::from(seat)]).collect::<Seating>()
            })
            .min_by_key(|order| self.cost(order));
        let mut order = best.unwrap_or(group);
        self.improve(&mut order);
        self.count(&order);
        order
    }

    /// How often those who would follow each other already did. As one more adds twice the number and one to its square,
    /// the least sum keeps the sum of squares least.
    fn cost(&self, order: &Seating) -> u32 {
        arcs(order).map(|arc| self.follows.get(&arc).copied().unwrap_or(0)).sum()
    }

    /// Changes pairs of seats over while that costs less. Each change lowers the cost by one at least, so it ends.
    fn improve(&self, order: &mut Seating) {
        let mut cost = self.cost(order);
        let mut improved = cost > 0;
        while improved {
            improved = false;
            for a in 0..order.len() {
                for b in a + 1..order.len() {
                    order.swap(a, b);
                    let changed = self.cost(order);
                    if changed < cost {
                        cost = changed;
                        improved = true;
                    } else {
                        order.swap(a, b);
                    }
                }
            }
        }
    }

    fn count(&mut self, order: &Seating) {
        if order.len() > 2 {
            for arc in arcs(order) {
                *self.follows.entry(arc).or_insert(0) += 1;
            }
        }
    }
}

fn arcs(order: &Seating) -> impl Iterator<Item = (EntrantId, EntrantId)> + '_ {
    (0..order.len()).map(|at| (order[at], order[(at + 1) % order.len()]))
}

fn rotations(order: &Seating) -> Vec<Seating> {
    (0..order.len())
        .map(|by| {
            let mut seating = order.clone();
            seating.rotate_left(by);
            seating
        })
        .collect()
}

fn swap(order: &Seating, (one, other): (EntrantId, EntrantId)) -> Seating {
    let swapped = |&seat: &EntrantId| match seat {
        seat if seat == one => other,
        seat if seat == other => one,
        seat => seat,
    };
    order.iter().map(swapped).collect()
}
