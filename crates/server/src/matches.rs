use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use chickenfoot_arena::{Aborter, Answer, NewMatch};
use chickenfoot_protocol::v1::match_service_server::MatchService;
use chickenfoot_protocol::{Malformed, forced_from_wire, rules_from_wire, v1};
use chickenfoot_rules::{Choice, Entropy, Seed};
use chickenfoot_store::{
    AbortReason, AgentName, ClockRules, FaultRules, ListMatches, MatchId, MatchRow, MatchState, Role,
    SeatSpec,
};
use tokio_stream::Stream;
use tonic::{Request, Response, Status};
use tracing::info;

use crate::authz::{Caller, Method, role_name};
use crate::once::Note;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::scenes::Following;
use crate::state::{State, agent_name, match_id, page_size, tournament_id};
use crate::watch;
use crate::wire::{wire_duration, wire_match};

/// The matches' side of the contract.
#[derive(Clone)]
pub(crate) struct MatchApi {
    pub(crate) state: Arc<State>,
}

/// What the deals are bound to beside a fixed seed, if the match says nothing.
const FIXED_DEAL_ID: &str = "fixed";

/// Characters of a strategy's name that are looked at: more than any has.
const MAX_STRATEGY: usize = 64;

impl MatchApi {
    async fn create(
        &self,
        creator: AgentName,
        request: &v1::CreateMatchRequest,
        note: Note,
    ) -> Result<v1::CreateMatchResponse, Refusal> {
        let config = request.config.as_ref().ok_or_else(|| Malformed::missing("config"))?;
        self.state.not_stopping()?;
        let _room = self.state.gate.create(&creator)?;
        let new = self.new_match(creator, config).await?;
        // As it was made: a match that needs no agent is under way when this is read.
        let answer = |row: &MatchRow| v1::CreateMatchResponse { r#match: Some(wire_match(row, None)) };
        let row = self.state.arena.create(new, |row| note.of(&answer(row))).await?;
        info!(match_id = %row.id, creator = %row.creator, "match created");
        Ok(answer(&row))
    }

    async fn new_match(&self, creator: AgentName, config: &v1::MatchConfig) -> Result<NewMatch, Refusal> {
        let rules = config.rules.unwrap_or_default();
        let rules = rules_from_wire(&rules, config.seats.len()).map_err(|e| e.within("config.rules"))?;
        let mut seats = Vec::with_capacity(config.seats.len());
        for (i, seat) in config.seats.iter().enumerate() {
            seats.push(self.seat_spec(&format!("config.seats[{i}]"), seat).await?);
        }
        let forced = forced_from_wire(config.forced_moves).map_err(|e| e.within("config"))?;
        let clock = clock_rules(config.decision_time.as_ref(), config.bank.as_ref(), config.grace.as_ref())?;
        let fixed = fixed_seed(config)?;
        if config.rated {
            check_rated(&seats, fixed.is_some())?;
        }
        Ok(NewMatch {
            creator,
            rules,
            seats,
            clock,
            faults: fault_rules(config.strikes, config.illegal_answers, config.strict)?,
            forced,
            spectator_delay: spectator_delay(config.spectator_delay)?,
            fixed,
            rated: config.rated,
            block: None,
        })
    }

    async fn seat_spec(&self, field: &str, seat: &v1::SeatSpec) -> Result<SeatSpec, Refusal> {
        use v1::seat_spec::Who;
        match seat.who.as_ref().ok_or_else(|| Malformed::missing("who").within(field))? {
            Who::Open(v1::OpenSeat {}) => Ok(SeatSpec::Open),
            // A name that is not known is echoed, and a refusal has to fit into the headers of an answer.
            Who::House(strategy) => Ok(SeatSpec::House(strategy.chars().take(MAX_STRATEGY).collect())),
            Who::Agent(name) => {
                let name = agent_name(&format!("{field}.agent"), name)?;
                if self.state.agents.agent(&name).await?.is_none() {
                    let message = format!("no agent is registered as {name}");
                    return Err(Refusal::new(Reason::AgentNotFound, message).with("agent", name));
                }
                Ok(SeatSpec::Agent(name))
            }
        }
    }

    async fn list(&self, request: &v1::ListMatchesRequest) -> Result<v1::ListMatchesResponse, Refusal> {
        let limit = page_size(request.page_size)?;
        let state = match v1::MatchState::try_from(request.state) {
            Ok(v1::MatchState::Unspecified) => None,
            Ok(v1::MatchState::Open) => Some(MatchState::Open),
            Ok(v1::MatchState::Running) => Some(MatchState::Running),
            Ok(v1::MatchState::Finished) => Some(MatchState::Finished),
            Ok(v1::MatchState::Aborted) => Some(MatchState::Aborted(AbortReason::Creator)),
            Err(_) => return Err(Malformed::out_of_range("state", "one of the known values").into()),
        };
        let after = match request.page_token.as_str() {
            "" => None,
            token => Some(read_page_token(token).ok_or_else(|| {
                Refusal::new(Reason::PageTokenInvalid, "page_token is none that the service gave")
                    .field("page_token")
            })?),
        };
        let agent = match request.agent.as_str() {
            "" => None,
            name => Some(agent_name("agent", name)?),
        };
        let tournament = match request.tournament_id.as_str() {
            "" => None,
            id => Some(tournament_id(id)?),
        };
        let query = ListMatches { state, agent, tournament, after, limit: limit + 1 };
        let mut rows = self.state.arena.journal().list(query).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|row| format!("{}-{}", row.created_ms, row.id));
        Ok(v1::ListMatchesResponse {
            matches: rows.iter().map(|row| wire_match(row, row.summary.as_ref())).collect(),
            next_page_token: next.unwrap_or_default(),
        })
    }

    async fn join(
        &self,
        agent: &AgentName,
        request: &v1::JoinMatchRequest,
    ) -> Result<v1::JoinMatchResponse, Refusal> {
        let id = match_id(&request.match_id)?;
        let entropy = read_entropy("entropy", &request.entropy)?;
        self.state.gate.join(agent, id)?;
        let (seat, row) = self.state.arena.join(id, agent, request.seat, entropy).await?;
        Ok(v1::JoinMatchResponse {
            seat: seat.number().into(),
            r#match: Some(self.state.wire_match(&row, Some(agent)).await?),
        })
    }

    async fn leave(&self, agent: &AgentName, id: &str) -> Result<v1::LeaveMatchResponse, Refusal> {
        let row = self.state.arena.leave(match_id(id)?, agent).await?;
        Ok(v1::LeaveMatchResponse { r#match: Some(self.state.wire_match(&row, Some(agent)).await?) })
    }

    async fn abort(&self, caller: &Caller, id: &str) -> Result<v1::AbortMatchResponse, Refusal> {
        let id = match_id(id)?;
        let row = self.state.arena.row(id).await?;
        // A creator who plays could do away with every loss.
        let counts = row.state == MatchState::Running && (row.rated || row.block.is_some());
        let creator = row.creator;
        if counts && !caller.is_at_least(Role::Organiser) {
            let role = role_name(Role::Organiser);
            let message = format!(
                "a running match that is rated or of a tournament is ended early by an agent with the role {role} only"
            );
            return Err(Refusal::new(Reason::NotCreator, message).with("role", role));
        }
        caller.may(Method::AbortMatch, &creator).map_err(|role| {
            let role = role_name(role);
            let message =
                format!("only the creator of the match may do this, or an agent with the role {role}");
            Refusal::new(Reason::NotCreator, message).with("role", role)
        })?;
        let by = if caller.name == creator { Aborter::Creator } else { Aborter::Organiser };
        let row = self.state.arena.abort(id, by).await?;
        info!(match_id = %id, by = %caller.name, "match aborted");
        Ok(v1::AbortMatchResponse { r#match: Some(self.state.wire_match(&row, Some(&caller.name)).await?) })
    }

    async fn answer(
        &self,
        agent: &AgentName,
        request: &v1::PlayRequest,
    ) -> Result<v1::PlayResponse, Refusal> {
        let choice = request.choice.as_ref().ok_or_else(|| Malformed::missing("choice"))?;
        let (id, answer) = read_choice(choice)?;
        let chosen = self.state.arena.choose(id, agent, choice.decision, answer).await?;
        Ok(v1::PlayResponse {
            r#move: Some(chosen.choice.into()),
            think: Some(wire_duration(chosen.think)),
            granted: Some(wire_duration(chosen.granted)),
        })
    }
}

/// A rated match says something of agents only if each seat is another agent's and the deals are nobody's choice.
fn check_rated(seats: &[SeatSpec], fixed_seed: bool) -> Result<(), Refusal> {
    let refuse = |bound: &str| Err(Malformed::out_of_range("config.rated", bound).into());
    if fixed_seed {
        return refuse("false with a fixed seed");
    }
    for (i, seat) in seats.iter().enumerate() {
        match seat {
            SeatSpec::House(_) => return refuse("false with a player of the house"),
            SeatSpec::Agent(_) if seats[..i].contains(seat) => {
                return refuse("false with an agent on two seats");
            }
            SeatSpec::Agent(_) | SeatSpec::Open => {}
        }
    }
    Ok(())
}

/// Reads an answer to a decision: its match and what is chosen.
///
/// # Errors
/// The id or a field of the choice is malformed.
pub(crate) fn read_choice(choice: &v1::Choice) -> Result<(MatchId, Answer), Refusal> {
    use v1::choice::Choice as Wire;
    let id = match_id(&choice.match_id)?;
    let answer = match choice.choice.as_ref().ok_or_else(|| Malformed::missing("choice.choice"))? {
        Wire::Option(option) => Answer::Option(*option),
        Wire::Move(wire) => Answer::Move(Choice::try_from(wire).map_err(|e| e.within("choice.move"))?),
    };
    Ok((id, answer))
}

/// Reads entropy: 32 bytes, or none at all for zero.
///
/// # Errors
/// Another length.
pub(crate) fn read_entropy(field: &str, bytes: &[u8]) -> Result<Entropy, Refusal> {
    if bytes.is_empty() {
        return Ok(Entropy::default());
    }
    let bytes: [u8; 32] = bytes
        .try_into()
        .map_err(|_| Malformed::out_of_range(field, format!("32 bytes or empty, not {}", bytes.len())))?;
    Ok(chickenfoot_rules::Hex32(bytes))
}

/// Reads the clock of a match: 30 seconds a decision, 60 in the bank and 20 of grace unless asked otherwise.
///
/// # Errors
/// A time beyond its bound.
pub(crate) fn clock_rules(
    decision: Option<&prost_types::Duration>,
    bank: Option<&prost_types::Duration>,
    grace: Option<&prost_types::Duration>,
) -> Result<ClockRules, Refusal> {
    const HOUR: Duration = Duration::from_secs(3600);
    let least = Duration::from_millis(10);
    Ok(ClockRules {
        decision: match read_time(decision, Duration::from_secs(30)) {
            Some(time) if (least..=HOUR).contains(&time) => time,
            _ => {
                return Err(
                    Malformed::out_of_range("config.decision_time", "10 milliseconds to 1 hour").into()
                );
            }
        },
        bank: match read_time(bank, Duration::from_secs(60)) {
            Some(time) if time <= HOUR => time,
            _ => return Err(Malformed::out_of_range("config.bank", "0 to 1 hour").into()),
        },
        grace: match read_time(grace, Duration::from_secs(20)) {
            Some(time) if time <= HOUR => time,
            _ => return Err(Malformed::out_of_range("config.grace", "0 to 1 hour").into()),
        },
    })
}

/// Reads a duration; `None` for a negative one or one beyond all bounds.
pub(crate) fn read_time(wire: Option<&prost_types::Duration>, default: Duration) -> Option<Duration> {
    let Some(wire) = wire else { return Some(default) };
    // Read by hand: the conversion of `prost_types` overflows on some negative and some huge durations.
    let (seconds, nanos) = (u64::try_from(wire.seconds).ok()?, u32::try_from(wire.nanos).ok()?);
    (seconds <= 3600 && nanos < 1_000_000_000).then(|| Duration::new(seconds, nanos))
}

/// Reads what mistakes cost: 3 strikes, one for every 3 illegal answers to a decision, unless asked otherwise.
///
/// # Errors
/// A number beyond its bound.
pub(crate) fn fault_rules(
    strikes: Option<u32>,
    illegal: Option<u32>,
    strict: bool,
) -> Result<FaultRules, Refusal> {
    let strikes = strikes.unwrap_or(3);
    if strikes > 1000 {
        return Err(Malformed::out_of_range("config.strikes", format!("0 to 1000, not {strikes}")).into());
    }
    let illegal = illegal.unwrap_or(3);
    if !(1..=1000).contains(&illegal) {
        let bound = format!("1 to 1000, not {illegal}");
        return Err(Malformed::out_of_range("config.illegal_answers", bound).into());
    }
    Ok(FaultRules { strikes, illegal, strict })
}

/// Reads how many events late spectators see a match: none unless asked otherwise.
///
/// # Errors
/// A number beyond its bound.
pub(crate) fn spectator_delay(delay: u32) -> Result<u32, Refusal> {
    match delay {
        delay @ 0..=10_000 => Ok(delay),
        delay => {
            Err(Malformed::out_of_range("config.spectator_delay", format!("0 to 10000, not {delay}")).into())
        }
    }
}

fn fixed_seed(config: &v1::MatchConfig) -> Result<Option<(Seed, String)>, Refusal> {
    let deal_id = &config.deal_id;
    if config.seed.is_empty() {
        return if deal_id.is_empty() {
            Ok(None)
        } else {
            Err(Malformed::out_of_range("config.deal_id", "empty without config.seed").into())
        };
    }
    let seed: [u8; 32] = config.seed.as_slice().try_into().map_err(|_| {
        Malformed::out_of_range("config.seed", format!("32 bytes, not {}", config.seed.len()))
    })?;
    let fine =
        deal_id.len() <= 64 && deal_id.bytes().all(|c| c.is_ascii_alphanumeric() || b"._-".contains(&c));
    if !fine {
        let bound = "at most 64 letters, digits, '.', '_' and '-'";
        return Err(Malformed::out_of_range("config.deal_id", bound).into());
    }
    let deal_id = if deal_id.is_empty() { FIXED_DEAL_ID } else { deal_id };
    Ok(Some((Seed::new(seed), deal_id.to_owned())))
}

fn read_page_token(token: &str) -> Option<(u64, MatchId)> {
    let (created_ms, id) = token.split_once('-')?;
    Some((created_ms.parse().ok()?, id.parse().ok()?))
}

#[tonic::async_trait]
impl MatchService for MatchApi {
    async fn create_match(
        &self,
        request: Request<v1::CreateMatchRequest>,
    ) -> Result<Response<v1::CreateMatchResponse>, Status> {
        let caller = self.state.caller(Method::CreateMatch, &request).await?;
        let request = request.into_inner();
        let call = self.state.request(caller.name.as_str(), "CreateMatch", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer(|note| async move { api.create(caller.name, &request, note).await });
        Ok(Response::new(answer.await?))
    }

    async fn get_match(
        &self,
        request: Request<v1::GetMatchRequest>,
    ) -> Result<Response<v1::GetMatchResponse>, Status> {
        let caller = self.state.optional_caller(Method::GetMatch, &request).await?;
        let row =
            self.state.arena.row(match_id(&request.get_ref().match_id)?).await.map_err(Refusal::from)?;
        let viewer = caller.as_ref().map(|caller| &caller.name);
        let wire = self.state.wire_match(&row, viewer).await.map_err(Refusal::from)?;
        Ok(Response::new(v1::GetMatchResponse { r#match: Some(wire) }))
    }

    async fn list_matches(
        &self,
        request: Request<v1::ListMatchesRequest>,
    ) -> Result<Response<v1::ListMatchesResponse>, Status> {
        self.state.optional_caller(Method::ListMatches, &request).await?;
        Ok(Response::new(self.list(request.get_ref()).await?))
    }

    async fn join_match(
        &self,
        request: Request<v1::JoinMatchRequest>,
    ) -> Result<Response<v1::JoinMatchResponse>, Status> {
        let caller = self.state.caller(Method::JoinMatch, &request).await?;
        let request = request.into_inner();
        let call = self.state.request(caller.name.as_str(), "JoinMatch", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer_then_note(async move { api.join(&caller.name, &request).await });
        Ok(Response::new(answer.await?))
    }

    async fn leave_match(
        &self,
        request: Request<v1::LeaveMatchRequest>,
    ) -> Result<Response<v1::LeaveMatchResponse>, Status> {
        let caller = self.state.caller(Method::LeaveMatch, &request).await?;
        let request = request.into_inner();
        let call = self.state.request(caller.name.as_str(), "LeaveMatch", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer_then_note(async move { api.leave(&caller.name, &request.match_id).await });
        Ok(Response::new(answer.await?))
    }

    async fn abort_match(
        &self,
        request: Request<v1::AbortMatchRequest>,
    ) -> Result<Response<v1::AbortMatchResponse>, Status> {
        let caller = self.state.caller(Method::AbortMatch, &request).await?;
        let request = request.into_inner();
        let call = self.state.request(caller.name.as_str(), "AbortMatch", &request.request_id, &request);
        let api = self.clone();
        let answer = call.answer_then_note(async move { api.abort(&caller, &request.match_id).await });
        Ok(Response::new(answer.await?))
    }

    async fn play(&self, request: Request<v1::PlayRequest>) -> Result<Response<v1::PlayResponse>, Status> {
        let caller = self.state.caller(Method::Play, &request).await?;
        Ok(Response::new(self.answer(&caller.name, request.get_ref()).await?))
    }

    type WatchMatchStream = Pin<Box<dyn Stream<Item = Result<v1::WatchMatchResponse, Status>> + Send>>;

    async fn watch_match(
        &self,
        request: Request<v1::WatchMatchRequest>,
    ) -> Result<Response<Self::WatchMatchStream>, Status> {
        let caller = self.state.optional_caller(Method::WatchMatch, &request).await?;
        let request = request.into_inner();
        let id = match_id(&request.match_id)?;
        if request.outlines && !request.scenes {
            return Err(Refusal::from(Malformed::out_of_range("outlines", "false without scenes")).into());
        }
        self.state.not_stopping()?;
        let pass = self.state.gate.watch(id.0)?;
        let events = self.state.arena.watch(id, request.after_seq).await.map_err(Refusal::from)?;
        if request.scenes {
            self.state.gate.scenes(self.state.scenes.watched_beside(id))?;
        }
        let scenes = request.scenes.then(|| Following::new(self.state.scenes.of(id), request.outlines));
        let stream = watch::stream(Arc::clone(&self.state), id, caller, events, scenes, pass);
        Ok(Response::new(Box::pin(stream)))
    }

    async fn get_record(
        &self,
        request: Request<v1::GetRecordRequest>,
    ) -> Result<Response<v1::GetRecordResponse>, Status> {
        self.state.optional_caller(Method::GetRecord, &request).await?;
        let id = match_id(&request.get_ref().match_id)?;
        let record = self.state.arena.record(id).await.map_err(Refusal::from)?;
        Ok(Response::new(v1::GetRecordResponse { record: Some((&record).into()) }))
    }
}
