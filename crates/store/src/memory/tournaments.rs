use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::ops::Bound;

use async_trait::async_trait;

use super::{Memory, lock};
use crate::id::{AgentName, MatchId, TournamentId};
use crate::journal::{StoreError, Updated};
use crate::matches::MatchRow;
use crate::request::Remembered;
use crate::tournament::{BlockRow, EntrantChange, EntrantRow, ListTournaments, TournamentRow, Tournaments};

#[derive(Default)]
pub(super) struct TournamentTable {
    stored: HashMap<TournamentId, Stored>,
    /// All tournaments by time of creation.
    by_time: BTreeSet<(u64, TournamentId)>,
    /// Those that are over, in the order in which they ended.
    over: VecDeque<TournamentId>,
    /// How many blocks they have together.
    blocks: usize,
}

struct Stored {
    row: TournamentRow,
    field: Field,
    blocks: BTreeMap<u32, BlockRow>,
}

impl TournamentTable {
    /// A tournament that is over pushes the oldest such one out.
    fn retire(&mut self, id: TournamentId) {
        self.over.push_back(id);
        if self.over.len() > Memory::MAX_TOURNAMENTS_OVER {
            self.push_out();
        }
    }

    /// Forgets the tournament that has been over for the longest time. Whether there was one.
    fn push_out(&mut self) -> bool {
        let Some(oldest) = self.over.pop_front() else {
            return false;
        };
        if let Some(stored) = self.stored.remove(&oldest) {
            self.by_time.remove(&(stored.row.created_ms, oldest));
            self.blocks -= stored.blocks.len();
        }
        true
    }

    /// Makes room for a block of a tournament.
    fn make_room(&mut self, id: TournamentId) -> Result<(), StoreError> {
        while self.blocks >= Memory::MAX_BLOCKS {
            if self.over.front() == Some(&id) || !self.push_out() {
                return Err(StoreError::Full);
            }
        }
        Ok(())
    }
}

/// The entrants of a tournament.
#[derive(Default)]
struct Field {
    by_number: BTreeMap<u32, EntrantRow>,
    by_name: HashMap<AgentName, u32>,
}

impl Field {
    fn change(&mut self, change: EntrantChange) -> Result<(), StoreError> {
        let goes = change.numbers()?;
        let gone = goes.iter().filter(|number| self.by_number.contains_key(number)).count();
        if self.by_number.len() - gone + change.put.len() > TournamentRow::MAX_ENTRANTS {
            return Err(StoreError::Full);
        }
        for entrant in &change.put {
            if self.by_name.get(&entrant.name).is_some_and(|holder| !goes.contains(holder)) {
                return Err(EntrantChange::name_is_taken(&entrant.name));
            }
        }
        for number in goes {
            if let Some(entrant) = self.by_number.remove(&number) {
                self.by_name.remove(&entrant.name);
            }
        }
        for entrant in change.put {
            self.by_name.insert(entrant.name.clone(), entrant.number);
            self.by_number.insert(entrant.number, entrant);
        }
        Ok(())
    }
}

#[async_trait]
impl Tournaments for Memory {
    async fn create_tournament(
        &self,
        row: TournamentRow,
        entrants: Vec<EntrantRow>,
        remember: Option<Remembered>,
    ) -> Result<(), StoreError> {
        let mut tournaments = lock(&self.tournaments);
        if tournaments.stored.contains_key(&row.id) {
            return Err(StoreError::Unavailable(format!("there is a tournament {} already", row.id)));
        }
        let live = tournaments.stored.len() - tournaments.over.len();
        if !row.state.is_over() && live >= Memory::MAX_TOURNAMENTS {
            return Err(StoreError::Full);
        }
        let mut field = Field::default();
        field.change(EntrantChange { remove: Vec::new(), put: entrants })?;
        let (id, over) = (row.id, row.state.is_over());
        tournaments.by_time.insert((row.created_ms, id));
        tournaments.stored.insert(id, Stored { row, field, blocks: BTreeMap::new() });
        if over {
            tournaments.retire(id);
        }
        self.remember_with(remember);
        Ok(())
    }

    async fn tournament(&self, id: TournamentId) -> Result<Option<TournamentRow>, StoreError> {
        Ok(lock(&self.tournaments).stored.get(&id).map(|stored| stored.row.clone()))
    }

    async fn tournaments(&self, query: ListTournaments) -> Result<Vec<TournamentRow>, StoreError> {
        let tournaments = lock(&self.tournaments);
        let end = query.after.map_or(Bound::Unbounded, Bound::Excluded);
        let found = tournaments.by_time.range((Bound::Unbounded, end)).rev();
        let rows = found.filter_map(|(_, id)| tournaments.stored.get(id)).map(|stored| &stored.row);
        let wanted = rows.filter(|row| query.state.is_none_or(|state| row.state == state));
        Ok(wanted.take(query.limit).cloned().collect())
    }

    async fn update_tournament(
        &self,
        mut row: TournamentRow,
        entrants: EntrantChange,
        remember: Option<Remembered>,
    ) -> Result<Updated, StoreError> {
        let mut tournaments = lock(&self.tournaments);
        let TournamentTable { stored, by_time, .. } = &mut *tournaments;
        let Some(stored) = stored.get_mut(&row.id) else {
            return Ok(Updated::Conflict);
        };
        if stored.row.version != row.version || stored.row.state.is_over() {
            return Ok(Updated::Conflict);
        }
        stored.field.change(entrants)?;
        row.version += 1;
        let (id, over) = (row.id, row.state.is_over());
        by_time.remove(&(stored.row.created_ms, id));
        by_time.insert((row.created_ms, id));
        stored.row = row;
        if over {
            tournaments.retire(id);
        }
        self.remember_with(remember);
        Ok(Updated::Done)
    }

    async fn entrants(
        &self,
        id: TournamentId,
        from: u32,
        limit: usize,
    ) -> Result<Vec<EntrantRow>, StoreError> {
        let tournaments = lock(&self.tournaments);
        let stored = tournaments.stored.get(&id);
        let found = stored.map(|stored| stored.field.by_number.range(from..)).into_iter().flatten();
        Ok(found.take(limit).map(|(_, entrant)| entrant.clone()).collect())
    }

    async fn entrant(&self, id: TournamentId, name: &AgentName) -> Result<Option<EntrantRow>, StoreError> {
        let tournaments = lock(&self.tournaments);
        let field = tournaments.stored.get(&id).map(|stored| &stored.field);
        Ok(field.and_then(|field| field.by_number.get(field.by_name.get(name)?)).cloned())
    }

    async fn finish_block(&self, row: BlockRow) -> Result<bool, StoreError> {
        let mut tournaments = lock(&self.tournaments);
        let mut matches = lock(&self.matches);
        let Some(stored) = tournaments.stored.get(&row.tournament) else {
            return Err(row.without_tournament());
        };
        if stored.blocks.contains_key(&row.number) {
            return Ok(false);
        }
        for played in row.outcome.matches.iter().filter_map(|played| matches.row(played.id)) {
            row.check_match(played)?;
        }
        tournaments.make_room(row.tournament)?;
        let TournamentTable { stored, blocks, .. } = &mut *tournaments;
        let Some(stored) = stored.get_mut(&row.tournament) else {
            return Err(row.without_tournament());
        };
        row.outcome.matches.iter().for_each(|played| matches.unseal(played.id));
        stored.blocks.insert(row.number, row);
        *blocks += 1;
        Ok(true)
    }

    async fn blocks(&self, id: TournamentId, from: u32, limit: usize) -> Result<Vec<BlockRow>, StoreError> {
        let tournaments = lock(&self.tournaments);
        let stored = tournaments.stored.get(&id);
        let found = stored.map(|stored| stored.blocks.range(from..)).into_iter().flatten();
        Ok(found.take(limit).map(|(_, block)| block.clone()).collect())
    }

    async fn unseal(&self, matches: Vec<MatchId>) -> Result<(), StoreError> {
        let mut stored = lock(&self.matches);
        matches.into_iter().for_each(|id| stored.unseal(id));
        Ok(())
    }

    async fn sealed(
        &self,
        id: TournamentId,
        after: Option<MatchId>,
        limit: usize,
    ) -> Result<Vec<MatchRow>, StoreError> {
        Ok(lock(&self.matches).sealed(id, after).take(limit).cloned().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conformance::{block, tournament};
    use crate::tournament::TournamentState;

    fn over(id: u128) -> TournamentRow {
        TournamentRow { state: TournamentState::Finished, ..tournament(id) }
    }

    async fn ids(store: &Memory) -> Vec<u128> {
        let all = ListTournaments { limit: usize::MAX, ..ListTournaments::default() };
        let rows = store.tournaments(all).await.unwrap();
        rows.iter().rev().map(|row| row.id.0).collect()
    }

    #[tokio::test]
    async fn tournaments_that_are_not_over_are_refused_beyond_a_limit() {
        let store = Memory::new();
        let most = Memory::MAX_TOURNAMENTS as u128;
        for id in 0..most {
            store.create_tournament(tournament(id), Vec::new(), None).await.unwrap();
        }
        let create = |row| store.create_tournament(row, Vec::new(), None);
        assert_eq!(create(tournament(most)).await, Err(StoreError::Full));
        assert_eq!(create(over(most + 1)).await, Ok(()));
        let ended = store.update_tournament(over(0), EntrantChange::default(), None).await;
        assert_eq!(ended, Ok(Updated::Done));
        assert_eq!(create(tournament(most)).await, Ok(()));
        assert_eq!(create(tournament(most + 2)).await, Err(StoreError::Full));
    }

    #[tokio::test]
    async fn of_those_that_are_over_the_last_ones_are_kept() {
        let store = Memory::new();
        store.create_tournament(tournament(0), Vec::new(), None).await.unwrap();
        let most = Memory::MAX_TOURNAMENTS_OVER as u128;
        for id in 1..=most + 2 {
            store.create_tournament(tournament(id), Vec::new(), None).await.unwrap();
            store.finish_block(block(id, 0)).await.unwrap();
            store.update_tournament(over(id), EntrantChange::default(), None).await.unwrap();
        }
        let kept: Vec<u128> = [0].into_iter().chain(3..=most + 2).collect();
        assert_eq!(ids(&store).await, kept);
        assert_eq!(lock(&store.tournaments).blocks, Memory::MAX_TOURNAMENTS_OVER);
        assert_eq!(store.blocks(TournamentId(1), 0, 1).await, Ok(Vec::new()));
    }

    #[tokio::test]
    async fn blocks_push_tournaments_out_that_are_over_and_are_refused_when_there_are_none() {
        let store = Memory::new();
        for id in 0..4 {
            store.create_tournament(tournament(id), Vec::new(), None).await.unwrap();
            store.finish_block(block(id, 0)).await.unwrap();
        }
        for id in [2, 1] {
            store.update_tournament(over(id), EntrantChange::default(), None).await.unwrap();
        }
        // As if the others were there.
        lock(&store.tournaments).blocks = Memory::MAX_BLOCKS;
        assert_eq!(store.finish_block(block(3, 0)).await, Ok(false));
        assert_eq!(ids(&store).await, [0, 1, 2, 3], "it was there before");
        assert_eq!(store.finish_block(block(3, 1)).await, Ok(true));
        assert_eq!(ids(&store).await, [0, 1, 3], "the one that has been over for longer");
        assert_eq!(store.finish_block(block(1, 1)).await, Err(StoreError::Full));
        assert_eq!(store.finish_block(block(0, 1)).await, Ok(true));
        assert_eq!(ids(&store).await, [0, 3]);
        assert_eq!(store.finish_block(block(0, 2)).await, Err(StoreError::Full));
        assert_eq!(store.blocks(TournamentId(0), 2, 1).await, Ok(Vec::new()));
    }
}
