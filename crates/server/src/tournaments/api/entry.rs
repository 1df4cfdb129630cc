//! Enters agents and takes them out.

use chickenfoot_arena::Aborter;
use chickenfoot_protocol::v1;
use chickenfoot_store::{
    AgentName, EntrantChange, EntrantRow, EntrantState, Tally, TournamentId, TournamentRow, TournamentState,
    Updated,
};

use super::{TournamentApi, may};
use crate::authz::{Caller, Method};
use crate::matches::read_entropy;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::{agent_name, tournament_id};
use crate::tournaments::command::{Command, Reply};
use crate::tournaments::host::abort;
use crate::tournaments::roster::{Joined, Newcomer};
use crate::tournaments::wire::wire_entrant;
use crate::tournaments::{director, roster};

impl TournamentApi {
    pub(super) async fn join(
        &self,
        agent: &AgentName,
        request: &v1::JoinTournamentRequest,
    ) -> Result<v1::JoinTournamentResponse, Refusal> {
        let id = tournament_id(&request.tournament_id)?;
        let entropy = read_entropy("entropy", &request.entropy)?;
        let newcomer = Newcomer { agent: agent.clone(), entropy };
        let entrant = loop {
            let row = director::row(&*self.state.tournaments, id).await?;
            match row.state {
                TournamentState::Open => {
                    if let Some(entrant) = self.join_open(row, newcomer.clone()).await? {
                        break entrant;
                    }
                }
                _ => {
                    let command = Command::Join { agent: agent.clone(), entropy };
                    break self.ask_entrant(id, command).await?;
                }
            }
        };
        Ok(v1::JoinTournamentResponse { entrant: Some(wire_entrant(&entrant)) })
    }

    /// Enters an agent before the start. `None` if the tournament was changed meanwhile.
    async fn join_open(&self, row: TournamentRow, newcomer: Newcomer) -> Result<Option<EntrantRow>, Refusal> {
        let view = director::stored(&*self.state.tournaments, row.clone()).await?;
        let mut field = (*view.field).clone();
        if let Some(mut known) = field.by_name(newcomer.agent.as_str()).cloned() {
            self.look_at_check(&mut known).await?;
            field.put(known);
        }
        let now_ms = self.state.arena.clock().unix_ms();
        let mut entrant = match roster::join(&view.settings, &field, newcomer, now_ms)? {
            Joined::Before(entrant) => return Ok(Some(entrant)),
            Joined::Now(entrant) => entrant,
        };
        if entrant.state == EntrantState::Checking {
            let made = roster::make_check(&self.state.arena, &row, &view.settings, &entrant.name).await?;
            entrant.check = Some(made);
        }
        field.put(entrant.clone());
        let row = with_entrants(row, field.rows().len());
        let change = EntrantChange { remove: Vec::new(), put: vec![entrant.clone()] };
        match self.state.tournaments.update_tournament(row.clone(), change, None).await? {
            Updated::Done => {
                self.state.director.changed();
                Ok(Some(entrant))
            }
            Updated::Conflict => {
                if let Some(made) = entrant.check {
                    self.state.arena.abort(made, Aborter::Organiser).await?;
                }
                Ok(None)
            }
        }
    }

    pub(super) async fn withdraw(
        &self,
        caller: &Caller,
        request: &v1::WithdrawFromTournamentRequest,
    ) -> Result<v1::WithdrawFromTournamentResponse, Refusal> {
        let id = tournament_id(&request.tournament_id)?;
        let name = match request.name.as_str() {
            "" => caller.name.clone(),
            name => agent_name("name", name)?,
        };
        let entrant = loop {
            let row = director::row(&*self.state.tournaments, id).await?;
            if name != caller.name {
                may(caller, Method::WithdrawFromTournament, &row)?;
            }
            if row.state != TournamentState::Open {
                break self.ask_entrant(id, Command::Withdraw { name }).await?;
            }
            let entrant = self.state.tournaments.entrant(id, &name).await?;
            let entrant = entrant.ok_or_else(|| roster::no_entrant(name.as_str()))?;
            // As if it had never entered.
            let change = EntrantChange { remove: vec![entrant.number], put: Vec::new() };
            let left = row.tally.entrants.saturating_sub(1) as usize;
            let row = with_entrants(row, left);
            if self.state.tournaments.update_tournament(row, change, None).await? == Updated::Done {
                self.state.director.changed();
                if let Some(check) = entrant.check {
                    abort(&self.state.arena, check).await;
                }
                break EntrantRow { state: EntrantState::Withdrawn, ..entrant };
            }
        };
        Ok(v1::WithdrawFromTournamentResponse { entrant: Some(wire_entrant(&entrant)) })
    }

    async fn ask_entrant(&self, id: TournamentId, command: Command) -> Result<EntrantRow, Refusal> {
        match self.state.director.ask(&self.state, id, command).await? {
            Reply::Entrant(entrant) => Ok(*entrant),
            Reply::Done => Err(Refusal::new(Reason::Internal, "the tournament answered something else")),
        }
    }
}

/// A tournament of so many entrants.
fn with_entrants(row: TournamentRow, entrants: usize) -> TournamentRow {
    TournamentRow { tally: Tally { entrants: entrants as u32, ..row.tally }, ..row }
}
