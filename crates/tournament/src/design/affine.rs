use std::collections::BTreeMap;

use crate::design::Round;

/// The lines of the affine space AG(d, q): q^d players at tables of q, each two on exactly one line. A round is a class of
/// parallel lines. For d = 2 it is the affine plane (Bose 1938): 9 at 3, 16 at 4, 25 at 5, 49 at 7, 64 at 8.
#[derive(Debug)]
pub(crate) struct Affine {
    order: u32,
    dimension: u32,
}

impl Affine {
    /// `None` unless `seats` is a prime power and `players` a power of it, from the square on.
    pub(crate) fn new(players: u32, seats: u32) -> Option<Self> {
        if !matches!(seats, 3 | 4 | 5 | 7 | 8) {
            return None;
        }
        let dimension = players.checked_ilog(seats)?;
        (dimension >= 2 && seats.checked_pow(dimension) == Some(players))
            .then_some(Self { order: seats, dimension })
    }

    /// One for each direction.
    pub(crate) fn rounds(&self) -> u32 {
        (self.players() - 1) / (self.order - 1)
    }

    pub(crate) fn tables(&self) -> u32 {
        self.players() / self.order
    }

    pub(crate) fn round(&self, round: u32) -> Round {
        let direction = self.direction(round);
        let pivot = direction.iter().position(|&digit| digit != 0).unwrap_or(0);
        let mut lines: BTreeMap<Vec<u32>, Vec<u32>> = BTreeMap::new();
        for player in 0..self.players() {
            let point = self.digits(player);
            // The point of its line whose pivot digit is 0: the pivot digit of the direction is 1.
            let foot = point
                .iter()
                .zip(&direction)
                .map(|(&digit, &along)| self.minus(digit, self.times(point[pivot], along)))
                .collect();
            lines.entry(foot).or_default().push(player);
        }
        lines.into_values().collect()
    }

    fn players(&self) -> u32 {
        self.order.pow(self.dimension)
    }

    /// The directions are the vectors whose first digit other than 0 is 1: those with it at digit i are q^(d - 1 - i).
    fn direction(&self, mut round: u32) -> Vec<u32> {
        let mut direction = vec![0; self.dimension as usize];
        for pivot in 0..self.dimension {
            let free = self.order.pow(self.dimension - 1 - pivot);
            if round < free {
                direction[pivot as usize] = 1;
                for digit in direction.iter_mut().skip(pivot as usize + 1) {
                    *digit = round % self.order;
                    round /= self.order;
                }
                break;
            }
            round -= free;
        }
        direction
    }

    fn digits(&self, player: u32) -> Vec<u32> {
        (0..self.dimension).map(|at| player / self.order.pow(at) % self.order).collect()
    }

    fn minus(&self, a: u32, b: u32) -> u32 {
        if self.order.is_power_of_two() { a ^ b } else { (a + self.order - b) % self.order }
    }

    /// The product in the field of this order. In those of 4 and 8, numbers are polynomials over 0 and 1 modulo
    /// x^2 + x + 1 and x^3 + x + 1.
    fn times(&self, a: u32, b: u32) -> u32 {
        if !self.order.is_power_of_two() {
            return a * b % self.order;
        }
        let modulus = if self.order == 4 { 0b111 } else { 0b1011 };
        let mut product = 0;
        for bit in (0..3).rev() {
            product <<= 1;
            if product >= self.order {
                product ^= modulus;
            }
            if b >> bit & 1 == 1 {
                product ^= a;
            }
        }
        product
    }
}
