//! Plays blocks: makes their matches, follows them, and stores what came of them.

use std::collections::HashSet;
use std::sync::Arc;

use chickenfoot_arena::NewMatch;
use chickenfoot_store::{
    AbortReason, AgentName, BlockOutcome, EntrantState, MatchId, MatchRow, MatchState, SeatSpec,
    TournamentState,
};
use chickenfoot_tournament::EntrantId;
use tracing::{info, warn};

use super::super::table::{self, Progress, Table};
use super::{Host, News, PAUSE, Stop, abort, started};

/// Faults of the service in one block after which the tournament rests until somebody has looked at it.
const MAX_ATTEMPTS: u32 = 10;

/// Blocks in a row that an entrant may be absent from; then it is taken out.
const MAX_ABSENCES: u32 = 3;

impl Host {
    /// Makes as many matches as may be under way.
    pub(super) async fn fill(&mut self) -> Result<(), Stop> {
        if self.row.state != TournamentState::Running || self.resting {
            return Ok(());
        }
        loop {
            self.hand_out();
            let Some((number, game)) = self.next_game() else { return Ok(()) };
            let missing = self.left(number).await?;
            if !missing.is_empty() {
                self.finish(number, missing).await?;
            } else if let Err(why) = self.make(number, game).await {
                warn!(tournament = %self.row.id, block = number, %why, "a match could not be made; trying again");
                self.rest();
                return Ok(());
            }
        }
    }

    /// Decides as many blocks as may be under way.
    pub(super) fn hand_out(&mut self) {
        let room = (self.settings.concurrency as usize).saturating_sub(self.tables.len());
        for block in self.run.as_mut().map(|run| run.take_ready(room)).unwrap_or_default() {
            self.tables.insert(block.number, Table::new(block));
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
    /// them. None once a match of the block was made, be it before a restart.
    async fn left(&mut self, number: u32) -> Result<Vec<u32>, Stop> {
        let Some(table) = self.tables.get(&number).filter(|table| table.made().is_empty()) else {
            return Ok(Vec::new());
        };
        let rows = table.entrants().into_iter().filter_map(|position| self.field.at(EntrantId(position)));
        let mut left: Vec<u32> =
            rows.filter(|row| row.state == EntrantState::Withdrawn).map(|row| row.number).collect();
        left.sort_unstable();
        if !left.is_empty() {
            for game in 0..table.games.len() {
                let id = self.match_id(number, table.attempt, game);
                if self.state.arena.journal().row(id).await?.is_some() {
                    return Ok(Vec::new());
                }
            }
        }
        Ok(left)
    }

    /// Makes a match, or finds the one that was made before a restart.
    async fn make(&mut self, number: u32, game: usize) -> Result<(), String> {
        let table = self.tables.get(&number).ok_or("the block is gone")?;
        let seating = table.block.seatings[game].clone();
        let rules =
            self.settings.rules_for(seating.len()).ok_or("there are no rules for a table of this size")?;
        let seats = table::seats(&seating, &self.field).ok_or("the block names an unknown entrant")?;
        let attempt = table.attempt;
        let id = self.match_id(number, attempt, game);
        let new = NewMatch {
            creator: self.row.creator.clone(),
            rules,
            rated: self.settings.is_rated() && all_agents_and_different(&seats),
            seats,
            clock: self.settings.clock,
            faults: self.settings.faults,
            forced: self.settings.forced(),
            spectator_delay: self.settings.spectator_delay,
            fixed: Some(self.deals.of(number, attempt)),
            block: Some((id, table.link(&self.deals, self.row.id, game, &self.field))),
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

    fn match_id(&self, number: u32, attempt: u32, game: usize) -> MatchId {
        MatchId(self.deals.match_id(self.row.id.0, number, attempt, game))
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

    pub(super) async fn hear(&mut self, news: News) -> Result<(), Stop> {
        match news {
            News::Rested => {
                self.resting = false;
                Ok(())
            }
            News::Game { number, attempt, game, row } => {
                let current = self.tables.get(&number).is_some_and(|table| table.attempt == attempt);
                let id = self.match_id(number, attempt, game);
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
                let rounds = self.state.arena.round_scores(&row).await?;
                let played = table::played(&row, &seating, numbers, rounds)
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
        let block = table.row(self.row.id, &self.deals, missing, now_ms);
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
    pub(super) async fn call_off(&mut self, number: u32) -> Result<(), Stop> {
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
    pub(super) fn count_absences(&mut self, block: &BlockOutcome) {
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
