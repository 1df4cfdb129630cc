use std::pin::Pin;
use std::sync::{Arc, Mutex};

use chickenfoot_protocol::v1;
use tokio_stream::Stream;
use tonic::{Request, Response, Status, Streaming};

use super::State;

/// Registers whoever comes; everything else is not there.
pub struct Agents(pub Arc<Mutex<State>>);

#[tonic::async_trait]
impl v1::agent_service_server::AgentService for Agents {
    type SessionStream = Pin<Box<dyn Stream<Item = Result<v1::SessionResponse, Status>> + Send>>;

    async fn register_agent(
        &self,
        request: Request<v1::RegisterAgentRequest>,
    ) -> Result<Response<v1::RegisterAgentResponse>, Status> {
        let name = request.into_inner().name;
        self.0.lock().expect("nobody panicked with it").call("RegisterAgent", &name)?;
        let token = format!("token-{name}");
        Ok(Response::new(v1::RegisterAgentResponse { token, ..v1::RegisterAgentResponse::default() }))
    }

    async fn get_agent(
        &self,
        _: Request<v1::GetAgentRequest>,
    ) -> Result<Response<v1::GetAgentResponse>, Status> {
        Err(Status::unimplemented("no test needs it"))
    }

    async fn list_agents(
        &self,
        _: Request<v1::ListAgentsRequest>,
    ) -> Result<Response<v1::ListAgentsResponse>, Status> {
        Err(Status::unimplemented("no test needs it"))
    }

    async fn session(
        &self,
        _: Request<Streaming<v1::SessionRequest>>,
    ) -> Result<Response<Self::SessionStream>, Status> {
        Err(Status::unimplemented("no test needs it"))
    }

    async fn rotate_token(
        &self,
        _: Request<v1::RotateTokenRequest>,
    ) -> Result<Response<v1::RotateTokenResponse>, Status> {
        Err(Status::unimplemented("no test needs it"))
    }

    async fn revoke_token(
        &self,
        _: Request<v1::RevokeTokenRequest>,
    ) -> Result<Response<v1::RevokeTokenResponse>, Status> {
        Err(Status::unimplemented("no test needs it"))
    }

    async fn get_leaderboard(
        &self,
        _: Request<v1::GetLeaderboardRequest>,
    ) -> Result<Response<v1::GetLeaderboardResponse>, Status> {
        Err(Status::unimplemented("no test needs it"))
    }

    async fn set_role(
        &self,
        _: Request<v1::SetRoleRequest>,
    ) -> Result<Response<v1::SetRoleResponse>, Status> {
        Err(Status::unimplemented("no test needs it"))
    }
}
