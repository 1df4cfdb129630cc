use std::cmp::Reverse;

/// Compares moves by their rewards on the same deals, and drops those that are clearly behind the leader.
///
/// A race of this kind (Maron and Moore 1994) spends its work on the moves that are close. It is judged by the
/// differences to the leader deal by deal, which vary much less than the rewards do.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    running: Vec<bool>,
    rewards: Vec<i32>,
    sums: Vec<i64>,
    /// What each was expected to have, as if it had had that on some deals.
    expected: Vec<i64>,
    /// The sums of the products of two moves' rewards, row by row.
    products: Vec<i64>,
    deals: i64,
    /// Whether who is clearly behind runs on.
    keeps_all: bool,
}

/// The race is judged after so many deals each.
const HEAT: i64 = 16;

/// So many standard errors behind the leader, squared, is clearly behind.
const CLEARLY: f64 = 9.0;

impl Race {
    pub(crate) fn new(entrants: usize) -> Race {
        Race {
            running: vec![true; entrants],
            rewards: vec![0; entrants],
            sums: vec![0; entrants],
            expected: vec![0; entrants],
            products: vec![0; entrants * entrants],
            deals: 0,
            keeps_all: false,
        }
    }

    /// A race that drops nobody, so that all run on the same deals.
    pub(crate) fn of_all(entrants: usize) -> Race {
        Race { keeps_all: true, ..Race::new(entrants) }
    }

    /// Deals that are closed.
    pub(crate) fn deals(&self) -> i64 {
        self.deals
    }

    /// The mean of a running entrant's rewards.
    pub(crate) fn mean(&self, entrant: usize) -> f64 {
        self.sums[entrant] as f64 / self.deals as f64
    }

    /// The standard error of that mean; infinite on less than two deals.
    pub(crate) fn error(&self, entrant: usize) -> f64 {
        self.standard_error(self.product(entrant, entrant), self.sums[entrant])
    }

    /// The standard error of how far a running entrant's mean is behind another's.
    pub(crate) fn lag_error(&self, entrant: usize, leader: usize) -> f64 {
        self.standard_error(self.lag_squares(entrant, leader), self.sums[leader] - self.sums[entrant])
    }

    fn standard_error(&self, squares: i64, sum: i64) -> f64 {
        if self.deals < 2 {
            return f64::INFINITY;
        }
        let n = self.deals as f64;
        let spread = (squares * self.deals - sum * sum) as f64;
        (spread / (n * n * (n - 1.0))).sqrt()
    }

    fn product(&self, i: usize, j: usize) -> i64 {
        self.products[i.max(j) * self.entrants() + i.min(j)]
    }

    /// The sum of the squared differences of two.
    fn lag_squares(&self, entrant: usize, leader: usize) -> i64 {
        self.product(leader, leader) + self.product(entrant, entrant) - 2 * self.product(leader, entrant)
    }

    /// Whether more than one is running.
    pub(crate) fn is_open(&self) -> bool {
        self.running.iter().filter(|running| **running).count() > 1
    }

    pub(crate) fn entrants(&self) -> usize {
        self.running.len()
    }

    /// Says what reward an entrant can be expected to have, in sixteenths, and how many deals tell as much. That counts
    /// when the leader is found, the less the more deals there are: on few deals the luck that is left would decide else.
    pub(crate) fn expect(&mut self, entrant: usize, sixteenths: i32, deals: i32) {
        self.expected[entrant] = i64::from(deals) * i64::from(sixteenths) / 16;
    }

    #[inline]
    pub(crate) fn is_running(&self, entrant: usize) -> bool {
        self.running[entrant]
    }

    /// What a running entrant has of this deal.
    #[inline]
    pub(crate) fn score(&mut self, entrant: usize, reward: i32) {
        self.rewards[entrant] = reward;
    }

    /// Closes a deal on which all that are running have scored.
    pub(crate) fn close_deal(&mut self) {
        self.deals += 1;
        let n = self.entrants();
        for i in (0..n).filter(|i| self.running[*i]) {
            self.sums[i] += i64::from(self.rewards[i]);
            for j in (0..=i).filter(|j| self.running[*j]) {
                self.products[i * n + j] += i64::from(self.rewards[i]) * i64::from(self.rewards[j]);
            }
        }
        if self.deals % HEAT == 0 && !self.keeps_all {
            self.judge();
        }
    }

    /// The best of those running; of equals the first. `None` before the first deal is closed.
    pub(crate) fn leader(&self) -> Option<usize> {
        let running = (0..self.entrants()).filter(|i| self.running[*i] && self.deals > 0);
        running.min_by_key(|i| Reverse(self.sums[*i] + self.expected[*i]))
    }

    fn judge(&mut self) {
        let Some(leader) = self.leader() else {
            return;
        };
        for entrant in 0..self.entrants() {
            if self.running[entrant] && self.is_clearly_behind(entrant, leader) {
                self.running[entrant] = false;
            }
        }
    }

    fn is_clearly_behind(&self, entrant: usize, leader: usize) -> bool {
        let lag = self.sums[leader] - self.sums[entrant];
        let squares = self.lag_squares(entrant, leader);
        // (lag / n)^2 against the variance of the mean difference, (squares / n - (lag / n)^2) / (n - 1): in whole
        // numbers up to the last step.
        let spread = squares * self.deals - lag * lag;
        lag > 0 && (lag * lag) as f64 * (self.deals - 1) as f64 > CLEARLY * spread as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Deals with rewards that vary by `luck` for all alike, on top of each entrant's own.
    fn run(own: &[i32], deals: i32, luck: impl Fn(i32) -> i32) -> Race {
        let mut race = Race::new(own.len());
        for deal in 0..deals {
            for (entrant, reward) in own.iter().enumerate() {
                // An own wobble, so that the differences vary a little too.
                race.score(entrant, reward + luck(deal) + (deal + entrant as i32) % 2);
            }
            race.close_deal();
        }
        race
    }

    #[test]
    fn who_is_clearly_behind_is_dropped_however_much_the_deals_vary() {
        let race = run(&[5, 9, 8], 64, |deal| 1000 * (deal % 7));
        assert_eq!((race.leader(), race.is_open()), (Some(1), false));
    }

    #[test]
    fn of_equals_all_go_on_and_the_first_leads() {
        let race = run(&[4, 4], 64, |deal| deal);
        assert_eq!((race.leader(), race.is_open()), (Some(0), true));
    }

    #[test]
    fn nobody_leads_before_the_first_deal() {
        assert_eq!(Race::new(3).leader(), None);
    }

    #[test]
    fn what_is_expected_counts_on_few_deals_and_not_on_many() {
        let leader = |deals| {
            let mut race = Race::new(2);
            race.expect(1, 16 * 5, 16);
            for _ in 0..deals {
                race.score(0, 1);
                race.score(1, 0);
                race.close_deal();
            }
            race.leader()
        };
        assert_eq!((leader(1), leader(1000)), (Some(1), Some(0)));
    }

    #[test]
    fn means_and_their_errors_are_those_of_the_rewards() {
        let mut race = Race::of_all(2);
        for (one, other) in [(1, 4), (3, 4), (5, 10), (7, 10)].repeat(10) {
            race.score(0, one);
            race.score(1, other);
            race.close_deal();
        }
        assert_eq!((race.deals(), race.leader(), race.is_open()), (40, Some(1), true));
        assert_eq!((race.mean(0), race.mean(1)), (4.0, 7.0));
        // The variances are 5 and, of the differences 3, 1, 5, 3, 2; both over n - 1.
        let close = |found: f64, variance: f64| (found - (variance / 39.0_f64).sqrt()).abs() < 1e-12;
        assert!(close(race.error(0), 5.0), "{}", race.error(0));
        assert!(close(race.lag_error(0, 1), 2.0), "{}", race.lag_error(0, 1));
        assert_eq!(race.lag_error(1, 1), 0.0);
    }

    #[test]
    fn nobody_is_dropped_on_a_few_deals() {
        assert!(run(&[0, 100], 15, |_| 0).is_open());
    }
}
