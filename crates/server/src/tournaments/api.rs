use std::pin::Pin;
use std::sync::Arc;

use chickenfoot_arena::Aborter;
use chickenfoot_protocol::v1;
use chickenfoot_protocol::v1::tournament_service_server::TournamentService;
use chickenfoot_rules::Seed;
use chickenfoot_store::{
    AgentName, EntrantChange, EntrantRow, EntrantState, ListTournaments, Occupant, TournamentId,
    TournamentRow, TournamentState, Updated,
};
use chickenfoot_tournament::Run;
use tokio_stream::Stream;
use tonic::{Request, Response, Status};
use tracing::info;

use super::command::{Command, Reply};
use super::director;
use super::field::{Field, may_play};
use super::read::{Asked, read};
use super::roster::{self, Joined, Newcomer};
use super::settings::Settings;
use super::view::{BlockLog, Counts, View};
use super::watch;
use super::wire::{wire_ab, wire_block, wire_entrant, wire_pairings, wire_standings, wire_tournament};
use crate::auth;
use crate::authz::{Caller, Method, role_name};
use crate::matches::read_entropy;
use crate::once::Note;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::{State, agent_name, page_size, tournament_id};

/// The tournaments' side of the contract.
pub(crate) struct TournamentApi {
    pub(crate) state: Arc<State>,
}

/// Makes and lists them.
impl TournamentApi {
    async fn create(
        &self,
        creator: AgentName,
        request: &v1::CreateTournamentRequest,
        note: Note,
    ) -> Result<v1::CreateTournamentResponse, Refusal> {
        let config =
            request.config.as_ref().ok_or_else(|| chickenfoot_protocol::Malformed::missing("config"))?;
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
            settings: serde_json::to_string(&settings).map_err(|why| {
                Refusal::new(Reason::Internal, format!("the settings cannot be kept: {why}"))
            })?,
            fixed_seed: seed.is_some(),
            seed: match seed {
                Some(seed) => seed,
                None => Seed::new(auth::new_salt()?),
            },
            state: TournamentState::Open,
            begun: false,
            message: String::new(),
            version: 0,
        };
        let answer = v1::CreateTournamentResponse {
            tournament: Some(wire_tournament(&new_view(row.clone(), settings, rows.clone()))),
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
            entropy: chickenfoot_rules::Entropy::default(),
            joined_ms: now_ms,
            state,
            check: None,
            position: None,
            from_stage: 0,
            until_stage: None,
        })
    }

    async fn list(
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
                return Err(chickenfoot_protocol::Malformed::out_of_range(
                    "state",
                    "one of the known values",
                )
                .into());
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
            let view = self.state.director.view(&self.state, row.id).await?;
            tournaments.push(wire_tournament(&view));
        }
        Ok(v1::ListTournamentsResponse { tournaments, next_page_token: next.unwrap_or_default() })
    }

    async fn list_entrants(
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
    async fn look_at_check(&self, row: &mut EntrantRow) -> Result<(), Refusal> {
        if let (EntrantState::Checking, Some(id)) = (row.state, row.check) {
            let played = self.state.arena.row(id).await?;
            if played.state.is_over() {
                row.state =
                    if roster::passed(&played) { EntrantState::Entered } else { EntrantState::Rejected };
            }
        }
        Ok(())
    }

    async fn list_blocks(&self, request: &v1::ListBlocksRequest) -> Result<v1::ListBlocksResponse, Refusal> {
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

    async fn standings(
        &self,
        request: &v1::GetStandingsRequest,
    ) -> Result<v1::GetStandingsResponse, Refusal> {
        let id = tournament_id(&request.tournament_id)?;
        let view = self.state.director.view(&self.state, id).await?;
        let computed = self.state.director.figures.of(&view).await?;
        Ok(v1::GetStandingsResponse {
            tournament: Some(wire_tournament(&view)),
            standings: wire_standings(&view, &computed),
            pairings: if request.pairings { wire_pairings(&view, &computed) } else { Vec::new() },
            ab: wire_ab(&computed),
        })
    }
}

/// Enters agents and takes them out.
impl TournamentApi {
    async fn join(
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

    async fn withdraw(
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
            if self.state.tournaments.update_tournament(row, change, None).await? == Updated::Done {
                self.state.director.changed();
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

/// Starts and stops them.
impl TournamentApi {
    async fn start(&self, caller: &Caller, id: &str) -> Result<v1::Tournament, Refusal> {
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

    async fn command(
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
        let row = TournamentRow {
            state: TournamentState::Cancelled,
            message: "cancelled".to_owned(),
            ended_ms: Some(self.state.arena.clock().unix_ms()),
            ..row
        };
        match self.state.tournaments.update_tournament(row, EntrantChange::default(), None).await? {
            Updated::Done => {
                self.state.director.changed();
                Ok(())
            }
            Updated::Conflict => Err(Refusal::unavailable("the tournament was changed meanwhile; try again")),
        }
    }

    async fn tournament(&self, id: TournamentId) -> Result<v1::Tournament, Refusal> {
        Ok(wire_tournament(&*self.state.director.view(&self.state, id).await?))
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

fn over() -> Refusal {
    Refusal::new(Reason::TournamentOver, "the tournament is over")
}

fn new_view(row: TournamentRow, settings: Settings, entrants: Vec<EntrantRow>) -> View {
    View {
        row,
        settings: Arc::new(settings),
        field: Arc::new(Field::new(entrants)),
        log: Arc::new(BlockLog::default()),
        counts: Counts::default(),
    }
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
        let answer = self
            .state
            .request(caller.name.as_str(), "CreateTournament", &request.request_id)
            .answer(&request, |note| self.create(caller.name.clone(), &request, note));
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
        let answer = self
            .state
            .request(caller.name.as_str(), "JoinTournament", &request.request_id)
            .answer_then_note(&request, self.join(&caller.name, &request));
        Ok(Response::new(answer.await?))
    }

    async fn withdraw_from_tournament(
        &self,
        request: Request<v1::WithdrawFromTournamentRequest>,
    ) -> Result<Response<v1::WithdrawFromTournamentResponse>, Status> {
        let caller = self.state.caller(Method::WithdrawFromTournament, &request).await?;
        let request = request.into_inner();
        let answer = self
            .state
            .request(caller.name.as_str(), "WithdrawFromTournament", &request.request_id)
            .answer_then_note(&request, self.withdraw(&caller, &request));
        Ok(Response::new(answer.await?))
    }

    async fn start_tournament(
        &self,
        request: Request<v1::StartTournamentRequest>,
    ) -> Result<Response<v1::StartTournamentResponse>, Status> {
        let caller = self.state.caller(Method::StartTournament, &request).await?;
        let request = request.into_inner();
        let answer = self
            .state
            .request(caller.name.as_str(), "StartTournament", &request.request_id)
            .answer_then_note(&request, async {
                let tournament = self.start(&caller, &request.tournament_id).await?;
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
        let answer = self
            .state
            .request(caller.name.as_str(), "PauseTournament", &request.request_id)
            .answer_then_note(&request, async {
                let id = &request.tournament_id;
                let tournament = self.command(&caller, Method::PauseTournament, id, Command::Pause).await?;
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
        let answer = self
            .state
            .request(caller.name.as_str(), "ResumeTournament", &request.request_id)
            .answer_then_note(&request, async {
                let id = &request.tournament_id;
                let tournament = self.command(&caller, Method::ResumeTournament, id, Command::Resume).await?;
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
        let answer = self
            .state
            .request(caller.name.as_str(), "CancelTournament", &request.request_id)
            .answer_then_note(&request, async {
                let id = &request.tournament_id;
                let tournament = self.command(&caller, Method::CancelTournament, id, Command::Cancel).await?;
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
            return Err(
                Refusal::from(chickenfoot_protocol::Malformed::out_of_range("standings", bound)).into()
            );
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
        let file = super::export::file(&self.state, &request).await?;
        Ok(Response::new(Box::pin(super::export::parts(file))))
    }
}
