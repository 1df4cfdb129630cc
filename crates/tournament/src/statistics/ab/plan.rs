use std::fmt;

/// What an A/B test is to find out, and when it gives up.
///
/// It is a generalised sequential probability ratio test (Wald 1945; with the nuisance parameter at its most likely, Bartlett
/// 1946) of "no difference" against "better by the effect", on the margins of blocks, whose spread is unknown. With the
/// effect in standard deviations it is the test of normalised Elo by Van den Bergh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AbPlan {
    effect: Effect,
    alpha: f64,
    beta: f64,
    burn_in: u32,
    cap: u32,
}

/// The smallest difference between a candidate and its base that is worth finding, above 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effect {
    /// In standard deviations of a block's margin. The length of the test can then be told beforehand.
    StandardDeviations(f64),
    /// In pips a game.
    Pips(f64),
}

/// Why a plan cannot be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AbPlanError {
    /// The effect is not a number above 0.
    Effect,
    /// Alpha is not above 0 and below one half.
    Alpha,
    /// Beta is not above 0 and below one half.
    Beta,
    /// A spread cannot be told from fewer than two blocks.
    BurnIn,
    /// The cap is below the burn-in.
    Cap,
}

/// An effect of 0.3 standard deviations at 5 % errors both ways, between 8 and 400 blocks: it takes about 60.
impl Default for AbPlan {
    fn default() -> AbPlan {
        let effect = Effect::StandardDeviations(0.3);
        AbPlan { effect, alpha: 0.05, beta: 0.05, burn_in: 8, cap: 400 }
    }
}

impl AbPlan {
    /// A test for the `effect` that finds a candidate better that is as good as its base with a chance of `alpha`, and misses
    /// one that is better by the effect with a chance of `beta`. It decides after `burn_in` blocks at the earliest, and ends
    /// undecided after `cap` blocks. With fewer than eight for the burn-in, effects of two standard deviations and more are
    /// found more often than `alpha` says.
    ///
    /// # Errors
    /// Says which of them is out of its range.
    pub fn new(effect: Effect, alpha: f64, beta: f64, burn_in: u32, cap: u32) -> Result<AbPlan, AbPlanError> {
        let (Effect::StandardDeviations(size) | Effect::Pips(size)) = effect;
        let is_chance = |chance: f64| chance > 0.0 && chance < 0.5;
        match () {
            () if !(size > 0.0 && size.is_finite()) => Err(AbPlanError::Effect),
            () if !is_chance(alpha) => Err(AbPlanError::Alpha),
            () if !is_chance(beta) => Err(AbPlanError::Beta),
            () if burn_in < 2 => Err(AbPlanError::BurnIn),
            () if cap < burn_in => Err(AbPlanError::Cap),
            () => Ok(AbPlan { effect, alpha, beta, burn_in, cap }),
        }
    }

    /// The smallest difference worth finding.
    pub fn effect(&self) -> Effect {
        self.effect
    }

    /// The chance to find a candidate better that is as good as the base.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The chance to miss a candidate that is better by the effect.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    /// Blocks before the first decision.
    pub fn burn_in(&self) -> u32 {
        self.burn_in
    }

    /// Blocks after which the test ends undecided.
    pub fn cap(&self) -> u32 {
        self.cap
    }

    /// Wald's bounds (1945) for the logarithm of the likelihood ratio, lower and upper.
    pub fn bounds(&self) -> (f64, f64) {
        (libm::log(self.beta / (1.0 - self.alpha)), libm::log((1.0 - self.beta) / self.alpha))
    }

    /// How many blocks the test takes on average, burn-in and cap aside, where the candidate is better by `difference` and a
    /// block's margin has this standard `deviation`, both in pips a game.
    ///
    /// It is Wald's approximation (1945, section 4), with bounds moved out by what the ratio overshoots them, 0.583 standard
    /// deviations of its step (Siegmund 1985, "Sequential analysis", section 3.5). It is right to a tenth for
    /// effects below half a standard deviation; with larger ones the burn-in decides. With the effect in standard deviations only
    /// difference / deviation matters.
    pub fn mean_length(&self, difference: f64, deviation: f64) -> f64 {
        let effect = match self.effect {
            Effect::StandardDeviations(size) => size,
            Effect::Pips(pips) => pips / deviation,
        };
        let (lower, upper) = self.bounds();
        let (lower, upper) = (lower - OVERSHOOT * effect, upper + OVERSHOOT * effect);
        let drift = effect * difference / deviation - effect * effect / 2.0;
        let tilt = -2.0 * drift / (effect * effect);
        if tilt.abs() < 1e-6 {
            return -lower * upper / (effect * effect);
        }
        let (below, above) = (libm::exp(tilt * lower), libm::exp(tilt * upper));
        let better = if above.is_infinite() { 0.0 } else { (1.0 - below) / (above - below) };
        (better * upper + (1.0 - better) * lower) / drift
    }
}

/// The mean overshoot of a normal random walk over a far boundary, in standard deviations of a step.
const OVERSHOOT: f64 = 0.583;

impl fmt::Display for AbPlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AbPlanError::Effect => "the effect has to be above 0",
            AbPlanError::Alpha => "alpha has to be above 0 and below 0.5",
            AbPlanError::Beta => "beta has to be above 0 and below 0.5",
            AbPlanError::BurnIn => "the burn-in has to be at least two blocks",
            AbPlanError::Cap => "the cap cannot be below the burn-in",
        })
    }
}

impl std::error::Error for AbPlanError {}
