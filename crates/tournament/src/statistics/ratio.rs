use super::estimate::{Estimate, Interval, LEAST_BLOCKS};
use super::student;

/// A mean over games whose blocks are independent: the sum over all games by their number, block by block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Ratio {
    blocks: u32,
    games: f64,
    sum: f64,
    games_squared: f64,
    sum_squared: f64,
    product: f64,
    most_games: f64,
}

impl Ratio {
    /// Takes a block's games in: how many, and the sum of their figures.
    pub(crate) fn push(&mut self, games: u32, sum: f64) {
        if games == 0 {
            return;
        }
        let games = f64::from(games);
        self.blocks += 1;
        self.games += games;
        self.sum += sum;
        self.games_squared += games * games;
        self.sum_squared += sum * sum;
        self.product += games * sum;
        self.most_games = self.most_games.max(games);
    }

    pub(crate) fn blocks(&self) -> u32 {
        self.blocks
    }

    /// The mean; none without a game.
    pub(crate) fn mean(&self) -> Option<f64> {
        (self.blocks > 0).then(|| self.sum / self.games)
    }

    /// The squared deviations of the blocks' sums from what the mean lets expect.
    fn deviations(&self, mean: f64) -> f64 {
        (self.sum_squared - 2.0 * mean * self.product + mean * mean * self.games_squared).max(0.0)
    }

    /// The variance of the mean, from squared deviations: that of a ratio estimated from clusters (Cochran 1977, "Sampling
    /// techniques", equation 6.13).
    fn variance(&self, deviations: f64) -> f64 {
        let blocks = f64::from(self.blocks);
        blocks / (blocks - 1.0) * deviations / (self.games * self.games)
    }

    /// The mean with the interval of Student's t, a block being an observation.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        let value = self.mean()?;
        let interval = (self.blocks >= LEAST_BLOCKS).then(|| {
            let error = self.variance(self.deviations(value)).sqrt();
            Interval::around(value, student::quantile(self.blocks - 1) * error)
        });
        Some(Estimate { value, interval })
    }

    /// The mean of figures between 0 and 1 with Wilson's interval (1927), which stays inside them and does not shrink to
    /// nothing at the ends.
    ///
    /// It is that of as many independent games as would give the variance that the blocks show (Korn and Graubard 1998,
    /// "Confidence intervals for proportions with small expected number of positive counts estimated from survey data"), with
    /// Student's quantile for the normal one. Where all games ended alike, a block counts as one game. Blocks that agree by
    /// chance show no variance; they are taken to have at least what one half game in one block would give.
    pub(crate) fn proportion(&self) -> Option<Estimate> {
        let value = self.mean()?.clamp(0.0, 1.0);
        let interval = (self.blocks >= LEAST_BLOCKS).then(|| {
            let spread = value * (1.0 - value);
            let variance = self.variance(self.deviations(value).max(0.25));
            let games = (spread / variance).max(f64::from(self.blocks));
            let t = student::quantile(self.blocks - 1);
            let t2 = t * t;
            let middle = value + t2 / (2.0 * games);
            let reach = (t2 * spread / games + t2 * t2 / (4.0 * games * games)).sqrt();
            let end = |end: f64| (end / (1.0 + t2 / games)).clamp(0.0, 1.0);
            Interval { low: end(middle - reach), high: end(middle + reach) }
        });
        Some(Estimate { value, interval })
    }
}
