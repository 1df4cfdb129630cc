use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Duration;

use chickenfoot_protocol::{v1, wire_ab};
use chickenfoot_rules::Record;
use chickenfoot_simulation::{Contest, Progress, Simulation, Watch};
use chickenfoot_tournament::report::PlayedBlock;
use tokio::time::Instant;

use crate::error::Failure;
use crate::output::Output;
use crate::tournament::{self, Pace, Shown, unwritable};

/// Matches may end thousands of times a second; nobody reads that fast.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Shows how a simulation goes, as a tournament at the service, and keeps its records.
pub(super) struct Follow<'a> {
    now: v1::WatchTournamentResponse,
    shown: Shown,
    pace: Pace,
    looked: Option<Instant>,
    records: Option<&'a Path>,
    out: &'a mut Output,
    failure: Option<Failure>,
}

impl<'a> Follow<'a> {
    pub(super) fn new(simulation: &Simulation, records: Option<&'a Path>, out: &'a mut Output) -> Follow<'a> {
        let format = match simulation.contest {
            Contest::Test { .. } => Some(v1::tournament_config::Format::AbTest(v1::AbTest::default())),
            Contest::RoundRobin { .. } | Contest::Gauntlet { .. } | Contest::Comparison { .. } => None,
        };
        let tournament = v1::Tournament {
            id: "simulation".to_owned(),
            state: v1::TournamentState::Running.into(),
            config: Some(v1::TournamentConfig { format, ..v1::TournamentConfig::default() }),
            ..v1::Tournament::default()
        };
        Follow {
            now: v1::WatchTournamentResponse {
                tournament: Some(tournament),
                ..v1::WatchTournamentResponse::default()
            },
            shown: Shown::new(out),
            pace: Pace::default(),
            looked: None,
            records,
            out,
            failure: None,
        }
    }

    /// Why it was stopped, if it was. With this the progress is shown no more.
    pub(super) fn failure(self) -> Option<Failure> {
        self.failure
    }

    fn go_on(&mut self, done: Result<(), Failure>) -> ControlFlow<()> {
        match done {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failure = Some(failure);
                ControlFlow::Break(())
            }
        }
    }
}

impl Watch for Follow<'_> {
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
        let now = Instant::now();
        if self.looked.is_some_and(|last| now.duration_since(last) < LOOK_EVERY) {
            return ControlFlow::Continue(());
        }
        self.looked = Some(now);
        let counts = v1::TournamentProgress {
            finished_blocks: progress.blocks,
            total_blocks: progress.total,
            finished_matches: progress.matches,
            ..v1::TournamentProgress::default()
        };
        self.pace.note(now, &counts);
        if let Some(tournament) = &mut self.now.tournament {
            tournament.progress = Some(counts);
        }
        self.now.ab = progress.ab.map(wire_ab);
        let told = tournament::Progress { now: &self.now, pace: &self.pace };
        let shown = self.shown.show(&told, self.out);
        self.go_on(shown)
    }

    fn block(&mut self, _block: &PlayedBlock, records: Vec<Record>) -> ControlFlow<()> {
        let Some(directory) = self.records else { return ControlFlow::Continue(()) };
        let mut done = Ok(());
        for record in records {
            let path = directory.join(format!("{}.json", record.match_id));
            done =
                done.and_then(|()| fs::write(&path, record.to_json()).map_err(|why| unwritable(&path, why)));
        }
        self.go_on(done)
    }
}
