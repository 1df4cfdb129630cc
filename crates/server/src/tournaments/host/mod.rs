//! One running tournament: plays its blocks through the arena, and stores every step before the next.

mod blocks;
mod commands;
mod keep;
mod newcomers;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use chickenfoot_arena::{Aborter, Arena, Error as ArenaError};
use chickenfoot_blocks::BlockDeals;
use chickenfoot_store::{
    EntrantRow, EntrantState, MatchId, MatchRow, MatchState, StoreError, TournamentRow, TournamentState,
};
use chickenfoot_tournament::Run;
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::sync::{mpsc, watch};
use tracing::{info, warn};

use super::command::Ask;
use super::field::Field;
use super::figures::replay;
use super::settings::Settings;
use super::table::Table;
use super::view::{BlockLog, View};
use crate::state::State;

/// How long a store that fails is left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// The task of one tournament that runs or rests. It alone changes the tournament while it lives.
pub(crate) struct Host {
    state: Arc<State>,
    row: TournamentRow,
    settings: Arc<Settings>,
    field: Arc<Field>,
    deals: BlockDeals,
    /// `None` until the field is settled.
    run: Option<Run>,
    tables: BTreeMap<u32, Table>,
    /// Matches at once, by the position of the entrant.
    load: HashMap<u32, u32>,
    /// Blocks in a row that an entrant was absent from, by number.
    absences: HashMap<u32, u32>,
    /// What is waited for.
    pending: FuturesUnordered<BoxFuture<'static, News>>,
    /// Whether the store is left alone for a while.
    resting: bool,
    log: Arc<BlockLog>,
    asks: mpsc::Receiver<Ask>,
    view: watch::Sender<Arc<View>>,
}

/// What happened outside.
enum News {
    /// A match of a block is being played, or over.
    Game { number: u32, attempt: u32, game: usize, row: Result<Box<MatchRow>, ArenaError> },
    /// An entrant's match against itself is over.
    Check { number: u32, id: MatchId, row: Result<Box<MatchRow>, ArenaError> },
    /// The store was left alone for long enough.
    Rested,
}

/// Why a host ends before its tournament does.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The server stops.
    Stopping,
    /// The store failed, or has it otherwise by now.
    Store(StoreError),
    /// What is stored does not fit together.
    Corrupt(String),
}

impl From<ArenaError> for Stop {
    /// What a store could not do now it may do later; everything else the arena refuses for good.
    fn from(error: ArenaError) -> Stop {
        match error {
            ArenaError::Store(why) => Stop::Store(why),
            ArenaError::Unavailable => Stop::Store(StoreError::Unavailable(error.to_string())),
            why => Stop::Corrupt(why.to_string()),
        }
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Stop {
        Stop::Store(error)
    }
}

impl Host {
    /// Takes up a tournament that runs or rests, where its store has it.
    pub(crate) async fn load(
        state: Arc<State>,
        view: View,
        asks: mpsc::Receiver<Ask>,
        publish: watch::Sender<Arc<View>>,
    ) -> Result<Host, Stop> {
        let View { row, settings, field, log, .. } = view.clone();
        let deals = if row.fixed_seed {
            BlockDeals::fixed(row.seed)
        } else {
            BlockDeals::sealed(row.seed, row.label())
        };
        let mut host = Host {
            state,
            row,
            settings,
            field,
            deals,
            run: None,
            tables: BTreeMap::new(),
            load: HashMap::new(),
            absences: HashMap::new(),
            pending: FuturesUnordered::new(),
            resting: false,
            log,
            asks,
            view: publish,
        };
        if host.row.begun {
            host.take_up(&view)?;
        }
        host.check_newcomers().await?;
        Ok(host)
    }

    /// Plays to the end.
    pub(crate) async fn run(mut self) -> Result<(), Stop> {
        let state = Arc::clone(&self.state);
        loop {
            if self.run.is_none() && !self.is_checking() {
                self.begin().await?;
            }
            self.fill().await?;
            if self.run.as_ref().is_some_and(Run::is_over) {
                self.end(TournamentState::Finished, String::new()).await?;
            }
            self.publish();
            if self.row.state.is_over() {
                return Ok(());
            }
            tokio::select! {
                Some(ask) = self.asks.recv() => self.answer(ask).await?,
                Some(news) = self.pending.next() => self.hear(news).await?,
                () = state.stopping.cancelled() => return Err(Stop::Stopping),
            }
        }
    }

    /// Rebuilds the run from the stored blocks.
    fn take_up(&mut self, view: &View) -> Result<(), Stop> {
        let blocks = view.log.all();
        self.run = Some(replay(view, &blocks).map_err(Stop::Corrupt)?);
        for block in &blocks {
            self.count_absences(&block.outcome);
        }
        // Also if it rests: blocks that were under way have their seatings, before anybody comes or goes.
        self.hand_out();
        Ok(())
    }

    /// Settles the field once every newcomer was looked at, and makes the schedule.
    async fn begin(&mut self) -> Result<(), Stop> {
        let mut put = Vec::new();
        for row in self.field.rows() {
            if row.state == EntrantState::Entered {
                let position = Some(put.len() as u32);
                put.push(EntrantRow { position, from_stage: 1, until_stage: None, ..row.clone() });
            }
        }
        let setup = self.settings.setup(&put, self.row.commitment());
        let run = match setup {
            Ok((setup, test)) => {
                Run::new(setup, test, put.iter().map(|row| self.settings.for_schedule(row)).collect())
                    .map_err(|why| why.to_string())
            }
            Err(why) => Err(format!("{} is {:?}, and no such entrant takes part", why.field, why.name)),
        };
        match run {
            Ok(run) => {
                let settings = self.settings.named(&put);
                let text = settings.to_json().map_err(|why| Stop::Corrupt(why.message))?;
                self.settings = Arc::new(settings);
                let row = TournamentRow { begun: true, settings: text, ..self.row.clone() };
                self.store(row, put).await?;
                info!(tournament = %self.row.id, entrants = self.field.next_position(), "tournament begun");
                self.run = Some(run);
                Ok(())
            }
            // The field was large enough when it started; some did not pass.
            Err(why) => self.end(TournamentState::Cancelled, format!("cannot be played: {why}")).await,
        }
    }
}

/// Aborts a match, if it is not over.
pub(super) async fn abort(arena: &Arena, id: MatchId) {
    match arena.abort(id, Aborter::Organiser).await {
        Ok(_) | Err(ArenaError::Over | ArenaError::NoSuchMatch) => {}
        Err(why) => warn!(match_id = %id, %why, "a match of a tournament could not be aborted"),
    }
}

/// Waits until the seats of a match are taken. One that waited too long is ended.
async fn started(arena: &Arena, id: MatchId, patience: Duration) -> Result<MatchRow, ArenaError> {
    let clock = arena.clock();
    let begun = arena.until(id, |row| row.state != MatchState::Open);
    tokio::pin!(begun);
    tokio::select! {
        row = &mut begun => return row,
        () = clock.sleep_until(clock.now() + patience) => {}
    }
    arena.expire(id).await?;
    begun.await
}
