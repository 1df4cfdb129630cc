//! What changes who an agent is: its token and its role.

use chickenfoot_arena::ToAgent;
use chickenfoot_protocol::{Malformed, v1};
use chickenfoot_rules::Hex32;
use chickenfoot_store::{AgentName, AgentRow, Remembered, Role, TokenHash};
use tracing::info;

use crate::agents::{AgentApi, not_found};
use crate::auth;
use crate::authz::{self, Caller, Method, role_name};
use crate::once::Note;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::state::agent_name;

const ROTATE: &str = "RotateToken";

enum Rotated {
    Now(v1::RotateTokenResponse),
    /// By a call before this one, of which this is the note.
    Before(Vec<u8>),
}

impl AgentApi {
    /// Gives an agent a new token instead of the one it has, or had; the same one again if the call is repeated.
    pub(crate) async fn rotate(
        &self,
        caller: Caller,
        request: &v1::RotateTokenRequest,
    ) -> Result<v1::RotateTokenResponse, Refusal> {
        check_secret_id(&request.request_id)?;
        let name = own_or_named(&caller, &request.name)?;
        let asker = if name == caller.name { by_token(&caller.token_hash) } else { caller.name.to_string() };
        let call = self.state.request(&asker, ROTATE, &request.request_id, request);
        let (api, of, id) = (self.clone(), name.clone(), request.request_id.clone());
        let new = |note: Note| async move {
            // The note holds what the token is made of but for the request id, so nobody can read a token in the store.
            let salt = auth::new_salt()?;
            let token = auth::token(&salt, &id);
            let hash = auth::hash(&token);
            let note = note.of_bytes([&salt, of.as_str().as_bytes()].concat());
            api.change(&caller, Method::RotateToken, &of, note, |row| row.token_hash = Some(hash)).await?;
            info!(agent = %of, by = %caller.name, "has a new token");
            Ok(Rotated::Now(v1::RotateTokenResponse { token }))
        };
        match call.run(new, |note| Ok(Rotated::Before(note))).await? {
            Rotated::Now(answer) => Ok(answer),
            Rotated::Before(note) => self.rotated(&note, request).await?.ok_or_else(|| {
                let message = format!("{name} got a token by this request, and it was changed since");
                Refusal::new(Reason::TokenChanged, message).field("request_id")
            }),
        }
    }

    /// The answer to a call by which an agent took the token of this hash from itself: the one that it got instead.
    /// `None` if there was no such call, or that token is not its own any more either.
    pub(crate) async fn rotated_before(
        &self,
        sent: Option<TokenHash>,
        request: &v1::RotateTokenRequest,
    ) -> Result<Option<v1::RotateTokenResponse>, Refusal> {
        let Some(hash) = sent else { return Ok(None) };
        let asker = by_token(&hash);
        match self.state.request(&asker, ROTATE, &request.request_id, request).noted().await? {
            Some(note) => self.rotated(&note, request).await,
            None => Ok(None),
        }
    }

    /// The token that a request made by its note, if the agent still has it.
    async fn rotated(
        &self,
        note: &[u8],
        request: &v1::RotateTokenRequest,
    ) -> Result<Option<v1::RotateTokenResponse>, Refusal> {
        let unreadable = || Refusal::new(Reason::Internal, "the note of the request cannot be read");
        let (salt, name) = note.split_first_chunk::<32>().ok_or_else(unreadable)?;
        let name =
            std::str::from_utf8(name).ok().and_then(|name| name.parse().ok()).ok_or_else(unreadable)?;
        let token = auth::token(salt, &request.request_id);
        let row = self.state.agents.agent(&name).await?;
        let current = row.is_some_and(|row| auth::is_hash_of(&row, &auth::hash(&token)));
        Ok(current.then_some(v1::RotateTokenResponse { token }))
    }

    /// Takes an agent's token away.
    pub(crate) async fn revoke(
        &self,
        caller: &Caller,
        request: &v1::RevokeTokenRequest,
    ) -> Result<v1::RevokeTokenResponse, Refusal> {
        let name = own_or_named(caller, &request.name)?;
        let row = self.change(caller, Method::RevokeToken, &name, None, |row| row.token_hash = None).await?;
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
        let row = self.change(caller, Method::SetRole, &name, None, |row| row.role = role).await?;
        info!(agent = %name, role = role_name(role), by = %caller.name, "has a role");
        Ok(v1::SetRoleResponse { agent: Some(self.wire(&row)) })
    }

    async fn change(
        &self,
        caller: &Caller,
        method: Method,
        name: &AgentName,
        remember: Option<Remembered>,
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
        if !self.state.agents.update_agent(row.clone(), remember).await? {
            return Err(not_found(name));
        }
        if row.token_hash != before {
            self.state.arena.tell(name, &ToAgent::TokenChanged);
        }
        Ok(row)
    }
}

/// Whoever knows the id of a request that made a token may get that token, so the id must not be guessed.
///
/// # Errors
/// It is too short.
pub(crate) fn check_secret_id(request_id: &str) -> Result<(), Refusal> {
    const MIN: usize = 16;
    if (1..MIN).contains(&request_id.chars().count()) {
        let message = format!("request_id must have at least {MIN} characters: it is worth the token");
        return Err(Refusal::new(Reason::FieldOutOfRange, message).field("request_id"));
    }
    Ok(())
}

/// Who calls to have its own token replaced: by then that is all that is known of it. No agent has such a name.
fn by_token(hash: &TokenHash) -> String {
    Hex32(*hash).to_string()
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
