//! Starts and stops tournaments.

use chickenfoot_protocol::v1;
use chickenfoot_store::{
    EntrantChange, EntrantRow, EntrantState, TournamentId, TournamentRow, TournamentState, Updated,
};
use chickenfoot_tournament::Run;
use tracing::info;

use super::{TournamentApi, may};
use crate::authz::{Caller, Method};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::tournament_id;
use crate::tournaments::command::Command;
use crate::tournaments::director;
use crate::tournaments::field::may_play;
use crate::tournaments::host::abort;
use crate::tournaments::view::View;
use crate::tournaments::wire::wire_tournament;

impl TournamentApi {
    pub(super) async fn start(&self, caller: &Caller, id: &str) -> Result<v1::Tournament, Refusal> {
        let id = tournament_id(id)?;
        loop {
            let row = director::row(&*self.state.tournaments, id).await?;
            may(caller, Method::StartTournament, &row)?;
            match row.state {
                TournamentState::Open => {}
                // It was started before.
                TournamentState::Running | TournamentState::Paused => break,
                TournamentState::Finished | TournamentState::Cancelled => return Err(over()),
            }
            let view = director::stored(&*self.state.tournaments, row.clone()).await?;
            let settled = self.settle(&view).await?;
            let row = TournamentRow {
                state: TournamentState::Running,
                started_ms: Some(self.state.arena.clock().unix_ms()),
                ..row
            };
            let change = EntrantChange { remove: Vec::new(), put: settled };
            if self.state.tournaments.update_tournament(row, change, None).await? == Updated::Done {
                info!(tournament = %id, by = %caller.name, "tournament started");
                self.state.director.changed();
                break;
            }
        }
        self.tournament(id).await
    }

    /// What came of the matches of newcomers so far: the changed rows. Whoever still has to show that it can play counts
    /// as if it could.
    ///
    /// # Errors
    /// The field does not fit the format.
    async fn settle(&self, view: &View) -> Result<Vec<EntrantRow>, Refusal> {
        let mut changed = Vec::new();
        let mut players = Vec::new();
        for row in view.field.rows() {
            let mut row = row.clone();
            self.look_at_check(&mut row).await?;
            if may_play(row.state) {
                players.push(EntrantRow {
                    position: Some(players.len() as u32),
                    from_stage: 1,
                    ..row.clone()
                });
            }
            if view.field.by_number(row.number).is_some_and(|before| before.state != row.state) {
                changed.push(row);
            }
        }
        let unfit =
            |message: String| Refusal::new(Reason::FieldUnfit, message).with("entrants", players.len());
        let (setup, test) = view.settings.setup(&players, view.row.commitment()).map_err(|why| {
            unfit(format!("{} is {:?}, and no such entrant takes part", why.field, why.name))
                .with("field", why.field)
        })?;
        Run::new(setup, test, players.iter().map(|row| view.settings.for_schedule(row)).collect())
            .map_err(|why| unfit(why.to_string()))?;
        Ok(changed)
    }

    pub(super) async fn command(
        &self,
        caller: &Caller,
        method: Method,
        id: &str,
        command: Command,
    ) -> Result<v1::Tournament, Refusal> {
        let id = tournament_id(id)?;
        let row = director::row(&*self.state.tournaments, id).await?;
        may(caller, method, &row)?;
        let wanted = match command {
            Command::Cancel => TournamentState::Cancelled,
            Command::Pause | Command::Resume | Command::Join { .. } | Command::Withdraw { .. } => {
                TournamentState::Open
            }
        };
        if row.state == wanted && wanted == TournamentState::Cancelled {
            // It was cancelled before.
        } else if row.state == TournamentState::Open && wanted == TournamentState::Cancelled {
            self.cancel_open(row).await?;
        } else {
            self.state.director.ask(&self.state, id, command).await?;
        }
        info!(tournament = %id, by = %caller.name, method = method.name(), "tournament changed");
        self.tournament(id).await
    }

    async fn cancel_open(&self, row: TournamentRow) -> Result<(), Refusal> {
        let id = row.id;
        let row = TournamentRow {
            state: TournamentState::Cancelled,
            message: "cancelled".to_owned(),
            ended_ms: Some(self.state.arena.clock().unix_ms()),
            ..row
        };
        match self.state.tournaments.update_tournament(row, EntrantChange::default(), None).await? {
            Updated::Done => {
                self.state.director.changed();
                // Nobody needs to know any more whether they can play.
                for entrant in self.state.tournaments.entrants(id, 0, usize::MAX).await? {
                    if let (EntrantState::Checking, Some(check)) = (entrant.state, entrant.check) {
                        abort(&self.state.arena, check).await;
                    }
                }
                Ok(())
            }
            Updated::Conflict => Err(Refusal::unavailable("the tournament was changed meanwhile; try again")),
        }
    }

    pub(super) async fn tournament(&self, id: TournamentId) -> Result<v1::Tournament, Refusal> {
        let row = director::row(&*self.state.tournaments, id).await?;
        Ok(wire_tournament(&self.state.director.glance(&self.state, row).await?))
    }
}

fn over() -> Refusal {
    Refusal::new(Reason::TournamentOver, "the tournament is over")
}
