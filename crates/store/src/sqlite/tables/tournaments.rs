use super::super::{block_row, entrant_row, tournament_row};
use super::{Kind, StoredMatch, Tables};
use crate::id::{MatchId, TournamentId};
use crate::journal::{StoreError, Updated};
use crate::request::Remembered;
use crate::tournament::{BlockRow, EntrantChange, TournamentRow};

impl Tables {
    pub(in crate::sqlite) fn create_tournament(
        &mut self,
        row: &TournamentRow,
        entrants: &EntrantChange,
        remember: Option<&Remembered>,
    ) -> Result<(), StoreError> {
        if !row.state.is_over() && self.totals.rows(Kind::LiveTournaments) >= self.max_tournaments {
            return Err(StoreError::Full);
        }
        if tournament_row::find(&self.conn, row.id)?.is_some() {
            return Err(StoreError::Unavailable(format!("there is a tournament {} already", row.id)));
        }
        self.change_entrants(row.id, entrants)?;
        let sum = tournament_row::insert(row, &self.conn)?;
        self.totals.add(tournament_row::kind(row), sum);
        if row.state.is_over() {
            self.fields.remove(&row.id);
        }
        self.remember_with(remember)
    }

    pub(in crate::sqlite) fn update_tournament(
        &mut self,
        row: &TournamentRow,
        entrants: &EntrantChange,
        remember: Option<&Remembered>,
    ) -> Result<Updated, StoreError> {
        let Some((before, before_sum)) = tournament_row::find(&self.conn, row.id)? else {
            return Ok(Updated::Conflict);
        };
        if before.version != row.version || before.state.is_over() {
            return Ok(Updated::Conflict);
        }
        self.change_entrants(row.id, entrants)?;
        let after = TournamentRow { version: row.version + 1, ..row.clone() };
        let sum = tournament_row::replace(&after, &self.conn)?;
        self.totals.remove(tournament_row::kind(&before), before_sum);
        self.totals.add(tournament_row::kind(&after), sum);
        if after.state.is_over() {
            self.fields.remove(&after.id);
        }
        self.remember_with(remember)?;
        Ok(Updated::Done)
    }

    /// Changes nothing if the field is full.
    fn change_entrants(&mut self, id: TournamentId, change: &EntrantChange) -> Result<(), StoreError> {
        let goes = change.numbers()?;
        if goes.is_empty() {
            return Ok(());
        }
        let mut entrants = match self.fields.get(&id) {
            Some(count) => *count,
            None => entrant_row::count(id, &self.conn)?,
        };
        if entrants + change.put.len() > TournamentRow::MAX_ENTRANTS {
            let mut left = entrants;
            for number in &goes {
                left -= usize::from(entrant_row::is_there(id, *number, &self.conn)?);
            }
            if left + change.put.len() > TournamentRow::MAX_ENTRANTS {
                return Err(StoreError::Full);
            }
        }
        for entrant in &change.put {
            let holder = entrant_row::number_of(id, &entrant.name, &self.conn)?;
            if holder.is_some_and(|holder| !goes.contains(&holder)) {
                return Err(EntrantChange::name_is_taken(&entrant.name));
            }
        }
        for number in goes {
            if let Some(sum) = entrant_row::remove(id, number, &self.conn)? {
                self.totals.remove(Kind::Entrants, sum);
                entrants -= 1;
            }
        }
        for entrant in &change.put {
            let sum = entrant_row::insert(id, entrant, &self.conn)?;
            self.totals.add(Kind::Entrants, sum);
            entrants += 1;
        }
        self.fields.insert(id, entrants);
        Ok(())
    }

    pub(in crate::sqlite) fn finish_block(&mut self, row: &BlockRow) -> Result<bool, StoreError> {
        if block_row::is_there(row.tournament, row.number, &self.conn)? {
            return Ok(false);
        }
        if tournament_row::find(&self.conn, row.tournament)?.is_none() {
            return Err(row.without_tournament());
        }
        let sum = block_row::insert(row, &self.conn)?;
        self.totals.add(Kind::Blocks, sum);
        for played in &row.outcome.matches {
            if let Some(stored) = StoredMatch::load(&self.conn, played.id)? {
                row.check_match(&stored.row)?;
                self.open_seal(stored)?;
            }
        }
        Ok(true)
    }

    pub(in crate::sqlite) fn unseal(&mut self, matches: &[MatchId]) -> Result<(), StoreError> {
        for id in matches {
            if let Some(stored) = StoredMatch::load(&self.conn, *id)? {
                self.open_seal(stored)?;
            }
        }
        Ok(())
    }

    fn open_seal(&mut self, before: StoredMatch) -> Result<(), StoreError> {
        let mut after = before.clone();
        let Some(link) = after.row.block.as_mut().filter(|link| link.sealed) else {
            return Ok(());
        };
        link.sealed = false;
        after.row.version += 1;
        self.replace(&before, &mut after)
    }
}
