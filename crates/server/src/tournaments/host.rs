//! One running tournament: plays its blocks through the arena, and stores every step before the next.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use chickenfoot_arena::{Aborter, Arena, Error as ArenaError, NewMatch};
use chickenfoot_store::{
    AbortReason, AgentName, BlockOutcome, EntrantChange, EntrantRow, EntrantState, MatchId, MatchRow,
    MatchState, Occupant, SeatSpec, StoreError, TournamentRow, TournamentState, Updated,
};
use chickenfoot_tournament::{EntrantId, Run};
use futures_util::future::BoxFuture;
use futures_util::stream::{FuturesUnordered, StreamExt};
use tokio::sync::{mpsc, watch};
use tracing::{info, warn};

use super::command::{Ask, Command, Reply};
use super::field::Field;
use super::figures::replay;
use super::roster;
use super::settings::Settings;
use super::table::{self, Deal, Progress, Table};
use super::view::{BlockLog, Counts, View};
use crate::refusal::Refusal;
use crate::state::State;

/// How long a store that fails is left alone.
const PAUSE: Duration = Duration::from_secs(1);

/// Faults of the service in one block after which the tournament rests until somebody has looked at it.
const MAX_ATTEMPTS: u32 = 10;

/// Sealed matches that are looked at together.
const SEALED: usize = 1000;

/// Blocks in a row that an entrant may be absent from; then it is taken out.
const MAX_ABSENCES: u32 = 3;

/// The task of one tournament that runs or rests. It alone changes the tournament while it lives.
pub(crate) struct Host {
    state: Arc<State>,
    row: TournamentRow,
    settings: Arc<Settings>,
    field: Arc<Field>,
    deal: Deal,
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
    /// The store failed.
    Store(StoreError),
    /// Somebody else has changed the tournament, or what is stored does not fit together.
    Corrupt(String),
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
        let deal = Deal { tournament: row.id, seed: row.seed, label: row.label(), fixed: row.fixed_seed };
        let mut host = Host {
            state,
            row,
            settings,
            field,
            deal,
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
                let row = TournamentRow { begun: true, ..self.row.clone() };
                self.store(row, put).await?;
                info!(tournament = %self.row.id, entrants = self.field.next_position(), "tournament begun");
                self.run = Some(run);
                Ok(())
            }
            // The field was large enough when it started; some did not pass.
            Err(why) => self.end(TournamentState::Cancelled, format!("cannot be played: {why}")).await,
        }
    }

    /// Makes as many matches as may be under way.
    async fn fill(&mut self) -> Result<(), Stop> {
        if self.row.state != TournamentState::Running || self.resting {
            return Ok(());
        }
        loop {
            let room = (self.settings.concurrency as usize).saturating_sub(self.tables.len());
            let ready = self.run.as_mut().map(|run| run.take_ready(room)).unwrap_or_default();
            for block in ready {
                self.tables.insert(block.number, Table::new(block));
            }
            let Some((number, game)) = self.next_game() else { return Ok(()) };
            let missing = self.left(number);
            if !missing.is_empty() {
                self.finish(number, missing).await?;
            } else if let Err(why) = self.make(number, game).await {
                warn!(tournament = %self.row.id, block = number, %why, "a match could not be made; trying again");
                self.rest();
                return Ok(());
            }
        }
    }

    /// The next match to make: of all blocks under way the earliest seating, so that those of one deal do not follow each
    /// other; and nobody plays more at once than it may.
    fn next_game(&self) -> Option<(u32, usize)> {
        let games = self.tables.values().flat_map(|table| &table.games);
        if games.filter(|game| game.live().is_some()).count() >= self.settings.concurrency as usize {
            return None;
        }
        let free = |entrant: &EntrantId| {
            self.load.get(&entrant.0).is_none_or(|load| *load < self.settings.entrant_concurrency)
        };
        self.tables
            .iter()
            .filter_map(|(number, table)| table.next().map(|game| (game, *number, table)))
            .filter(|(game, _, table)| table.block.seatings[*game].iter().all(free))
            .min_by_key(|(game, number, _)| (*game, *number))
            .map(|(game, number, _)| (number, game))
    }

    /// The numbers of a block's entrants that have left the tournament since the block was decided: nobody waits for
    /// them. None once a match of the block was made.
    fn left(&self, number: u32) -> Vec<u32> {
        let Some(table) = self.tables.get(&number).filter(|table| table.made().is_empty()) else {
            return Vec::new();
        };
        let rows = table.entrants().into_iter().filter_map(|position| self.field.at(EntrantId(position)));
        let mut left: Vec<u32> =
            rows.filter(|row| row.state == EntrantState::Withdrawn).map(|row| row.number).collect();
        left.sort_unstable();
        left
    }

    /// Makes a match, or finds the one that was made before a restart.
    async fn make(&mut self, number: u32, game: usize) -> Result<(), String> {
        let table = self.tables.get(&number).ok_or("the block is gone")?;
        let seating = table.block.seatings[game].clone();
        let rules =
            self.settings.rules_for(seating.len()).ok_or("there are no rules for a table of this size")?;
        let seats = table::seats(&seating, &self.field).ok_or("the block names an unknown entrant")?;
        let attempt = table.attempt;
        let id = self.deal.match_id(number, attempt, game);
        let new = NewMatch {
            creator: self.row.creator.clone(),
            rules,
            rated: self.settings.is_rated() && all_agents_and_different(&seats),
            seats,
            clock: self.settings.clock,
            faults: self.settings.faults,
            forced: self.settings.forced(),
            spectator_delay: self.settings.spectator_delay,
            fixed: Some(self.deal.of(number, attempt)),
            block: Some((id, self.deal.link(table, game, &self.field))),
        };
        let row = self.state.arena.create(new, |_| None).await.map_err(|why| why.to_string())?;
        self.occupy(&seating, 1);
        let progress = match row.state {
            MatchState::Open => Progress::Open(id),
            MatchState::Running | MatchState::Finished | MatchState::Aborted(_) => Progress::Running(id),
        };
        if let Some(table) = self.tables.get_mut(&number) {
            table.games[game] = progress;
        }
        self.follow(number, attempt, game, id, row.state == MatchState::Open);
        Ok(())
    }

    /// Waits for what becomes of a match: that its seats are taken, and then that it is over.
    fn follow(&mut self, number: u32, attempt: u32, game: usize, id: MatchId, open: bool) {
        let (arena, patience) = (self.state.arena.clone(), self.settings.no_show);
        self.pending.push(Box::pin(async move {
            let row = if open {
                started(&arena, id, patience).await
            } else {
                arena.until(id, |row| row.state.is_over()).await
            };
            News::Game { number, attempt, game, row: row.map(Box::new) }
        }));
    }

    async fn hear(&mut self, news: News) -> Result<(), Stop> {
        match news {
            News::Rested => {
                self.resting = false;
                Ok(())
            }
            News::Game { number, attempt, game, row } => {
                let current = self.tables.get(&number).is_some_and(|table| table.attempt == attempt);
                let id = self.deal.match_id(number, attempt, game);
                match row {
                    _ if !current => Ok(()),
                    Ok(row) => self.played(number, game, *row).await,
                    Err(why) => {
                        warn!(tournament = %self.row.id, match_id = %id, %why, "a match cannot be followed; trying again");
                        let (arena, patience) = (self.state.arena.clone(), self.settings.no_show);
                        self.pending.push(Box::pin(async move {
                            arena.clock().sleep_until(arena.clock().now() + PAUSE).await;
                            let row = started(&arena, id, patience).await;
                            News::Game { number, attempt, game, row: row.map(Box::new) }
                        }));
                        Ok(())
                    }
                }
            }
            News::Check { number, id, row } => self.checked(number, id, row).await,
        }
    }

    /// A match of a block has come further.
    async fn played(&mut self, number: u32, game: usize, row: MatchRow) -> Result<(), Stop> {
        let Some(table) = self.tables.get_mut(&number) else { return Ok(()) };
        let seating = table.block.seatings[game].clone();
        match row.state {
            MatchState::Open => Ok(()),
            MatchState::Running => {
                table.games[game] = Progress::Running(row.id);
                let attempt = table.attempt;
                self.follow(number, attempt, game, row.id, false);
                Ok(())
            }
            MatchState::Finished => {
                let numbers =
                    seating.iter().filter_map(|id| self.field.at(*id)).map(|it| it.number).collect();
                let rounds = self
                    .state
                    .arena
                    .round_scores(&row)
                    .await
                    .map_err(|why| Stop::Corrupt(why.to_string()))?;
                let played = table::played(&row, numbers, &rounds)
                    .ok_or_else(|| Stop::Corrupt(format!("match {} has no result", row.id)))?;
                if let Some(table) = self.tables.get_mut(&number) {
                    table.games[game] = Progress::Over(played);
                }
                self.occupy(&seating, -1);
                if self.tables.get(&number).is_some_and(Table::is_over) {
                    self.finish(number, Vec::new()).await?;
                }
                Ok(())
            }
            MatchState::Aborted(AbortReason::Expired) => {
                let missing = table::absent(&row, &seating, &self.field);
                self.finish(number, missing).await
            }
            MatchState::Aborted(_) => self.void(number).await,
        }
    }

    /// A block is over: everything was played, or somebody did not come.
    async fn finish(&mut self, number: u32, missing: Vec<u32>) -> Result<(), Stop> {
        if !missing.is_empty() {
            self.call_off(number).await?;
        }
        let Some(table) = self.tables.remove(&number) else { return Ok(()) };
        let now_ms = self.state.arena.clock().unix_ms();
        let block = table.row(self.row.id, &self.deal, missing, now_ms);
        self.state.tournaments.finish_block(block.clone()).await?;
        self.count_absences(&block.outcome);
        let result = self.field.result(&block);
        if let Some(run) = self.run.as_mut() {
            run.record(result).map_err(|why| Stop::Corrupt(why.to_string()))?;
        }
        self.drop_uncounted().await?;
        let absent = block.outcome.absent.clone();
        self.log.push(block);
        for number in absent {
            if self.absences.get(&number).is_some_and(|count| *count >= MAX_ABSENCES) {
                info!(tournament = %self.row.id, entrant = number, "absent too often; taken out");
                self.take_out(number).await?;
            }
        }
        Ok(())
    }

    /// Blocks that an A/B test does not need any more are not played on.
    async fn drop_uncounted(&mut self) -> Result<(), Stop> {
        let Some(run) = &self.run else { return Ok(()) };
        let extra: Vec<u32> =
            self.tables.keys().copied().filter(|number| !run.schedule().counts(*number)).collect();
        for number in extra {
            self.call_off(number).await?;
            self.tables.remove(&number);
        }
        Ok(())
    }

    /// A fault of the service: the block is played again with another deal, and what was played of it counts for nothing.
    async fn void(&mut self, number: u32) -> Result<(), Stop> {
        self.call_off(number).await?;
        let Some(table) = self.tables.get_mut(&number) else { return Ok(()) };
        table.begin_again();
        let attempt = table.attempt;
        warn!(tournament = %self.row.id, block = number, attempt, "a match was aborted; the block is begun again");
        if attempt.is_multiple_of(MAX_ATTEMPTS) {
            let message = format!("block {number} was aborted {attempt} times; resume to try again");
            self.change(TournamentState::Paused, message).await?;
        }
        Ok(())
    }

    /// Ends the matches of a block that goes no further, and opens their seals.
    async fn call_off(&mut self, number: u32) -> Result<(), Stop> {
        let Some(table) = self.tables.get_mut(&number) else { return Ok(()) };
        let made = table.made();
        let live: Vec<MatchId> = table.games.iter().filter_map(Progress::live).collect();
        let seatings: Vec<_> = table
            .games
            .iter_mut()
            .zip(&table.block.seatings)
            .filter(|(game, _)| game.live().is_some())
            .map(|(game, seating)| {
                *game = Progress::Waiting;
                seating.clone()
            })
            .collect();
        for seating in &seatings {
            self.occupy(seating, -1);
        }
        for id in live {
            abort(&self.state.arena, id).await;
        }
        self.state.tournaments.unseal(made).await?;
        Ok(())
    }

    /// Counts a match of these entrants as one more or one less at once; each counts once, on how many seats it sits.
    fn occupy(&mut self, seating: &[EntrantId], by: i32) {
        let entrants: HashSet<u32> = seating.iter().map(|entrant| entrant.0).collect();
        for entrant in entrants {
            let load = self.load.entry(entrant).or_default();
            *load = load.saturating_add_signed(by);
        }
    }

    /// Notes who was there and who was not.
    fn count_absences(&mut self, block: &BlockOutcome) {
        for number in &block.absent {
            *self.absences.entry(*number).or_default() += 1;
        }
        for number in block.matches.iter().flat_map(|game| &game.seating) {
            self.absences.remove(number);
        }
    }

    /// Leaves the store alone for a while.
    fn rest(&mut self) {
        self.resting = true;
        let clock = Arc::clone(self.state.arena.clock());
        self.pending.push(Box::pin(async move {
            clock.sleep_until(clock.now() + PAUSE).await;
            News::Rested
        }));
    }
}

/// Newcomers.
impl Host {
    /// Whether somebody's match against itself is still to be played before the field is settled.
    fn is_checking(&self) -> bool {
        self.field.rows().iter().any(|row| row.state == EntrantState::Checking)
    }

    /// Has everyone who has to play a match against itself do so. Those who were invited count as entered by now.
    async fn check_newcomers(&mut self) -> Result<(), Stop> {
        let mut put = Vec::new();
        for row in self.field.rows() {
            let state = match (row.state, &row.who, self.settings.entry_check) {
                (EntrantState::Invited, Occupant::Agent(_), true) => EntrantState::Checking,
                (EntrantState::Invited, _, _) => EntrantState::Entered,
                (other, _, _) => other,
            };
            if state != row.state {
                put.push(EntrantRow { state, ..row.clone() });
            }
        }
        if !put.is_empty() {
            self.store(self.row.clone(), put).await?;
        }
        let checking = |row: &&EntrantRow| row.state == EntrantState::Checking;
        let rows: Vec<EntrantRow> = self.field.rows().iter().filter(checking).cloned().collect();
        for row in rows {
            self.check(row).await?;
        }
        Ok(())
    }

    /// Follows an entrant's match against itself, which is made first if it has none.
    async fn check(&mut self, mut row: EntrantRow) -> Result<(), Stop> {
        let id = match row.check {
            Some(id) => id,
            None => {
                let made = roster::make_check(&self.state.arena, &self.row, &self.settings, &row.name).await;
                let id = made.map_err(|why| Stop::Corrupt(why.to_string()))?;
                row.check = Some(id);
                self.store(self.row.clone(), vec![row.clone()]).await?;
                id
            }
        };
        let (arena, patience, number) = (self.state.arena.clone(), self.settings.no_show, row.number);
        self.pending.push(Box::pin(async move {
            let row = match started(&arena, id, patience).await {
                Ok(row) if !row.state.is_over() => arena.until(id, |row| row.state.is_over()).await,
                other => other,
            };
            News::Check { number, id, row: row.map(Box::new) }
        }));
        Ok(())
    }

    /// An entrant's match against itself is over.
    async fn checked(
        &mut self,
        number: u32,
        id: MatchId,
        row: Result<Box<MatchRow>, ArenaError>,
    ) -> Result<(), Stop> {
        let current = |row: &&EntrantRow| row.state == EntrantState::Checking && row.check == Some(id);
        let Some(entrant) = self.field.by_number(number).filter(current).cloned() else {
            return Ok(());
        };
        let row = match row {
            Ok(row) => row,
            Err(why) => {
                warn!(tournament = %self.row.id, match_id = %id, %why, "a match cannot be followed; trying again");
                return self.check(entrant).await;
            }
        };
        match roster::passed(&row) {
            true if self.run.is_some() => self.admit(entrant).await.map(|_| ()),
            true => {
                self.store(self.row.clone(), vec![EntrantRow { state: EntrantState::Entered, ..entrant }])
                    .await
            }
            false => {
                info!(tournament = %self.row.id, entrant = %entrant.name, "did not pass the entry check");
                self.store(self.row.clone(), vec![EntrantRow { state: EntrantState::Rejected, ..entrant }])
                    .await
            }
        }
    }

    /// Takes a late entrant into the schedule.
    async fn admit(&mut self, entrant: EntrantRow) -> Result<EntrantRow, Stop> {
        let position = Some(self.field.next_position());
        let Some(run) = self.run.as_mut() else { return Ok(entrant) };
        let entrant = match run.enter(self.settings.for_schedule(&entrant)) {
            Ok(from_stage) => EntrantRow { state: EntrantState::Entered, position, from_stage, ..entrant },
            // The last stage has begun meanwhile.
            Err(_) => EntrantRow { state: EntrantState::Rejected, ..entrant },
        };
        self.store(self.row.clone(), vec![entrant.clone()]).await?;
        Ok(entrant)
    }

    /// Takes an entrant out.
    async fn take_out(&mut self, number: u32) -> Result<EntrantRow, Stop> {
        let row = self.field.by_number(number).cloned();
        let mut row = row.ok_or_else(|| Stop::Corrupt(format!("there is no entrant {number}")))?;
        if row.state != EntrantState::Withdrawn {
            row.state = EntrantState::Withdrawn;
            if let (Some(run), Some(position)) = (self.run.as_mut(), row.position) {
                let until =
                    run.withdraw(EntrantId(position)).map_err(|why| Stop::Corrupt(why.to_string()))?;
                row.until_stage = Some(until);
            }
            self.store(self.row.clone(), vec![row.clone()]).await?;
        }
        Ok(row)
    }
}

/// What is asked of a tournament.
impl Host {
    async fn answer(&mut self, ask: Ask) -> Result<(), Stop> {
        let Ask { command, reply } = ask;
        let answer = match command {
            Command::Pause => self.pause().await,
            Command::Resume => self.resume().await,
            Command::Cancel => self.cancel().await,
            Command::Join { agent, entropy } => {
                let newcomer = roster::Newcomer { agent, entropy };
                match self.join(newcomer).await {
                    Ok(joined) => Ok(joined.map(|row| Reply::Entrant(Box::new(row)))),
                    Err(stop) => Err(stop),
                }
            }
            Command::Withdraw { name } => self.withdraw(&name).await,
        };
        // Who asked may be gone; what it asked for is done all the same.
        match answer {
            Ok(answer) => {
                self.publish();
                let _ = reply.send(answer);
                Ok(())
            }
            Err(stop) => {
                let _ = reply
                    .send(Err(Refusal::unavailable("the tournament is being taken up again; try again")));
                Err(stop)
            }
        }
    }

    async fn pause(&mut self) -> Result<Result<Reply, Refusal>, Stop> {
        if self.row.state == TournamentState::Running {
            self.change(TournamentState::Paused, String::new()).await?;
        }
        Ok(Ok(Reply::Done))
    }

    async fn resume(&mut self) -> Result<Result<Reply, Refusal>, Stop> {
        if self.row.state == TournamentState::Paused {
            self.change(TournamentState::Running, String::new()).await?;
        }
        Ok(Ok(Reply::Done))
    }

    async fn cancel(&mut self) -> Result<Result<Reply, Refusal>, Stop> {
        self.end(TournamentState::Cancelled, "cancelled".to_owned()).await?;
        Ok(Ok(Reply::Done))
    }

    /// Takes a newcomer in, if the format takes late entrants.
    async fn join(&mut self, newcomer: roster::Newcomer) -> Result<Result<EntrantRow, Refusal>, Stop> {
        let now_ms = self.state.arena.clock().unix_ms();
        let joined = roster::join(&self.settings, &self.field, newcomer, now_ms);
        let row = match joined {
            Ok(roster::Joined::Before(row)) => return Ok(Ok(row)),
            Ok(roster::Joined::Now(row)) => row,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if !self.settings.takes_late() {
            return Ok(Err(roster::closed()));
        }
        let number = row.number;
        match row.state {
            EntrantState::Checking => {
                self.store(self.row.clone(), vec![row.clone()]).await?;
                self.check(row).await?;
            }
            _ if self.run.is_some() => {
                self.admit(row).await?;
            }
            _ => self.store(self.row.clone(), vec![row]).await?,
        }
        let row = self.field.by_number(number).cloned();
        Ok(row.ok_or_else(roster::closed))
    }

    async fn withdraw(&mut self, name: &AgentName) -> Result<Result<Reply, Refusal>, Stop> {
        let Some(number) = self.field.by_name(name.as_str()).map(|row| row.number) else {
            return Ok(Err(roster::no_entrant(name.as_str())));
        };
        let row = self.take_out(number).await?;
        Ok(Ok(Reply::Entrant(Box::new(row))))
    }
}

/// What is stored and told.
impl Host {
    /// Ends the tournament. Its matches are aborted, and nothing of it is secret any more.
    async fn end(&mut self, state: TournamentState, message: String) -> Result<(), Stop> {
        let numbers: Vec<u32> = self.tables.keys().copied().collect();
        for number in numbers {
            self.call_off(number).await?;
        }
        self.tables.clear();
        self.open_seals().await?;
        let ended_ms = Some(self.state.arena.clock().unix_ms());
        self.store(TournamentRow { state, message, ended_ms, ..self.row.clone() }, Vec::new()).await?;
        info!(tournament = %self.row.id, ?state, blocks = self.log.len(), "tournament over");
        Ok(())
    }

    /// Ends and opens what is still sealed: matches that were made before a restart for blocks that are not played on.
    async fn open_seals(&mut self) -> Result<(), Stop> {
        loop {
            let sealed = self.state.tournaments.sealed(self.row.id, None, SEALED).await?;
            for row in sealed.iter().filter(|row| !row.state.is_over()) {
                abort(&self.state.arena, row.id).await;
            }
            self.state.tournaments.unseal(sealed.iter().map(|row| row.id).collect()).await?;
            if sealed.len() < SEALED {
                return Ok(());
            }
        }
    }

    async fn change(&mut self, state: TournamentState, message: String) -> Result<(), Stop> {
        self.store(TournamentRow { state, message, ..self.row.clone() }, Vec::new()).await
    }

    async fn store(&mut self, row: TournamentRow, put: Vec<EntrantRow>) -> Result<(), Stop> {
        let change = EntrantChange { remove: Vec::new(), put: put.clone() };
        match self.state.tournaments.update_tournament(row.clone(), change, None).await? {
            Updated::Done => {}
            Updated::Conflict => {
                return Err(Stop::Corrupt("somebody else has changed the tournament".to_owned()));
            }
        }
        self.row = TournamentRow { version: row.version + 1, ..row };
        for row in put {
            Arc::make_mut(&mut self.field).put(row);
        }
        Ok(())
    }

    /// Lets everybody see how it stands.
    fn publish(&self) {
        let games = || self.tables.values().flat_map(|table| &table.games);
        let stage = self.tables.values().map(|table| table.block.stage).min();
        let counts = Counts {
            total_blocks: self.run.as_ref().map_or(0, |run| run.schedule().total_blocks()),
            running: games().filter(|game| matches!(game, Progress::Running(_))).count() as u32,
            waiting: games().filter(|game| matches!(game, Progress::Open(_))).count() as u32,
            played: games().filter(|game| matches!(game, Progress::Over(_))).count() as u32,
            attempts: self.tables.values().map(|table| table.attempt).sum(),
            stage,
        };
        self.view.send_replace(Arc::new(View {
            row: self.row.clone(),
            settings: Arc::clone(&self.settings),
            field: Arc::clone(&self.field),
            log: Arc::clone(&self.log),
            counts,
        }));
    }
}

/// Aborts a match, if it is not over.
async fn abort(arena: &Arena, id: MatchId) {
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

/// Only such a match says something of agents.
fn all_agents_and_different(seats: &[SeatSpec]) -> bool {
    let agents: HashSet<&AgentName> = seats
        .iter()
        .filter_map(|seat| match seat {
            SeatSpec::Agent(name) => Some(name),
            SeatSpec::Open | SeatSpec::House(_) => None,
        })
        .collect();
    agents.len() == seats.len()
}
