use super::bootstrap::Bootstrap;
use super::estimate::{Estimate, Interval};
use super::matrix::Matrix;

/// A block's part in a fit: what its games say of the parameters at the fitted values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Score {
    /// For each parameter that the block's games touch, once, the derivative of the log-likelihood (or of minus half the
    /// squares) of its games.
    slopes: Vec<(usize, f64)>,
    /// How much of its own information the fit took from the block: from 0 to below 1.
    leverage: f64,
}

impl Score {
    pub(crate) fn add(&mut self, parameter: usize, slope: f64) {
        match self.slopes.iter_mut().find(|(other, _)| *other == parameter) {
            Some((_, sum)) => *sum += slope,
            None => self.slopes.push((parameter, slope)),
        }
    }

    /// Says how many parameters' worth the fit took from the block: the trace of its information times the inverse of all.
    /// It has as many to give as entrants that can be compared in it. Where the fit took nearly all, as from the only
    /// block of an entrant, what is left tells nothing, and is not stretched without limit.
    pub(crate) fn use_up(&mut self, parameters: f64) {
        let given = self.slopes.len().saturating_sub(1).max(1);
        self.leverage = (parameters / given as f64).clamp(0.0, 0.75);
    }
}

/// A fit by an estimating function: its values, and how they depend on its blocks.
pub(crate) struct Fit<'a> {
    pub(crate) values: &'a [f64],
    /// How many of the parameters are the effects of entrants; they come first.
    pub(crate) entrants: usize,
    /// The inverse of the information.
    pub(crate) inverse: &'a Matrix,
    /// What the blocks say.
    pub(crate) scores: &'a [Score],
    /// What else the fit was told, by parameter: the slopes of what keeps it finite.
    pub(crate) prior: &'a [f64],
}

/// What else a fit was told may move a figure by so many of its standard errors; beyond, it is the prior that speaks, and
/// an interval would be nonsense.
const PRIOR_SHARE: f64 = 0.5;

impl Fit<'_> {
    /// The effects of the entrants less their mean and times `scale`, with intervals by the bootstrap over blocks.
    ///
    /// Instead of fitting every resample again, the estimating function is resampled: to first order, block b moves the
    /// parameters by (inverse information) x (its score), and a fit is the sum of these moves (Hu and Kalbfleisch 2000, "The
    /// estimating function bootstrap"). For the additive model with everybody in every block this is no approximation. A fit
    /// comes closer to its blocks than the truth does; a score is stretched by 1 / sqrt(1 - leverage) for that, in the manner
    /// of the CR2 correction of Bell and McCaffrey (2002).
    pub(crate) fn effects(&self, scale: f64, bootstrap: &Bootstrap) -> Vec<Estimate> {
        let mean = self.values[..self.entrants].iter().sum::<f64>() / self.entrants as f64;
        let mean_row = self.mean_row();
        let stretch: Vec<f64> = self.scores.iter().map(|score| 1.0 / (1.0 - score.leverage).sqrt()).collect();
        let (mut own, mut others) = (Vec::new(), Vec::new());
        let effect = |i: usize| {
            own.clear();
            others.clear();
            let cells = self.inverse.row(i).iter().zip(&mean_row);
            let contrast: Vec<f64> = cells.map(|(cell, mean)| scale * (cell - mean)).collect();
            for (score, stretch) in self.scores.iter().zip(&stretch) {
                let (mut moved, mut is_own) = (0.0, false);
                for (parameter, slope) in &score.slopes {
                    moved += contrast[*parameter] * slope;
                    is_own |= *parameter == i;
                }
                if is_own { &mut own } else { &mut others }.push(moved * stretch);
            }
            let value = scale * (self.values[i] - mean);
            let prior: f64 = contrast.iter().zip(self.prior).map(|(weight, slope)| weight * slope).sum();
            let error = own.iter().chain(&others).map(|moved| moved * moved).sum::<f64>().sqrt();
            let reach = if prior.abs() > PRIOR_SHARE * error { None } else { bootstrap.reach(&own, &others) };
            Estimate { value, interval: reach.map(|reach| Interval::around(value, reach)) }
        };
        (0..self.entrants).map(effect).collect()
    }

    /// The mean of the rows of the entrants.
    fn mean_row(&self) -> Vec<f64> {
        let mut mean = vec![0.0; self.values.len()];
        for i in 0..self.entrants {
            let cells = mean.iter_mut().zip(self.inverse.row(i));
            cells.for_each(|(mean, cell)| *mean += cell / self.entrants as f64);
        }
        mean
    }
}
