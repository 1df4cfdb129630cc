use chickenfoot_rules::{Move, TileSet, View, set_size};

use crate::chance;
use crate::clock::Clock;
use crate::determiniser::Determiniser;
use crate::race::Race;
use crate::search::{Below, run};

/// Says of each option of a decision what a search expects of it, from what its seat may know.
///
/// Unlike the strategy of the same name it drops no option that is behind: all are tried on the same deals, so that they
/// can be compared, and what `dead-foot` expects beforehand counts for nothing.
#[derive(Clone, Copy, Debug)]
pub struct Estimator {
    below: Below,
    rollouts: u32,
}

/// What a search expects of one option. A margin is the mean of the others' points in the round less one's own, in pips;
/// more is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The option.
    pub action: Move,
    /// The expected margin.
    pub value: f64,
    /// The standard error of `value`.
    pub error: f64,
    /// How far `value` is behind that of the best option; 0 for the best.
    pub behind: f64,
    /// The standard error of `behind`, which is smaller than that of `value`, as the deals are the same.
    pub behind_error: f64,
    /// By how much the option that is best on one half of the deals is better than this one on the other half; the mean of
    /// both ways round. The best of several estimates owes its place to chance as well, so `behind` is too high on
    /// average. This is not, as the chance is another; it may be below 0.
    pub given_away: f64,
    /// Deals that it was tried on.
    pub deals: u32,
}

impl Estimator {
    /// The estimates of `monte-carlo` or `search` with about so many rollouts a decision; `None` for another name. Each
    /// option is tried on two deals at least, one of each half.
    pub fn new(name: &str, rollouts: u32) -> Option<Estimator> {
        let below = match name {
            "monte-carlo" => Below::Policy,
            "search" => Below::Tree,
            _ => return None,
        };
        Some(Estimator { below, rollouts })
    }

    /// What is expected of each option, in canonical order. It follows from the seed and the view. Empty for a decision
    /// with one option, and for a view that contradicts itself.
    ///
    /// ```
    /// use chickenfoot_rules::*;
    /// use chickenfoot_strategy::Estimator;
    ///
    /// let rules = RuleOptions::new(Preset::Trains, 2).resolve()?;
    /// let seats = ["ann", "bob"].map(|name| Contributor { name: name.into(), entropy: Entropy::default() }).to_vec();
    /// let seed = Seed::new([7; 32]);
    /// let setup = MatchSetup::seeded(MatchStart::new(rules, "d", &seed, seats), &seed, ForcedMoves::Automatic);
    /// let game = Match::start(setup, &mut Vec::new())?;
    /// let view = game.view().ok_or("a match begins with a decision")?;
    /// let estimates = Estimator::new("monte-carlo", 200).ok_or("unknown")?.estimates(&view, [1; 32]);
    /// assert_eq!(estimates.len(), view.moves().total());
    /// assert!(estimates.iter().any(|estimate| estimate.behind == 0.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn estimates(&self, view: &View<'_>, seed: [u8; 32]) -> Vec<Estimate> {
        let found = if set_size(view.rules.max_pip()) <= TileSet::<1>::CAPACITY {
            self.sampled::<1>(view, seed)
        } else {
            self.sampled::<3>(view, seed)
        };
        found.unwrap_or_default()
    }

    fn sampled<const W: usize>(&self, view: &View<'_>, seed: [u8; 32]) -> Option<Vec<Estimate>> {
        let mut rng = chance::of_decision(&seed, view);
        let mut sampler = Determiniser::<W>::new(view, &mut rng)?;
        let moves: Vec<Move> = view.moves().collect();
        let half = (self.rollouts / 2).max(moves.len() as u32);
        let mut halves = [Race::of_all(moves.len()), Race::of_all(moves.len())];
        let mut go_on = || true;
        let mut clock = Clock::new(&mut go_on);
        for race in &mut halves {
            run(race, view.seat, &moves, self.below, half, &mut clock, || *sampler.sample(&mut rng));
        }
        Halves::new(halves)?.estimates(&moves, view.seats().len() as f64 - 1.0)
    }
}

/// The same options on two sets of deals.
struct Halves {
    halves: [Race; 2],
    /// The best of each half.
    best: [usize; 2],
    /// The part that each has in the deals.
    share: [f64; 2],
}

impl Halves {
    fn new(halves: [Race; 2]) -> Option<Halves> {
        let [one, other] = &halves;
        let best = [one.leader()?, other.leader()?];
        let deals = (one.deals() + other.deals()) as f64;
        let share = [one.deals() as f64 / deals, other.deals() as f64 / deals];
        Some(Halves { halves, best, share })
    }

    /// Rewards are margins times the number of others.
    fn estimates(&self, moves: &[Move], others: f64) -> Option<Vec<Estimate>> {
        let means: Vec<f64> = (0..moves.len()).map(|entrant| self.mean(entrant)).collect();
        let best = (0..moves.len()).min_by(|one, other| means[*other].total_cmp(&means[*one]))?;
        let estimate = |(entrant, action): (usize, &Move)| Estimate {
            action: *action,
            value: means[entrant] / others,
            error: self.error(|race| race.error(entrant)) / others,
            behind: (means[best] - means[entrant]) / others,
            behind_error: self.error(|race| race.lag_error(entrant, best)) / others,
            given_away: self.given_away(entrant) / others,
            deals: self.halves.iter().map(Race::deals).sum::<i64>() as u32,
        };
        Some(moves.iter().enumerate().map(estimate).collect())
    }

    fn mean(&self, entrant: usize) -> f64 {
        let parts = self.halves.iter().zip(self.share);
        parts.map(|(race, share)| share * race.mean(entrant)).sum()
    }

    fn error(&self, of: impl Fn(&Race) -> f64) -> f64 {
        let parts = self.halves.iter().zip(self.share);
        parts.map(|(race, share)| (share * of(race)) * (share * of(race))).sum::<f64>().sqrt()
    }

    fn given_away(&self, entrant: usize) -> f64 {
        let [one, other] = &self.halves;
        let [best_of_one, best_of_other] = self.best;
        let lag = |race: &Race, best| race.mean(best) - race.mean(entrant);
        (lag(one, best_of_other) + lag(other, best_of_one)) / 2.0
    }
}
