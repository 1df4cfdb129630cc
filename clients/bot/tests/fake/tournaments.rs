use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};

use chickenfoot_protocol::v1;
use tokio_stream::{Stream, StreamExt};
use tonic::{Code, Request, Response, Status};

use super::{State, Step, caller, refusal};

/// So few that lists have several pages.
const PAGE: usize = 2;

pub struct Tournaments(pub Arc<Mutex<State>>);

type Answer<T> = Result<Response<T>, Status>;
type Parts<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

impl Tournaments {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("nobody panicked with it")
    }

    /// A call of the creator that leaves the tournament in a state.
    fn set(
        &self,
        method: &'static str,
        caller: &str,
        id: &str,
        to: v1::TournamentState,
    ) -> Result<Option<v1::Tournament>, Status> {
        let mut state = self.state();
        state.call(method, id)?;
        let tournament = state.tournament(id)?;
        if tournament.creator != caller {
            return Err(refusal(Code::PermissionDenied, "NOT_CREATOR"));
        }
        tournament.set_state(to);
        Ok(Some(tournament.clone()))
    }
}

/// A page of a list, and the token of the next.
fn page<T: Clone>(all: &[T], token: &str) -> (Vec<T>, String) {
    let start: usize = token.parse().unwrap_or(0);
    let end = (start + PAGE).min(all.len());
    let next = if end < all.len() { end.to_string() } else { String::new() };
    (all[start..end].to_vec(), next)
}

#[tonic::async_trait]
impl v1::tournament_service_server::TournamentService for Tournaments {
    type WatchTournamentStream = Parts<v1::WatchTournamentResponse>;
    type ExportTournamentStream = Parts<v1::ExportTournamentResponse>;

    async fn create_tournament(
        &self,
        request: Request<v1::CreateTournamentRequest>,
    ) -> Answer<v1::CreateTournamentResponse> {
        let creator = caller(&request)?;
        let request = request.into_inner();
        let mut state = self.state();
        let failed = state.call("CreateTournament", &request.request_id);
        let key = (creator.clone(), request.request_id);
        let index = match state.made.get(&key) {
            Some(index) => *index,
            None => {
                let index = state.tournaments.len();
                state.tournaments.push(v1::Tournament {
                    id: format!("{:032x}", 0xf0 + index),
                    state: v1::TournamentState::Open.into(),
                    creator,
                    config: request.config,
                    progress: Some(v1::TournamentProgress::default()),
                    ..v1::Tournament::default()
                });
                state.made.insert(key, index);
                index
            }
        };
        // After it is made: the answer is lost, as in a crash.
        failed?;
        let tournament = Some(state.tournaments[index].clone());
        Ok(Response::new(v1::CreateTournamentResponse { tournament }))
    }

    async fn get_tournament(
        &self,
        request: Request<v1::GetTournamentRequest>,
    ) -> Answer<v1::GetTournamentResponse> {
        let mut state = self.state();
        let id = request.into_inner().tournament_id;
        state.call("GetTournament", &id)?;
        let tournament = Some(state.tournament(&id)?.clone());
        Ok(Response::new(v1::GetTournamentResponse { tournament }))
    }

    async fn list_tournaments(
        &self,
        request: Request<v1::ListTournamentsRequest>,
    ) -> Answer<v1::ListTournamentsResponse> {
        let mut state = self.state();
        let request = request.into_inner();
        state.call("ListTournaments", request.state().as_str_name())?;
        let any = request.state() == v1::TournamentState::Unspecified;
        let wanted = |it: &&v1::Tournament| any || it.state() == request.state();
        let all: Vec<v1::Tournament> = state.tournaments.iter().rev().filter(wanted).cloned().collect();
        let (tournaments, next_page_token) = page(&all, &request.page_token);
        Ok(Response::new(v1::ListTournamentsResponse { tournaments, next_page_token }))
    }

    async fn list_entrants(
        &self,
        request: Request<v1::ListEntrantsRequest>,
    ) -> Answer<v1::ListEntrantsResponse> {
        let mut state = self.state();
        let request = request.into_inner();
        state.call("ListEntrants", &request.tournament_id)?;
        let (entrants, next_page_token) = page(&state.entrants, &request.page_token);
        Ok(Response::new(v1::ListEntrantsResponse { entrants, next_page_token }))
    }

    async fn join_tournament(
        &self,
        request: Request<v1::JoinTournamentRequest>,
    ) -> Answer<v1::JoinTournamentResponse> {
        let name = caller(&request)?;
        let request = request.into_inner();
        let mut state = self.state();
        state.call("JoinTournament", &format!("{} {}", request.tournament_id, request.entropy.len()))?;
        let entrant = v1::TournamentEntrant {
            number: state.entrants.len() as u32,
            name,
            state: v1::EntrantState::Entered.into(),
            ..v1::TournamentEntrant::default()
        };
        state.entrants.push(entrant.clone());
        Ok(Response::new(v1::JoinTournamentResponse { entrant: Some(entrant) }))
    }

    async fn withdraw_from_tournament(
        &self,
        request: Request<v1::WithdrawFromTournamentRequest>,
    ) -> Answer<v1::WithdrawFromTournamentResponse> {
        let name = caller(&request)?;
        let request = request.into_inner();
        let name = if request.name.is_empty() { name } else { request.name };
        let mut state = self.state();
        state.call("WithdrawFromTournament", &format!("{} {name}", request.tournament_id))?;
        let entrant = state.entrants.iter_mut().find(|it| it.name == name);
        let entrant = entrant.ok_or_else(|| refusal(Code::NotFound, "ENTRANT_NOT_FOUND"))?;
        entrant.set_state(v1::EntrantState::Withdrawn);
        Ok(Response::new(v1::WithdrawFromTournamentResponse { entrant: Some(entrant.clone()) }))
    }

    async fn start_tournament(
        &self,
        request: Request<v1::StartTournamentRequest>,
    ) -> Answer<v1::StartTournamentResponse> {
        let (caller, id) = (caller(&request)?, request.into_inner().tournament_id);
        let tournament = self.set("StartTournament", &caller, &id, v1::TournamentState::Running)?;
        Ok(Response::new(v1::StartTournamentResponse { tournament }))
    }

    async fn pause_tournament(
        &self,
        request: Request<v1::PauseTournamentRequest>,
    ) -> Answer<v1::PauseTournamentResponse> {
        let (caller, id) = (caller(&request)?, request.into_inner().tournament_id);
        let tournament = self.set("PauseTournament", &caller, &id, v1::TournamentState::Paused)?;
        Ok(Response::new(v1::PauseTournamentResponse { tournament }))
    }

    async fn resume_tournament(
        &self,
        request: Request<v1::ResumeTournamentRequest>,
    ) -> Answer<v1::ResumeTournamentResponse> {
        let (caller, id) = (caller(&request)?, request.into_inner().tournament_id);
        let tournament = self.set("ResumeTournament", &caller, &id, v1::TournamentState::Running)?;
        Ok(Response::new(v1::ResumeTournamentResponse { tournament }))
    }

    async fn cancel_tournament(
        &self,
        request: Request<v1::CancelTournamentRequest>,
    ) -> Answer<v1::CancelTournamentResponse> {
        let (caller, id) = (caller(&request)?, request.into_inner().tournament_id);
        let tournament = self.set("CancelTournament", &caller, &id, v1::TournamentState::Cancelled)?;
        Ok(Response::new(v1::CancelTournamentResponse { tournament }))
    }

    async fn get_standings(
        &self,
        request: Request<v1::GetStandingsRequest>,
    ) -> Answer<v1::GetStandingsResponse> {
        let mut state = self.state();
        let request = request.into_inner();
        state.call("GetStandings", &format!("{} {}", request.tournament_id, request.pairings))?;
        let tournament = Some(state.tournament(&request.tournament_id)?.clone());
        let mut answer = v1::GetStandingsResponse { tournament, ..state.standings.clone() };
        if !request.pairings {
            answer.pairings.clear();
        }
        Ok(Response::new(answer))
    }

    async fn list_blocks(&self, request: Request<v1::ListBlocksRequest>) -> Answer<v1::ListBlocksResponse> {
        let request = request.into_inner();
        self.state().call("ListBlocks", &request.tournament_id)?;
        let all = [0, 1, 2].map(|number| v1::TournamentBlock { number, ..v1::TournamentBlock::default() });
        let (blocks, next_page_token) = page(&all, &request.page_token);
        Ok(Response::new(v1::ListBlocksResponse { blocks, next_page_token }))
    }

    async fn watch_tournament(
        &self,
        request: Request<v1::WatchTournamentRequest>,
    ) -> Answer<Self::WatchTournamentStream> {
        let request = request.into_inner();
        let id = request.tournament_id;
        let mut state = self.state();
        state.call("WatchTournament", &format!("{id} {}", request.standings))?;
        state.tournament(&id)?;
        let script = state.watches.pop_front();
        let script = script.ok_or_else(|| refusal(Code::FailedPrecondition, "NO_SCRIPT"))?;
        let shared = Arc::clone(&self.0);
        let hold = script.iter().any(|step| matches!(step, Step::Hold));
        let said = tokio_stream::iter(script).filter_map(move |step| match step {
            Step::Hold => None,
            Step::Break(status) => Some(Err(status)),
            Step::Say(message) => {
                let mut message = *message;
                let mut state = shared.lock().expect("nobody panicked with it");
                let (now, it) = (message.tournament.take().unwrap_or_default(), state.tournament(&id));
                let it = it.expect("it was there when the watch began");
                (it.state, it.progress, it.message) = (now.state, now.progress, now.message);
                message.tournament = Some(it.clone());
                Some(Ok(message))
            }
        });
        Ok(Response::new(if hold { Box::pin(said.chain(tokio_stream::pending())) } else { Box::pin(said) }))
    }

    async fn export_tournament(
        &self,
        request: Request<v1::ExportTournamentRequest>,
    ) -> Answer<Self::ExportTournamentStream> {
        let request = request.into_inner();
        let mut state = self.state();
        state.call("ExportTournament", request.format().as_str_name())?;
        let mut parts = vec![request.format().as_str_name().as_bytes().to_vec()];
        parts.extend(state.report.clone());
        let broken = state.failures.get_mut("ExportTournament part").and_then(|it| it.pop_front());
        let parts: Vec<Result<v1::ExportTournamentResponse, Status>> = parts
            .into_iter()
            .map(|part| Ok(v1::ExportTournamentResponse { part }))
            .chain(broken.map(Err))
            .collect();
        Ok(Response::new(Box::pin(tokio_stream::iter(parts))))
    }
}
