use std::time::Duration;

/// Pauses between attempts to connect: doubling from a quarter of a second to half a minute, each shortened by chance
/// by up to a half, so that clients that lost the same service do not come back all at once.
#[derive(Debug, Default)]
pub(crate) struct Backoff {
    failures: u32,
}

impl Backoff {
    const FIRST: Duration = Duration::from_millis(250);
    const LONGEST: Duration = Duration::from_secs(30);

    /// The pause after one more failure.
    pub(crate) fn next(&mut self) -> Duration {
        let full = Backoff::FIRST.saturating_mul(1 << self.failures.min(10)).min(Backoff::LONGEST);
        self.failures += 1;
        full.mul_f64(rand::random_range(0.5..=1.0))
    }

    /// An attempt succeeded.
    pub(crate) fn reset(&mut self) {
        self.failures = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_a_bound_and_start_again_after_a_success() {
        let mut backoff = Backoff::default();
        for expected in [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0] {
            let pause = backoff.next().as_secs_f64();
            assert!((expected / 2.0..=expected).contains(&pause), "{pause} for {expected}");
        }
        backoff.reset();
        assert!(backoff.next() <= Backoff::FIRST);
    }
}
