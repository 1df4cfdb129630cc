//! What is stored of a tournament, and told to everybody.

use std::sync::Arc;

use chickenfoot_store::{EntrantChange, EntrantRow, StoreError, TournamentRow, TournamentState, Updated};
use tracing::info;

use super::super::table::Progress;
use super::super::view::{Counts, View};
use super::{Host, Stop, abort};

/// Sealed matches that are looked at together.
const SEALED: usize = 1000;

impl Host {
    /// Ends the tournament. Its matches are aborted, and nothing of it is secret any more.
    pub(super) async fn end(&mut self, state: TournamentState, message: String) -> Result<(), Stop> {
        let numbers: Vec<u32> = self.tables.keys().copied().collect();
        for number in numbers {
            self.call_off(number).await?;
        }
        self.tables.clear();
        self.open_seals().await?;
        let ended_ms = Some(self.state.arena.clock().unix_ms());
        let tally = self.log.tally(self.field.rows().len());
        self.store(TournamentRow { state, message, ended_ms, tally, ..self.row.clone() }, Vec::new()).await?;
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

    pub(super) async fn change(&mut self, state: TournamentState, message: String) -> Result<(), Stop> {
        self.store(TournamentRow { state, message, ..self.row.clone() }, Vec::new()).await
    }

    pub(super) async fn store(&mut self, row: TournamentRow, put: Vec<EntrantRow>) -> Result<(), Stop> {
        let change = EntrantChange { remove: Vec::new(), put: put.clone() };
        match self.state.tournaments.update_tournament(row.clone(), change, None).await? {
            Updated::Done => {}
            Updated::Conflict => {
                // What it was taken up with is stale: it is read anew.
                let why = "somebody else has changed the tournament".to_owned();
                return Err(Stop::Store(StoreError::Unavailable(why)));
            }
        }
        self.row = TournamentRow { version: row.version + 1, ..row };
        for row in put {
            Arc::make_mut(&mut self.field).put(row);
        }
        Ok(())
    }

    /// Lets everybody see how it stands.
    pub(super) fn publish(&self) {
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
