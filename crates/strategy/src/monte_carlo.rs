use chickenfoot_rules::{Move, TileSet, View, set_size};
use rand_chacha::ChaCha8Rng;

use crate::dead_foot::DeadFoot;
use crate::determiniser::Determiniser;
use crate::effort::Effort;
use crate::playout::Playout;
use crate::race::Race;
use crate::{Strategy, chance};

/// Flat Monte Carlo: tries each legal move on the same sampled deals, lets `dead-foot` play every seat to the end of
/// the round, and takes the move with the best mean of the others' points less its own.
///
/// The moves are compared on equal deals, so that the luck of the deal falls on all alike; what is clearly behind is
/// dropped, see [`Race`].
pub(crate) struct MonteCarlo {
    seed: [u8; 32],
    effort: Effort,
}

impl MonteCarlo {
    pub(crate) fn new(seed: [u8; 32], effort: Effort) -> MonteCarlo {
        MonteCarlo { seed, effort }
    }
}

impl Strategy for MonteCarlo {
    fn choose_while(&mut self, view: &View<'_>, go_on: &mut dyn FnMut() -> bool) -> Move {
        if view.moves().total() <= 1 {
            return view.moves().next().unwrap_or(Move::Pass);
        }
        let mut rng = chance::of_decision(&self.seed, view);
        let rollouts = self.effort.rollouts();
        let found = if set_size(view.rules.max_pip()) <= TileSet::<1>::CAPACITY {
            best::<1>(view, rollouts, &mut rng, go_on)
        } else {
            best::<3>(view, rollouts, &mut rng, go_on)
        };
        // A view that contradicts itself cannot be sampled, and there may be no time at all.
        found.unwrap_or_else(|| DeadFoot.choose(view))
    }

    fn effort(&self) -> Option<Effort> {
        Some(self.effort)
    }
}

fn best<const W: usize>(
    view: &View<'_>,
    rollouts: u32,
    rng: &mut ChaCha8Rng,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Move> {
    let mut sampler = Determiniser::<W>::new(view, rng)?;
    let moves: Vec<Move> = view.moves().collect();
    let mut race = Race::new(moves.len());
    Playout::new(sampler.sample(rng)).expect(&moves, &mut race);
    let mut done = 0;
    while done < rollouts && race.is_open() && go_on() {
        let start = Playout::new(sampler.sample(rng));
        for (entrant, action) in moves.iter().enumerate() {
            if !race.is_running(entrant) {
                continue;
            }
            let mut playout = start.clone();
            playout.make(*action);
            playout.finish();
            race.score(entrant, playout.rewards()[view.seat.index()]);
            done += 1;
        }
        race.close_deal();
    }
    race.leader().map(|leader| moves[leader])
}
