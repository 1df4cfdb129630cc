use chickenfoot_rules::Move;
use chickenfoot_strategy::{Strategy, by_name, seat_seed};

use crate::bot::{Bot, GameInfo, Turn};

/// A bot that plays a strategy of the crate `chickenfoot-strategy`.
pub struct StrategyBot(Box<dyn Strategy>);

impl Bot for StrategyBot {
    fn choose(&mut self, turn: &Turn) -> Move {
        self.0.choose(&turn.view)
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
