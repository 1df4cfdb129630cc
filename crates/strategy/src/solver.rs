use chickenfoot_rules::{MAX_SEATS, Round, Seat};

use crate::clock::Clock;
use crate::playout::Rewards;

/// Plays a round to its end as well as can be when all tiles are open: each seat takes what is best for itself.
///
/// Between two, what one gains the other loses, and branches that cannot matter are cut (alpha-beta); among more, each
/// choice is looked at (max^n, Luckhardt and Irani 1986).
pub(crate) struct Solver<'a, 'c> {
    /// Positions that may still be looked at.
    left: u32,
    clock: &'a mut Clock<'c>,
}

impl<'a, 'c> Solver<'a, 'c> {
    pub(crate) fn new(positions: u32, clock: &'a mut Clock<'c>) -> Solver<'a, 'c> {
        Solver { left: positions, clock }
    }

    /// Positions that may still be looked at.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    /// What each seat has of the end. `None` if that takes more positions than there were left, or more time.
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

    /// Takes one position from those that may be looked at.
    #[inline]
    fn look(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.clock.allows(1).then_some(())
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
        self.look()?;
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
        self.look()?;
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

#[cfg(test)]
mod tests {
    use chickenfoot_rules::{DrawnTile, Terms, Tile, TileSet};
    use rand::seq::SliceRandom;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// A small set dealt at random: double-three or double-four, most of it in the hands.
    fn small(players: u8, rng: &mut ChaCha8Rng) -> Round<1> {
        let terms = Terms {
            max_pip: 3,
            players,
            opening_arms: 2,
            toes: rng.random_range(1..=3),
            reserve: 1,
            drawn_tile: if rng.random() { DrawnTile::MustPlay } else { DrawnTile::MayPlay },
            double_blank: 50,
        };
        let hub = rng.random_range(0..=3);
        let mut tiles: Vec<Tile> = Tile::set(3).filter(|tile| *tile != Tile::double(hub).unwrap()).collect();
        tiles.shuffle(rng);
        let hand = 7 / usize::from(players);
        let boneyard = tiles.split_off(usize::from(players) * hand);
        let hands: Vec<TileSet<1>> = tiles.chunks(hand).map(|hand| hand.iter().copied().collect()).collect();
        Round::new(terms, hub, Seat::new(0).unwrap(), &hands, &boneyard).unwrap()
    }

    /// What a solver finds that may look at so many positions, for as long as the clock, asked so often, says yes.
    fn solved(round: &Round<1>, positions: u32, looks: u32) -> Option<Rewards> {
        let mut asked = 0;
        let mut go_on = || {
            asked += 1;
            asked <= looks
        };
        Solver::new(positions, &mut Clock::new(&mut go_on)).solve(round)
    }

    /// The same without any shortcut.
    fn plainly(round: &Round<1>) -> Rewards {
        let seat = round.turn().index();
        let after = |action| {
            let mut next = *round;
            next.apply(action).unwrap();
            plainly(&next)
        };
        let mut best: Option<Rewards> = None;
        for rewards in round.moves().map(after) {
            if best.is_none_or(|best| rewards[seat] > best[seat]) {
                best = Some(rewards);
            }
        }
        best.unwrap_or_else(|| rewards(round))
    }

    #[test]
    fn the_value_is_that_of_looking_at_every_line_of_play() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for players in [2, 3] {
            for _ in 0..200 {
                let round = small(players, &mut rng);
                assert_eq!(solved(&round, u32::MAX, u32::MAX), Some(plainly(&round)), "{round:?}");
            }
        }
    }

    #[test]
    fn a_solver_gives_up_when_it_may_not_look_further() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let rounds: Vec<Round<1>> = (0..100).map(|_| small(2, &mut rng)).collect();
        let gave_up = |positions, looks| {
            rounds.iter().filter(|round| solved(round, positions, looks).is_none()).count()
        };
        assert!(gave_up(0, u32::MAX) > gave_up(5, u32::MAX));
        assert!(gave_up(5, u32::MAX) > gave_up(u32::MAX, u32::MAX));
        // Nor when the time is up.
        assert!(gave_up(u32::MAX, 0) > gave_up(u32::MAX, u32::MAX));
    }
}
