//! Makes tournaments, and tells about them.

use std::sync::Arc;

use chickenfoot_arena::Error as ArenaError;
use chickenfoot_protocol::{Malformed, v1};
use chickenfoot_rules::{Entropy, Seed};
use chickenfoot_store::{
    AgentName, EntrantRow, EntrantState, ListTournaments, Occupant, Tally, TournamentId, TournamentRow,
    TournamentState,
};
use tracing::info;

use super::TournamentApi;
use crate::auth;
use crate::once::Note;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::{page_size, tournament_id};
use crate::tournaments::read::{Asked, read};
use crate::tournaments::settings::Settings;
use crate::tournaments::view::{Counts, Glance};
use crate::tournaments::wire::{
    wire_ab, wire_block, wire_entrant, wire_pairings, wire_standings, wire_tournament,
};
use crate::tournaments::{director, roster};

impl TournamentApi {
    pub(super) async fn create(
        &self,
        creator: AgentName,
        request: &v1::CreateTournamentRequest,
        note: Note,
    ) -> Result<v1::CreateTournamentResponse, Refusal> {
        let config = request.config.as_ref().ok_or_else(|| Malformed::missing("config"))?;
        self.state.not_stopping()?;
        let Asked { name, settings, entrants, seed } = read(config)?;
        let now_ms = self.state.arena.clock().unix_ms();
        let mut rows = Vec::with_capacity(entrants.len());
        for (number, (name, who)) in (0u32..).zip(entrants) {
            rows.push(self.entrant(number, name, who, now_ms).await?);
        }
        let row = TournamentRow {
            id: TournamentId(rand::random()),
            creator,
            created_ms: now_ms,
            started_ms: None,
            ended_ms: None,
            name,
            settings: settings.to_json()?,
            fixed_seed: seed.is_some(),
            seed: match seed {
                Some(seed) => seed,
                None => Seed::new(auth::new_salt()?),
            },
            state: TournamentState::Open,
            begun: false,
            message: String::new(),
            tally: Tally { entrants: rows.len() as u32, ..Tally::default() },
            version: 0,
        };
        let answer = v1::CreateTournamentResponse {
            tournament: Some(wire_tournament(&new_glance(row.clone(), settings))),
        };
        info!(tournament = %row.id, creator = %row.creator, "tournament created");
        self.state.tournaments.create_tournament(row, rows, note.of(&answer)).await?;
        Ok(answer)
    }

    /// An entrant that the creator names.
    async fn entrant(
        &self,
        number: u32,
        name: AgentName,
        who: Occupant,
        now_ms: u64,
    ) -> Result<EntrantRow, Refusal> {
        let state = match &who {
            Occupant::House(strategy) => {
                if !self.state.arena.has_house(strategy) {
                    let message = format!("the house has no player {strategy:?}");
                    return Err(Refusal::new(Reason::StrategyUnknown, message)
                        .field(format!("config.entrants[{number}].house"))
                        .with("strategy", strategy));
                }
                EntrantState::Entered
            }
            Occupant::Agent(agent) => {
                if self.state.agents.agent(agent).await?.is_none() {
                    let message = format!("no agent is registered as {agent}");
                    return Err(Refusal::new(Reason::AgentNotFound, message).with("agent", agent));
                }
                EntrantState::Invited
            }
        };
        Ok(EntrantRow {
            number,
            name,
            who,
            entropy: Entropy::default(),
            joined_ms: now_ms,
            state,
            check: None,
            position: None,
            from_stage: 0,
            until_stage: None,
        })
    }

    pub(super) async fn list(
        &self,
        request: &v1::ListTournamentsRequest,
    ) -> Result<v1::ListTournamentsResponse, Refusal> {
        let limit = page_size(request.page_size)?;
        let state = match v1::TournamentState::try_from(request.state) {
            Ok(v1::TournamentState::Unspecified) => None,
            Ok(v1::TournamentState::Open) => Some(TournamentState::Open),
            Ok(v1::TournamentState::Running) => Some(TournamentState::Running),
            Ok(v1::TournamentState::Paused) => Some(TournamentState::Paused),
            Ok(v1::TournamentState::Finished) => Some(TournamentState::Finished),
            Ok(v1::TournamentState::Cancelled) => Some(TournamentState::Cancelled),
            Err(_) => {
                return Err(Malformed::out_of_range("state", "one of the known values").into());
            }
        };
        let after = match request.page_token.as_str() {
            "" => None,
            token => Some(read_page_token(token).ok_or_else(bad_page_token)?),
        };
        let query = ListTournaments { state, after, limit: limit + 1 };
        let mut rows = self.state.tournaments.tournaments(query).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|row| format!("{}-{}", row.created_ms, row.id));
        let mut tournaments = Vec::with_capacity(rows.len());
        for row in rows {
            let glance = self.state.director.glance(&self.state, row).await?;
            tournaments.push(wire_tournament(&glance));
        }
        Ok(v1::ListTournamentsResponse { tournaments, next_page_token: next.unwrap_or_default() })
    }

    pub(super) async fn list_entrants(
        &self,
        request: &v1::ListEntrantsRequest,
    ) -> Result<v1::ListEntrantsResponse, Refusal> {
        let id = tournament_id(&request.tournament_id)?;
        let limit = page_size(request.page_size)?;
        let from = read_number_token(&request.page_token)?;
        director::row(&*self.state.tournaments, id).await?;
        let mut rows = self.state.tournaments.entrants(id, from, limit + 1).await?;
        let next = rows.get(limit).map(|row| row.number.to_string());
        rows.truncate(limit);
        for row in &mut rows {
            self.look_at_check(row).await?;
        }
        Ok(v1::ListEntrantsResponse {
            entrants: rows.iter().map(wire_entrant).collect(),
            next_page_token: next.unwrap_or_default(),
        })
    }

    /// Before the start nobody follows the matches of newcomers against themselves: whoever looks, sees what came of them.
    pub(super) async fn look_at_check(&self, row: &mut EntrantRow) -> Result<(), Refusal> {
        if let (EntrantState::Checking, Some(id)) = (row.state, row.check) {
            match self.state.arena.row(id).await {
                Ok(played) if played.state.is_over() => {
                    row.state =
                        if roster::passed(&played) { EntrantState::Entered } else { EntrantState::Rejected };
                }
                // A match that is kept no more tells nothing: the start has another one played.
                Ok(_) | Err(ArenaError::NoSuchMatch) => {}
                Err(why) => return Err(why.into()),
            }
        }
        Ok(())
    }

    pub(super) async fn list_blocks(
        &self,
        request: &v1::ListBlocksRequest,
    ) -> Result<v1::ListBlocksResponse, Refusal> {
        let id = tournament_id(&request.tournament_id)?;
        let limit = page_size(request.page_size)?;
        let from = read_number_token(&request.page_token)?;
        director::row(&*self.state.tournaments, id).await?;
        let mut rows = self.state.tournaments.blocks(id, from, limit + 1).await?;
        let next = rows.get(limit).map(|row| row.number.to_string());
        rows.truncate(limit);
        Ok(v1::ListBlocksResponse {
            blocks: rows.iter().map(wire_block).collect(),
            next_page_token: next.unwrap_or_default(),
        })
    }

    pub(super) async fn standings(
        &self,
        request: &v1::GetStandingsRequest,
    ) -> Result<v1::GetStandingsResponse, Refusal> {
        let id = tournament_id(&request.tournament_id)?;
        let view = self.state.director.view(&self.state, id).await?;
        let computed = self.state.director.figures.of(&view).await?;
        Ok(v1::GetStandingsResponse {
            tournament: Some(wire_tournament(&view.glance())),
            standings: wire_standings(&view, &computed),
            pairings: if request.pairings { wire_pairings(&view, &computed) } else { Vec::new() },
            ab: wire_ab(&computed),
        })
    }
}

fn new_glance(row: TournamentRow, settings: Settings) -> Glance {
    Glance { row, settings: Arc::new(settings), counts: Counts::default() }
}

fn read_page_token(token: &str) -> Option<(u64, TournamentId)> {
    let (created_ms, id) = token.split_once('-')?;
    Some((created_ms.parse().ok()?, id.parse().ok()?))
}

fn read_number_token(token: &str) -> Result<u32, Refusal> {
    if token.is_empty() { Ok(0) } else { token.parse().map_err(|_| bad_page_token()) }
}

fn bad_page_token() -> Refusal {
    Refusal::new(Reason::PageTokenInvalid, "page_token is none that the service gave").field("page_token")
}
