use super::super::confidence::ConfidenceSequence;
use super::plan::Effect;

/// The logarithm of the likelihood ratio of "better by the effect" to "no difference", for normal margins whose spread is the
/// most likely one under either.
pub(super) fn log_ratio(effect: Effect, margins: &ConfidenceSequence) -> f64 {
    let Some((n, mean, variance)) = margins.moments() else { return 0.0 };
    match effect {
        Effect::StandardDeviations(size) => n * normalised(size, mean, variance + mean * mean),
        Effect::Pips(pips) => {
            // Points are whole numbers: less than the variance of rounding is no knowledge.
            let variance = variance.max(1.0 / 12.0);
            let square = |difference: f64| variance + difference * difference;
            n / 2.0 * libm::log(square(mean) / square(mean - pips))
        }
    }
}

/// A block's share in the ratio of a mean of `size` standard deviations to one of 0, from the margins' mean and mean square.
///
/// The most likely standard deviation with a mean of t of them solves s^2 + t m s = q, where m is the mean and q the mean
/// square; the mean log-likelihood there is -ln s - (1 - t m / s + t^2) / 2, constants aside.
fn normalised(size: f64, mean: f64, square: f64) -> f64 {
    if square <= 0.0 {
        // Both played alike in every block. This is the limit as the margins go to 0 around a mean of 0.
        return -size * size / 2.0;
    }
    let pull = size * mean;
    let deviation = ((pull * pull + 4.0 * square).sqrt() - pull) / 2.0;
    libm::log(square.sqrt() / deviation) + (pull / deviation - size * size) / 2.0
}
