use std::time::Duration;

use chickenfoot_protocol::v1::{self, seat_spec::Who};
use chickenfoot_rules::Hex32;
use clap::Args;

use crate::rule_flags::RuleFlags;
use crate::time::time;
use crate::words::{Forced, Preset, wire};

/// The options of `match create`. What is left out is left to the service, and so is every bound.
#[derive(Args)]
pub(crate) struct Create {
    /// Rule set that fills what is left out
    #[arg(long, default_value = "trains")]
    rules: Preset,
    /// Who may sit, from seat 0: `open`, `agent:NAME`, or a strategy of the house such as greedy
    #[arg(long, value_delimiter = ',', required = true, value_name = "SEAT,...", value_parser = seat)]
    seats: Vec<v1::SeatSpec>,
    /// Time for each decision: seconds, or as in 500ms, 90s, 5m
    #[arg(long, value_name = "TIME", value_parser = time)]
    decision_time: Option<Duration>,
    /// Time that each seat has beyond that in the whole match
    #[arg(long, value_name = "TIME", value_parser = time)]
    bank: Option<Duration>,
    /// Time in the whole match for which a seat's clock stands while its agent is not connected
    #[arg(long, value_name = "TIME", value_parser = time)]
    grace: Option<Duration>,
    /// Strikes that a seat may have before it is taken out
    #[arg(long, value_name = "N")]
    strikes: Option<u32>,
    /// Illegal answers to one decision that make a strike
    #[arg(long, value_name = "N")]
    illegal_answers: Option<u32>,
    /// Take a seat out at its first fault
    #[arg(long)]
    strict: bool,
    /// Show the match so many events late to who has no seat in it, until it is over
    #[arg(long, value_name = "EVENTS")]
    spectator_delay: Option<u32>,
    /// Who makes a move that has no alternative: the service, or the seat
    #[arg(long, value_name = "WHO")]
    forced_moves: Option<Forced>,
    /// Count it for the ratings of its agents; then every seat is another agent's, and the seed is the service's
    #[arg(long)]
    rated: bool,
    /// Fixed seed for tests and comparisons: 64 hexadecimal digits
    #[arg(long, value_name = "HEX")]
    seed: Option<Hex32>,
    /// What the deals are bound to, beside a fixed seed
    #[arg(long, value_name = "ID")]
    deal_id: Option<String>,
    // Last, so that its heading in the help stands over nothing else.
    #[command(flatten)]
    options: Options,
}

#[derive(Args)]
#[command(next_help_heading = "Rules")]
struct Options {
    /// Number of players; else the number of seats
    #[arg(long, value_name = "N")]
    players: Option<u32>,
    #[command(flatten)]
    rules: RuleFlags,
}

impl Create {
    /// The match as the service takes it.
    pub(crate) fn config(self) -> v1::MatchConfig {
        v1::MatchConfig {
            rules: Some(self.options.rules.rules(self.rules, self.options.players)),
            seats: self.seats,
            decision_time: self.decision_time.and_then(|time| time.try_into().ok()),
            forced_moves: wire(self.forced_moves),
            seed: self.seed.map(|seed| seed.0.to_vec()).unwrap_or_default(),
            deal_id: self.deal_id.unwrap_or_default(),
            bank: self.bank.and_then(|time| time.try_into().ok()),
            grace: self.grace.and_then(|time| time.try_into().ok()),
            strikes: self.strikes,
            illegal_answers: self.illegal_answers,
            strict: self.strict,
            spectator_delay: self.spectator_delay.unwrap_or_default(),
            rated: self.rated,
        }
    }
}

/// Reads a seat. Whether the house has such a player or there is such an agent is for the service to say.
fn seat(text: &str) -> Result<v1::SeatSpec, String> {
    let who = match text.split_once(':') {
        None if text == "open" => Who::Open(v1::OpenSeat {}),
        None if !text.is_empty() => Who::House(text.to_owned()),
        Some(("house", strategy)) if !strategy.is_empty() => Who::House(strategy.to_owned()),
        Some(("agent", name)) if !name.is_empty() => Who::Agent(name.to_owned()),
        _ => return Err("a seat is `open`, `agent:NAME` or a strategy such as greedy".to_owned()),
    };
    Ok(v1::SeatSpec { who: Some(who) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_open_reserved_or_of_the_house() {
        let who = |text| seat(text).map(|spec| spec.who);
        assert_eq!(who("open"), Ok(Some(Who::Open(v1::OpenSeat {}))));
        assert_eq!(who("agent:me"), Ok(Some(Who::Agent("me".to_owned()))));
        assert_eq!(who("dead-foot"), Ok(Some(Who::House("dead-foot".to_owned()))));
        assert_eq!(who("house:greedy"), Ok(Some(Who::House("greedy".to_owned()))));
        for text in ["", "agent:", "house:", "me:you"] {
            assert!(seat(text).is_err(), "{text:?}");
        }
    }
}
