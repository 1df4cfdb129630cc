//! Circular orders in which everybody follows everybody equally often.

use std::sync::OnceLock;

use crate::setup::MAX_TABLE;

/// Who sits clockwise of whom: the first of the list follows the last.
pub(crate) type Order = Vec<u8>;

/// Circular orders of `seats` seats to be used one after the other.
///
/// With 3, 5, 7 and 8 seats it is a perfect set: each follows each other exactly once, so the complete directed graph is
/// split into Hamiltonian circuits. Such sets exist for every number but 4 and 6 (Tillson 1980; Bermond and Faber 1976).
/// For a prime p they are the multiples 0, m, 2m, ... modulo p, for m from 1 to p - 1. With 4 and 6 it is all (n - 1)!
/// orders, sorted so that the first few of them are as even as they can be.
pub(crate) fn orders(seats: usize) -> &'static [Order] {
    static ORDERS: OnceLock<Vec<Vec<Order>>> = OnceLock::new();
    let all = ORDERS.get_or_init(|| (0..=usize::from(MAX_TABLE)).map(compute).collect());
    all.get(seats).map_or(&[], Vec::as_slice)
}

fn compute(seats: usize) -> Vec<Order> {
    match seats {
        0 | 1 => Vec::new(),
        3 | 5 | 7 => multiples(seats as u8),
        8 => EIGHT.iter().map(|order| order.to_vec()).collect(),
        _ => evened(all_orders(seats as u8), seats),
    }
}

fn multiples(prime: u8) -> Vec<Order> {
    (1..prime).map(|step| (0..prime).map(|at| at * step % prime).collect()).collect()
}

/// Found by backtracking over the arcs that are still free.
const EIGHT: [[u8; 8]; 7] = [
    [0, 1, 6, 2, 7, 5, 4, 3],
    [0, 2, 3, 4, 7, 1, 5, 6],
    [0, 3, 2, 1, 7, 6, 4, 5],
    [0, 4, 1, 3, 5, 2, 6, 7],
    [0, 5, 7, 2, 4, 6, 3, 1],
    [0, 6, 1, 2, 5, 3, 7, 4],
    [0, 7, 3, 6, 5, 1, 4, 2],
];

/// All circular orders, each beginning with 0.
fn all_orders(seats: u8) -> Vec<Order> {
    let mut orders = vec![vec![0]];
    for _ in 1..seats {
        orders = orders
            .into_iter()
            .flat_map(|begun: Order| {
                let free: Vec<u8> = (0..seats).filter(|seat| !begun.contains(seat)).collect();
                free.into_iter().map(move |seat| [begun.as_slice(), &[seat]].concat())
            })
            .collect();
    }
    orders
}

/// Sorts orders so that each next one adds least to what is uneven so far.
fn evened(mut orders: Vec<Order>, seats: usize) -> Vec<Order> {
    let mut follows = vec![0u32; seats * seats];
    for place in 0..orders.len() {
        let cost = |order: &Order| arcs(order).map(|(a, b)| follows[a * seats + b]).sum::<u32>();
        let next = (place..orders.len()).min_by_key(|&at| (cost(&orders[at]), at)).unwrap_or(place);
        orders[place..=next].rotate_right(1);
        for (a, b) in arcs(&orders[place]) {
            follows[a * seats + b] += 1;
        }
    }
    orders
}

/// Each seat's index with that of the one after it.
fn arcs(order: &Order) -> impl Iterator<Item = (usize, usize)> + '_ {
    (0..order.len()).map(|at| (usize::from(order[at]), usize::from(order[(at + 1) % order.len()])))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn follow_counts(orders: &[Order], seats: usize) -> Vec<u32> {
        let mut counts = vec![0; seats * seats];
        for (a, b) in orders.iter().flat_map(arcs) {
            counts[a * seats + b] += 1;
        }
        (0..seats * seats).filter(|at| at / seats != at % seats).map(|at| counts[at]).collect()
    }

    #[test]
    fn sets_for_three_five_seven_and_eight_seats_are_perfect() {
        for seats in [3, 5, 7, 8] {
            let set = orders(seats);
            assert_eq!(set.len(), seats - 1);
            assert!(follow_counts(set, seats).iter().all(|&times| times == 1), "{seats} seats");
        }
    }

    #[test]
    fn four_and_six_seats_go_through_all_orders_and_end_even() {
        for (seats, all, each) in [(2, 1, 1), (4, 6, 2), (6, 120, 24)] {
            let set = orders(seats);
            let distinct: std::collections::BTreeSet<_> = set.iter().collect();
            assert_eq!(distinct.len(), all);
            assert!(follow_counts(set, seats).iter().all(|&times| times == each), "{seats} seats");
        }
    }

    #[test]
    fn every_order_seats_everybody_once() {
        for seats in 2..=8 {
            for order in orders(seats) {
                let mut sorted = order.clone();
                sorted.sort_unstable();
                assert!(sorted.iter().enumerate().all(|(at, &seat)| at == usize::from(seat)));
            }
        }
    }

    #[test]
    fn beginnings_for_four_and_six_seats_are_nearly_even() {
        for seats in [4, 6] {
            for length in 1..orders(seats).len() {
                let counts = follow_counts(&orders(seats)[..length], seats);
                let spread = counts.iter().max().unwrap() - counts.iter().min().unwrap();
                assert!(spread <= 2, "{seats} seats, {length} orders: {spread}");
            }
        }
    }
}
