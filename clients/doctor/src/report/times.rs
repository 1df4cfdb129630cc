use std::time::Duration;

/// The upper bounds of the histogram's bars, in milliseconds; what is above the last has a bar of its own.
const BOUNDS: [u64; 12] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000];

/// How long a bot took for its answers, from the delivery of a decision to the arrival of the answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// Ascending.
    sorted: Vec<Duration>,
}

impl Times {
    /// The times in any order.
    pub fn of(times: &[Duration]) -> Times {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        Times { sorted }
    }

    /// How many answers there are.
    pub fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The time that this share of the answers, 0 to 1, did not exceed (nearest rank); none without answers.
    pub fn quantile(&self, share: f64) -> Option<Duration> {
        let rank = (share * self.sorted.len() as f64).ceil() as usize;
        self.sorted.get(rank.saturating_sub(1)).copied()
    }

    /// The bars of the histogram that stand between the shortest and the longest answer: the upper bound, none for what
    /// is above all bounds, and the count.
    pub fn bars(&self) -> Vec<(Option<Duration>, usize)> {
        let bounds = BOUNDS.map(|bound| Some(Duration::from_millis(bound))).into_iter().chain([None]);
        let mut below = 0;
        let mut bars: Vec<_> = bounds
            .map(|bound| {
                let upto = bound
                    .map_or(self.sorted.len(), |bound| self.sorted.partition_point(|time| *time <= bound));
                let count = upto - below;
                below = upto;
                (bound, count)
            })
            .collect();
        let filled = |(_, count): &(Option<Duration>, usize)| *count > 0;
        let end = bars.iter().rposition(filled).map_or(0, |last| last + 1);
        bars.truncate(end);
        bars.drain(..bars.iter().position(filled).unwrap_or(0));
        bars
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_bars_of_a_few_times() {
        let times = Times::of(&[30, 1, 4, 3, 6000].map(Duration::from_millis));
        assert_eq!(times.quantile(0.5), Some(Duration::from_millis(4)));
        assert_eq!(times.quantile(0.9), Some(Duration::from_millis(6000)));
        assert_eq!(times.quantile(0.0), Some(Duration::from_millis(1)));
        let bars: Vec<_> =
            times.bars().into_iter().map(|(bound, count)| (bound.map(|b| b.as_millis()), count)).collect();
        assert_eq!(bars[..3], [(Some(1), 1), (Some(2), 0), (Some(5), 2)]);
        assert_eq!((bars.len(), bars.last()), (13, Some(&(None, 1))));
        assert_eq!(Times::default().bars(), []);
        assert_eq!(Times::default().quantile(0.5), None);
    }
}
