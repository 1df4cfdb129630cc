use chickenfoot_protocol::v1::agent_service_client::AgentServiceClient;
use chickenfoot_protocol::v1::match_service_client::MatchServiceClient;
use chickenfoot_protocol::v1::tournament_service_client::TournamentServiceClient;
use chickenfoot_protocol::v1::{self, session_request::What as Up};
use chickenfoot_server::authz::Method;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status, Streaming};

use crate::service::{Service, two_seats};

/// What a call is about.
pub struct Subject {
    pub agent: String,
    pub match_id: String,
    pub tournament_id: String,
    /// A name that no agent has.
    pub free_name: String,
}

/// A caller that speaks the contract message by message.
#[derive(Clone)]
pub struct Caller {
    agents: AgentServiceClient<Channel>,
    matches: MatchServiceClient<Channel>,
    tournaments: TournamentServiceClient<Channel>,
    token: Option<String>,
}

impl Caller {
    pub fn new(service: &Service, token: Option<&str>) -> Caller {
        let channel = Endpoint::from_shared(format!("http://{}", service.address)).unwrap().connect_lazy();
        Caller {
            agents: AgentServiceClient::new(channel.clone()),
            matches: MatchServiceClient::new(channel.clone()),
            tournaments: TournamentServiceClient::new(channel),
            token: token.map(str::to_owned),
        }
    }

    /// The same connection with another token, or none.
    pub fn with_token(&self, token: Option<&str>) -> Caller {
        Caller { token: token.map(str::to_owned), ..self.clone() }
    }

    fn request<T>(&self, message: T) -> Request<T> {
        let mut request = Request::new(message);
        if let Some(token) = &self.token {
            request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
        }
        request
    }

    /// Calls a method. A method that is missing here does not compile.
    pub async fn call(&self, method: Method, about: &Subject) -> Result<(), Status> {
        let (mut agents, mut matches) = (self.agents.clone(), self.matches.clone());
        let (name, match_id) = (about.agent.clone(), about.match_id.clone());
        let request_id = String::new();
        match method {
            Method::RegisterAgent => {
                let request = v1::RegisterAgentRequest { name: about.free_name.clone(), request_id };
                agents.register_agent(self.request(request)).await.map(|_| ())
            }
            Method::GetAgent => {
                agents.get_agent(self.request(v1::GetAgentRequest { name })).await.map(|_| ())
            }
            Method::ListAgents => {
                agents.list_agents(self.request(v1::ListAgentsRequest::default())).await.map(|_| ())
            }
            Method::Session => {
                let mut session = self.session().await?;
                session.down.message().await.map(|_| ())
            }
            Method::RotateToken => agents
                .rotate_token(self.request(v1::RotateTokenRequest { name, request_id }))
                .await
                .map(|_| ()),
            Method::RevokeToken => {
                agents.revoke_token(self.request(v1::RevokeTokenRequest { name })).await.map(|_| ())
            }
            Method::GetLeaderboard => {
                let request = v1::GetLeaderboardRequest::default();
                agents.get_leaderboard(self.request(request)).await.map(|_| ())
            }
            Method::SetRole => {
                let request = v1::SetRoleRequest { name, role: v1::Role::Organiser.into() };
                agents.set_role(self.request(request)).await.map(|_| ())
            }
            Method::CreateMatch => {
                let request = v1::CreateMatchRequest { config: Some(two_seats()), request_id };
                matches.create_match(self.request(request)).await.map(|_| ())
            }
            Method::GetMatch => {
                matches.get_match(self.request(v1::GetMatchRequest { match_id })).await.map(|_| ())
            }
            Method::ListMatches => {
                matches.list_matches(self.request(v1::ListMatchesRequest::default())).await.map(|_| ())
            }
            Method::JoinMatch => {
                let request = v1::JoinMatchRequest { match_id, ..v1::JoinMatchRequest::default() };
                matches.join_match(self.request(request)).await.map(|_| ())
            }
            Method::LeaveMatch => matches
                .leave_match(self.request(v1::LeaveMatchRequest { match_id, request_id }))
                .await
                .map(|_| ()),
            Method::AbortMatch => matches
                .abort_match(self.request(v1::AbortMatchRequest { match_id, request_id }))
                .await
                .map(|_| ()),
            Method::Play => {
                let choice = v1::choice::Choice::Option(0);
                let choice = Some(v1::Choice { match_id, decision: 1, choice: Some(choice) });
                matches.play(self.request(v1::PlayRequest { choice })).await.map(|_| ())
            }
            Method::WatchMatch => self.watch(&match_id).await.map(|_| ()),
            Method::GetRecord => {
                matches.get_record(self.request(v1::GetRecordRequest { match_id })).await.map(|_| ())
            }
            Method::CreateTournament
            | Method::GetTournament
            | Method::ListTournaments
            | Method::ListEntrants
            | Method::JoinTournament
            | Method::WithdrawFromTournament
            | Method::StartTournament
            | Method::PauseTournament
            | Method::ResumeTournament
            | Method::CancelTournament
            | Method::GetStandings
            | Method::ListBlocks
            | Method::WatchTournament
            | Method::ExportTournament => self.call_tournament(method, about).await,
        }
    }

    /// Calls a method of the tournaments' service.
    async fn call_tournament(&self, method: Method, about: &Subject) -> Result<(), Status> {
        let mut service = self.tournaments.clone();
        let tournament_id = about.tournament_id.clone();
        let request_id = String::new();
        match method {
            Method::CreateTournament => {
                let request = v1::CreateTournamentRequest { config: Some(tournament(None)), request_id };
                service.create_tournament(self.request(request)).await.map(|_| ())
            }
            Method::GetTournament => {
                let request = v1::GetTournamentRequest { tournament_id };
                service.get_tournament(self.request(request)).await.map(|_| ())
            }
            Method::ListTournaments => {
                let request = v1::ListTournamentsRequest::default();
                service.list_tournaments(self.request(request)).await.map(|_| ())
            }
            Method::ListEntrants => {
                let request = v1::ListEntrantsRequest { tournament_id, ..v1::ListEntrantsRequest::default() };
                service.list_entrants(self.request(request)).await.map(|_| ())
            }
            Method::JoinTournament => {
                let request =
                    v1::JoinTournamentRequest { tournament_id, ..v1::JoinTournamentRequest::default() };
                service.join_tournament(self.request(request)).await.map(|_| ())
            }
            Method::WithdrawFromTournament => {
                let name = about.agent.clone();
                let request = v1::WithdrawFromTournamentRequest { tournament_id, name, request_id };
                service.withdraw_from_tournament(self.request(request)).await.map(|_| ())
            }
            Method::StartTournament => {
                let request = v1::StartTournamentRequest { tournament_id, request_id };
                service.start_tournament(self.request(request)).await.map(|_| ())
            }
            Method::PauseTournament => {
                let request = v1::PauseTournamentRequest { tournament_id, request_id };
                service.pause_tournament(self.request(request)).await.map(|_| ())
            }
            Method::ResumeTournament => {
                let request = v1::ResumeTournamentRequest { tournament_id, request_id };
                service.resume_tournament(self.request(request)).await.map(|_| ())
            }
            Method::CancelTournament => {
                let request = v1::CancelTournamentRequest { tournament_id, request_id };
                service.cancel_tournament(self.request(request)).await.map(|_| ())
            }
            Method::GetStandings => {
                let request = v1::GetStandingsRequest { tournament_id, pairings: true };
                service.get_standings(self.request(request)).await.map(|_| ())
            }
            Method::ListBlocks => {
                let request = v1::ListBlocksRequest { tournament_id, ..v1::ListBlocksRequest::default() };
                service.list_blocks(self.request(request)).await.map(|_| ())
            }
            Method::WatchTournament => {
                let request = v1::WatchTournamentRequest { tournament_id, standings: 1 };
                service.watch_tournament(self.request(request)).await.map(|_| ())
            }
            Method::ExportTournament => {
                let request = v1::ExportTournamentRequest { tournament_id, format: 0 };
                service.export_tournament(self.request(request)).await.map(|_| ())
            }
            other => panic!("{other} is another service's"),
        }
    }

    /// Makes a tournament that an agent is invited to.
    pub async fn create_tournament(&self, agent: &str) -> String {
        let config = Some(tournament(Some(agent)));
        let request = self.request(v1::CreateTournamentRequest { config, request_id: String::new() });
        let made = self.tournaments.clone().create_tournament(request).await;
        made.unwrap().into_inner().tournament.unwrap().id
    }

    /// Registers an agent with a request id of the caller's and gives its token.
    pub async fn register(&self, name: &str, request_id: &str) -> Result<String, Status> {
        let (name, request_id) = (name.to_owned(), request_id.to_owned());
        let request = self.request(v1::RegisterAgentRequest { name, request_id });
        Ok(self.agents.clone().register_agent(request).await?.into_inner().token)
    }

    /// Opens a session; nothing is read from it yet.
    pub async fn session(&self) -> Result<Session, Status> {
        let (up, queue) = mpsc::channel(4);
        up.send(v1::SessionRequest { what: Some(Up::Open(v1::Open::default())) }).await.unwrap();
        let request = self.request(ReceiverStream::new(queue));
        let down = self.agents.clone().session(request).await?.into_inner();
        Ok(Session { _up: up, down })
    }

    /// Watches a match.
    pub async fn watch(&self, match_id: &str) -> Result<Streaming<v1::WatchMatchResponse>, Status> {
        let request =
            v1::WatchMatchRequest { match_id: match_id.to_owned(), after_seq: 0, ..Default::default() };
        Ok(self.matches.clone().watch_match(self.request(request)).await?.into_inner())
    }
}

/// A tournament of two players of the house, and an agent.
fn tournament(agent: Option<&str>) -> v1::TournamentConfig {
    use v1::entrant_spec::Who;
    let house = ["greedy", "lowest"].map(|name| Who::House(name.to_owned()));
    let who = house.into_iter().chain(agent.map(|name| Who::Agent(name.to_owned())));
    v1::TournamentConfig {
        name: "a test".to_owned(),
        format: Some(v1::tournament_config::Format::RoundRobin(v1::RoundRobin::default())),
        table_size: 2,
        entrants: who
            .map(|who| v1::EntrantSpec { name: String::new(), who: Some(who), owner: String::new() })
            .collect(),
        ..v1::TournamentConfig::default()
    }
}

/// A session that stays open until it is dropped.
pub struct Session {
    _up: mpsc::Sender<v1::SessionRequest>,
    pub down: Streaming<v1::SessionResponse>,
}
