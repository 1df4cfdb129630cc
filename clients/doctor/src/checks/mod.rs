//! The checks, a file for each: its name, what it proves, its script.

use std::time::Duration;

use crate::check::Check;
use crate::transcript::{Entry, Happened};

mod blanks;
mod clean_stop;
mod eight_seats;
mod first_decision;
mod forced_moves;
mod goodbye;
mod hello;
mod keep_or_play;
mod large_sets;
mod lost_answer;
mod lost_connection;
mod many_matches;
mod own_seats;
mod repeated_decision;
mod replaced;
mod seat;
mod server_restart;
mod silence;
mod slow_link;
mod two_ends;
mod unknown_messages;
mod whole_match;

/// All checks, in the order in which they are run.
pub const CHECKS: &[Check] = &[
    hello::CHECK,
    seat::CHECK,
    first_decision::CHECK,
    whole_match::CHECK,
    forced_moves::CHECK,
    two_ends::CHECK,
    blanks::CHECK,
    keep_or_play::CHECK,
    large_sets::CHECK,
    eight_seats::CHECK,
    own_seats::CHECK,
    many_matches::CHECK,
    unknown_messages::CHECK,
    repeated_decision::CHECK,
    lost_connection::CHECK,
    lost_answer::CHECK,
    goodbye::CHECK,
    slow_link::CHECK,
    server_restart::CHECK,
    silence::CHECK,
    replaced::CHECK,
    clean_stop::CHECK,
];

/// Checks without which no other makes sense.
pub(crate) const FIRST: [&str; 3] = [hello::CHECK.name, seat::CHECK.name, first_decision::CHECK.name];

/// How long a check may take that waits for nothing but the bot's answers.
const LIMIT: Duration = Duration::from_secs(20);

/// What the service said in an entry.
fn said(entry: &Entry) -> Option<&chickenfoot_protocol::v1::session_response::What> {
    match &entry.what {
        Happened::Down(message) => message.what.as_ref(),
        _ => None,
    }
}

/// The moves that the bot was offered in an entry, as people write them; none if it is no decision.
fn options(entry: &Entry) -> Option<Vec<String>> {
    match said(entry)? {
        chickenfoot_protocol::v1::session_response::What::Decision(decision) => {
            Some(decision.options.iter().map(crate::transcript::move_text).collect())
        }
        _ => None,
    }
}
