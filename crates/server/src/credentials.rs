//! What changes who an agent is: its token and its role.

use chickenfoot_arena::ToAgent;
use chickenfoot_protocol::{Malformed, v1};
use chickenfoot_store::{AgentName, AgentRow, Role};
use tracing::info;

use crate::agents::{AgentApi, not_found};
use crate::auth;
use crate::authz::{self, Caller, Method, role_name};
use crate::refusal::Refusal;
use crate::state::agent_name;

impl AgentApi {
    /// Gives an agent a new token instead of the one it has, or had.
    pub(crate) async fn rotate(
        &self,
        caller: &Caller,
        request: &v1::RotateTokenRequest,
    ) -> Result<v1::RotateTokenResponse, Refusal> {
        let name = own_or_named(caller, &request.name)?;
        let token = auth::token(&auth::new_salt()?, "");
        let hash = auth::hash(&token);
        self.change(caller, Method::RotateToken, &name, |row| row.token_hash = Some(hash)).await?;
        info!(agent = %name, by = %caller.name, "has a new token");
        Ok(v1::RotateTokenResponse { token })
    }

    /// Takes an agent's token away.
    pub(crate) async fn revoke(
        &self,
        caller: &Caller,
        request: &v1::RevokeTokenRequest,
    ) -> Result<v1::RevokeTokenResponse, Refusal> {
        let name = own_or_named(caller, &request.name)?;
        let row = self.change(caller, Method::RevokeToken, &name, |row| row.token_hash = None).await?;
        info!(agent = %name, by = %caller.name, "has no token any more");
        Ok(v1::RevokeTokenResponse { agent: Some(self.wire(&row)) })
    }

    /// Sets what an agent may do.
    pub(crate) async fn assign(
        &self,
        caller: &Caller,
        request: &v1::SetRoleRequest,
    ) -> Result<v1::SetRoleResponse, Refusal> {
        let name = agent_name("name", &request.name)?;
        let role = read_role(request.role)?;
        let row = self.change(caller, Method::SetRole, &name, |row| row.role = role).await?;
        info!(agent = %name, role = role_name(role), by = %caller.name, "has a role");
        Ok(v1::SetRoleResponse { agent: Some(self.wire(&row)) })
    }

    async fn change(
        &self,
        caller: &Caller,
        method: Method,
        name: &AgentName,
        change: impl FnOnce(&mut AgentRow),
    ) -> Result<AgentRow, Refusal> {
        let _one_at_a_time = self.state.agent_changes.lock().await;
        // While this call waited, another one may have changed the caller.
        let caller = auth::again(&*self.state.agents, caller).await?;
        authz::admit(method, self.state.registration, Some(&caller))?;
        caller.may(method, name).map_err(authz::role_required)?;
        let mut row = self.state.agents.agent(name).await?.ok_or_else(|| not_found(name))?;
        let before = row.token_hash;
        change(&mut row);
        if !self.state.agents.update_agent(row.clone()).await? {
            return Err(not_found(name));
        }
        if row.token_hash != before {
            self.state.arena.tell(name, &ToAgent::TokenChanged);
        }
        Ok(row)
    }
}

fn own_or_named(caller: &Caller, name: &str) -> Result<AgentName, Refusal> {
    if name.is_empty() { Ok(caller.name.clone()) } else { agent_name("name", name) }
}

fn read_role(wire: i32) -> Result<Role, Refusal> {
    match v1::Role::try_from(wire) {
        Ok(v1::Role::Unspecified) => Err(Malformed::missing("role").into()),
        Ok(v1::Role::Agent) => Ok(Role::Agent),
        Ok(v1::Role::Organiser) => Ok(Role::Organiser),
        Ok(v1::Role::Admin) => Ok(Role::Admin),
        Err(_) => Err(Malformed::out_of_range("role", "one of the known values").into()),
    }
}
