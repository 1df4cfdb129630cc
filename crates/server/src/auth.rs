use chickenfoot_store::{AgentName, Agents, TokenHash};
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use tonic::metadata::MetadataMap;

use crate::reason::Reason;
use crate::refusal::Refusal;

/// The secret part of a new token: 256 bits from the operating system.
///
/// # Errors
/// The operating system has no randomness to give.
pub(crate) fn new_salt() -> Result<[u8; 32], Refusal> {
    let mut bytes = [0; 32];
    SysRng
        .try_fill_bytes(&mut bytes)
        .map_err(|why| Refusal::new(Reason::Internal, format!("no randomness: {why}")))?;
    Ok(bytes)
}

/// A bearer token, in hexadecimal digits: SHA-256 over the salt and the id of the request that asked for it, so that
/// whoever repeats the request gets the same one, and the salt alone does not give it.
pub(crate) fn token(salt: &[u8], request_id: &str) -> String {
    let mut hash = Sha256::new();
    for part in [b"chickenfoot/v1/token", salt, request_id.as_bytes()] {
        hash.update((part.len() as u32).to_be_bytes());
        hash.update(part);
    }
    chickenfoot_rules::Hex32(hash.finalize().into()).to_string()
}

/// What is stored of a token. It has 256 random bits, so a plain hash keeps it as secret as a slow one would; and
/// looking the hash up tells an attacker nothing about the token by its timing.
pub(crate) fn hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// The agent whose token came with a call.
///
/// # Errors
/// No token, or one that nobody has.
pub(crate) async fn caller(agents: &dyn Agents, metadata: &MetadataMap) -> Result<AgentName, Refusal> {
    optional_caller(agents, metadata).await?.ok_or_else(|| {
        Refusal::new(
            Reason::TokenMissing,
            "this call needs a token: metadata \"authorization: Bearer TOKEN\"",
        )
    })
}

/// As [`caller`] for calls that need no token.
///
/// # Errors
/// A token that nobody has.
pub(crate) async fn optional_caller(
    agents: &dyn Agents,
    metadata: &MetadataMap,
) -> Result<Option<AgentName>, Refusal> {
    let Some(value) = metadata.get("authorization") else {
        return Ok(None);
    };
    let invalid = || Refusal::new(Reason::TokenInvalid, "no agent has this token");
    let token = value.to_str().ok().and_then(|text| text.strip_prefix("Bearer ")).ok_or_else(invalid)?;
    let agent = agents.agent_by_token(&hash(token.trim())).await?;
    agent.map(|agent| Some(agent.name)).ok_or_else(invalid)
}
