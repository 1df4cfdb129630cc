//! Which matches run here: their tasks, and those that rest because the store failed.

use std::collections::hash_map::Entry as MapEntry;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use chickenfoot_rules::{Entry, Hex32};
use chickenfoot_store::{
    AbortReason, Append, Appended, Cause, EntryId, ListMatches, LogRow, MatchId, MatchRow, MatchState,
    SeatLedger, StoreError, Summary,
};
use futures_util::FutureExt;
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

use crate::arena::{Arena, lock};
use crate::bus::{Subject, Subscription};
use crate::error::Error;
use crate::owner::{Owner, Stop, load};

/// Messages that may wait for the owner of one match; more make their senders wait.
const OWNER_QUEUE: usize = 64;

impl Arena {
    /// Takes up all matches that are running by the store's word: after a start, those that were running before it.
    /// Their open decisions are offered again, each with a fresh clock. Returns how many there are.
    ///
    /// # Errors
    /// The store failed.
    pub async fn recover(&self) -> Result<usize, Error> {
        const PAGE: usize = 1000;
        let (mut count, mut after) = (0, None);
        loop {
            let query = ListMatches {
                state: Some(MatchState::Running),
                after,
                limit: PAGE,
                ..ListMatches::default()
            };
            let rows = self.shared.journal.list(query).await?;
            for row in &rows {
                self.own(row.id).await;
            }
            count += rows.len();
            match rows.last() {
                Some(last) if rows.len() == PAGE => after = Some((last.created_ms, last.id)),
                _ => return Ok(count),
            }
        }
    }

    /// Takes up the matches that rest since the store failed, if there may be any; to be called now and then. Returns how
    /// many are running by the store's word, where it was looked.
    ///
    /// # Errors
    /// The store fails again; the next call tries again.
    pub async fn recover_rested(&self) -> Result<Option<usize>, Error> {
        if !self.rests.swap(false, Ordering::Relaxed) {
            return Ok(None);
        }
        let running = self.recover().await;
        if running.is_err() {
            self.note_rest();
        }
        running.map(Some)
    }

    /// Notes that the store failed while it had to do with a match: it may be running there and rest here.
    pub(crate) fn note_rest(&self) {
        self.rests.store(true, Ordering::Relaxed);
    }

    /// Starts the task of a running match, unless it has one.
    pub(crate) async fn own(&self, id: MatchId) {
        if self.shared.stopping.is_cancelled() {
            return;
        }
        let stopping = self.shared.stopping.child_token();
        match lock(&self.owned).entry(id) {
            MapEntry::Occupied(_) => return,
            MapEntry::Vacant(place) => place.insert(stopping.clone()),
        };
        // Subscribed before anything is read, so that no request falls between.
        let inbox = self.shared.bus.subscribe(Subject::Owner(id), OWNER_QUEUE);
        let arena = self.clone();
        self.owners.spawn(async move {
            let outcome = AssertUnwindSafe(arena.play(id, inbox, stopping)).catch_unwind().await;
            let mut rests = false;
            let failed = match outcome {
                Ok(Ok(()) | Err(Stop::Stopping)) => None,
                Ok(Err(Stop::Fenced)) => {
                    warn!(match_id = %id, "another server has taken the match over");
                    None
                }
                Ok(Err(Stop::Store(why))) => {
                    rests = rests_after(id, &why);
                    None
                }
                Ok(Err(Stop::Corrupt(why))) => Some(why),
                Err(_) => Some("the match's task panicked".to_owned()),
            };
            if let Some(why) = failed {
                error!(match_id = %id, why, "the match cannot go on and is to be aborted");
                // On the heap, for it is rare: in the task its room would be kept for as long as the match lasts.
                if let Err(why) = Box::pin(arena.abort_faulty(id)).await {
                    rests = rests_after(id, &why);
                }
            }
            lock(&arena.owned).remove(&id);
            if rests {
                // Only now, so that it is not taken for one that is there.
                arena.note_rest();
            }
        });
    }

    async fn play(&self, id: MatchId, inbox: Subscription, stopping: CancellationToken) -> Result<(), Stop> {
        match self.shared.journal.row(id).await? {
            Some(row) if row.state == MatchState::Running => {
                // Both on the heap: in the task they would take their room twice, for as long as the match lasts.
                let loading = Box::pin(Owner::load(Arc::clone(&self.shared), row, inbox, stopping));
                let mut owner = loading.await.map(Box::new)?;
                owner.run().await
            }
            Some(_) | None => Ok(()),
        }
    }

    /// Ends a match that cannot go on. Its log is left as it is but for the abort.
    async fn abort_faulty(&self, id: MatchId) -> Result<(), StoreError> {
        let journal = &self.shared.journal;
        let Some(row) = journal.row(id).await? else { return Ok(()) };
        if row.state != MatchState::Running {
            // It failed after its last entry.
            self.tell_end(&row);
            return Ok(());
        }
        let log = journal.log(id, 0).await?;
        // The fold itself may be what fails, so the summary is made without it if need be.
        let summary = AssertUnwindSafe(self.aborted_summary(&row)).catch_unwind().await.ok().flatten();
        let append = Append {
            match_id: id,
            position: log.len() as u32,
            id: EntryId(rand::random()),
            writer: self.shared.incarnation,
            row: LogRow { entry: Entry::Abort, cause: Cause::ServerFault, think: Duration::ZERO, illegal: 0 },
            end: Some((
                MatchState::Aborted(AbortReason::ServerFault),
                summary.unwrap_or_else(|| empty_summary(row.seats.len())),
            )),
        };
        match self.shared.append(&append, &self.shared.stopping).await {
            Some(Appended::Appended | Appended::Duplicate) => self.tell_end(&row),
            // Another server's match, or one that stops.
            Some(Appended::Fenced | Appended::Unknown) | None => {}
            // An entry of which the store did not say came to it only now.
            Some(Appended::Conflict) => {
                return Err(StoreError::Unavailable("the log has grown since it was read".to_owned()));
            }
        }
        Ok(())
    }

    async fn aborted_summary(&self, row: &MatchRow) -> Option<Summary> {
        let mut fold = load(&self.shared, row).await.ok()?;
        let abort =
            LogRow { entry: Entry::Abort, cause: Cause::ServerFault, think: Duration::ZERO, illegal: 0 };
        fold.push(&abort, &mut Vec::new()).ok()?;
        Some(fold.summary())
    }
}

/// Whether a match rests that the store has failed, so that it is taken up again by itself.
fn rests_after(id: MatchId, why: &StoreError) -> bool {
    error!(match_id = %id, %why, "the store failed; the match rests for a while, or until it is asked for");
    // What is damaged stays so.
    !matches!(why, StoreError::Corrupt(_))
}

fn empty_summary(seats: usize) -> Summary {
    Summary {
        round: 0,
        totals: vec![0; seats],
        places: Vec::new(),
        ledger: vec![SeatLedger::default(); seats],
        head_seq: 0,
        digest: Hex32::default(),
    }
}
