//! Who may do what.
//!
//! | Method | Needs |
//! |---|---|
//! | `AgentService.RegisterAgent` | nothing; where registration is closed: admin |
//! | `AgentService.GetAgent` | nothing |
//! | `AgentService.ListAgents` | nothing |
//! | `AgentService.Session` | agent |
//! | `AgentService.RotateToken` | agent for its own; admin for anyone's |
//! | `AgentService.RevokeToken` | agent for its own; admin for anyone's |
//! | `AgentService.SetRole` | admin |
//! | `AgentService.GetLeaderboard` | nothing |
//! | `MatchService.CreateMatch` | agent |
//! | `MatchService.GetMatch` | nothing |
//! | `MatchService.ListMatches` | nothing |
//! | `MatchService.JoinMatch` | agent |
//! | `MatchService.LeaveMatch` | agent |
//! | `MatchService.AbortMatch` | agent for its own; organiser for anyone's |
//! | `MatchService.Play` | agent |
//! | `MatchService.WatchMatch` | nothing |
//! | `MatchService.GetRecord` | nothing |
//! | `TournamentService.CreateTournament` | agent |
//! | `TournamentService.GetTournament` | nothing |
//! | `TournamentService.ListTournaments` | nothing |
//! | `TournamentService.ListEntrants` | nothing |
//! | `TournamentService.JoinTournament` | agent |
//! | `TournamentService.WithdrawFromTournament` | agent for its own; organiser for anyone's |
//! | `TournamentService.StartTournament` | agent for its own; organiser for anyone's |
//! | `TournamentService.PauseTournament` | agent for its own; organiser for anyone's |
//! | `TournamentService.ResumeTournament` | agent for its own; organiser for anyone's |
//! | `TournamentService.CancelTournament` | agent for its own; organiser for anyone's |
//! | `TournamentService.GetStandings` | nothing |
//! | `TournamentService.ListBlocks` | nothing |
//! | `TournamentService.WatchTournament` | nothing |
//! | `TournamentService.ExportTournament` | nothing |
//!
//! Roles contain each other: agent < organiser < admin. `JoinMatch`, `LeaveMatch`, `Play` and `Session` act for the
//! caller's own seats, whatever its role. A token that is sent must be an agent's, also where none is needed; so
//! whoever was revoked is refused everywhere. Health and reflection know no tokens at all.
//!
//! The reasons of refusals: `TOKEN_MISSING`, `TOKEN_INVALID`, `REGISTRATION_CLOSED`, and `ROLE_REQUIRED`, which names
//! the role that it takes in its metadata; for another's match `NOT_CREATOR` stands for it, with the same metadata.

use std::fmt;

use chickenfoot_store::{AgentName, Role, TokenHash};

use crate::reason::Reason;
use crate::refusal::Refusal;

/// What a caller has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// Anyone, also without a token.
    Anyone,
    /// Anyone while registration is open, else an admin.
    Registration,
    /// An agent of this role or a higher one.
    AtLeast(Role),
    /// Any agent for what is its own, and this role or a higher one for what is another's.
    OwnOr(Role),
}

macro_rules! methods {
    ($($service:ident.$method:ident = $requirement:expr;)+) => {
        /// A method of the contract.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Method {
            $(#[doc = concat!("`", stringify!($service), ".", stringify!($method), "`")] $method,)+
        }

        impl Method {
            /// All methods.
            pub const ALL: &[Method] = &[$(Method::$method),+];

            /// Its service.
            pub const fn service(self) -> &'static str {
                match self {
                    $(Method::$method => stringify!($service),)+
                }
            }

            /// Its name within the service.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Method::$method => stringify!($method),)+
                }
            }

            /// What its caller has to be.
            pub const fn requirement(self) -> Requirement {
                match self {
                    $(Method::$method => $requirement,)+
                }
            }
        }
    };
}

methods! {
    AgentService.RegisterAgent = Requirement::Registration;
    AgentService.GetAgent = Requirement::Anyone;
    AgentService.ListAgents = Requirement::Anyone;
    AgentService.Session = Requirement::AtLeast(Role::Agent);
    AgentService.RotateToken = Requirement::OwnOr(Role::Admin);
    AgentService.RevokeToken = Requirement::OwnOr(Role::Admin);
    AgentService.SetRole = Requirement::AtLeast(Role::Admin);
    AgentService.GetLeaderboard = Requirement::Anyone;
    MatchService.CreateMatch = Requirement::AtLeast(Role::Agent);
    MatchService.GetMatch = Requirement::Anyone;
    MatchService.ListMatches = Requirement::Anyone;
    MatchService.JoinMatch = Requirement::AtLeast(Role::Agent);
    MatchService.LeaveMatch = Requirement::AtLeast(Role::Agent);
    MatchService.AbortMatch = Requirement::OwnOr(Role::Organiser);
    MatchService.Play = Requirement::AtLeast(Role::Agent);
    MatchService.WatchMatch = Requirement::Anyone;
    MatchService.GetRecord = Requirement::Anyone;
    TournamentService.CreateTournament = Requirement::AtLeast(Role::Agent);
    TournamentService.GetTournament = Requirement::Anyone;
    TournamentService.ListTournaments = Requirement::Anyone;
    TournamentService.ListEntrants = Requirement::Anyone;
    TournamentService.JoinTournament = Requirement::AtLeast(Role::Agent);
    TournamentService.WithdrawFromTournament = Requirement::OwnOr(Role::Organiser);
    TournamentService.StartTournament = Requirement::OwnOr(Role::Organiser);
    TournamentService.PauseTournament = Requirement::OwnOr(Role::Organiser);
    TournamentService.ResumeTournament = Requirement::OwnOr(Role::Organiser);
    TournamentService.CancelTournament = Requirement::OwnOr(Role::Organiser);
    TournamentService.GetStandings = Requirement::Anyone;
    TournamentService.ListBlocks = Requirement::Anyone;
    TournamentService.WatchTournament = Requirement::Anyone;
    TournamentService.ExportTournament = Requirement::Anyone;
}

/// Who may register agents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Registration {
    /// Anyone.
    #[default]
    Open,
    /// Admins only.
    Closed,
}

/// Who calls, as the token says.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) name: AgentName,
    role: Role,
    /// Of the token that the call came with; streams end when it is the agent's no more.
    pub(crate) token_hash: TokenHash,
}

impl Caller {
    pub(crate) fn new(name: AgentName, role: Role, token_hash: TokenHash) -> Caller {
        Caller { name, role, token_hash }
    }

    /// Whether the caller has this role or a higher one.
    pub(crate) fn is_at_least(&self, role: Role) -> bool {
        self.role >= role
    }

    /// Whether the caller may use a method on what belongs to `owner`; else the role that it would need.
    pub(crate) fn may(&self, method: Method, owner: &AgentName) -> Result<(), Role> {
        match method.requirement() {
            Requirement::Anyone | Requirement::Registration | Requirement::AtLeast(_) => Ok(()),
            Requirement::OwnOr(_) if self.name == *owner => Ok(()),
            Requirement::OwnOr(role) if self.role >= role => Ok(()),
            Requirement::OwnOr(role) => Err(role),
        }
    }
}

/// Whether a call may come in at all; what it may be used on is for [`Caller::may`] to say.
///
/// # Errors
/// The caller has no token, or too low a role.
pub(crate) fn admit(
    method: Method,
    registration: Registration,
    caller: Option<&Caller>,
) -> Result<(), Refusal> {
    let needed = match method.requirement() {
        Requirement::Anyone => return Ok(()),
        Requirement::Registration => return admit_registration(registration, caller),
        Requirement::AtLeast(role) => role,
        Requirement::OwnOr(_) => Role::Agent,
    };
    match caller {
        None => Err(token_missing()),
        Some(caller) if caller.role < needed => Err(role_required(needed)),
        Some(_) => Ok(()),
    }
}

fn admit_registration(registration: Registration, caller: Option<&Caller>) -> Result<(), Refusal> {
    match registration {
        Registration::Open => Ok(()),
        Registration::Closed if caller.is_some_and(|caller| caller.role >= Role::Admin) => Ok(()),
        Registration::Closed => {
            Err(Refusal::new(Reason::RegistrationClosed, "only admins register agents here"))
        }
    }
}

pub(crate) fn token_missing() -> Refusal {
    Refusal::new(Reason::TokenMissing, "this call needs a token: metadata \"authorization: Bearer TOKEN\"")
}

pub(crate) fn role_required(role: Role) -> Refusal {
    let role = role_name(role);
    Refusal::new(Reason::RoleRequired, format!("this needs the role {role}")).with("role", role)
}

/// A role as programs and the table call it.
pub(crate) const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Agent => "agent",
        Role::Organiser => "organiser",
        Role::Admin => "admin",
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Requirement::Anyone => f.write_str("nothing"),
            Requirement::Registration => f.write_str("nothing; where registration is closed: admin"),
            Requirement::AtLeast(role) => f.write_str(role_name(*role)),
            Requirement::OwnOr(role) => write!(f, "agent for its own; {} for anyone's", role_name(*role)),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.service(), self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_in_the_text_is_the_one_in_the_code() {
        let text: Vec<&str> =
            include_str!("authz.rs").lines().filter(|line| line.starts_with("//! | `")).collect();
        let code: Vec<String> = Method::ALL
            .iter()
            .map(|method| format!("//! | `{method}` | {} |", method.requirement()))
            .collect();
        assert_eq!(text, code);
    }
}
