use std::pin::Pin;
use std::sync::Arc;

use chickenfoot_protocol::v1::agent_service_server::AgentService;
use chickenfoot_protocol::v1::{
    Agent, GetAgentRequest, GetAgentResponse, GetLeaderboardRequest, GetLeaderboardResponse,
    ListAgentsRequest, ListAgentsResponse, RegisterAgentRequest, RegisterAgentResponse, RevokeTokenRequest,
    RevokeTokenResponse, RotateTokenRequest, RotateTokenResponse, SessionRequest, SessionResponse,
    SetRoleRequest, SetRoleResponse,
};
use chickenfoot_store::{AgentName, AgentRow, Role};
use tokio_stream::Stream;
use tonic::{Request, Response, Status, Streaming};
use tracing::info;

use crate::auth;
use crate::authz::Method;
use crate::credentials::check_secret_id;
use crate::leaderboard;
use crate::once::Note;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::session;
use crate::state::{State, agent_name, page_size};
use crate::wire::{wire_role, wire_time};

/// The agents' side of the contract.
#[derive(Clone)]
pub(crate) struct AgentApi {
    pub(crate) state: Arc<State>,
}

enum Outcome {
    New(RegisterAgentResponse),
    Before(Vec<u8>),
}

impl AgentApi {
    async fn register(
        &self,
        request: &RegisterAgentRequest,
        note: Note,
    ) -> Result<RegisterAgentResponse, Refusal> {
        let name = agent_name("name", &request.name)?;
        // The note holds what the token is made of but for the request id, so nobody can read a token in the store.
        let salt = auth::new_salt()?;
        let token = auth::token(&salt, &request.request_id);
        let created_ms = self.state.arena.clock().unix_ms();
        let row = AgentRow { name, token_hash: Some(auth::hash(&token)), role: Role::Agent, created_ms };
        if !self.state.agents.create_agent(row.clone(), note.of_bytes(salt.to_vec())).await? {
            let message = format!("an agent is registered as {}", row.name);
            return Err(Refusal::new(Reason::AgentExists, message).field("name"));
        }
        info!(agent = %row.name, "registered");
        Ok(RegisterAgentResponse { agent: Some(self.wire(&row)), token })
    }

    /// The answer to a registration that was made before: the same token again.
    async fn registered(
        &self,
        request: &RegisterAgentRequest,
        salt: &[u8],
    ) -> Result<RegisterAgentResponse, Refusal> {
        let name = agent_name("name", &request.name)?;
        let row = self.state.agents.agent(&name).await?;
        let row = row.ok_or_else(|| Refusal::new(Reason::Internal, "the registered agent is gone"))?;
        let token = auth::token(salt, &request.request_id);
        if !auth::is_hash_of(&row, &auth::hash(&token)) {
            let message = format!("{name} was registered with this request, and its token changed since");
            return Err(Refusal::new(Reason::AgentExists, message).field("name"));
        }
        Ok(RegisterAgentResponse { agent: Some(self.wire(&row)), token })
    }

    async fn get(&self, request: &GetAgentRequest) -> Result<GetAgentResponse, Refusal> {
        let name = agent_name("name", &request.name)?;
        let row = self.state.agents.agent(&name).await?;
        let row = row.ok_or_else(|| not_found(&name))?;
        Ok(GetAgentResponse { agent: Some(self.wire(&row)) })
    }

    async fn list(&self, request: &ListAgentsRequest) -> Result<ListAgentsResponse, Refusal> {
        let limit = page_size(request.page_size)?;
        let after = match request.page_token.as_str() {
            "" => None,
            token => Some(token.parse().map_err(|_| {
                Refusal::new(Reason::PageTokenInvalid, "page_token is none that the service gave")
                    .field("page_token")
            })?),
        };
        // One more than asked for tells whether there is another page.
        let mut rows = self.state.agents.agents(after.as_ref(), limit + 1).await?;
        let more = rows.len() > limit;
        rows.truncate(limit);
        let next = rows.last().filter(|_| more).map(|row| row.name.to_string());
        Ok(ListAgentsResponse {
            agents: rows.iter().map(|row| self.wire(row)).collect(),
            next_page_token: next.unwrap_or_default(),
        })
    }

    pub(crate) fn wire(&self, row: &AgentRow) -> Agent {
        Agent {
            name: row.name.to_string(),
            create_time: Some(wire_time(row.created_ms)),
            online: self.state.sessions.is_online(&row.name),
            role: wire_role(row.role).into(),
            revoked: row.token_hash.is_none(),
        }
    }
}

pub(crate) fn not_found(name: &AgentName) -> Refusal {
    Refusal::new(Reason::AgentNotFound, format!("no agent is registered as {name}")).with("agent", name)
}

#[tonic::async_trait]
impl AgentService for AgentApi {
    async fn register_agent(
        &self,
        request: Request<RegisterAgentRequest>,
    ) -> Result<Response<RegisterAgentResponse>, Status> {
        self.state.optional_caller(Method::RegisterAgent, &request).await?;
        let request = request.into_inner();
        check_secret_id(&request.request_id)?;
        let call = self.state.request("", "RegisterAgent", &request.request_id, &request);
        let (api, content) = (self.clone(), request.clone());
        // Either a new agent, or the salt of one that was registered with this request.
        let new = |note| async move { Ok(Outcome::New(api.register(&content, note).await?)) };
        let answer = match call.run(new, |salt| Ok(Outcome::Before(salt))).await? {
            Outcome::New(answer) => answer,
            Outcome::Before(salt) => self.registered(&request, &salt).await?,
        };
        Ok(Response::new(answer))
    }

    async fn get_agent(
        &self,
        request: Request<GetAgentRequest>,
    ) -> Result<Response<GetAgentResponse>, Status> {
        self.state.optional_caller(Method::GetAgent, &request).await?;
        Ok(Response::new(self.get(request.get_ref()).await?))
    }

    async fn list_agents(
        &self,
        request: Request<ListAgentsRequest>,
    ) -> Result<Response<ListAgentsResponse>, Status> {
        self.state.optional_caller(Method::ListAgents, &request).await?;
        Ok(Response::new(self.list(request.get_ref()).await?))
    }

    type SessionStream = Pin<Box<dyn Stream<Item = Result<SessionResponse, Status>> + Send>>;

    async fn session(
        &self,
        request: Request<Streaming<SessionRequest>>,
    ) -> Result<Response<Self::SessionStream>, Status> {
        let caller = self.state.caller(Method::Session, &request).await?;
        self.state.not_stopping()?;
        if !self.state.sessions.is_online(&caller.name) {
            self.state.gate.session(self.state.sessions.count())?;
        }
        let down = session::start(Arc::clone(&self.state), caller, request.into_inner());
        Ok(Response::new(Box::pin(down)))
    }

    async fn rotate_token(
        &self,
        request: Request<RotateTokenRequest>,
    ) -> Result<Response<RotateTokenResponse>, Status> {
        let caller = self.state.caller(Method::RotateToken, &request).await;
        let sent = auth::sent(request.metadata());
        let request = request.into_inner();
        let answer = match caller {
            Ok(caller) => self.rotate(caller, &request).await?,
            // A call that took its own token away and is repeated.
            Err(why) if why.reason == Reason::TokenInvalid => {
                self.rotated_before(sent, &request).await?.ok_or(why)?
            }
            Err(why) => return Err(why.into()),
        };
        Ok(Response::new(answer))
    }

    async fn revoke_token(
        &self,
        request: Request<RevokeTokenRequest>,
    ) -> Result<Response<RevokeTokenResponse>, Status> {
        let caller = self.state.caller(Method::RevokeToken, &request).await?;
        let (api, request) = (self.clone(), request.into_inner());
        let revoked = self.state.once.whole(async move { api.revoke(&caller, &request).await });
        Ok(Response::new(revoked.await?))
    }

    async fn get_leaderboard(
        &self,
        request: Request<GetLeaderboardRequest>,
    ) -> Result<Response<GetLeaderboardResponse>, Status> {
        self.state.optional_caller(Method::GetLeaderboard, &request).await?;
        Ok(Response::new(leaderboard::answer(&self.state, request.get_ref()).await?))
    }

    async fn set_role(&self, request: Request<SetRoleRequest>) -> Result<Response<SetRoleResponse>, Status> {
        let caller = self.state.caller(Method::SetRole, &request).await?;
        let (api, request) = (self.clone(), request.into_inner());
        let assigned = self.state.once.whole(async move { api.assign(&caller, &request).await });
        Ok(Response::new(assigned.await?))
    }
}
