use std::cmp::Ordering;

use crate::design::{Round, sizes};
use crate::lots::{Lots, Purpose, Stream};

/// Rounds found by a seeded search of bounded work, for numbers without a known design.
///
/// Each round starts from a shuffle and is improved by changing two players over while the sum of squares of all pairs'
/// meetings falls. With few players whole cycles are then polished by threshold accepting (Dueck and Scheuer 1990):
/// random changes that make the sum larger by no more than a threshold, which sinks to 0. Later cycles start with the
/// meetings of the earlier ones, so that what is uneven in one is made up for in the next. Who sits at a smaller table is
/// evened out the same way.
#[derive(Debug)]
pub(crate) struct Searched {
    players: usize,
    sizes: Vec<u32>,
    /// The cycle whose rounds are made, and those that are.
    cycle: u32,
    made: Vec<Round>,
    /// How often two met, as a square.
    met: Vec<i32>,
    /// How often each sat at a smaller table.
    small: Vec<i32>,
}

/// The greatest number of players for which whole cycles are polished.
const POLISHED_PLAYERS: usize = 64;
/// Changes tried for each seat of a cycle when polishing, at least and at most.
const TRIES_PER_SEAT: usize = 400;
const FEWEST_TRIES: usize = 30_000;
const MOST_TRIES: usize = 200_000;
/// Thresholds of the polishing, each for an equal part of the tries.
const THRESHOLDS: [i32; 6] = [2, 1, 1, 0, 0, 0];
/// Sweeps over all pairs of players when a round is improved.
const SWEEPS: usize = 4;

/// A seat of a round: its table, and its place there.
type Seat = (usize, usize);

impl Searched {
    pub(crate) fn new(players: u32, seats: u32) -> Self {
        let sizes = sizes(players, seats);
        Self {
            players: players as usize,
            sizes,
            cycle: 0,
            made: Vec::new(),
            met: Vec::new(),
            small: Vec::new(),
        }
    }

    /// As few as have a meeting for every pair.
    pub(crate) fn rounds(&self) -> u32 {
        let pairs = |of: u64| of * (of - 1) / 2;
        let a_round: u64 = self.sizes.iter().map(|&size| pairs(u64::from(size))).sum();
        pairs(self.players as u64).div_ceil(a_round.max(1)) as u32
    }

    pub(crate) fn tables(&self) -> u32 {
        self.sizes.len() as u32
    }

    /// A round. Cycles before the one that was last asked for are not there any more.
    pub(crate) fn round(&mut self, cycle: u32, round: u32, lots: &Lots) -> Round {
        while self.cycle < cycle || self.made.len() <= round as usize {
            if self.made.len() == self.rounds() as usize {
                self.cycle += 1;
                self.made.clear();
            }
            self.make(lots);
        }
        self.made[round as usize].clone()
    }

    /// Makes the next round, or with few players all rounds of a cycle, as these are polished together.
    fn make(&mut self, lots: &Lots) {
        self.met.resize(self.players * self.players, 0);
        self.small.resize(self.players, 0);
        let polished = self.players <= POLISHED_PLAYERS;
        let first = self.made.len() as u64;
        let mut stream = lots.stream(Purpose::Design, (u64::from(self.cycle) + 1) << 32 | first);
        for _ in 0..if polished { self.rounds() } else { 1 } {
            let mut round = self.shuffled(&mut stream);
            for _ in 0..SWEEPS {
                if !self.sweep(&mut round) {
                    break;
                }
            }
            self.count(&round, 1);
            self.made.push(round);
        }
        if polished {
            self.polish(&mut stream);
        }
    }

    fn shuffled(&self, stream: &mut Stream) -> Round {
        let mut players: Vec<u32> = (0..self.players as u32).collect();
        stream.shuffle(&mut players);
        let mut players = players.into_iter();
        self.sizes.iter().map(|&size| players.by_ref().take(size as usize).collect()).collect()
    }

    /// Tries all changes of a round that is not counted yet, and says whether one helped.
    fn sweep(&self, round: &mut Round) -> bool {
        let mut helped = false;
        for a in 0..round.len() {
            for b in a + 1..round.len() {
                for i in 0..round[a].len() {
                    for j in 0..round[b].len() {
                        if self.change(round, (a, i), (b, j)) < 0 {
                            swap(round, (a, i), (b, j));
                            helped = true;
                        }
                    }
                }
            }
        }
        helped
    }

    /// By how much half the sum of squares grows if two players of a round that is not counted change over.
    fn change(&self, round: &Round, (a, i): Seat, (b, j): Seat) -> i32 {
        let (x, y) = (round[a][i] as usize, round[b][j] as usize);
        let of = |player: usize| &self.met[player * self.players..(player + 1) * self.players];
        let (of_x, of_y) = (of(x), of(y));
        let more_for_y = |at: usize, of_x: &[i32], of_y: &[i32], table: &[u32]| -> i32 {
            let all: i32 = table.iter().map(|&other| of_y[other as usize] - of_x[other as usize]).sum();
            all - of_y[table[at] as usize] + of_x[table[at] as usize]
        };
        let change = more_for_y(i, of_x, of_y, &round[a]) + more_for_y(j, of_y, of_x, &round[b]);
        match round[a].len().cmp(&round[b].len()) {
            Ordering::Equal => change,
            Ordering::Greater => change + self.small[x] - self.small[y],
            Ordering::Less => change + self.small[y] - self.small[x],
        }
    }

    fn polish(&mut self, stream: &mut Stream) {
        if self.sizes.len() < 2 {
            return;
        }
        let mut rounds = std::mem::take(&mut self.made);
        let tries = (TRIES_PER_SEAT * self.players * rounds.len()).clamp(FEWEST_TRIES, MOST_TRIES);
        for threshold in THRESHOLDS {
            for _ in 0..tries / THRESHOLDS.len() {
                let round = stream.quick(rounds.len());
                let round = &mut rounds[round];
                let a = stream.quick(round.len());
                let b = (a + 1 + stream.quick(round.len() - 1)) % round.len();
                let (i, j) = (stream.quick(round[a].len()), stream.quick(round[b].len()));
                self.try_change(round, (a, i), (b, j), threshold);
            }
        }
        self.made = rounds;
    }

    /// Changes two players of a counted round over unless that costs more than the threshold.
    fn try_change(&mut self, round: &mut Round, x: Seat, y: Seat, threshold: i32) {
        // The round's own meetings are among those counted: one for each neighbour that either leaves.
        let (a, b) = (round[x.0].len(), round[y.0].len());
        let own = (a + b) as i32 - 2 + i32::from(a != b);
        if self.change(round, x, y) + own <= threshold {
            self.count_seat(round, x, -1);
            self.count_seat(round, y, -1);
            swap(round, x, y);
            self.count_seat(round, x, 1);
            self.count_seat(round, y, 1);
            if a != b {
                let (now_small, now_large) = if a < b { (x, y) } else { (y, x) };
                self.small[round[now_small.0][now_small.1] as usize] += 1;
                self.small[round[now_large.0][now_large.1] as usize] -= 1;
            }
        }
    }

    /// Adds to all meetings of a round.
    fn count(&mut self, round: &Round, times: i32) {
        let largest = round.iter().map(Vec::len).max().unwrap_or(0);
        for table in round {
            for (at, &x) in table.iter().enumerate() {
                self.small[x as usize] += times * i32::from(table.len() < largest);
                for &y in &table[at + 1..] {
                    self.add(x, y, times);
                }
            }
        }
    }

    /// Adds to the meetings of one player in a round.
    fn count_seat(&mut self, round: &Round, (table, at): Seat, times: i32) {
        let x = round[table][at];
        for (other, &y) in round[table].iter().enumerate() {
            if other != at {
                self.add(x, y, times);
            }
        }
    }

    fn add(&mut self, x: u32, y: u32, times: i32) {
        let (x, y) = (x as usize, y as usize);
        self.met[x * self.players + y] += times;
        self.met[y * self.players + x] += times;
    }
}

fn swap(round: &mut Round, (a, i): Seat, (b, j): Seat) {
    let x = round[a][i];
    round[a][i] = round[b][j];
    round[b][j] = x;
}
