use chickenfoot_store::{LogRow, MatchRow, MatchState, Summary};

use crate::arena::Arena;
use crate::error::Error;
use crate::fold::Fold;

impl Arena {
    /// As [`Arena::summary`], for who has no seat: of a running match as of the last decision that a spectator's
    /// [`Watch`](crate::Watch) shows with all that came of it; nothing if it shows not even the first events whole.
    ///
    /// # Errors
    /// As [`Arena::summary`].
    pub async fn summary_for_spectators(&self, row: &MatchRow) -> Result<Option<Summary>, Error> {
        if row.state != MatchState::Running || row.spectator_delay == 0 {
            return self.summary(row).await;
        }
        let log = self.shared.journal.log(row.id, 0).await?;
        let mut fold = start(row)?;
        let mut heads = vec![fold.game.seq()];
        for entry in &log {
            push(&mut fold, entry)?;
            heads.push(fold.game.seq());
        }
        if fold.game.decision().is_none() {
            // It has ended since the row was read.
            return Ok(Some(fold.summary()));
        }
        let shown = fold.game.seq().saturating_sub(row.spectator_delay.into());
        let Some(entries) = heads.iter().take_while(|head| **head <= shown).count().checked_sub(1) else {
            return Ok(None);
        };
        let mut fold = start(row)?;
        for entry in &log[..entries] {
            push(&mut fold, entry)?;
        }
        Ok(Some(fold.summary()))
    }
}

fn start(row: &MatchRow) -> Result<Fold, Error> {
    Fold::start(row, &mut Vec::new()).map_err(|why| Error::Corrupt(why.to_string()))
}

fn push(fold: &mut Fold, entry: &LogRow) -> Result<(), Error> {
    fold.push(entry, &mut Vec::new()).map_err(|why| Error::Corrupt(why.to_string()))
}
