use std::path::PathBuf;
use std::{fmt, fs, io};

use chickenfoot_store::{AgentRow, Agents, Role, StoreError, TokenHash};
use tracing::info;

use crate::auth;
use crate::authz::Registration;

/// The agent that the admin's token belongs to.
const ADMIN: &str = "admin";

/// Who comes in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Who may register agents.
    pub registration: Registration,
    /// The token of the first admin.
    pub admin_token: Option<AdminToken>,
}

/// [`Access`] as the configuration has it: the file is not read yet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AccessFrom {
    /// Who may register agents.
    pub registration: Registration,
    /// The file with the admin's token. It goes before the token below.
    pub admin_token_file: Option<PathBuf>,
    /// The admin's token, if the environment has one.
    pub admin_token: Option<AdminToken>,
}

impl AccessFrom {
    /// What the configuration means.
    ///
    /// # Errors
    /// The file cannot be read, or the token in it is none.
    pub fn read(&self) -> Result<Access, AccessError> {
        let admin_token = match &self.admin_token_file {
            Some(file) => {
                let unreadable = |why| AccessError::Unreadable { file: file.clone(), why };
                Some(AdminToken::new(fs::read_to_string(file).map_err(unreadable)?.trim())?)
            }
            None => self.admin_token.clone(),
        };
        Ok(Access { registration: self.registration, admin_token })
    }
}

/// The admin's token: its hash, so that nothing can print it.
#[derive(Clone, PartialEq, Eq)]
pub struct AdminToken(TokenHash);

impl AdminToken {
    /// Fewest characters. The token is hashed only once, so it has to be beyond guessing: 32 random bytes in
    /// hexadecimal digits are best.
    pub const MIN_LENGTH: usize = 32;

    /// A token.
    ///
    /// # Errors
    /// It is too short, or has other characters than visible ASCII.
    pub fn new(token: &str) -> Result<AdminToken, AccessError> {
        if token.len() < AdminToken::MIN_LENGTH {
            return Err(AccessError::Short);
        }
        if !token.bytes().all(|c| c.is_ascii_graphic()) {
            return Err(AccessError::Characters);
        }
        Ok(AdminToken(auth::hash(token)))
    }

    /// Makes sure that there is an agent `admin` with the role of an admin and this token, and no other.
    pub(crate) async fn install(&self, agents: &dyn Agents, now_ms: u64) -> Result<(), StoreError> {
        let name = ADMIN.parse().expect("an agent can be called admin");
        let wanted = AgentRow { name, token_hash: Some(self.0), role: Role::Admin, created_ms: now_ms };
        let stored = agents.agent(&wanted.name).await?;
        let done = |row: &AgentRow| row.role == wanted.role && auth::is_hash_of(row, &self.0);
        if stored.as_ref().is_some_and(done) {
            return Ok(());
        }
        // An agent that called itself admin before loses the name's token to the real one.
        if stored.is_none() && agents.create_agent(wanted.clone(), None).await? {
            info!(agent = ADMIN, "registered");
        } else {
            agents.update_agent(wanted, None).await?;
            info!(agent = ADMIN, "has the role of an admin and the configured token now");
        }
        Ok(())
    }
}

impl fmt::Debug for AdminToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AdminToken(…)")
    }
}

/// Why it is not clear who comes in.
#[derive(Debug)]
pub enum AccessError {
    /// The file of the admin's token cannot be read.
    Unreadable {
        /// The file.
        file: PathBuf,
        /// Why.
        why: io::Error,
    },
    /// The admin's token is too short.
    Short,
    /// The admin's token has characters that no token has.
    Characters,
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AccessError::Unreadable { file, why } => {
                write!(f, "the admin's token cannot be read from {}: {why}", file.display())
            }
            AccessError::Short => write!(
                f,
                "the admin's token must have at least {} characters, such as those of `openssl rand -hex 32`",
                AdminToken::MIN_LENGTH
            ),
            AccessError::Characters => {
                f.write_str("the admin's token must be one line of visible ASCII characters without spaces")
            }
        }
    }
}

impl std::error::Error for AccessError {}

#[cfg(test)]
mod tests {
    use chickenfoot_store::Memory;

    use super::*;

    #[tokio::test]
    async fn an_agent_that_called_itself_admin_loses_the_name() {
        let (store, token) = (Memory::new(), AdminToken::new(&"t".repeat(32)).unwrap());
        let impostor = AgentRow {
            name: ADMIN.parse().unwrap(),
            token_hash: Some([1; 32]),
            role: Role::Agent,
            created_ms: 5,
        };
        assert!(store.create_agent(impostor, None).await.unwrap());
        for _ in 0..2 {
            token.install(&store, 7).await.unwrap();
            let admin = store.agent_by_token(&token.0).await.unwrap().unwrap();
            assert_eq!((admin.name.as_str(), admin.role), (ADMIN, Role::Admin));
            assert_eq!(store.agent_by_token(&[1; 32]).await.unwrap(), None);
        }
    }

    #[tokio::test]
    async fn a_token_of_another_agent_is_no_admins() {
        let (store, token) = (Memory::new(), AdminToken::new(&"t".repeat(32)).unwrap());
        let other = AgentRow {
            name: "other".parse().unwrap(),
            token_hash: Some(token.0),
            role: Role::Agent,
            created_ms: 5,
        };
        assert!(store.create_agent(other, None).await.unwrap());
        assert!(token.install(&store, 7).await.is_err());
    }
}
