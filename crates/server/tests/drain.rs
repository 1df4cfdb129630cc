//! A service that is told to stop says so to everybody, keeps what it has acknowledged, and ends within its time.

mod operating;

use chickenfoot_protocol::v1;
use chickenfoot_protocol::v1::agent_service_client::AgentServiceClient;
use chickenfoot_protocol::v1::session_request::What as Up;
use chickenfoot_protocol::v1::session_response::What as Down;
use chickenfoot_server::{Limits, Reason, Server};
use operating::{Service, bearer, reason};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

#[tokio::test]
async fn health_says_not_serving_and_sessions_are_told_to_come_back() {
    let service = Service::start(Server::in_memory(Limits::default())).await;
    let channel = service.channel().await;
    let token = service.register("alice").await;

    let mut health = HealthClient::new(channel.clone());
    let request = HealthCheckRequest { service: "chickenfoot.v1.MatchService".to_owned() };
    let mut health = health.watch(request).await.unwrap().into_inner();
    assert_eq!(health.message().await.unwrap().unwrap().status, ServingStatus::Serving as i32);

    let (up, messages) = mpsc::channel(1);
    up.send(v1::SessionRequest { what: Some(Up::Open(v1::Open::default())) }).await.unwrap();
    let request = bearer(ReceiverStream::new(messages), &token);
    let mut session = AgentServiceClient::new(channel).session(request).await.unwrap().into_inner();
    let Some(Down::Hello(hello)) = session.message().await.unwrap().unwrap().what else {
        panic!("no Hello");
    };
    let limits: Vec<(&str, u64)> =
        hello.limits.iter().map(|limit| (limit.name.as_str(), limit.value)).collect();
    assert_eq!(limits, Limits::default().values().collect::<Vec<_>>());

    service.stop.cancel();
    assert_eq!(health.message().await.unwrap().unwrap().status, ServingStatus::NotServing as i32);
    let Some(Down::Goodbye(goodbye)) = session.message().await.unwrap().unwrap().what else {
        panic!("no Goodbye");
    };
    assert_eq!(goodbye.reason(), v1::GoodbyeReason::Shutdown);
    assert!(goodbye.retry_after.is_some());
    service.ended().await;
}

#[tokio::test]
async fn a_reader_that_does_not_read_does_not_keep_the_service() {
    let drain = std::time::Duration::from_millis(100);
    let service = Service::start(Server::in_memory(Limits::default()).with_drain(drain)).await;
    let _unread = service.unread_watch().await;
    service.stop.cancel();
    service.ended().await;
}

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
