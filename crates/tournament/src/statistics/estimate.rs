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
