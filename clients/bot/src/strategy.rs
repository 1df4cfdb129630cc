use std::time::{Duration, Instant};

use chickenfoot_rules::{Hex32, Move};
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
        let apart = game.commitment.unwrap_or_else(|| stand_in(&game.match_id));
        let strategy = by_name(&name, seat_seed(seed, &apart, game.seat));
        // The name was looked up before, so the first option is never needed.
        strategy.map_or_else(|| Box::new(FirstOption) as Box<dyn Bot>, |s| Box::new(StrategyBot(s)))
    })
}

/// What tells a match without a commitment from all others: the digits of its id, 32 of them.
fn stand_in(match_id: &str) -> Hex32 {
    let mut bytes = [0; 32];
    for (byte, digit) in bytes.iter_mut().zip(match_id.bytes()) {
        *byte = digit;
    }
    Hex32(bytes)
}

struct FirstOption;

impl Bot for FirstOption {
    fn choose(&mut self, turn: &Turn) -> Move {
        turn.options[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_without_a_commitment_are_told_apart_by_their_ids() {
        let ids = ["00000000000000000000000000000001", "00000000000000000000000000000002", "short", ""];
        for one in ids {
            for other in ids {
                assert_eq!(stand_in(one) == stand_in(other), one == other, "{one}, {other}");
            }
        }
    }
}
