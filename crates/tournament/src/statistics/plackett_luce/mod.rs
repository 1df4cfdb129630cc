mod finish;
mod likelihood;

use likelihood::Likelihood;

use super::bootstrap::Bootstrap;
use super::influence::Fit;
use super::matrix::Matrix;
use super::{Estimate, Results};
use crate::EntrantId;

/// Strengths fitted to all finishing orders at once.
///
/// The model is that of Plackett (1975) and Luce (1959): the first place goes to an entrant with a chance proportional to
/// its strength, the next one likewise among those that are left, and so on. Ties count as ties, as in the Davidson-Luce
/// model (Firth, Kosmidis and Turner 2019, "Davidson-Luce model for multi-item choice with ties"): a place may also go to t
/// entrants at once, with a weight of `tie`^(t - 1) times the geometric mean of their strengths. One parameter stands for
/// ties of all sizes where theirs has one for each, as ties of three are too rare to fit; what shares a place in a group of
/// more than four is taken as groups of four.
///
/// Each entrant has also won and lost half a game against a ghost of strength 1, so that one which won all its games, or
/// lost all, has a finite strength, and groups that never met have something in common (Turner, van Etten, Firth and Kosmidis
/// 2020, "Modelling rankings in R: the PlackettLuce package"). Two equals have half tied and half not, for the same reason.
///
/// In the logarithms of strengths and of `tie` the likelihood is concave. Its maximum is found by Newton's method with halved
/// steps, which ends where Hunter's MM algorithm (2004) would, in fewer steps, and gives the information that the intervals
/// need.
#[derive(Clone, Debug, PartialEq)]
pub struct PlackettLuce {
    /// The entrants that played, by entrant.
    pub strengths: Vec<Strength>,
    /// How strongly two equals tend to share a place: they tie with a chance of tie / (2 + tie). 0 where nobody ever tied.
    pub tie: f64,
}

/// The strength of one entrant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// Who.
    pub entrant: EntrantId,
    /// The natural logarithm of its strength; the mean over all entrants that played is 0. Where it is the ghost that keeps
    /// it finite there is no interval: nobody knows how much better an unbeaten entrant may be.
    pub log: Estimate,
}

impl Strength {
    /// The strength on Elo's scale: 1500 for the mean entrant, and 400 more for odds of ten to one.
    pub fn elo(&self) -> Estimate {
        self.log.map(|log| 1500.0 + 400.0 / std::f64::consts::LN_10 * log)
    }
}

/// Newton's steps, at most. It takes five to ten; a fit that has not come to rest is given as it is.
const STEPS: u32 = 50;

/// A fit has come to rest when no logarithm moves further than this.
const AT_REST: f64 = 1e-9;

impl PlackettLuce {
    /// Fits the model. The `seed` is the tournament's public one; the bootstrap's chance follows from it.
    ///
    /// Time and memory grow with the square of the entrants, and the cube for each of Newton's steps.
    pub fn fit(results: &Results<'_>, seed: &[u8]) -> PlackettLuce {
        let likelihood = Likelihood::of(results);
        let count = likelihood.entrants().len();
        if count == 0 {
            return PlackettLuce { strengths: Vec::new(), tie: 0.0 };
        }
        let (logs, inverse) = maximum(&likelihood);
        let scores = likelihood.scores(&logs, &inverse);
        let bootstrap = Bootstrap::new("plackett-luce", seed, scores.len());
        let prior: Vec<f64> = likelihood.ghost(&logs).map(|told| told.slope).collect();
        let fit = Fit { values: &logs, entrants: count, inverse: &inverse, scores: &scores, prior: &prior };
        let estimates = fit.effects(1.0, &bootstrap);
        let strengths = likelihood.entrants().iter().zip(estimates);
        PlackettLuce {
            strengths: strengths.map(|(entrant, log)| Strength { entrant: *entrant, log }).collect(),
            tie: likelihood.parameters(&logs).tie,
        }
    }
}

/// The logarithms at the maximum, and the inverse of the information there.
fn maximum(likelihood: &Likelihood) -> (Vec<f64>, Matrix) {
    let mut logs = likelihood.start();
    let mut at = likelihood.at(&logs);
    for step in 0.. {
        // The ghost's games make the information positive definite: there is an inverse.
        let Some(inverse) = at.information.inverse() else { break };
        let mut move_by = inverse.times(&at.slopes);
        let largest = move_by.iter().fold(0.0, |largest: f64, by| largest.max(by.abs()));
        if largest < AT_REST || step == STEPS {
            return (logs, inverse);
        }
        loop {
            let moved: Vec<f64> = logs.iter().zip(&move_by).map(|(log, by)| log + by).collect();
            let there = likelihood.at(&moved);
            // Near the maximum a step changes the likelihood by less than its rounding.
            let slack = 1e-12 * at.value.abs();
            if there.value >= at.value - slack {
                (logs, at) = (moved, there);
                break;
            }
            move_by.iter_mut().for_each(|by| *by *= 0.5);
        }
    }
    let size = logs.len();
    (logs, Matrix::zero(size))
}
