//! A limit that is reached is named, with its value and a time to come back, and harms nothing else.

// A test ends at what it did not expect; that its helpers do is not seen by the linter.
#![allow(clippy::unwrap_used)]

mod operating;

use chickenfoot_protocol::v1;
use chickenfoot_protocol::v1::session_request::What as Up;
use chickenfoot_protocol::v1::session_response::What as Down;
use chickenfoot_server::{Limits, Reason, Server};
use operating::{Service, bearer, reason};

#[tokio::test]
async fn limits_answer_with_their_key_and_a_time_to_come_back() {
    let limits = Limits { max_open_matches_per_agent: 1, max_sessions: 1, ..Limits::default() };
    let service = Service::start(Server::in_memory(limits)).await;
    let token = service.register("alice").await;
    let mut matches = v1::match_service_client::MatchServiceClient::new(service.channel().await);
    let open = || v1::SeatSpec { who: Some(v1::seat_spec::Who::Open(v1::OpenSeat {})) };
    let config = v1::MatchConfig { seats: vec![open(), open()], ..v1::MatchConfig::default() };
    let request = v1::CreateMatchRequest { config: Some(config), request_id: String::new() };
    let game = matches.create_match(bearer(request.clone(), &token)).await.unwrap().into_inner();
    let refused = matches.create_match(bearer(request.clone(), &token)).await.unwrap_err();
    let (name, metadata, retry) = reason(&refused);
    assert_eq!(
        (refused.code(), name.as_str()),
        (tonic::Code::ResourceExhausted, Reason::LimitReached.name())
    );
    assert_eq!(metadata["limit"], "limits.max_open_matches_per_agent");
    assert_eq!(metadata["value"], "1");
    assert!(retry);
    // Once the match is over there is room again.
    let abort = v1::AbortMatchRequest { match_id: game.r#match.unwrap().id, request_id: String::new() };
    matches.abort_match(bearer(abort, &token)).await.unwrap();
    matches.create_match(bearer(request, &token)).await.unwrap();
    service.stop.cancel();
    service.ended().await;
}

#[tokio::test]
async fn a_choice_beyond_the_limit_is_refused_and_its_decision_comes_again() {
    // The session and joining are two calls; the heartbeat is the shortest there is.
    let limits = Limits { max_agent_calls: 2, heartbeat: 1, ..Limits::default() };
    let service = Service::start(Server::in_memory(limits)).await;
    let (host, token) = (service.register("host").await, service.register("alice").await);
    let (up, mut down, _) = service.session(&token).await;
    let who = |who| v1::SeatSpec { who: Some(who) };
    let seats = vec![
        who(v1::seat_spec::Who::Open(v1::OpenSeat {})),
        who(v1::seat_spec::Who::House("greedy".to_owned())),
    ];
    let config = v1::MatchConfig { seats, ..v1::MatchConfig::default() };
    let client = chickenfoot_bot::Client::connect(&service.address, Some(&host)).unwrap();
    let id = client.create_match(config).await.unwrap().id;
    let alice = chickenfoot_bot::Client::connect(&service.address, Some(&token)).unwrap();
    alice.join_match(&id, None, Vec::new()).await.unwrap();
    let mut refused = None;
    loop {
        match down.message().await.unwrap().unwrap().what.unwrap() {
            Down::Decision(decision) if refused.is_some() => {
                assert_eq!(Some(decision.number), refused);
                break;
            }
            // However slow the machine is, answering at once is too fast by and by.
            Down::Decision(decision) => {
                let choice = Some(v1::choice::Choice::Option(0));
                let choice = v1::Choice { match_id: id.clone(), decision: decision.number, choice };
                up.send(v1::SessionRequest { what: Some(Up::Choice(choice)) }).await.unwrap();
            }
            Down::Refusal(refusal) => {
                assert_eq!(refusal.reason, Reason::LimitReached.name());
                assert_eq!(refusal.metadata["limit"], "limits.max_agent_calls");
                assert!(refusal.retry_after.is_some());
                refused = Some(refusal.decision);
            }
            Down::GameEnded(_) => panic!("nothing was refused"),
            _ => {}
        }
    }
    service.stop.cancel();
    service.ended().await;
}
