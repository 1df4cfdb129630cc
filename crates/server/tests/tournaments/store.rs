//! A tournament whose store fails while it is held.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use chickenfoot_protocol::v1::{self, tournament_config::Format};
use chickenfoot_server::{Limits, Server, Stores};
use chickenfoot_store::{
    AgentName, BlockRow, EntrantChange, EntrantRow, ListTournaments, MatchId, MatchRow, Memory, Remembered,
    StoreError, TournamentId, TournamentRow, Tournaments, Updated,
};

use crate::common::{Service, within};
use crate::fixture::{config, houses};

/// A store in memory that fails so many times.
struct Failing {
    memory: Arc<Memory>,
    /// When blocks are to be finished.
    failures: AtomicU32,
    /// When tournaments that have begun are to be changed: by its word they have changed since.
    conflicts: AtomicU32,
}

/// Whether it was to happen once more.
fn happens(times: &AtomicU32) -> bool {
    times.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1)).is_ok()
}

#[tonic::async_trait]
impl Tournaments for Failing {
    async fn create_tournament(
        &self,
        row: TournamentRow,
        entrants: Vec<EntrantRow>,
        remember: Option<Remembered>,
    ) -> Result<(), StoreError> {
        self.memory.create_tournament(row, entrants, remember).await
    }

    async fn tournament(&self, id: TournamentId) -> Result<Option<TournamentRow>, StoreError> {
        self.memory.tournament(id).await
    }

    async fn tournaments(&self, query: ListTournaments) -> Result<Vec<TournamentRow>, StoreError> {
        self.memory.tournaments(query).await
    }

    async fn update_tournament(
        &self,
        row: TournamentRow,
        entrants: EntrantChange,
        remember: Option<Remembered>,
    ) -> Result<Updated, StoreError> {
        if row.begun && happens(&self.conflicts) {
            return Ok(Updated::Conflict);
        }
        self.memory.update_tournament(row, entrants, remember).await
    }

    async fn entrants(
        &self,
        id: TournamentId,
        from: u32,
        limit: usize,
    ) -> Result<Vec<EntrantRow>, StoreError> {
        self.memory.entrants(id, from, limit).await
    }

    async fn entrant(&self, id: TournamentId, name: &AgentName) -> Result<Option<EntrantRow>, StoreError> {
        self.memory.entrant(id, name).await
    }

    async fn finish_block(&self, row: BlockRow) -> Result<bool, StoreError> {
        if happens(&self.failures) {
            return Err(StoreError::Unavailable("the disk is full".to_owned()));
        }
        self.memory.finish_block(row).await
    }

    async fn blocks(&self, id: TournamentId, from: u32, limit: usize) -> Result<Vec<BlockRow>, StoreError> {
        self.memory.blocks(id, from, limit).await
    }

    async fn unseal(&self, matches: Vec<MatchId>) -> Result<(), StoreError> {
        self.memory.unseal(matches).await
    }

    async fn sealed(
        &self,
        id: TournamentId,
        after: Option<MatchId>,
        limit: usize,
    ) -> Result<Vec<MatchRow>, StoreError> {
        self.memory.sealed(id, after, limit).await
    }
}

#[tokio::test]
async fn a_tournament_goes_on_by_itself_when_the_store_works_again() {
    let memory = Arc::new(Memory::new());
    let failing = Failing { memory: Arc::clone(&memory), failures: 1.into(), conflicts: 1.into() };
    let failing = Arc::new(failing);
    let stores = Stores { tournaments: failing.clone(), ..Stores::of(Arc::clone(&memory)) };
    let service = Service::run(Server::with_store(Limits::default(), stores)).await;
    let host = service.agent("host").await;
    let id = host.create(config(Format::Swiss(v1::Swiss { rounds: 2 }), 2, houses(4))).await.id;
    host.start(&id).await;
    // Whoever asked the service about it would have it taken up.
    let id = id.parse().unwrap();
    within(async {
        while memory.blocks(id, 0, 10).await.unwrap().len() < 4 {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    })
    .await;
    assert_eq!([&failing.failures, &failing.conflicts].map(|left| left.load(Ordering::Relaxed)), [0; 2]);
    host.to_the_end(&id.to_string()).await;
    service.stop().await;
}
