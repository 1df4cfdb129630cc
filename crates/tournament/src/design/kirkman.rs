use crate::design::Round;
use crate::design::grid::is_prime;

/// Kirkman triple systems: tables of 3, each two players on exactly one.
///
/// Of 3 q players, q a prime 6 t + 1, by the construction of Ray-Chaudhuri and Wilson (1971) over the field of q elements;
/// of 15, 51 and 63 by a first round whose rotations are the others.
#[derive(Debug)]
pub(crate) enum Kirkman {
    /// Three copies of the field of `prime` elements; powers of a primitive root.
    Field { prime: u32, powers: Vec<u32> },
    /// Two circles of `circle` players and one in the middle, numbered circle by circle.
    Rotated { circle: u32, first: &'static [[u32; 3]] },
}

impl Kirkman {
    pub(crate) fn new(players: u32, seats: u32) -> Option<Self> {
        if seats != 3 {
            return None;
        }
        let first = match players {
            15 => Some(FIFTEEN),
            51 => Some(FIFTY_ONE),
            63 => Some(SIXTY_THREE),
            _ => None,
        };
        if let Some(first) = first {
            return Some(Kirkman::Rotated { circle: players / 2, first });
        }
        let prime = players / 3;
        (players.is_multiple_of(3) && prime % 6 == 1 && is_prime(prime))
            .then(|| Kirkman::Field { prime, powers: powers(prime) })
    }

    pub(crate) fn rounds(&self) -> u32 {
        (self.players() - 1) / 2
    }

    pub(crate) fn tables(&self) -> u32 {
        self.players() / 3
    }

    pub(crate) fn round(&self, round: u32) -> Round {
        match self {
            Kirkman::Field { prime, powers } => {
                if round < *prime {
                    mixed(*prime, powers, round)
                } else {
                    level(*prime, powers, round - prime)
                }
            }
            Kirkman::Rotated { circle, first } => {
                let turned = |player: u32| match player {
                    middle if middle == 2 * circle => middle,
                    outer if outer >= *circle => circle + (outer + round) % circle,
                    inner => (inner + round) % circle,
                };
                first.iter().map(|table| table.iter().map(|&player| turned(player)).collect()).collect()
            }
        }
    }

    fn players(&self) -> u32 {
        match self {
            Kirkman::Field { prime, .. } => 3 * prime,
            Kirkman::Rotated { circle, .. } => 2 * circle + 1,
        }
    }
}

/// Round `shift` of the first `prime`: the three copies of one element, triples within a copy, and triples across them.
fn mixed(prime: u32, powers: &[u32], shift: u32) -> Round {
    let sixth = powers.len() / 6;
    let at = |copy: u32, power: usize| copy * prime + (powers[power % powers.len()] + shift) % prime;
    let mut tables = vec![(0..3).map(|copy| copy * prime + shift).collect()];
    for i in 0..sixth {
        for copy in 0..3 {
            tables.push((0..3).map(|step| at(copy, i + 2 * step * sixth)).collect());
        }
        for odd in [1, 3, 5] {
            tables.push((0..3).map(|step| at(step as u32, i + (odd + 2 * step) * sixth)).collect());
        }
    }
    tables
}

/// One of the rounds that follow: a triple across the copies, in all its shifts.
fn level(prime: u32, powers: &[u32], round: u32) -> Round {
    let sixth = powers.len() / 6;
    let (even, i) = (2 * (round as usize / sixth), round as usize % sixth);
    let start = |step: usize| powers[(i + (even + 2 * step) * sixth) % powers.len()];
    (0..prime)
        .map(|shift| (0..3).map(|step| step as u32 * prime + (start(step) + shift) % prime).collect())
        .collect()
}

/// All powers of a primitive root of a prime, from the 0th on.
fn powers(prime: u32) -> Vec<u32> {
    let powers_of = |root: u32| -> Vec<u32> {
        let mut powers = vec![1];
        loop {
            let next = powers
                .last()
                .map_or(1, |&last| (u64::from(last) * u64::from(root) % u64::from(prime)) as u32);
            if next == 1 {
                return powers;
            }
            powers.push(next);
        }
    };
    (2..prime).map(powers_of).find(|powers| powers.len() as u32 == prime - 1).unwrap_or_default()
}

// Found by backtracking over the differences that a first round must show once each.
const FIFTEEN: &[[u32; 3]] = &[[14, 1, 10], [13, 2, 6], [12, 11, 7], [9, 3, 4], [8, 0, 5]];
const FIFTY_ONE: &[[u32; 3]] = &[
    [50, 14, 34],
    [49, 11, 20],
    [48, 47, 13],
    [46, 24, 43],
    [45, 31, 15],
    [44, 17, 18],
    [42, 5, 37],
    [41, 32, 1],
    [40, 38, 30],
    [39, 26, 33],
    [36, 22, 12],
    [35, 2, 7],
    [29, 25, 8],
    [28, 3, 10],
    [27, 4, 16],
    [23, 9, 6],
    [21, 19, 0],
];
const SIXTY_THREE: &[[u32; 3]] = &[
    [62, 31, 25],
    [61, 20, 21],
    [60, 32, 28],
    [59, 38, 42],
    [58, 7, 13],
    [57, 44, 2],
    [56, 51, 4],
    [55, 53, 30],
    [54, 16, 34],
    [52, 40, 6],
    [50, 23, 35],
    [49, 5, 41],
    [48, 47, 18],
    [46, 37, 29],
    [45, 26, 14],
    [43, 10, 36],
    [39, 11, 33],
    [27, 9, 12],
    [24, 3, 1],
    [22, 0, 17],
    [19, 8, 15],
];
