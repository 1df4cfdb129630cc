use chickenfoot_rules::{Move, Round, Seat, TileSet, View, set_size};
use rand_chacha::ChaCha8Rng;

use crate::dead_foot::DeadFoot;
use crate::determiniser::Determiniser;
use crate::effort::Effort;
use crate::playout::Playout;
use crate::race::Race;
use crate::solver::Solver;
use crate::tree::Tree;
use crate::{Strategy, chance};

/// Tree search over sampled deals, and the exact value of each deal once nothing can be drawn and few tiles are left.
///
/// As [`crate::monte_carlo::MonteCarlo`] it tries the legal moves on the same deals and drops what is clearly behind.
/// But below each move a [`Tree`] grows, in which all seats learn to play better than the policy of the playouts.
pub(crate) struct Search {
    seed: [u8; 32],
    effort: Effort,
}

impl Search {
    pub(crate) fn new(seed: [u8; 32], effort: Effort) -> Search {
        Search { seed, effort }
    }
}

impl Strategy for Search {
    fn choose_while(&mut self, view: &View<'_>, go_on: &mut dyn FnMut() -> bool) -> Move {
        if view.moves().total() <= 1 {
            return view.moves().next().unwrap_or(Move::Pass);
        }
        let mut rng = chance::of_decision(&self.seed, view);
        let rollouts = self.effort.rollouts();
        let found = if set_size(view.rules.max_pip()) <= TileSet::<1>::CAPACITY {
            sampled::<1>(view, rollouts, &mut rng, go_on)
        } else {
            sampled::<3>(view, rollouts, &mut rng, go_on)
        };
        // A view that contradicts itself cannot be sampled, and there may be no time at all.
        found.unwrap_or_else(|| DeadFoot.choose(view))
    }

    fn effort(&self) -> Option<Effort> {
        Some(self.effort)
    }
}

fn sampled<const W: usize>(
    view: &View<'_>,
    rollouts: u32,
    rng: &mut ChaCha8Rng,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Move> {
    let mut sampler = Determiniser::<W>::new(view, rng)?;
    best(view.seat, view.moves().collect(), rollouts, go_on, || *sampler.sample(rng))
}

/// The best of the moves of the seat on turn, over rounds that are all the same to it. `None` if not one was looked
/// at.
pub(crate) fn best<const W: usize>(
    seat: Seat,
    moves: Vec<Move>,
    rollouts: u32,
    go_on: &mut dyn FnMut() -> bool,
    mut round: impl FnMut() -> Round<W>,
) -> Option<Move> {
    let mut race = Race::new(moves.len());
    Playout::new(&round()).expect(&moves, &mut race);
    let mut tree = Tree::new(seat, &moves, rollouts.min(MAX_NODES) as usize);
    let mut exact = true;
    let mut done = 0;
    while done < rollouts && race.is_open() && go_on() {
        let round = round();
        let start = Playout::new(&round);
        // If one deal is too large to be solved, so are most.
        exact &= is_small(&round);
        let mut solver = Solver::new(POSITIONS);
        for (entrant, action) in moves.iter().enumerate() {
            if !race.is_running(entrant) {
                continue;
            }
            let mut solved = None;
            if exact {
                let (mut after, left) = (round, solver.left());
                after.apply_unchecked(*action);
                solved = solver.solve(&after);
                exact = solved.is_some();
                done += (left - solver.left()) / POSITIONS_A_ROLLOUT;
            }
            let rewards = solved.unwrap_or_else(|| tree.visit(entrant, &mut start.clone()));
            race.score(entrant, rewards[seat.index()]);
            done += 1;
        }
        race.close_deal();
    }
    race.leader().map(|leader| moves[leader])
}

/// What a tree grows to at most; each rollout adds one node.
const MAX_NODES: u32 = 1 << 16;

/// Positions that may be looked at to solve one deal.
const POSITIONS: u32 = 4000;

/// So many positions take about as long as a rollout.
const POSITIONS_A_ROLLOUT: u32 = 40;

/// Tiles in all hands up to which a deal is solved, once nothing can be drawn.
const FEW: usize = 14;

fn is_small<const W: usize>(round: &Round<W>) -> bool {
    let players = round.terms().players;
    let held: usize = Seat::all(players).map(|seat| round.hand(seat).len()).sum();
    round.yard_size() <= round.terms().reserve && held <= FEW
}
