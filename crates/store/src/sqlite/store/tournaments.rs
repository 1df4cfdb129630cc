use async_trait::async_trait;

use super::super::{block_row, entrant_row, queries, tournament_row};
use super::Sqlite;
use crate::id::{AgentName, MatchId, TournamentId};
use crate::journal::{StoreError, Updated};
use crate::matches::MatchRow;
use crate::request::Remembered;
use crate::tournament::{BlockRow, EntrantChange, EntrantRow, ListTournaments, TournamentRow, Tournaments};

#[async_trait]
impl Tournaments for Sqlite {
    async fn create_tournament(
        &self,
        row: TournamentRow,
        entrants: Vec<EntrantRow>,
        remember: Option<Remembered>,
    ) -> Result<(), StoreError> {
        let entrants = EntrantChange { remove: Vec::new(), put: entrants };
        self.write(entrants.put.len(), move |tables| {
            tables.create_tournament(&row, &entrants, remember.as_ref())
        })
        .await
    }

    async fn tournament(&self, id: TournamentId) -> Result<Option<TournamentRow>, StoreError> {
        self.read(move |conn| Ok(tournament_row::find(conn, id)?.map(|(row, _)| row))).await
    }

    async fn tournaments(&self, query: ListTournaments) -> Result<Vec<TournamentRow>, StoreError> {
        self.read(move |conn| tournament_row::list(conn, query)).await
    }

    async fn update_tournament(
        &self,
        row: TournamentRow,
        entrants: EntrantChange,
        remember: Option<Remembered>,
    ) -> Result<Updated, StoreError> {
        self.write(entrants.put.len(), move |tables| {
            tables.update_tournament(&row, &entrants, remember.as_ref())
        })
        .await
    }

    async fn entrants(
        &self,
        id: TournamentId,
        from: u32,
        limit: usize,
    ) -> Result<Vec<EntrantRow>, StoreError> {
        self.read(move |conn| entrant_row::page(conn, id, from, limit)).await
    }

    async fn entrant(&self, id: TournamentId, name: &AgentName) -> Result<Option<EntrantRow>, StoreError> {
        let name = name.clone();
        self.read(move |conn| entrant_row::find(conn, id, &name)).await
    }

    async fn finish_block(&self, row: BlockRow) -> Result<bool, StoreError> {
        self.write(0, move |tables| tables.finish_block(&row)).await
    }

    async fn blocks(&self, id: TournamentId, from: u32, limit: usize) -> Result<Vec<BlockRow>, StoreError> {
        self.read(move |conn| block_row::page(conn, id, from, limit)).await
    }

    async fn unseal(&self, matches: Vec<MatchId>) -> Result<(), StoreError> {
        self.write(0, move |tables| tables.unseal(&matches)).await
    }

    async fn sealed(
        &self,
        id: TournamentId,
        after: Option<MatchId>,
        limit: usize,
    ) -> Result<Vec<MatchRow>, StoreError> {
        self.read(move |conn| queries::sealed(conn, id, after, limit)).await
    }
}
