use chickenfoot_rules::{Move, Round, Seat, TileSet, View, set_size};
use rand_chacha::ChaCha8Rng;

use crate::clock::Clock;
use crate::determiniser::Determiniser;
use crate::effort::Effort;
use crate::mind::Mind;
use crate::playout::Playout;
use crate::race::Race;
use crate::solver::Solver;
use crate::tallies::Tallies;
use crate::tree::Tree;
use crate::{Strategy, chance};

/// Tries each legal move on the same sampled deals and takes the one with the best mean of the others' points less its
/// own at the end of the round.
///
/// The moves are compared on equal deals, so that the luck of the deal falls on all alike; what is clearly behind is
/// dropped, see [`Race`].
pub(crate) struct Search {
    seed: [u8; 32],
    effort: Effort,
    below: Below,
}

/// How a round goes on after the move that is tried, and by which policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Below {
    /// `dead-foot` plays every seat to the end: flat Monte Carlo.
    Policy,
    /// A [`Tree`] grows, in which all seats learn to play better than the policy, which was learnt from self-play. Once
    /// nothing can be drawn and few tiles are left, each deal is solved exactly.
    Tree,
}

impl Below {
    fn mind(self, players: u8) -> Mind<'static> {
        match self {
            Below::Policy => Mind::DeadFoot,
            Below::Tree => Mind::of(players),
        }
    }

    /// So many deals tell as much as what the policy expects.
    fn trust(self) -> i32 {
        match self {
            Below::Policy => 16,
            // What was learnt was learnt as just that: by how much one move is better than another.
            Below::Tree => 256,
        }
    }
}

impl Search {
    pub(crate) fn new(seed: [u8; 32], effort: Effort, below: Below) -> Search {
        Search { seed, effort, below }
    }

    fn sampled<const W: usize>(&self, view: &View<'_>, go_on: &mut dyn FnMut() -> bool) -> Option<Move> {
        let mut rng: ChaCha8Rng = chance::of_decision(&self.seed, view);
        let mut sampler = Determiniser::<W>::new(view, &mut rng)?;
        let (moves, rollouts) = (view.moves().collect(), self.effort.rollouts());
        best(view.seat, moves, self.below, self.below.trust(), rollouts, go_on, || *sampler.sample(&mut rng))
    }

    /// What the policy plays by itself.
    fn at_once(&self, view: &View<'_>) -> Move {
        let tallies = Tallies::<3>::of_view(view);
        let (position, mind) =
            (tallies.position(view.seat, view.hand), self.below.mind(view.rules.players()));
        position.best(mind, &view.open_ends(), view.moves()).unwrap_or(Move::Pass)
    }
}

impl Strategy for Search {
    fn choose_while(&mut self, view: &View<'_>, go_on: &mut dyn FnMut() -> bool) -> Move {
        if view.moves().total() <= 1 {
            return view.moves().next().unwrap_or(Move::Pass);
        }
        let found = if set_size(view.rules.max_pip()) <= TileSet::<1>::CAPACITY {
            self.sampled::<1>(view, go_on)
        } else {
            self.sampled::<3>(view, go_on)
        };
        // A view that contradicts itself cannot be sampled, and there may be no time at all.
        found.unwrap_or_else(|| self.at_once(view))
    }

    fn effort(&self) -> Option<Effort> {
        Some(self.effort)
    }
}

/// The best of the moves of the seat on turn, over rounds that are all the same to it. What the policy expects counts as
/// much as `trust` rounds. `None` if not one deal was looked at to its end.
pub(crate) fn best<const W: usize>(
    seat: Seat,
    moves: Vec<Move>,
    below: Below,
    trust: i32,
    rollouts: u32,
    go_on: &mut dyn FnMut() -> bool,
    mut round: impl FnMut() -> Round<W>,
) -> Option<Move> {
    let mut clock = Clock::new(go_on);
    let mut race = Race::new(moves.len());
    let first = round();
    Playout::new(&first, below.mind(first.terms().players)).expect(&moves, trust, &mut race);
    run(&mut race, seat, &moves, below, rollouts, &mut clock, round);
    race.leader().map(|leader| moves[leader])
}

/// Runs a race of these moves of the seat on turn, over rounds that are all the same to it.
pub(crate) fn run<const W: usize>(
    race: &mut Race,
    seat: Seat,
    moves: &[Move],
    below: Below,
    rollouts: u32,
    clock: &mut Clock<'_>,
    mut round: impl FnMut() -> Round<W>,
) {
    let room = if below == Below::Tree { rollouts.min(MAX_NODES) } else { 0 };
    let mut tree = Tree::new(seat, moves, room as usize);
    let mut exact = below == Below::Tree;
    let mut done = 0;
    while done < rollouts && race.is_open() {
        let round = round();
        let start = Playout::new(&round, below.mind(round.terms().players));
        // If one deal is too large to be solved, so are most.
        exact &= is_small(&round);
        let mut left = POSITIONS;
        for (entrant, action) in moves.iter().enumerate() {
            if !race.is_running(entrant) {
                continue;
            }
            let mut solved = None;
            if exact {
                // A deal that plays itself looks at no position, and takes its time all the same.
                if !clock.allows(1) {
                    return;
                }
                let mut after = round;
                after.apply_unchecked(*action);
                let mut solver = Solver::new(left, clock);
                solved = solver.solve(&after);
                done += (left - solver.left()) / Clock::ROLLOUT;
                left = solver.left();
                exact = solved.is_some();
            }
            let rewards = match solved {
                Some(rewards) => rewards,
                None if clock.allows(Clock::ROLLOUT) => tree.visit(entrant, &mut start.clone()),
                // A deal on which not all moves were tried says nothing.
                None => return,
            };
            race.score(entrant, rewards[seat.index()]);
            done += 1;
        }
        race.close_deal();
    }
}

/// What a tree grows to at most; each rollout adds one node.
const MAX_NODES: u32 = 1 << 16;

/// Positions that may be looked at to solve one deal.
const POSITIONS: u32 = 4000;

/// Tiles in all hands up to which a deal is solved, once nothing can be drawn.
const FEW: usize = 14;

fn is_small<const W: usize>(round: &Round<W>) -> bool {
    let terms = round.terms();
    let held: usize = Seat::all(terms.players).map(|seat| round.hand(seat).len()).sum();
    round.yard_size() <= terms.reserve && held <= FEW
}
