use std::time::{Duration, Instant};

use chickenfoot_rules::{Hex32, Move};
use chickenfoot_strategy::{Effort, Strategy, by_name, seat_seed};

use crate::bot::{Bot, GameInfo, Turn};

/// A bot that plays a strategy of the crate `chickenfoot-strategy`.
pub struct StrategyBot(Box<dyn Strategy>);

impl Bot for StrategyBot {
    fn choose(&mut self, turn: &Turn) -> Move {
        let start = Instant::now();
        let limit = limit(turn, start, self.0.effort());
        self.0.choose_while(&turn.view, &mut || start.elapsed() < limit)
    }
}

/// How long a strategy may think from `start` on: its own effort, but no longer than its decision has time.
fn limit(turn: &Turn, start: Instant, effort: Option<Effort>) -> Duration {
    // The rest is for the way there and back, on a machine that may be busy. What the decision waited is gone.
    let in_time = (turn.time_left / 5 * 4).saturating_sub(start.saturating_duration_since(turn.received));
    match effort {
        Some(Effort::Milliseconds(time)) => in_time.min(Duration::from_millis(time.into())),
        Some(Effort::Rollouts(_)) | None => in_time,
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
    use chickenfoot_rules::{
        Contributor, Entropy, ForcedMoves, Match, MatchSetup, MatchStart, Preset, RuleOptions, Seed,
    };

    use super::*;

    /// A first decision with a second left.
    fn turn() -> Turn {
        let rules = RuleOptions::new(Preset::Trains, 2).resolve().unwrap();
        let seed = Seed::new([1; 32]);
        let seats = ["a", "b"].map(|name| Contributor { name: name.to_owned(), entropy: Entropy::default() });
        let start = MatchStart::new(rules, "limit", &seed, seats.to_vec());
        let setup = MatchSetup::seeded(start, &seed, ForcedMoves::Automatic);
        let game = Match::start(setup, &mut Vec::new()).unwrap();
        let view = game.view().unwrap().into_owned();
        let options = view.moves().collect();
        Turn { view, options, time_left: Duration::from_secs(1), received: Instant::now() }
    }

    #[test]
    fn a_strategy_thinks_as_long_as_its_effort_and_its_decision_allow() {
        let turn = turn();
        let after = |milliseconds, effort| {
            limit(&turn, turn.received + Duration::from_millis(milliseconds), effort).as_millis()
        };
        assert_eq!(after(0, Some(Effort::Milliseconds(20))), 20);
        assert_eq!(after(0, Some(Effort::Milliseconds(5000))), 800);
        assert_eq!(after(0, Some(Effort::Rollouts(1000))), 800);
        // A decision that waited is answered sooner, and at once if it waited long.
        assert_eq!(after(300, Some(Effort::Rollouts(1000))), 500);
        assert_eq!(after(790, Some(Effort::Milliseconds(20))), 10);
        assert_eq!(after(2000, Some(Effort::Milliseconds(20))), 0);
    }

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
