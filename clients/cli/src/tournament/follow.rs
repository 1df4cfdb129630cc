use std::io::IsTerminal;
use std::time::Duration;

use chickenfoot_bot::TournamentWatch;
use chickenfoot_protocol::v1;
use tokio::time::Instant;

use super::bar::Bar;
use super::pace::Pace;
use super::patience::PATIENCE;
use super::progress::Progress;
use crate::error::Failure;
use crate::output::{Output, note};

/// JSON lines do not come faster, or a log would hold little else.
const LINE_EVERY: Duration = Duration::from_secs(1);

/// Best entrants that are shown on the way.
pub(crate) const LEADERS: u32 = 1;

/// Follows a tournament to its end, showing how it goes, and gives the last that the service said of it.
pub(crate) async fn follow(
    watch: TournamentWatch,
    out: &mut Output,
) -> Result<v1::WatchTournamentResponse, Failure> {
    let mut shown = Shown::new(out);
    let bar = shown.bar().cloned();
    let mut watch = watch.patience(PATIENCE).on_lost(move |error| {
        let text = format!("{error}; trying again");
        match &bar {
            Some(bar) => bar.aside(|| note(&text)),
            None => note(&text),
        }
    });
    let mut pace = Pace::default();
    let mut last = v1::WatchTournamentResponse::default();
    while let Some(now) = watch.next().await? {
        if let Some(progress) = now.tournament.as_ref().and_then(|it| it.progress.as_ref()) {
            pace.note(Instant::now(), progress);
        }
        shown.show(&Progress { now: &now, pace: &pace }, out)?;
        last = now;
    }
    Ok(last)
}

/// Where progress is shown.
pub(crate) enum Shown {
    Bar(Bar),
    /// To stderr; stdout is for the standings.
    Stderr(Throttle),
    /// To stdout, where a program reads nothing but JSON.
    Stdout(Throttle),
}

impl Shown {
    pub(crate) fn new(out: &Output) -> Shown {
        if out.is_json() {
            Shown::Stdout(Throttle::default())
        } else if std::io::stderr().is_terminal() {
            Shown::Bar(Bar::new())
        } else {
            Shown::Stderr(Throttle::default())
        }
    }

    fn bar(&self) -> Option<&Bar> {
        match self {
            Shown::Bar(bar) => Some(bar),
            Shown::Stderr(_) | Shown::Stdout(_) => None,
        }
    }

    pub(crate) fn show(&mut self, progress: &Progress<'_>, out: &mut Output) -> Result<(), Failure> {
        match self {
            Shown::Bar(bar) => bar.show(progress),
            Shown::Stderr(throttle) => {
                if throttle.passes(progress.state(), Instant::now()) {
                    note(progress.json());
                }
            }
            Shown::Stdout(throttle) => {
                if throttle.passes(progress.state(), Instant::now()) {
                    out.value(&progress.json())?;
                    out.flush()?;
                }
            }
        }
        Ok(())
    }
}

/// Lets every change of state pass, and else one line for each stretch of time.
#[derive(Debug, Default)]
pub(crate) struct Throttle {
    last: Option<(v1::TournamentState, Instant)>,
}

impl Throttle {
    fn passes(&mut self, state: v1::TournamentState, now: Instant) -> bool {
        let passes = match self.last {
            None => true,
            Some((before, at)) => before != state || now.duration_since(at) >= LINE_EVERY,
        };
        if passes {
            self.last = Some((state, now));
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_passes_at_the_start_at_a_change_of_state_and_after_a_while() {
        use v1::TournamentState::{Finished, Running};
        let (start, mut throttle) = (Instant::now(), Throttle::default());
        let mut passes = |state, millis| throttle.passes(state, start + Duration::from_millis(millis));
        assert!(passes(Running, 0));
        assert!(!passes(Running, 999));
        assert!(passes(Running, 1000));
        assert!(!passes(Running, 1999));
        assert!(passes(Finished, 1999));
    }
}
