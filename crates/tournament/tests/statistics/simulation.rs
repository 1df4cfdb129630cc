//! Blocks that look like those of the game: the luck of the deal outweighs the players, games of one deal go together, points
//! are skewed, and some places are shared. The truth behind them is known.

#![allow(dead_code)]

use chickenfoot_tournament::statistics::{Interval, Results};
use chickenfoot_tournament::{BlockResult, EntrantId, Game};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Chance from a seed, as the simulations need it.
pub struct Chance(ChaCha8Rng);

impl Chance {
    pub fn new(seed: u64) -> Chance {
        Chance(ChaCha8Rng::seed_from_u64(seed))
    }

    /// From 0, included, to 1.
    pub fn uniform(&mut self) -> f64 {
        self.0.next_u32() as f64 / 4_294_967_296.0
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.uniform() * bound as f64) as usize
    }

    /// Skewed, with mean 0 and variance 1: an exponential time less its mean.
    pub fn skewed(&mut self) -> f64 {
        -libm::log(1.0 - self.uniform()) - 1.0
    }

    /// Normal, with mean 0 and variance 1.
    pub fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.uniform())).sqrt();
        radius * libm::cos(std::f64::consts::TAU * self.uniform())
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// A game whose players differ by known amounts.
#[derive(Clone, Debug)]
pub struct World {
    /// How many pips a game each entrant ends below one of 0, whoever sits opposite.
    pub strengths: Vec<f64>,
    /// The luck of a seat of a deal, the same in all its games: standard deviation, skewed.
    pub deal: f64,
    /// How a deal suits a player, the same in all its games: standard deviation.
    pub suits: f64,
    /// Chance in a single game: standard deviation, skewed.
    pub game: f64,
    /// Points are multiples of this: the more, the more ties.
    pub grain: f64,
}

impl World {
    pub fn of(strengths: &[f64]) -> World {
        World { strengths: strengths.to_vec(), deal: 40.0, suits: 20.0, game: 30.0, grain: 1.0 }
    }

    /// The truth that the additive model looks for: an entrant's strength less the mean of the others.
    pub fn margin(&self, entrant: usize) -> f64 {
        let sum: f64 = self.strengths.iter().sum();
        self.strengths[entrant] - (sum - self.strengths[entrant]) / (self.strengths.len() - 1) as f64
    }

    /// A block: one deal in all rotations of one order.
    pub fn block(&self, number: u32, order: &[usize], chance: &mut Chance) -> BlockResult {
        let seats = order.len();
        let rotations: Vec<Vec<usize>> =
            (0..seats).map(|turn| (0..seats).map(|seat| order[(seat + turn) % seats]).collect()).collect();
        self.played(number, &rotations, chance)
    }

    /// One deal in the given seatings.
    pub fn played(&self, number: u32, seatings: &[Vec<usize>], chance: &mut Chance) -> BlockResult {
        let deal: Vec<f64> = (0..seatings[0].len()).map(|_| self.deal * chance.skewed()).collect();
        let suits: Vec<f64> = self.strengths.iter().map(|_| self.suits * chance.normal()).collect();
        let games = seatings.iter().map(|seating| {
            let points = seating.iter().zip(&deal).map(|(who, deal)| {
                let luck = deal + suits[*who] + self.game * chance.skewed();
                (((300.0 + luck - self.strengths[*who]) / self.grain).round() * self.grain).max(0.0) as u32
            });
            game(seating, points.collect())
        });
        BlockResult { number, absent: Vec::new(), games: games.collect() }
    }

    /// Blocks with everybody at one table.
    pub fn blocks(&self, count: u32, chance: &mut Chance) -> Vec<BlockResult> {
        let mut order: Vec<usize> = (0..self.strengths.len()).collect();
        (0..count)
            .map(|number| {
                chance.shuffle(&mut order);
                self.block(number, &order, chance)
            })
            .collect()
    }

    /// Stages of blocks at tables of `seats`, drawn by lot in each stage; whoever is left over rests.
    pub fn stages(&self, stages: u32, seats: usize, chance: &mut Chance) -> Vec<BlockResult> {
        let mut order: Vec<usize> = (0..self.strengths.len()).collect();
        let mut blocks = Vec::new();
        for _ in 0..stages {
            chance.shuffle(&mut order);
            for table in order.chunks_exact(seats) {
                blocks.push(self.block(blocks.len() as u32, table, chance));
            }
        }
        blocks
    }
}

/// A game that ended with these points, its places given by them alone.
pub fn game(seating: &[usize], points: Vec<u32>) -> Game {
    let place = |own: &u32| 1 + points.iter().filter(|other| *other < own).count() as u8;
    Game {
        seating: seating.iter().map(|who| EntrantId(*who as u32)).collect(),
        places: points.iter().map(place).collect(),
        clean_rounds: vec![0; points.len()],
        lowest_round: vec![Some(1); points.len()],
        points,
    }
}

pub fn results(entrants: usize, blocks: &[BlockResult]) -> Results<'_> {
    Results::new(entrants, blocks).unwrap()
}

/// A finished block of these games.
pub fn block_of(number: u32, games: &[Game]) -> BlockResult {
    BlockResult { number, absent: Vec::new(), games: games.to_vec() }
}

/// How many of many intervals held the truth.
#[derive(Debug, Default)]
pub struct Coverage {
    held: u32,
    all: u32,
}

impl Coverage {
    pub fn push(&mut self, interval: Interval, truth: f64) {
        self.held += u32::from(interval.contains(truth));
        self.all += 1;
    }

    /// Between 93 and 97 in 100, which is what an interval of 95 % is allowed.
    #[track_caller]
    pub fn assert_95(&self, what: &str) {
        let share = 100.0 * f64::from(self.held) / f64::from(self.all);
        assert!(self.all >= 1000, "{what}: too few to tell");
        assert!((93.0..=97.0).contains(&share), "{what}: {share:.1} % of {} held the truth", self.all);
    }
}
