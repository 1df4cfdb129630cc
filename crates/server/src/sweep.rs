use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tracing::{info, warn};

use crate::state::State;

/// How often the server looks for what has had its time.
const EVERY: Duration = Duration::from_secs(5);

/// How often what was measured is sorted into its buckets.
const SORT_EVERY: Duration = Duration::from_secs(1);

/// Matches that are ended in one sweep; more wait for the next one.
const MATCHES: usize = 1000;

/// Matches that are deleted in one step, while the store writes nothing else.
const DELETED_AT_ONCE: usize = 100;

/// Steps of deletion in one sweep; what is left then waits for the next one.
const DELETIONS: usize = 50;

/// Ends and forgets what has had its time, until the server stops.
pub(crate) async fn run(state: Arc<State>) {
    let clock = Arc::clone(state.arena.clock());
    loop {
        sweep(&state).await;
        take_up(&state).await;
        tokio::select! {
            () = clock.sleep_until(clock.now() + EVERY) => {}
            () = state.stopping.cancelled() => return,
        }
    }
}

/// Takes up what rests since the store failed: nobody may ask for it.
async fn take_up(state: &Arc<State>) {
    match state.arena.recover_rested().await {
        Ok(None) => {}
        Ok(Some(running)) => info!(matches = running, "matches go on after the store had failed"),
        Err(why) => warn!(%why, "matches rest until the store can be read"),
    }
    match state.director.recover_rested(state).await {
        Ok(None) => {}
        Ok(Some(hosted)) => info!(tournaments = hosted, "tournaments go on after the store had failed"),
        Err(why) => warn!(%why, "tournaments rest until the store can be read"),
    }
}

/// Sorts what was measured, until the server has stopped.
pub(crate) async fn keep_up(state: Arc<State>) {
    let clock = Arc::clone(state.arena.clock());
    loop {
        clock.sleep_until(clock.now() + SORT_EVERY).await;
        state.metrics.upkeep();
    }
}

/// One sweep: open matches that nobody completed, matches that were over long ago, callers that have not called lately, remembered requests. The last of
/// these writes to the store, which tells whether it can be written to.
pub(crate) async fn sweep(state: &State) {
    let now_ms = state.arena.clock().unix_ms();
    let before = |age: Duration| now_ms.saturating_sub(u64::try_from(age.as_millis()).unwrap_or(u64::MAX));
    for id in state.census.open_before(before(state.limits.open_match_time()), MATCHES) {
        match state.arena.expire(id).await {
            Ok(true) => info!(match_id = %id, "the match waited too long for its seats; aborted"),
            Ok(false) => {}
            Err(why) => warn!(match_id = %id, %why, "the match could not be aborted"),
        }
    }
    if let Some(age) = state.keep_matches {
        delete(state, before(age)).await;
    }
    state.gate.sweep();
    let forgotten = state.once.forget(now_ms, before(Duration::from_secs(state.limits.request_time))).await;
    let writable = forgotten.is_ok();
    if state.writable.swap(writable, Ordering::Relaxed) != writable {
        match forgotten {
            Ok(()) => info!("the store can be written again"),
            Err(why) => warn!(%why, "the store cannot be written"),
        }
    }
}

/// Deletes matches that were over before a moment.
async fn delete(state: &State, before_ms: u64) {
    let mut deleted = 0;
    for _ in 0..DELETIONS {
        match state.arena.journal().remove_ended(before_ms, DELETED_AT_ONCE).await {
            Ok(removed) => {
                deleted += removed;
                if removed < DELETED_AT_ONCE {
                    break;
                }
            }
            Err(why) => {
                warn!(%why, "matches that were over long ago could not be deleted");
                break;
            }
        }
    }
    if deleted > 0 {
        info!(matches = deleted, "matches that were over long ago are deleted");
    }
}

#[cfg(test)]
mod tests {
    use chickenfoot_arena::Error;
    use chickenfoot_store::{AbortReason, MatchId, MatchRow, MatchState};

    use super::*;
    use crate::census::tests::open_match;
    use crate::config::Limits;

    #[tokio::test]
    async fn a_match_that_nobody_completes_expires() {
        let state = State::in_memory(Limits::default()).await;
        let mut fresh = open_match(2, "maker");
        fresh.created_ms = state.arena.clock().unix_ms();
        for row in [open_match(1, "maker"), fresh.clone()] {
            state.arena.journal().create(row, None).await.unwrap();
        }
        sweep(&state).await;
        let old = state.arena.row(MatchId(1)).await.unwrap().state;
        assert_eq!(old, MatchState::Aborted(AbortReason::Expired));
        assert_eq!(state.arena.row(fresh.id).await.unwrap().state, MatchState::Open);
        assert_eq!(state.census.counts().open, 1);
    }

    #[tokio::test]
    async fn what_was_over_long_ago_is_deleted_and_nothing_else() {
        let mut state = State::in_memory(Limits::default()).await;
        let now_ms = state.arena.clock().unix_ms();
        let open = MatchRow { created_ms: now_ms, ..open_match(1, "maker") };
        let over =
            |id| MatchRow { state: MatchState::Aborted(AbortReason::Creator), ..open_match(id, "maker") };
        state.arena.journal().create(open, None).await.unwrap();
        for id in 2..252 {
            state.arena.journal().create(over(id), None).await.unwrap();
        }
        sweep(&state).await;
        assert!(state.arena.row(MatchId(2)).await.is_ok(), "unless said otherwise they are kept for ever");
        state.keep_matches = Some(Duration::from_secs(3600));
        sweep(&state).await;
        assert!(state.arena.row(MatchId(2)).await.is_ok(), "they were made long ago and have just ended");
        delete(&state, now_ms + 3_600_000).await;
        for id in 2..252 {
            assert_eq!(state.arena.row(MatchId(id)).await.err(), Some(Error::NoSuchMatch));
        }
        assert!(state.arena.row(MatchId(1)).await.is_ok());
    }
}
