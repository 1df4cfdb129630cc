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

/// The effects of `count` entrants, the first parameters of a fit, less their mean and times `scale`, with intervals by the
/// bootstrap over blocks.
///
/// Instead of fitting every resample again, the estimating function is resampled: to first order, block b moves the
/// parameters by (inverse information) x (its score), and a fit is the sum of these moves (Hu and Kalbfleisch 2000, "The
/// estimating function bootstrap"). For the additive model with everybody in every block this is no approximation. A fit
/// comes closer to its blocks than the truth does; a score is stretched by 1 / sqrt(1 - leverage) for that, as in the CR2
/// correction of Bell and McCaffrey (2002).
pub(crate) fn effects(
    values: &[f64],
    count: usize,
    scale: f64,
    inverse: &Matrix,
    scores: &[Score],
    bootstrap: &Bootstrap,
) -> Vec<Estimate> {
    let entrants = count as f64;
    let mean = values[..count].iter().sum::<f64>() / entrants;
    let mut mean_row = vec![0.0; values.len()];
    for i in 0..count {
        mean_row.iter_mut().zip(inverse.row(i)).for_each(|(mean, cell)| *mean += cell / entrants);
    }
    let stretch: Vec<f64> = scores.iter().map(|score| 1.0 / (1.0 - score.leverage).sqrt()).collect();
    let (mut own, mut others) = (Vec::new(), Vec::new());
    let mut contrast = vec![0.0; values.len()];
    let effect = |i: usize| {
        own.clear();
        others.clear();
        let cells = inverse.row(i).iter().zip(&mean_row);
        contrast.iter_mut().zip(cells).for_each(|(weight, (cell, mean))| *weight = scale * (cell - mean));
        for (score, stretch) in scores.iter().zip(&stretch) {
            let (mut moved, mut is_own) = (0.0, false);
            for (parameter, slope) in &score.slopes {
                moved += contrast[*parameter] * slope;
                is_own |= *parameter == i;
            }
            if is_own { &mut own } else { &mut others }.push(moved * stretch);
        }
        let value = scale * (values[i] - mean);
        let interval = bootstrap.reach(&own, &others).map(|reach| Interval::around(value, reach));
        Estimate { value, interval }
    };
    (0..count).map(effect).collect()
}
