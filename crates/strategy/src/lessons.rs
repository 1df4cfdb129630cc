use std::ops::Range;

use chickenfoot_rules::{Move, Round, Rules, Seat, Starter, Terms, Tile, TileSet};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::chance::below;
use crate::equations::Equations;
use crate::learnt::{FEATURES, Weights, steps};
use crate::mind::Mind;
use crate::playout::Playout;

/// Learns how much the features of a move are worth, from rounds that a policy plays with itself.
///
/// At a choice each move is tried and played to the end by the policy, all on the same deal. What one move has more than
/// another is explained by their features: by least squares, in which close moves count most. Weights of features that
/// differ by one step are held close to one another, so that what was seen seldom follows its neighbours. What was learnt
/// is the policy of the next lesson: policy iteration (Howard 1960) with rollouts (Lagoudakis and Parr 2003).
pub struct Lessons {
    tables: Vec<(Rules, u32)>,
    rng: ChaCha8Rng,
    equations: Equations,
    policy: Option<Box<Weights>>,
    choices: u64,
}

/// The first policy is `dead-foot`; of what was seen under another policy than the last one this much counts.
const MEMORY: f64 = 0.3;

/// How closely the weights of neighbours are held together, and how closely all are held to zero: as if so many choices
/// had shown it.
const SMOOTHING: f64 = 20.0;
const RIDGE: f64 = 1.0;

/// Of so many moves one is made at random, so that other positions come up than the policy would reach.
const STRAY: u32 = 8;

/// By how much less a move is worth to the policy, in its sixteenths of a point, to count a quarter as much.
const CLOSE: f64 = 160.0;

impl Lessons {
    /// Lessons at these tables, with so many rounds a lesson at each; they follow from the seed. Sets above double-nine are
    /// not for lessons: rounds at their tables are left out.
    pub fn new(tables: Vec<(Rules, u32)>, seed: u64) -> Lessons {
        Lessons {
            tables,
            rng: ChaCha8Rng::seed_from_u64(seed),
            equations: Equations::new(FEATURES),
            policy: None,
            choices: 0,
        }
    }

    /// How many choices were looked at so far.
    pub fn choices(&self) -> u64 {
        self.choices
    }

    /// The weights, in sixteenths of a point; none before the first lesson.
    pub fn weights(&self) -> &[i16] {
        self.policy.as_deref().map_or(&[], |weights| weights)
    }

    /// Plays the rounds of a lesson and learns from them.
    pub fn learn(&mut self) {
        self.equations.scale(MEMORY);
        for (rules, rounds) in self.tables.clone() {
            for _ in 0..rounds {
                if let Some(round) = deal(&rules, &mut self.rng) {
                    self.watch(&round);
                }
            }
        }
        let mut equations = self.equations.clone();
        for feature in 0..FEATURES {
            equations.hold(feature, RIDGE);
        }
        steps(|one, other| equations.hold_together(one, other, SMOOTHING));
        let mut weights = Box::new([0; FEATURES]);
        for (weight, x) in weights.iter_mut().zip(equations.solve()) {
            *weight = x.round() as i16;
        }
        self.policy = Some(weights);
    }

    /// By how many points a round what was learnt is better than `dead-foot`, and the standard error; over so many deals,
    /// at least 2, each played once for each seat that it can have.
    pub fn edge(&self, rules: &Rules, deals: u32, seed: u64) -> (f64, f64) {
        let policy = self.policy.as_deref().map_or(Mind::DeadFoot, Mind::Learnt);
        edge(rules, policy, Mind::DeadFoot, deals, seed)
    }

    fn watch(&mut self, round: &Round<1>) {
        let policy = self.policy.take();
        let mut game = Playout::new(round, policy.as_deref().map_or(Mind::DeadFoot, Mind::Learnt));
        while game.round().end().is_none() {
            let action = game.forced().or_else(|| self.look(&game));
            let Some(action) = action else { break };
            game.make(action);
        }
        self.policy = policy;
    }

    /// Tries all moves, at every second choice; says which one is to be made.
    fn look(&mut self, game: &Playout<'_, 1>) -> Option<Move> {
        let mut moves: Vec<(Move, i32)> = Vec::new();
        game.weigh(|action, value| moves.push((action, value)));
        let (best, highest) = moves.iter().copied().max_by_key(|(_, value)| *value)?;
        let stray = below(STRAY, &mut self.rng) == 0;
        let next = if stray { moves[below(moves.len() as u32, &mut self.rng) as usize].0 } else { best };
        // A move that ends the round is made without being weighed.
        if highest == i32::MAX || below(2, &mut self.rng) == 0 {
            return Some(next);
        }
        self.choices += 1;
        let mut features: Vec<(usize, f64)> = Vec::new();
        let mut tried: Vec<(f64, f64, Range<usize>)> = Vec::new();
        for (action, value) in moves {
            let doubt = 1.0 + f64::from(highest - value) / CLOSE;
            let first = features.len();
            let position = game.position();
            position
                .features(game.round().open_ends(), action, |i, times| features.push((i, f64::from(times))));
            tried.push((1.0 / (doubt * doubt), reward(game.clone(), action), first..features.len()));
        }
        let total: f64 = tried.iter().map(|(weight, ..)| weight).sum();
        let mean = tried.iter().map(|(weight, reward, _)| weight * reward).sum::<f64>() / total;
        // The mean of the features, times the total.
        let mut middle: Vec<(usize, f64)> = Vec::new();
        for (weight, reward, range) in tried {
            let row = &features[range];
            self.equations.add(row, weight, reward - mean);
            for (i, x) in row {
                match middle.iter_mut().find(|(k, _)| k == i) {
                    Some((_, sum)) => *sum += weight * x,
                    None => middle.push((*i, weight * x)),
                }
            }
        }
        self.equations.add(&middle, -1.0 / total, 0.0);
        Some(next)
    }
}

/// What the seat on turn has of a round after a move, in sixteenths of a point.
fn reward(mut game: Playout<'_, 1>, action: Move) -> f64 {
    let seat = game.round().turn().index();
    game.make(action);
    game.finish();
    16.0 * f64::from(game.rewards()[seat]) / f64::from(game.round().terms().players - 1)
}

/// A round at random. `None` where one cannot be played in a small set.
fn deal(rules: &Rules, rng: &mut ChaCha8Rng) -> Option<Round<1>> {
    let players = rules.players();
    let hub = below(u32::from(rules.max_pip()) + 1, rng) as u8;
    let rest = Tile::set(rules.max_pip()).filter(|tile| Some(*tile) != Tile::double(hub));
    let mut tiles: Vec<Tile> = rest.collect();
    for i in (1..tiles.len()).rev() {
        tiles.swap(i, below(i as u32 + 1, rng) as usize);
    }
    let starter = Seat::new(below(players.into(), rng) as u8)?;
    let held = rules.starter() == Starter::Holder;
    let mut hands: Vec<TileSet<1>> = Vec::new();
    for seat in Seat::all(players) {
        // Who held the starting double has laid it.
        let size = usize::from(rules.hand_size()) - usize::from(held && seat == starter);
        hands.push(tiles.split_off(tiles.len().checked_sub(size)?).into_iter().collect());
    }
    let first = if held { starter.next(players) } else { starter };
    Some(Round::new(Terms::from(rules), hub, first, &hands, &tiles).ok()?.checked())
}

/// By how many points a round one policy is better than another, and the standard error.
pub(crate) fn edge(rules: &Rules, one: Mind<'_>, others: Mind<'_>, deals: u32, seed: u64) -> (f64, f64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut sum, mut squares) = (0.0, 0.0);
    for round in (0..deals).filter_map(|_| deal(rules, &mut rng)) {
        let mut points = 0.0;
        for lone in Seat::all(rules.players()) {
            let (mut ones, mut rest) = (Playout::new(&round, one), Playout::new(&round, others));
            while let Some(action) = if ones.round().turn() == lone { ones.policy() } else { rest.policy() } {
                ones.make(action);
                rest.make(action);
            }
            points += f64::from(ones.rewards()[lone.index()]);
        }
        points /= f64::from(rules.players()) * f64::from(rules.players() - 1);
        sum += points;
        squares += points * points;
    }
    let n = f64::from(deals);
    let mean = sum / n;
    (mean, ((squares / n - mean * mean) / (n - 1.0)).sqrt())
}

#[cfg(test)]
mod tests {
    use chickenfoot_rules::{Preset, RuleOptions};

    use super::*;

    #[test]
    fn a_short_lesson_teaches_something() {
        let rules = RuleOptions::new(Preset::Trains, 3).resolve().unwrap();
        let mut lessons = Lessons::new(vec![(rules, 100)], 1);
        lessons.learn();
        let (learnt, nothing) = (lessons.policy.unwrap(), [0; FEATURES]);
        let (points, error) = edge(&rules, Mind::Learnt(&learnt), Mind::Learnt(&nothing), 100, 2);
        assert!(lessons.choices > 500 && points > 4.0 * error, "{points} ± {error}");
    }

    #[test]
    fn what_was_learnt_is_better_than_dead_foot_at_every_table() {
        for preset in [Preset::Trains, Preset::Classic] {
            for players in [2, 3, 4, 7] {
                let rules = RuleOptions::new(preset, players).resolve().unwrap();
                let (points, error) = edge(&rules, Mind::of(players), Mind::DeadFoot, 2000, 3);
                assert!(points > 2.0 * error, "{preset:?} {players}: {points} ± {error}");
            }
        }
    }
}
