/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end, never below the lower one.
    pub high: f64,
}

/// A figure with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The figure itself.
    pub value: f64,
    /// Its interval; none where too few blocks stand behind it.
    pub interval: Option<Interval>,
}

/// The fewest blocks that an interval is given for. With fewer, the spread of the blocks is itself hardly known.
pub(crate) const LEAST_BLOCKS: u32 = 8;

impl Interval {
    pub(crate) fn around(value: f64, reach: f64) -> Interval {
        Interval { low: value - reach, high: value + reach }
    }

    /// Whether a value lies in it, its ends included.
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    pub(crate) fn map(self, f: impl Fn(f64) -> f64) -> Interval {
        Interval { low: f(self.low), high: f(self.high) }
    }
}

impl Estimate {
    /// The same figure in another unit, by a function that never falls.
    pub(crate) fn map(self, f: impl Fn(f64) -> f64) -> Estimate {
        Estimate { value: f(self.value), interval: self.interval.map(|interval| interval.map(f)) }
    }

    /// The figure less from a whole: what it is from the opponent's side.
    pub(crate) fn mirrored(self, whole: f64) -> Estimate {
        let interval =
            self.interval.map(|Interval { low, high }| Interval { low: whole - high, high: whole - low });
        Estimate { value: whole - self.value, interval }
    }
}
