use chickenfoot_rules::{MAX_SEATS, Move, Round, Seat};

use crate::dead_foot::Position;
use crate::mind::Mind;
use crate::race::Race;
use crate::tallies::Tallies;

/// A round that is played to its end by one policy, every seat knowing no more than it could.
#[derive(Clone, Debug)]
pub(crate) struct Playout<'w, const W: usize> {
    round: Round<W>,
    tallies: Tallies<W>,
    mind: Mind<'w>,
}

/// What each seat has of a round's end: the sum of the others' points, less its own as often as there are others. That
/// is the mean of the others' points less its own, times the number of others; a whole number.
pub(crate) type Rewards = [i32; MAX_SEATS];

/// What a move that ends the round is worth at most to a race, in sixteenths of a point.
const MUCH: i32 = 16 * 40;

impl<'w, const W: usize> Playout<'w, W> {
    pub(crate) fn new(round: &Round<W>, mind: Mind<'w>) -> Playout<'w, W> {
        Playout { round: *round, tallies: Tallies::of_round(round), mind }
    }

    /// What the seat on turn knows.
    #[inline]
    pub(crate) fn position(&self) -> Position<'_, W> {
        let seat = self.round.turn();
        self.tallies.position(seat, self.round.hand(seat))
    }

    pub(crate) fn round(&self) -> &Round<W> {
        &self.round
    }

    /// Makes a legal move.
    #[inline]
    pub(crate) fn make(&mut self, action: Move) {
        self.tallies.follow(&self.round, action);
        self.round.apply_unchecked(action);
    }

    /// What the policy would play; `None` once the round is over.
    #[inline]
    pub(crate) fn policy(&self) -> Option<Move> {
        let moves = self.round.moves();
        if moves.total() <= 1 {
            return moves.pick(0);
        }
        self.position().best(self.mind, self.round.open_ends(), moves.in_any_order())
    }

    /// The move of the seat on turn if it has no other.
    #[inline]
    pub(crate) fn forced(&self) -> Option<Move> {
        let moves = self.round.moves();
        if moves.total() == 1 { moves.pick(0) } else { None }
    }

    /// Tells of each legal move how much the policy thinks of it.
    #[inline]
    pub(crate) fn weigh(&self, mut tell: impl FnMut(Move, i32)) {
        let (position, open, mut table) = (self.position(), self.round.open_ends(), None);
        for action in self.round.moves().in_any_order() {
            tell(action, position.value(self.mind, open, action, &mut table));
        }
    }

    /// Tells a race of these moves what the policy expects of them, and how many deals tell as much.
    pub(crate) fn expect(&self, moves: &[Move], deals: i32, race: &mut Race) {
        let others = i32::from(self.round.terms().players) - 1;
        self.weigh(|action, value| {
            if let Some(entrant) = moves.iter().position(|other| *other == action) {
                race.expect(entrant, value.min(MUCH) * others, deals);
            }
        });
    }

    /// Plays to the end.
    #[inline]
    pub(crate) fn finish(&mut self) {
        while let Some(action) = self.policy() {
            self.make(action);
        }
    }

    /// What each seat has of it, if this is the end.
    #[inline]
    pub(crate) fn rewards(&self) -> Rewards {
        let players = self.round.terms().players;
        let all: i32 = Seat::all(players).map(|seat| self.tallies.points(seat)).sum();
        let mut rewards = [0; MAX_SEATS];
        for seat in Seat::all(players) {
            rewards[seat.index()] = all - i32::from(players) * self.tallies.points(seat);
        }
        rewards
    }
}
