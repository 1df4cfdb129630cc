use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chickenfoot_store::{
    BlockRow, EntrantRow, ListTournaments, StoreError, TournamentId, TournamentRow, TournamentState,
    Tournaments,
};
use tokio::sync::{mpsc, oneshot, watch};
use tracing::{error, info, warn};

use super::command::{Ask, Command, Reply};
use super::field::Field;
use super::figures::FigureCache;
use super::host::{Host, Stop};
use super::settings::Settings;
use super::view::{BlockLog, Counts, Glance, View};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::State;

/// Commands that may wait for one tournament.
const QUEUE: usize = 64;

/// Rows that are read from the store at once.
const PAGE: usize = 1000;

/// Knows the tournaments that run or rest: each has a task, which is started when it is asked for.
pub(crate) struct Director {
    hosts: Mutex<HashMap<TournamentId, Handle>>,
    /// Tournaments whose tasks cannot go on, and why.
    broken: Mutex<HashMap<TournamentId, String>>,
    /// Whether a tournament may rest since the store failed.
    rests: AtomicBool,
    /// Counts changes of tournaments that have no task.
    changes: watch::Sender<u64>,
    pub(crate) figures: FigureCache,
}

/// A tournament's task as others see it.
#[derive(Clone)]
struct Handle {
    asks: mpsc::Sender<Ask>,
    view: watch::Receiver<Arc<View>>,
}

impl Director {
    /// Takes up all tournaments that run or rest by the store's word and have no task: after a start, and after the store
    /// has failed, by [`Director::recover_rested`]. Returns how many run or rest.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) async fn recover(&self, state: &Arc<State>) -> Result<usize, StoreError> {
        let mut count = 0;
        for wanted in [TournamentState::Running, TournamentState::Paused] {
            let mut after = None;
            loop {
                let query = ListTournaments { state: Some(wanted), after, limit: PAGE };
                let rows = state.tournaments.tournaments(query).await?;
                for row in rows.iter().filter(|row| !lock(&self.broken).contains_key(&row.id)) {
                    if let Err(why) = self.host(state, row.id).await {
                        error!(tournament = %row.id, why = %why.message, "the tournament cannot be taken up");
                        if why.reason == Reason::Unavailable {
                            self.rests.store(true, Ordering::Relaxed);
                        }
                    }
                }
                count += rows.len();
                match rows.last() {
                    Some(last) if rows.len() == PAGE => after = Some((last.created_ms, last.id)),
                    _ => break,
                }
            }
        }
        Ok(count)
    }

    /// Takes up the tournaments that rest since the store failed, if there may be any; to be called now and then. Returns
    /// how many run or rest by the store's word, where it was looked.
    ///
    /// # Errors
    /// The store fails again; the next call tries again.
    pub(crate) async fn recover_rested(&self, state: &Arc<State>) -> Result<Option<usize>, StoreError> {
        if !self.rests.swap(false, Ordering::Relaxed) {
            return Ok(None);
        }
        let hosted = self.recover(state).await;
        if hosted.is_err() {
            self.rests.store(true, Ordering::Relaxed);
        }
        hosted.map(Some)
    }

    /// How a tournament stands.
    ///
    /// # Errors
    /// There is none, or the store failed.
    pub(crate) async fn view(&self, state: &Arc<State>, id: TournamentId) -> Result<Arc<View>, Refusal> {
        match self.follow(state, id).await? {
            Followed::Live(view) => Ok(Arc::clone(&view.borrow())),
            Followed::Still(view) => Ok(view),
        }
    }

    /// How a tournament stands at a glance: of one without a task nothing but its row is looked at.
    ///
    /// # Errors
    /// There is none, or the store failed.
    pub(crate) async fn glance(&self, state: &Arc<State>, row: TournamentRow) -> Result<Glance, Refusal> {
        if is_played(row.state) {
            return Ok(self.view(state, row.id).await?.glance());
        }
        let settings = Arc::new(Settings::from_json(&row.settings)?);
        Ok(Glance { row, settings, counts: Counts::default() })
    }

    /// How a tournament stands now and from now on.
    ///
    /// # Errors
    /// There is none, or the store failed.
    pub(crate) async fn follow(&self, state: &Arc<State>, id: TournamentId) -> Result<Followed, Refusal> {
        let row = row(&*state.tournaments, id).await?;
        if is_played(row.state) && !lock(&self.broken).contains_key(&id) {
            match self.host(state, id).await {
                Ok(handle) => return Ok(Followed::Live(handle.view)),
                // It has just ended.
                Err(why) if why.reason == Reason::TournamentOver => {}
                Err(why) => return Err(why),
            }
        }
        let row = self::row(&*state.tournaments, id).await?;
        Ok(Followed::Still(Arc::new(stored(&*state.tournaments, row).await?)))
    }

    /// Counts changes of tournaments that have no task.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// Says that a tournament without a task was changed.
    pub(crate) fn changed(&self) {
        self.changes.send_modify(|count| *count += 1);
    }

    /// Has a tournament that runs or rests do something.
    ///
    /// # Errors
    /// It refuses, is over meanwhile, or the store failed.
    pub(crate) async fn ask(
        &self,
        state: &Arc<State>,
        id: TournamentId,
        command: Command,
    ) -> Result<Reply, Refusal> {
        let gone = || Refusal::unavailable("the tournament did not answer; try again");
        let handle = self.host(state, id).await?;
        let (reply, answer) = oneshot::channel();
        handle.asks.send(Ask { command, reply }).await.map_err(|_| gone())?;
        answer.await.map_err(|_| gone())?
    }

    /// The tournament's task, which is started if there is none.
    async fn host(&self, state: &Arc<State>, id: TournamentId) -> Result<Handle, Refusal> {
        if let Some(handle) = lock(&self.hosts).get(&id) {
            return Ok(handle.clone());
        }
        if let Some(why) = lock(&self.broken).get(&id) {
            return Err(Refusal::new(Reason::Internal, format!("the tournament cannot go on: {why}")));
        }
        let row = row(&*state.tournaments, id).await?;
        match row.state {
            TournamentState::Running | TournamentState::Paused => {}
            TournamentState::Open => {
                return Err(Refusal::new(Reason::TournamentNotStarted, "the tournament has not started"));
            }
            TournamentState::Finished | TournamentState::Cancelled => {
                return Err(Refusal::new(Reason::TournamentOver, "the tournament is over"));
            }
        }
        let view = stored(&*state.tournaments, row).await?;
        let (asks, inbox) = mpsc::channel(QUEUE);
        let (publish, seen) = watch::channel(Arc::new(view.clone()));
        let handle = Handle { asks, view: seen };
        match lock(&self.hosts).entry(id) {
            // Somebody was quicker.
            Entry::Occupied(host) => return Ok(host.get().clone()),
            Entry::Vacant(place) => place.insert(handle.clone()),
        };
        let state = Arc::clone(state);
        let alive = state.streams.token();
        tokio::spawn(async move {
            let played = async { Host::load(Arc::clone(&state), view, inbox, publish).await?.run().await };
            let played = played.await;
            // What is damaged stays so.
            let rests = matches!(&played, Err(Stop::Store(why)) if !matches!(why, StoreError::Corrupt(_)));
            match played {
                Ok(()) => info!(tournament = %id, "the tournament's task has ended"),
                Err(Stop::Stopping) => {}
                Err(Stop::Store(why)) => {
                    warn!(tournament = %id, %why, "the store failed; the tournament rests for a while, or until it is asked for");
                }
                Err(Stop::Corrupt(why)) => {
                    error!(tournament = %id, why, "the tournament cannot go on");
                    lock(&state.director.broken).insert(id, why);
                }
            }
            lock(&state.director.hosts).remove(&id);
            if rests {
                // Only now, so that it is not taken for one that is there.
                state.director.rests.store(true, Ordering::Relaxed);
            }
            drop(alive);
        });
        Ok(handle)
    }
}

impl Default for Director {
    fn default() -> Director {
        Director {
            hosts: Mutex::default(),
            broken: Mutex::default(),
            rests: AtomicBool::new(false),
            changes: watch::Sender::new(0),
            figures: FigureCache::default(),
        }
    }
}

/// Nothing can panic halfway through a change.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether a tournament in this state has a task.
fn is_played(state: TournamentState) -> bool {
    matches!(state, TournamentState::Running | TournamentState::Paused)
}

/// A tournament to be looked at.
pub(crate) enum Followed {
    /// It changes.
    Live(watch::Receiver<Arc<View>>),
    /// It is over, or not started.
    Still(Arc<View>),
}

/// The row of a tournament.
///
/// # Errors
/// There is none, or the store failed.
pub(crate) async fn row(tournaments: &dyn Tournaments, id: TournamentId) -> Result<TournamentRow, Refusal> {
    tournaments.tournament(id).await?.ok_or_else(|| {
        Refusal::new(Reason::TournamentNotFound, format!("there is no tournament {id}"))
            .with("tournament_id", id)
    })
}

/// A tournament as the store has it.
///
/// # Errors
/// The store failed, or has settings that cannot be read.
pub(crate) async fn stored(tournaments: &dyn Tournaments, row: TournamentRow) -> Result<View, Refusal> {
    let settings = Settings::from_json(&row.settings)?;
    let entrants = entrants(tournaments, row.id).await?;
    let blocks = blocks(tournaments, row.id).await?;
    let counts = Counts { total_blocks: blocks.len() as u32, ..Counts::default() };
    Ok(View {
        row,
        settings: Arc::new(settings),
        field: Arc::new(Field::new(entrants)),
        log: Arc::new(BlockLog::new(blocks)),
        counts,
    })
}

/// All entrants of a tournament.
pub(crate) async fn entrants(
    tournaments: &dyn Tournaments,
    id: TournamentId,
) -> Result<Vec<EntrantRow>, StoreError> {
    let mut all: Vec<EntrantRow> = Vec::new();
    loop {
        let from = all.last().map_or(0, |last| last.number.saturating_add(1));
        let page = tournaments.entrants(id, from, PAGE).await?;
        let last = page.len() < PAGE;
        all.extend(page);
        if last {
            return Ok(all);
        }
    }
}

async fn blocks(tournaments: &dyn Tournaments, id: TournamentId) -> Result<Vec<BlockRow>, StoreError> {
    let mut all: Vec<BlockRow> = Vec::new();
    loop {
        let from = all.last().map_or(0, |last| last.number.saturating_add(1));
        let page = tournaments.blocks(id, from, PAGE).await?;
        let last = page.len() < PAGE;
        all.extend(page);
        if last {
            return Ok(all);
        }
    }
}
