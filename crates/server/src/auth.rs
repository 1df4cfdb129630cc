use chickenfoot_store::{AgentRow, Agents, TokenHash};
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tonic::metadata::MetadataMap;

use crate::authz::Caller;
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

/// What is stored of a token. It has 256 random bits, so a plain hash keeps it as secret as a slow one would.
pub(crate) fn hash(token: &str) -> TokenHash {
    Sha256::digest(token.as_bytes()).into()
}

/// The agent whose token came with a call, if one came.
///
/// The store looks the hash up, in a time that depends on the hashes it holds. That tells nothing of use: whoever sends
/// a token cannot choose its hash, so a hash known in part gives no part of a token. What is found is compared in
/// constant time all the same.
///
/// # Errors
/// A token that nobody has.
pub(crate) async fn identify(agents: &dyn Agents, metadata: &MetadataMap) -> Result<Option<Caller>, Refusal> {
    if !metadata.contains_key("authorization") {
        return Ok(None);
    }
    let hash = sent(metadata).ok_or_else(invalid)?;
    let row = agents.agent_by_token(&hash).await?.ok_or_else(invalid)?;
    if is_hash_of(&row, &hash) { Ok(Some(Caller::new(row.name, row.role, hash))) } else { Err(invalid()) }
}

/// The hash of the token that came with a call, whether or not somebody has it.
pub(crate) fn sent(metadata: &MetadataMap) -> Option<TokenHash> {
    let text = metadata.get("authorization")?.to_str().ok()?;
    Some(hash(text.strip_prefix("Bearer ")?.trim()))
}

/// The caller as it is now: its token and role may have been changed since the call came in.
///
/// # Errors
/// The token is its own no more.
pub(crate) async fn again(agents: &dyn Agents, caller: &Caller) -> Result<Caller, Refusal> {
    let row = agents.agent(&caller.name).await?.ok_or_else(invalid)?;
    let hash = caller.token_hash;
    if is_hash_of(&row, &hash) { Ok(Caller::new(row.name, row.role, hash)) } else { Err(invalid()) }
}

/// Whether this is the hash of the agent's token, found out in a time that is the same for all hashes.
pub(crate) fn is_hash_of(row: &AgentRow, hash: &TokenHash) -> bool {
    row.token_hash.is_some_and(|stored| stored.ct_eq(hash).into())
}

fn invalid() -> Refusal {
    Refusal::new(Reason::TokenInvalid, "no agent has this token")
}
