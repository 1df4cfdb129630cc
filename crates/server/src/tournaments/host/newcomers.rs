//! Who comes and who goes: the match against itself, late entrants, withdrawals.

use chickenfoot_arena::Error as ArenaError;
use chickenfoot_store::{EntrantRow, EntrantState, MatchId, MatchRow, Occupant};
use chickenfoot_tournament::EntrantId;
use tracing::{info, warn};

use super::super::roster;
use super::{Host, News, Stop, started};

impl Host {
    /// Whether somebody's match against itself is still to be played before the field is settled.
    pub(super) fn is_checking(&self) -> bool {
        self.field.rows().iter().any(|row| row.state == EntrantState::Checking)
    }

    /// Has everyone who has to play a match against itself do so. Those who were invited count as entered by now.
    pub(super) async fn check_newcomers(&mut self) -> Result<(), Stop> {
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
    pub(super) async fn check(&mut self, mut row: EntrantRow) -> Result<(), Stop> {
        let id = match row.check {
            Some(id) => id,
            None => {
                let id = roster::make_check(&self.state.arena, &self.row, &self.settings, &row.name).await?;
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
    pub(super) async fn checked(
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
            // It was played, and is kept no more.
            Err(ArenaError::NoSuchMatch) => {
                return self.check(EntrantRow { check: None, ..entrant }).await;
            }
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
    pub(super) async fn admit(&mut self, entrant: EntrantRow) -> Result<EntrantRow, Stop> {
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
    pub(super) async fn take_out(&mut self, number: u32) -> Result<EntrantRow, Stop> {
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
