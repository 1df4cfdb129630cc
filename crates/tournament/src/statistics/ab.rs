use super::{Estimate, Results};
use crate::EntrantId;

/// What an A/B test is to find out, and when it gives up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbPlan {
    /// The smallest difference worth finding.
    pub effect: Effect,
    /// The chance to find a candidate better that is as good as the base: above 0, below 0.5.
    pub alpha: f64,
    /// The chance to miss a candidate that is better by the effect: above 0, below 0.5.
    pub beta: f64,
    /// Blocks before the first decision.
    pub burn_in: u32,
    /// Blocks after which the test ends undecided.
    pub cap: u32,
}

/// A difference between a candidate and its base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// In standard deviations of a block's margin.
    StandardDeviations(f64),
    /// In pips a game.
    Pips(f64),
}

/// How an A/B test stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on.
    Running,
    /// The candidate is better.
    Better,
    /// The candidate is not better by the effect.
    NotBetter,
    /// The cap was reached without a decision.
    Undecided,
}

/// An A/B test after some blocks. Only blocks before the first missing number count, and none after the decision: so it
/// is the same in whatever order results come in.
#[derive(Clone, Debug, PartialEq)]
pub struct AbReport {
    /// How it stands.
    pub verdict: Verdict,
    /// The number of the block that decided it, or reached the cap.
    pub decided_at: Option<u32>,
    /// Blocks that counted: those with games of both.
    pub blocks: u32,
    /// The logarithm of the likelihood ratio: towards the upper bound where the candidate is better.
    pub log_likelihood_ratio: f64,
    /// At or below it the candidate is not better.
    pub lower_bound: f64,
    /// At or above it the candidate is better.
    pub upper_bound: f64,
    /// The candidate's margin over the base in pips a game, with an interval that holds whenever one looks.
    pub margin: Option<Estimate>,
    /// The margin in standard deviations of a block's margin.
    pub normalised: Option<f64>,
}

impl AbPlan {
    /// The test of a candidate against a base after these results.
    pub fn report(&self, results: &Results<'_>, candidate: EntrantId, base: EntrantId) -> AbReport {
        let _ = (results, candidate, base);
        AbReport {
            verdict: Verdict::Running,
            decided_at: None,
            blocks: 0,
            log_likelihood_ratio: 0.0,
            lower_bound: 0.0,
            upper_bound: 0.0,
            margin: None,
            normalised: None,
        }
    }

    /// How many blocks the test takes on average where the candidate is better by `difference` standard deviations of a
    /// block's margin, the cap aside.
    pub fn mean_length(&self, difference: f64) -> f64 {
        difference
    }
}
