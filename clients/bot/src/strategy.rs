use std::time::{Duration, Instant};

use chickenfoot_rules::Move;
use chickenfoot_strategy::{Effort, Strategy, by_name, seat_seed};

use crate::bot::{Bot, GameInfo, Turn};

/// A bot that plays a strategy of the crate `chickenfoot-strategy`.
pub struct StrategyBot(Box<dyn Strategy>);

impl Bot for StrategyBot {
    fn choose(&mut self, turn: &Turn) -> Move {
        let start = Instant::now();
        // The rest is for the way there and back, on a machine that may be busy.
        let in_time = turn.time_left / 5 * 4;
        let limit = match self.0.effort() {
            Some(Effort::Milliseconds(time)) => in_time.min(Duration::from_millis(time.into())),
            Some(Effort::Rollouts(_)) | None => in_time,
        };
        self.0.choose_while(&turn.view, &mut || start.elapsed() < limit)
    }
}

/// Makes bots of a strategy: each plays as `seed`, the match and its seat determine. `None` for an unknown name.
pub fn strategy_bots(name: &str, seed: u64) -> Option<impl FnMut(&GameInfo) -> Box<dyn Bot> + Send + use<>> {
    by_name(name, [0; 32])?;
    let name = name.to_owned();
    Some(move |game: &GameInfo| -> Box<dyn Bot> {
        let strategy = by_name(&name, seat_seed(seed, &game.commitment, game.seat));
        // The name was looked up before, so the first option is never needed.
        strategy.map_or_else(|| Box::new(FirstOption) as Box<dyn Bot>, |s| Box::new(StrategyBot(s)))
    })
}

struct FirstOption;

impl Bot for FirstOption {
    fn choose(&mut self, turn: &Turn) -> Move {
        turn.options[0]
    }
}
