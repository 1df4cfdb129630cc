use std::process::ExitCode;

use chickenfoot_protocol::v1::{self, tournament_config::Format};

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Done; of an A/B test: the candidate is better.
    Done,
    /// An A/B test came to no decision.
    Undecided,
    /// Somebody made a fault where none is allowed.
    Faults,
    /// An A/B test found the candidate not better.
    NotBetter,
    /// Somebody pressed Ctrl-C in a view, or sent SIGINT.
    Interrupted,
    /// Somebody sent SIGTERM, or the terminal went away.
    Terminated,
}

impl Ending {
    /// What a tournament that was played to its end came to.
    pub(crate) fn of(tournament: &v1::Tournament, ab: Option<&v1::AbStanding>) -> Ending {
        let config = tournament.config.as_ref();
        let faults = tournament.progress.as_ref().map_or(0, |progress| progress.faults);
        // A verdict on a bot that made faults says little, so they go first.
        if faults > 0 && config.is_some_and(|config| config.strict) {
            return Ending::Faults;
        }
        match config.and_then(|config| config.format.as_ref()) {
            Some(Format::AbTest(_)) => match ab.map(v1::AbStanding::verdict).unwrap_or_default() {
                v1::AbVerdict::Better => Ending::Done,
                v1::AbVerdict::NotBetter => Ending::NotBetter,
                v1::AbVerdict::Undecided | v1::AbVerdict::Unspecified => Ending::Undecided,
            },
            Some(
                Format::RoundRobin(_)
                | Format::Gauntlet(_)
                | Format::Swiss(_)
                | Format::Elimination(_)
                | Format::Ladder(_),
            )
            | None => Ending::Done,
        }
    }
}

impl From<Ending> for ExitCode {
    fn from(ending: Ending) -> ExitCode {
        ExitCode::from(match ending {
            Ending::Done => 0,
            Ending::Undecided => 2,
            Ending::Faults => 3,
            Ending::NotBetter => 4,
            // As a shell tells of a signal: 128 and its number.
            Ending::Interrupted => 130,
            Ending::Terminated => 143,
        })
    }
}
