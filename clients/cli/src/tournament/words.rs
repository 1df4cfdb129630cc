//! The words for what the service says in numbers, the same for people and programs.

use chickenfoot_protocol::v1::{self, tournament_config::Format};

pub(crate) fn state(state: v1::TournamentState) -> &'static str {
    match state {
        v1::TournamentState::Unspecified => "unspecified",
        v1::TournamentState::Open => "open",
        v1::TournamentState::Running => "running",
        v1::TournamentState::Paused => "paused",
        v1::TournamentState::Finished => "finished",
        v1::TournamentState::Cancelled => "cancelled",
    }
}

pub(crate) fn entrant_state(state: v1::EntrantState) -> &'static str {
    match state {
        v1::EntrantState::Unspecified => "unspecified",
        v1::EntrantState::Invited => "invited",
        v1::EntrantState::Checking => "checking",
        v1::EntrantState::Rejected => "rejected",
        v1::EntrantState::Entered => "entered",
        v1::EntrantState::Withdrawn => "withdrawn",
    }
}

pub(crate) fn verdict(verdict: v1::AbVerdict) -> Option<&'static str> {
    match verdict {
        v1::AbVerdict::Unspecified => None,
        v1::AbVerdict::Better => Some("better"),
        v1::AbVerdict::NotBetter => Some("not-better"),
        v1::AbVerdict::Undecided => Some("undecided"),
    }
}

pub(crate) fn arrangement(arrangement: v1::AbArrangement) -> Option<&'static str> {
    match arrangement {
        v1::AbArrangement::Unspecified => None,
        v1::AbArrangement::Shared => Some("shared"),
        v1::AbArrangement::Halves => Some("halves"),
    }
}

/// A format as `kind` in a file spells it.
pub(crate) fn format(config: Option<&v1::TournamentConfig>) -> Option<&'static str> {
    Some(match config?.format.as_ref()? {
        Format::RoundRobin(_) => "round-robin",
        Format::Gauntlet(_) => "gauntlet",
        Format::Swiss(_) => "swiss",
        Format::Elimination(_) => "elimination",
        Format::Ladder(_) => "ladder",
        Format::AbTest(_) => "ab-test",
    })
}

/// What an entrant did wrong, in one number, as in the progress of its tournament: decisions late or gone, illegal
/// answers, seats taken out, absences.
pub(crate) fn faults(conduct: Option<&v1::Conduct>) -> u32 {
    let counts = conduct.map(|it| [it.late, it.gone, it.illegal, it.out, it.absent]);
    counts.unwrap_or_default().into_iter().fold(0, u32::saturating_add)
}
