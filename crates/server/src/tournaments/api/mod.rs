mod entry;
mod lists;
mod steer;

use std::pin::Pin;
use std::sync::Arc;

use chickenfoot_protocol::v1::tournament_service_server::TournamentService;
use chickenfoot_protocol::{Malformed, v1};
use chickenfoot_store::TournamentRow;
use tokio_stream::Stream;
use tonic::{Request, Response, Status};

use super::command::Command;
use super::{director, export, watch};
use crate::authz::{Caller, Method, role_name};
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::{State, tournament_id};

/// The tournaments' side of the contract.
#[derive(Clone)]
pub(crate) struct TournamentApi {
    pub(crate) state: Arc<State>,
}

/// A stream of answers.
type Answers<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

#[tonic::async_trait]
impl TournamentService for TournamentApi {
    async fn create_tournament(
        &self,
        request: Request<v1::CreateTournamentRequest>,
    ) -> Result<Response<v1::CreateTournamentResponse>, Status> {
        let caller = self.state.caller(Method::CreateTournament, &request).await?;
        let request = request.into_inner();
        let call =
            self.state.request(caller.name.as_str(), "CreateTournament", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer(|note| async move { api.create(caller.name, &request, note).await });
        Ok(Response::new(answer.await?))
    }

    async fn get_tournament(
        &self,
        request: Request<v1::GetTournamentRequest>,
    ) -> Result<Response<v1::GetTournamentResponse>, Status> {
        self.state.optional_caller(Method::GetTournament, &request).await?;
        let tournament = self.tournament(tournament_id(&request.get_ref().tournament_id)?).await?;
        Ok(Response::new(v1::GetTournamentResponse { tournament: Some(tournament) }))
    }

    async fn list_tournaments(
        &self,
        request: Request<v1::ListTournamentsRequest>,
    ) -> Result<Response<v1::ListTournamentsResponse>, Status> {
        self.state.optional_caller(Method::ListTournaments, &request).await?;
        Ok(Response::new(self.list(request.get_ref()).await?))
    }

    async fn list_entrants(
        &self,
        request: Request<v1::ListEntrantsRequest>,
    ) -> Result<Response<v1::ListEntrantsResponse>, Status> {
        self.state.optional_caller(Method::ListEntrants, &request).await?;
        Ok(Response::new(self.list_entrants(request.get_ref()).await?))
    }

    async fn join_tournament(
        &self,
        request: Request<v1::JoinTournamentRequest>,
    ) -> Result<Response<v1::JoinTournamentResponse>, Status> {
        let caller = self.state.caller(Method::JoinTournament, &request).await?;
        let request = request.into_inner();
        let call = self.state.request(caller.name.as_str(), "JoinTournament", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer_then_note(async move { api.join(&caller.name, &request).await });
        Ok(Response::new(answer.await?))
    }

    async fn withdraw_from_tournament(
        &self,
        request: Request<v1::WithdrawFromTournamentRequest>,
    ) -> Result<Response<v1::WithdrawFromTournamentResponse>, Status> {
        let caller = self.state.caller(Method::WithdrawFromTournament, &request).await?;
        let request = request.into_inner();
        let call =
            self.state.request(caller.name.as_str(), "WithdrawFromTournament", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer_then_note(async move { api.withdraw(&caller, &request).await });
        Ok(Response::new(answer.await?))
    }

    async fn start_tournament(
        &self,
        request: Request<v1::StartTournamentRequest>,
    ) -> Result<Response<v1::StartTournamentResponse>, Status> {
        let caller = self.state.caller(Method::StartTournament, &request).await?;
        let request = request.into_inner();
        let call = self.state.request(caller.name.as_str(), "StartTournament", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer_then_note(async move {
            let tournament = api.start(&caller, &request.tournament_id).await?;
            Ok(v1::StartTournamentResponse { tournament: Some(tournament) })
        });
        Ok(Response::new(answer.await?))
    }

    async fn pause_tournament(
        &self,
        request: Request<v1::PauseTournamentRequest>,
    ) -> Result<Response<v1::PauseTournamentResponse>, Status> {
        let caller = self.state.caller(Method::PauseTournament, &request).await?;
        let request = request.into_inner();
        let call = self.state.request(caller.name.as_str(), "PauseTournament", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer_then_note(async move {
            let id = &request.tournament_id;
            let tournament = api.command(&caller, Method::PauseTournament, id, Command::Pause).await?;
            Ok(v1::PauseTournamentResponse { tournament: Some(tournament) })
        });
        Ok(Response::new(answer.await?))
    }

    async fn resume_tournament(
        &self,
        request: Request<v1::ResumeTournamentRequest>,
    ) -> Result<Response<v1::ResumeTournamentResponse>, Status> {
        let caller = self.state.caller(Method::ResumeTournament, &request).await?;
        let request = request.into_inner();
        let call =
            self.state.request(caller.name.as_str(), "ResumeTournament", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer_then_note(async move {
            let id = &request.tournament_id;
            let tournament = api.command(&caller, Method::ResumeTournament, id, Command::Resume).await?;
            Ok(v1::ResumeTournamentResponse { tournament: Some(tournament) })
        });
        Ok(Response::new(answer.await?))
    }

    async fn cancel_tournament(
        &self,
        request: Request<v1::CancelTournamentRequest>,
    ) -> Result<Response<v1::CancelTournamentResponse>, Status> {
        let caller = self.state.caller(Method::CancelTournament, &request).await?;
        let request = request.into_inner();
        let call =
            self.state.request(caller.name.as_str(), "CancelTournament", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer_then_note(async move {
            let id = &request.tournament_id;
            let tournament = api.command(&caller, Method::CancelTournament, id, Command::Cancel).await?;
            Ok(v1::CancelTournamentResponse { tournament: Some(tournament) })
        });
        Ok(Response::new(answer.await?))
    }

    async fn get_standings(
        &self,
        request: Request<v1::GetStandingsRequest>,
    ) -> Result<Response<v1::GetStandingsResponse>, Status> {
        self.state.optional_caller(Method::GetStandings, &request).await?;
        Ok(Response::new(self.standings(request.get_ref()).await?))
    }

    async fn list_blocks(
        &self,
        request: Request<v1::ListBlocksRequest>,
    ) -> Result<Response<v1::ListBlocksResponse>, Status> {
        self.state.optional_caller(Method::ListBlocks, &request).await?;
        Ok(Response::new(self.list_blocks(request.get_ref()).await?))
    }

    type WatchTournamentStream = Answers<v1::WatchTournamentResponse>;

    async fn watch_tournament(
        &self,
        request: Request<v1::WatchTournamentRequest>,
    ) -> Result<Response<Self::WatchTournamentStream>, Status> {
        self.state.optional_caller(Method::WatchTournament, &request).await?;
        let request = request.into_inner();
        self.state.not_stopping()?;
        let id = tournament_id(&request.tournament_id)?;
        if request.standings > 1000 {
            let bound = format!("0 to 1000, not {}", request.standings);
            return Err(Refusal::from(Malformed::out_of_range("standings", bound)).into());
        }
        director::row(&*self.state.tournaments, id).await?;
        let pass = self.state.gate.watch(id.0)?;
        let stream = watch::stream(Arc::clone(&self.state), id, request.standings as usize, pass);
        Ok(Response::new(Box::pin(stream)))
    }

    type ExportTournamentStream = Answers<v1::ExportTournamentResponse>;

    async fn export_tournament(
        &self,
        request: Request<v1::ExportTournamentRequest>,
    ) -> Result<Response<Self::ExportTournamentStream>, Status> {
        self.state.optional_caller(Method::ExportTournament, &request).await?;
        let request = request.into_inner();
        let file = export::file(&self.state, &request).await?;
        Ok(Response::new(Box::pin(export::parts(file))))
    }
}

/// Whether a caller may use a method on a tournament.
fn may(caller: &Caller, method: Method, row: &TournamentRow) -> Result<(), Refusal> {
    caller.may(method, &row.creator).map_err(|role| {
        let role = role_name(role);
        let message =
            format!("only the creator of the tournament may do this, or an agent with the role {role}");
        Refusal::new(Reason::NotCreator, message).with("role", role)
    })
}
