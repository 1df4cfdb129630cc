use std::sync::Arc;
use std::time::Duration;

use chickenfoot_protocol::v1;
use chickenfoot_store::TournamentId;
use futures_util::stream::{self, Stream};
use tokio_util::task::task_tracker::TaskTrackerToken;
use tonic::Status;

use super::director::Followed;
use super::view::View;
use super::wire::{wire_ab, wire_standings, wire_tournament};
use crate::limits::WatchPass;
use crate::refusal::Refusal;
use crate::state::State;

/// How often a watch is told of changes at most.
const EVERY: Duration = Duration::from_millis(200);

/// How many times as long as its figures took to compute a watch waits before it has them computed again: those of many
/// blocks take a while, and the matches are to have the processor.
const REST: u32 = 4;

/// A tournament as it stands, after every change, to its end.
pub(crate) fn stream(
    state: Arc<State>,
    id: TournamentId,
    standings: usize,
    pass: WatchPass,
) -> impl Stream<Item = Result<v1::WatchTournamentResponse, Status>> + Send {
    let reader =
        Reader { _alive: state.streams.token(), _pass: pass, state, id, standings, told: None, pause: EVERY };
    stream::unfold(Some(reader), |reader| async move {
        let mut reader = reader?;
        match reader.next().await {
            Ok(Some(response)) => Some((Ok(response), Some(reader))),
            Ok(None) => None,
            Err(refusal) => Some((Err(refusal.into()), None)),
        }
    })
}

struct Reader {
    state: Arc<State>,
    id: TournamentId,
    /// Most standings in one message.
    standings: usize,
    /// What was sent last.
    told: Option<Arc<View>>,
    /// How long the next figures wait at least.
    pause: Duration,
    _pass: WatchPass,
    /// Stopping waits for it.
    _alive: TaskTrackerToken,
}

impl Reader {
    async fn next(&mut self) -> Result<Option<v1::WatchTournamentResponse>, Refusal> {
        if self.told.as_ref().is_some_and(|told| told.row.state.is_over()) {
            return Ok(None);
        }
        if self.told.is_some() {
            self.wait().await?;
        }
        let view = self.state.director.view(&self.state, self.id).await?;
        let clock = Arc::clone(self.state.arena.clock());
        let begun = clock.now();
        let computed = self.state.director.figures.of(&view).await?;
        self.pause = EVERY.max(clock.now().saturating_sub(begun) * REST);
        let mut standings = wire_standings(&view, &computed);
        standings.truncate(self.standings);
        let tournament = Some(wire_tournament(&view.glance()));
        self.told = Some(view);
        Ok(Some(v1::WatchTournamentResponse { tournament, standings, ab: wire_ab(&computed) }))
    }

    /// Waits for a change, or until it is time to show that the stream is alive.
    async fn wait(&mut self) -> Result<(), Refusal> {
        let state = Arc::clone(&self.state);
        let clock = state.arena.clock();
        let now = clock.now();
        let mut changes = state.director.changes();
        let changed = async {
            match state.director.follow(&state, self.id).await? {
                // What was published since is a change already.
                Followed::Live(mut view) => {
                    let seen =
                        self.told.as_ref().is_some_and(|told| Arc::ptr_eq(told, &view.borrow_and_update()));
                    if seen {
                        // An error says that the task has ended, which is a change.
                        let _ = view.changed().await;
                    }
                }
                Followed::Still(view) if self.told.as_ref().is_some_and(|told| told.row == view.row) => {
                    let _ = changes.changed().await;
                }
                Followed::Still(_) => {}
            }
            clock.sleep_until(now + self.pause).await;
            Ok(())
        };
        tokio::select! {
            changed = changed => changed,
            () = clock.sleep_until(now + state.limits.heartbeat_interval()) => Ok(()),
            () = state.stopping.cancelled() => {
                Err(Refusal::shutting_down("the service stops; watch the tournament again"))
            }
        }
    }
}
