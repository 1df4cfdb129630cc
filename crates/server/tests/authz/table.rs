use std::collections::BTreeSet;

use chickenfoot_protocol::{DESCRIPTOR, v1};
use chickenfoot_server::authz::{Method, Registration, Requirement};
use chickenfoot_store::Role;
use prost::Message;
use tonic::Status;
use tonic_types::StatusExt;

use crate::calls::{Caller, Subject};
use crate::service::{Service, two_seats, within};

/// Who calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Nobody,
    Revoked,
    Is(Role),
}

const WHO: [Who; 5] =
    [Who::Nobody, Who::Revoked, Who::Is(Role::Agent), Who::Is(Role::Organiser), Who::Is(Role::Admin)];

/// Whose agent or match the call is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Whose {
    Own,
    Foreign,
}

#[test]
fn the_table_has_every_method_of_the_contract_and_no_other() {
    let files = prost_types::FileDescriptorSet::decode(DESCRIPTOR).unwrap().file;
    let services =
        files.iter().filter(|file| file.package() == "chickenfoot.v1").flat_map(|file| &file.service);
    let contract: BTreeSet<String> = services
        .flat_map(|service| {
            service.method.iter().map(|method| format!("{}.{}", service.name(), method.name()))
        })
        .collect();
    let table: BTreeSet<String> = Method::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(table, contract);
}

#[tokio::test]
async fn every_method_takes_whom_the_table_names() {
    walk(Registration::Open, Method::ALL).await;
}

#[tokio::test]
async fn registering_takes_an_admin_where_registration_is_closed() {
    let is_registration = |method: &&Method| method.requirement() == Requirement::Registration;
    let methods: Vec<Method> = Method::ALL.iter().filter(is_registration).copied().collect();
    walk(Registration::Closed, &methods).await;
}

async fn walk(registration: Registration, methods: &[Method]) {
    let service = Service::start(registration).await;
    let connection = Caller::new(&service, None);
    let mut cases = 0;
    for method in methods {
        for who in WHO {
            for whose in [Whose::Own, Whose::Foreign] {
                if (who, whose) == (Who::Nobody, Whose::Own) {
                    continue;
                }
                cases += 1;
                let (token, about) = set_up(&service, cases, who, whose).await;
                let result = within(connection.with_token(token.as_deref()).call(*method, &about)).await;
                let expected = refusal(*method, registration, who, whose).or_else(|| aside(*method, whose));
                let case = format!("{method} by {who:?} on {whose:?}, registration {registration:?}");
                check(&case, result, expected);
            }
        }
    }
}

/// A caller with a match of its own in which it sits, and somebody else with the same. Gives the caller's token and
/// what the call is to be about.
async fn set_up(service: &Service, case: u32, who: Who, whose: Whose) -> (Option<String>, Subject) {
    let (own, other) = (format!("own-{case}"), format!("other-{case}"));
    let agent = if whose == Whose::Own { &own } else { &other };
    let mut caller = None;
    let (mut match_id, mut tournament_id) = (String::new(), String::new());
    for name in [&own, &other] {
        let token = service.agent(name).await;
        let client = service.client(Some(&token));
        if name == agent {
            match_id = client.create_match(two_seats()).await.unwrap().id;
            client.join_match(&match_id, None, Vec::new()).await.unwrap();
            tournament_id = Caller::new(service, Some(&token)).create_tournament(name).await;
        }
        if *name == own {
            caller = Some(token);
        }
    }
    match who {
        Who::Nobody => caller = None,
        Who::Revoked => assert!(service.admin().revoke_token(Some(&own)).await.unwrap().revoked),
        Who::Is(role) => {
            let role = match role {
                Role::Agent => v1::Role::Agent,
                Role::Organiser => v1::Role::Organiser,
                Role::Admin => v1::Role::Admin,
            };
            service.admin().set_role(&own, role).await.unwrap();
        }
    }
    (caller, Subject { agent: agent.clone(), match_id, tournament_id, free_name: format!("new-{case}") })
}

/// What the table makes of a call: the reason and the role that it would take, if it refuses it.
fn refusal(
    method: Method,
    registration: Registration,
    who: Who,
    whose: Whose,
) -> Option<(&'static str, Option<&'static str>)> {
    let has = |role| matches!(who, Who::Is(own) if own >= role);
    let foreign = if method.service() == "AgentService" { "ROLE_REQUIRED" } else { "NOT_CREATOR" };
    let missing = Some(("TOKEN_MISSING", None));
    if who == Who::Revoked {
        return Some(("TOKEN_INVALID", None));
    }
    match method.requirement() {
        Requirement::Anyone => None,
        Requirement::Registration if registration == Registration::Open || has(Role::Admin) => None,
        Requirement::Registration => Some(("REGISTRATION_CLOSED", None)),
        Requirement::AtLeast(_) | Requirement::OwnOr(_) if who == Who::Nobody => missing,
        Requirement::AtLeast(role) if has(role) => None,
        Requirement::AtLeast(role) => Some(("ROLE_REQUIRED", Some(word(role)))),
        Requirement::OwnOr(role) if whose == Whose::Own || has(role) => None,
        Requirement::OwnOr(role) => Some((foreign, Some(word(role)))),
    }
}

/// Why a call is refused that the table allows.
fn aside(method: Method, whose: Whose) -> Option<(&'static str, Option<&'static str>)> {
    match (method, whose) {
        (Method::Play, Whose::Own) => Some(("MATCH_NOT_STARTED", None)),
        // The tournament was not started.
        (Method::PauseTournament | Method::ResumeTournament, _) => Some(("TOURNAMENT_NOT_STARTED", None)),
        (Method::GetRecord, _) => Some(("MATCH_NOT_OVER", None)),
        (Method::Play | Method::LeaveMatch, Whose::Foreign) => Some(("NOT_SEATED", None)),
        _ => None,
    }
}

fn check(case: &str, result: Result<(), Status>, expected: Option<(&'static str, Option<&'static str>)>) {
    let info = result.err().map(|status| {
        status.get_details_error_info().unwrap_or_else(|| panic!("{case}: no reason: {status:?}"))
    });
    let found =
        info.as_ref().map(|info| (info.reason.as_str(), info.metadata.get("role").map(String::as_str)));
    assert_eq!(found, expected, "{case}");
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Agent => "agent",
        Role::Organiser => "organiser",
        Role::Admin => "admin",
    }
}
