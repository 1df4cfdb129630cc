use rand_chacha::rand_core::Rng;

use super::chance;
use super::estimate::LEAST_BLOCKS;

/// Resamples a bootstrap draws. An odd number one short of a round one makes its quantiles exact.
const RESAMPLES: usize = 999;

/// Blocks beyond this many are pooled by turns into this many units, whose sums are as independent as the blocks, and
/// closer to normal. So the time for a figure is bounded.
const UNITS: usize = 100;

/// The most standard errors that an interval reaches: Student's quantile for two blocks. Where a single block differs from
/// all the others, many resamples leave it out, show no spread at all, and would make the interval endless.
const FARTHEST: f64 = 12.706;

/// The bootstrap-t over blocks, symmetric: of a sum of independent contributions, the reach to both sides of it that covers
/// the truth 95 times in 100.
///
/// Blocks are drawn with replacement; each resample gives its deviation from the sum in units of *its own* standard
/// error; the 95 % quantile of the deviations' absolute values, times the sum's standard error, is the reach (Efron and
/// Tibshirani 1993, "An introduction to the bootstrap", section 12.5; Hall 1988 for the symmetric one, whose error of
/// coverage falls with the square of the number of blocks). On simulated blocks it covered 95 to 97 times in 100 from eight
/// of them on, where a percentile interval and BCa's covered 87 times with eight blocks and 93 to 94 with forty.
#[derive(Debug)]
pub(crate) struct Bootstrap {
    /// Raw draws of 32 bits, one resample after the other: for `UNITS` units of the first stratum, then of the second.
    draws: Vec<u32>,
    width: usize,
}

impl Bootstrap {
    /// Draws the resamples that follow from the seed, for sums of at most `blocks` contributions.
    pub(crate) fn new(purpose: &str, seed: &[u8], blocks: usize) -> Bootstrap {
        let width = 2 * blocks.min(UNITS);
        let mut chance = chance::stream(purpose, seed);
        Bootstrap { draws: (0..RESAMPLES * width).map(|_| chance.next_u32()).collect(), width }
    }

    /// The reach for a sum of the contributions of a figure's own blocks and of others, which tell of it only through
    /// third parties. Each of the two is resampled in itself, since the schedule, not chance, says how many there are of
    /// each. None with fewer own blocks than an interval is given for.
    pub(crate) fn reach(&self, own: &[f64], others: &[f64]) -> Option<f64> {
        if own.len() < LEAST_BLOCKS as usize {
            return None;
        }
        let (own, others) = (Stratum::new(own), Stratum::new(others));
        let error = (own.variance + others.variance).sqrt();
        if error == 0.0 {
            return Some(0.0);
        }
        let deviation = |draws: &[u32]| {
            let (first, second) = draws.split_at(self.width / 2);
            let (own, others) = (own.resample(first), others.resample(second));
            let deviation = (own.sum + others.sum).abs();
            if deviation == 0.0 { 0.0 } else { deviation / (own.variance + others.variance).sqrt() }
        };
        let mut deviations: Vec<f64> = self.draws.chunks_exact(self.width.max(1)).map(deviation).collect();
        // The 950th of 999: 95 % of the 1,000 gaps between them lie below it.
        let rank = (RESAMPLES + 1) * 95 / 100 - 1;
        if deviations.len() <= rank {
            return None;
        }
        let (_, quantile, _) = deviations.select_nth_unstable_by(rank, f64::total_cmp);
        Some(quantile.min(FARTHEST) * error)
    }
}

/// Contributions that are drawn among each other, as deviations from their mean.
struct Stratum {
    deviations: Vec<f64>,
    /// The variance of their sum.
    variance: f64,
}

/// A resample's sum, and the variance that it gives itself.
struct Resample {
    sum: f64,
    variance: f64,
}

impl Stratum {
    fn new(contributions: &[f64]) -> Stratum {
        let mut units = vec![0.0; contributions.len().min(UNITS)];
        contributions.iter().enumerate().for_each(|(i, value)| units[i % UNITS] += value);
        // Not around their mean: they are what a fit left, and stretched for what it took.
        let variance = units.iter().map(|value| value * value).sum();
        let mean = units.iter().sum::<f64>() / units.len().max(1) as f64;
        Stratum { deviations: units.iter().map(|value| value - mean).collect(), variance }
    }

    fn resample(&self, draws: &[u32]) -> Resample {
        let count = self.deviations.len();
        let drawn = |draw: &u32| self.deviations[((u64::from(*draw) * count as u64) >> 32) as usize];
        // Four sums side by side, since each addition would have to wait for the one before it.
        let (mut sums, mut squares) = ([0.0; 4], [0.0; 4]);
        for four in draws[..count.min(draws.len())].chunks(4) {
            for (lane, draw) in four.iter().enumerate() {
                let value = drawn(draw);
                sums[lane] += value;
                squares[lane] += value * value;
            }
        }
        let (sum, squares) = (sums.iter().sum(), squares.iter().sum());
        Resample { sum, variance: variance(count, sum, squares) }
    }
}

/// The variance of a sum of `count` independent contributions.
fn variance(count: usize, sum: f64, squares: f64) -> f64 {
    let count = count as f64;
    if count < 2.0 { 0.0 } else { (count / (count - 1.0) * (squares - sum * sum / count)).max(0.0) }
}
