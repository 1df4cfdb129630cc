use crate::EntrantId;
use crate::design::sizes;
use crate::formats::swiss::Candidate;
use crate::lots::Stream;
use crate::meetings::Meetings;
use crate::standing::FULL_SCORE;

/// The tables of a round at tables of 3 and more.
///
/// As few rematches as can be, then near scores. Up to [`EXACT`] entrants all ways are gone through. With more, the
/// ranking is cut into tables, and those who would meet again change over with others near them by a seeded search of
/// bounded work (min-conflicts: Minton et al. 1992).
pub(crate) fn seat(
    ranked: &[Candidate],
    seats: u32,
    meetings: &Meetings,
    stream: Stream,
) -> Vec<Vec<EntrantId>> {
    let sizes = sizes(ranked.len() as u32, seats);
    let tables = if ranked.len() <= EXACT {
        Exact::new(ranked, meetings).solve(&sizes)
    } else {
        Exchange::new(ranked, meetings, &sizes, stream).solve()
    };
    tables.into_iter().map(|table| table.into_iter().map(|at| ranked[at].entrant).collect()).collect()
}

/// The most entrants for which all ways are gone through.
const EXACT: usize = 12;
/// How many tables away others are looked for.
const REACH: usize = 12;
/// Changes that are tried for each entrant.
const TRIES: usize = 400;
/// Sweeps that bring near scores together in the end.
const SWEEPS: usize = 4;

/// What it costs that two meet: rematches, then the square of the scores' distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    rematches: i64,
    apart: i64,
}

impl std::ops::Add for Cost {
    type Output = Cost;

    fn add(self, other: Cost) -> Cost {
        Cost { rematches: self.rematches + other.rematches, apart: self.apart + other.apart }
    }
}

impl std::ops::Sub for Cost {
    type Output = Cost;

    fn sub(self, other: Cost) -> Cost {
        Cost { rematches: self.rematches - other.rematches, apart: self.apart - other.apart }
    }
}

impl std::iter::Sum for Cost {
    fn sum<I: Iterator<Item = Cost>>(costs: I) -> Cost {
        costs.fold(Cost::default(), std::ops::Add::add)
    }
}

fn cost(a: &Candidate, b: &Candidate, meetings: &Meetings) -> Cost {
    let steps = (a.score.abs_diff(b.score) * 32 / FULL_SCORE) as i64;
    Cost { rematches: meetings.between(a.entrant, b.entrant).into(), apart: steps * steps }
}

/// Goes through all ways to fill the tables, leaving those that already cost as much as the best.
struct Exact {
    costs: Vec<Vec<Cost>>,
    best: Option<(Cost, Vec<Vec<usize>>)>,
}

impl Exact {
    fn new(ranked: &[Candidate], meetings: &Meetings) -> Self {
        let row = |a: &Candidate| ranked.iter().map(|b| cost(a, b, meetings)).collect();
        Self { costs: ranked.iter().map(row).collect(), best: None }
    }

    fn solve(mut self, sizes: &[u32]) -> Vec<Vec<usize>> {
        self.open(&(0..self.costs.len()).collect::<Vec<_>>(), sizes, Cost::default(), &mut Vec::new());
        let mut tables = self.best.map_or_else(Vec::new, |(_, tables)| tables);
        tables.sort_unstable();
        tables
    }

    /// Opens a table of each size that is left, for the first who has none.
    fn open(&mut self, free: &[usize], sizes: &[u32], spent: Cost, tables: &mut Vec<Vec<usize>>) {
        if self.best.as_ref().is_some_and(|(best, _)| *best <= spent) {
            return;
        }
        let Some((&first, others)) = free.split_first() else {
            self.best = Some((spent, tables.clone()));
            return;
        };
        for (at, &size) in sizes.iter().enumerate() {
            if sizes[..at].contains(&size) {
                continue;
            }
            let rest = [&sizes[..at], &sizes[at + 1..]].concat();
            tables.push(vec![first]);
            self.fill(others, 0, size as usize, &rest, spent, tables);
            tables.pop();
        }
    }

    /// Fills the open table from those from `from` on.
    fn fill(
        &mut self,
        free: &[usize],
        from: usize,
        size: usize,
        sizes: &[u32],
        spent: Cost,
        tables: &mut Vec<Vec<usize>>,
    ) {
        let Some(open) = tables.last() else { return };
        if open.len() == size {
            let left: Vec<usize> = free.iter().copied().filter(|it| !open.contains(it)).collect();
            return self.open(&left, sizes, spent, tables);
        }
        for at in from..free.len() {
            let Some(open) = tables.last_mut() else { return };
            let more: Cost = open.iter().map(|&other| self.costs[other][free[at]]).sum();
            open.push(free[at]);
            self.fill(free, at + 1, size, sizes, spent + more, tables);
            if let Some(open) = tables.last_mut() {
                open.pop();
            }
        }
    }
}

/// Tables that get better by changing two over.
struct Exchange<'a> {
    ranked: &'a [Candidate],
    meetings: &'a Meetings,
    tables: Vec<Vec<usize>>,
    stream: Stream,
}

/// A seat: its table, and its place there.
type Seat = (usize, usize);

impl<'a> Exchange<'a> {
    fn new(ranked: &'a [Candidate], meetings: &'a Meetings, sizes: &[u32], stream: Stream) -> Self {
        let mut all = 0..ranked.len();
        let tables = sizes.iter().map(|&size| all.by_ref().take(size as usize).collect()).collect();
        Self { ranked, meetings, tables, stream }
    }

    fn solve(mut self) -> Vec<Vec<usize>> {
        self.part();
        for _ in 0..SWEEPS {
            if !self.gather() {
                break;
            }
        }
        self.tables
    }

    /// Parts those who met before, as far as it can.
    fn part(&mut self) {
        let mut tries = TRIES * self.ranked.len();
        let mut best = self.tables.clone();
        let mut fewest = self.rematches();
        let mut now = fewest;
        while fewest > 0 && tries > 0 {
            let again = self.seats_of_rematches();
            for &seat in &again {
                tries = tries.saturating_sub(1);
                now += self.try_random(seat);
            }
            if now < fewest {
                fewest = now;
                best.clone_from(&self.tables);
            }
        }
        self.tables = best;
    }

    fn rematches(&self) -> i64 {
        let seats =
            (0..self.tables.len()).flat_map(|table| (0..self.tables[table].len()).map(move |at| (table, at)));
        seats.map(|seat| self.cost_at(seat, seat).rematches).sum::<i64>() / 2
    }

    fn seats_of_rematches(&self) -> Vec<Seat> {
        let seats =
            (0..self.tables.len()).flat_map(|table| (0..self.tables[table].len()).map(move |at| (table, at)));
        seats.filter(|&seat| self.cost_at(seat, seat).rematches > 0).collect()
    }

    /// What whoever sits at `who` costs with those at the table of `seat`, were it to take that seat.
    fn cost_at(&self, who: Seat, seat: Seat) -> Cost {
        let one = &self.ranked[self.tables[who.0][who.1]];
        let others = self.tables[seat.0].iter().enumerate().filter(|&(at, _)| at != seat.1);
        others.map(|(_, &other)| cost(one, &self.ranked[other], self.meetings)).sum()
    }

    fn change(&self, x: Seat, y: Seat) -> Cost {
        self.cost_at(x, y) + self.cost_at(y, x) - self.cost_at(x, x) - self.cost_at(y, y)
    }

    /// Changes one over with somebody near, if it makes no more rematches; where it makes as many and parts scores, only
    /// one time in four. Says by how much the rematches changed.
    fn try_random(&mut self, seat: Seat) -> i64 {
        let from = seat.0.saturating_sub(REACH);
        let until = (seat.0 + REACH + 1).min(self.tables.len());
        let table = from + self.stream.quick(until - from);
        let other = (table, self.stream.quick(self.tables[table].len()));
        if table == seat.0 {
            return 0;
        }
        let change = self.change(seat, other);
        let even = change.rematches == 0 && (change.apart <= 0 || self.stream.quick(4) == 0);
        if change.rematches >= 0 && !even {
            return 0;
        }
        self.swap(seat, other);
        change.rematches
    }

    /// Changes over whoever is nearer to a neighbouring table's scores then, and says whether that was anybody.
    fn gather(&mut self) -> bool {
        let mut helped = false;
        for table in 1..self.tables.len() {
            for i in 0..self.tables[table - 1].len() {
                for j in 0..self.tables[table].len() {
                    if self.change((table - 1, i), (table, j)) < Cost::default() {
                        self.swap((table - 1, i), (table, j));
                        helped = true;
                    }
                }
            }
        }
        helped
    }

    fn swap(&mut self, x: Seat, y: Seat) {
        let one = self.tables[x.0][x.1];
        self.tables[x.0][x.1] = self.tables[y.0][y.1];
        self.tables[y.0][y.1] = one;
    }
}
