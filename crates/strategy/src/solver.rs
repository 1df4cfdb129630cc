use chickenfoot_rules::{MAX_SEATS, Round, Seat};

use crate::playout::Rewards;

/// Plays a round to its end as well as can be when all tiles are open: each seat takes what is best for itself.
///
/// Between two, what one gains the other loses, and branches that cannot matter are cut (alpha-beta); among more, each
/// choice is looked at (max^n, Luckhardt and Irani 1986).
pub(crate) struct Solver {
    /// Positions that may still be looked at.
    left: u32,
}

impl Solver {
    pub(crate) fn new(positions: u32) -> Solver {
        Solver { left: positions }
    }

    /// Positions that may still be looked at.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// What each seat has of the end. `None` if that takes more positions than there were left.
    pub(crate) fn solve<const W: usize>(&mut self, round: &Round<W>) -> Option<Rewards> {
        if round.terms().players > 2 {
            return self.each_for_itself(*round);
        }
        let first = self.against_each_other(*round, -i32::MAX, i32::MAX)?;
        let turn = round.turn().index();
        let mut rewards = [0; MAX_SEATS];
        rewards[turn] = first;
        rewards[1 - turn] = -first;
        Some(rewards)
    }

    /// The reward of the seat on turn, as far as it lies between the bounds.
    fn against_each_other<const W: usize>(
        &mut self,
        mut round: Round<W>,
        low: i32,
        high: i32,
    ) -> Option<i32> {
        let seat = round.turn();
        force(&mut round);
        let sign = if round.turn() == seat { 1 } else { -1 };
        if round.end().is_some() {
            return Some(rewards(&round)[seat.index()]);
        }
        self.left = self.left.checked_sub(1)?;
        let (mut low, high) = if sign == 1 { (low, high) } else { (-high, -low) };
        let mut best = -i32::MAX;
        for action in round.moves() {
            let mover = round.turn();
            let mut next = round;
            next.apply_unchecked(action);
            let value = if next.turn() == mover {
                self.against_each_other(next, low, high)?
            } else {
                -self.against_each_other(next, -high, -low)?
            };
            best = best.max(value);
            low = low.max(value);
            if low >= high {
                break;
            }
        }
        Some(sign * best)
    }

    fn each_for_itself<const W: usize>(&mut self, mut round: Round<W>) -> Option<Rewards> {
        force(&mut round);
        if round.end().is_some() {
            return Some(rewards(&round));
        }
        self.left = self.left.checked_sub(1)?;
        let seat = round.turn().index();
        let mut best: Option<Rewards> = None;
        for action in round.moves() {
            let mut next = round;
            next.apply_unchecked(action);
            let rewards = self.each_for_itself(next)?;
            if best.is_none_or(|best| rewards[seat] > best[seat]) {
                best = Some(rewards);
            }
        }
        best
    }
}

/// Makes the moves that have no alternative.
fn force<const W: usize>(round: &mut Round<W>) {
    loop {
        let moves = round.moves();
        match moves.pick(0) {
            Some(action) if moves.total() == 1 => round.apply_unchecked(action),
            _ => return,
        }
    }
}

fn rewards<const W: usize>(round: &Round<W>) -> Rewards {
    let players = round.terms().players;
    let points = |seat: Seat| i32::from(round.hand_score(seat));
    let all: i32 = Seat::all(players).map(points).sum();
    let mut rewards = [0; MAX_SEATS];
    for seat in Seat::all(players) {
        rewards[seat.index()] = all - i32::from(players) * points(seat);
    }
    rewards
}
