use chickenfoot_protocol::v1;
use chickenfoot_server::{DOMAIN, Reason};
use tonic::Status;
use tonic_types::StatusExt;

use crate::common::{
    Agent, Service, Session, Wire, house, next_decision, one_round, open_seat, option, within,
};

/// How a refusal came.
pub enum Refused {
    /// As the error of a call or a stream.
    Call(Status),
    /// As a message of a session that goes on.
    Message(v1::Refusal),
}

/// A server with one match in each state.
///
/// `running` is between two agents, its first decision answered and the second one open. Nobody but `stranger` has
/// no seat anywhere.
pub struct Scene {
    pub service: Service,
    pub players: [Agent; 2],
    pub sessions: [Session; 2],
    pub stranger: Agent,
    /// Who has to answer `decision`.
    pub asked: usize,
    pub decision: v1::Decision,
    /// The answered decision, whose option 0 was played, and whose it was.
    pub answered: (usize, v1::Decision),
    /// One seat is free, the other one reserved for the second player.
    pub open: String,
    pub over: String,
}

impl Scene {
    pub async fn set() -> Scene {
        let service = Service::start().await;
        let players = [service.agent("ann").await, service.agent("bob").await];
        let stranger = service.agent("eve").await;
        let mut sessions = [players[0].session().await, players[1].session().await];
        let over = players[0].play_in(one_round(vec![players[0].seat(), house("greedy")])).await;
        sessions[0].play_on(&over.id).await;
        let seats = vec![players[0].seat(), players[1].seat()];
        let running = players[0].play_in(one_round(seats)).await;
        players[1].join(&running.id, None).await;
        let (first, answered) = next_decision(&mut sessions).await;
        players[first].client.play(option(&answered, 0)).await.unwrap();
        let (asked, decision) = next_decision(&mut sessions).await;
        let open = one_round(vec![open_seat(), players[1].seat()]);
        let open = players[0].client.create_match(open).await.unwrap();
        Scene {
            service,
            players,
            sessions,
            stranger,
            asked,
            decision,
            answered: (first, answered),
            open: open.id,
            over: over.id,
        }
    }

    pub fn asked(&self) -> &Agent {
        &self.players[self.asked]
    }

    /// How the agent that is asked is refused with this answer.
    pub async fn refused(&self, choice: v1::Choice) -> Refused {
        refused_play(self.asked(), choice).await
    }
}

pub async fn refused_play(agent: &Agent, choice: v1::Choice) -> Refused {
    let request = v1::PlayRequest { choice: Some(choice) };
    call(agent.wire.matches.clone().play(request)).await
}

pub async fn refused_create(agent: &Agent, config: v1::MatchConfig) -> Refused {
    let request = v1::CreateMatchRequest { config: Some(config), request_id: String::new() };
    call(agent.wire.matches.clone().create_match(request)).await
}

pub async fn refused_get(wire: &Wire, id: &str) -> Refused {
    let request = v1::GetMatchRequest { match_id: id.to_owned() };
    call(wire.matches.clone().get_match(request)).await
}

pub async fn refused_join(agent: &Agent, id: &str, seat: Option<u32>) -> Refused {
    let request = v1::JoinMatchRequest { match_id: id.to_owned(), seat, ..v1::JoinMatchRequest::default() };
    call(agent.wire.matches.clone().join_match(request)).await
}

pub async fn call<T: std::fmt::Debug>(
    call: impl Future<Output = Result<tonic::Response<T>, Status>>,
) -> Refused {
    Refused::Call(within(call).await.expect_err("the call is refused"))
}

pub fn play(low: Option<u32>, high: Option<u32>, end: Option<u32>, line: Option<u32>) -> v1::r#move::Kind {
    v1::r#move::Kind::Play(v1::Play { tile: Some(v1::Tile { low, high }), end, line })
}

/// The option 0 of a decision as a play.
pub fn first_play(decision: &v1::Decision) -> v1::Play {
    match decision.options[0].kind {
        Some(v1::r#move::Kind::Play(play)) => play,
        ref other => panic!("the first option is a play, not {other:?}"),
    }
}

/// Checks all that a refusal must say.
pub fn check(reason: Reason, refused: &Refused, field: Option<&str>) {
    let name = reason.name();
    match refused {
        Refused::Call(status) => {
            assert_eq!(status.code(), reason.code(), "{name}: {status:?}");
            let info = status
                .get_details_error_info()
                .unwrap_or_else(|| panic!("{name} has no ErrorInfo: {status:?}"));
            assert_eq!((info.reason.as_str(), info.domain.as_str()), (name, DOMAIN));
            assert!(!status.message().is_empty(), "{name} says nothing to people");
            let violations = status.get_details_bad_request().map(|bad| bad.field_violations);
            let fields: Vec<String> = violations.into_iter().flatten().map(|bad| bad.field).collect();
            assert_eq!(fields, field.into_iter().collect::<Vec<_>>(), "{name}: {status:?}");
        }
        Refused::Message(refusal) => {
            assert_eq!(refusal.reason, name);
            assert_eq!(refusal.code, i32::from(reason.code()), "{name}");
            assert_eq!(refusal.metadata.get("field").map(String::as_str), field, "{name}");
            assert!(!refusal.message.is_empty(), "{name} says nothing to people");
        }
    }
}
