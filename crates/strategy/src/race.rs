/// Compares moves by their rewards on the same deals, and drops those that are clearly behind the leader.
///
/// A race of this kind (Maron and Moore 1994) spends its work on the moves that are close. It is judged by the
/// differences to the leader deal by deal, which vary much less than the rewards do.
#[derive(Clone, Debug)]
pub(crate) struct Race {
    running: Vec<bool>,
    rewards: Vec<i32>,
    sums: Vec<i64>,
    /// The sums of the products of two moves' rewards, row by row.
    products: Vec<i64>,
    deals: i64,
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
            products: vec![0; entrants * entrants],
            deals: 0,
        }
    }

    /// Whether more than one is running.
    pub(crate) fn is_open(&self) -> bool {
        self.running.iter().filter(|running| **running).count() > 1
    }

    pub(crate) fn entrants(&self) -> usize {
        self.running.len()
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
        if self.deals % HEAT == 0 {
            self.judge();
        }
    }

    /// The best of those running; of equals the first.
    pub(crate) fn leader(&self) -> usize {
        let running = (0..self.entrants()).filter(|i| self.running[*i]);
        running.min_by_key(|i| std::cmp::Reverse(self.sums[*i])).unwrap_or(0)
    }

    fn judge(&mut self) {
        let (leader, n) = (self.leader(), self.entrants());
        let product = |i: usize, j: usize| self.products[i.max(j) * n + i.min(j)];
        let behind: Vec<usize> = (0..n)
            .filter(|i| self.running[*i] && *i != leader)
            .filter(|i| {
                let lag = self.sums[leader] - self.sums[*i];
                let squares = product(leader, leader) + product(*i, *i) - 2 * product(leader, *i);
                // (lag / n)^2 against the variance of the mean difference; whole numbers up to the last step.
                let spread = squares * self.deals - lag * lag;
                lag > 0 && (lag * lag) as f64 * (self.deals - 1) as f64 > CLEARLY * spread as f64
            })
            .collect();
        for i in behind {
            self.running[i] = false;
        }
    }
}
