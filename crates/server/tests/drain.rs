//! A service that is told to stop says so to everybody, keeps what it has acknowledged, and ends within its time.

// A test ends at what it did not expect; that its helpers do is not seen by the linter.
#![allow(clippy::unwrap_used)]

mod operating;

use chickenfoot_protocol::v1;
use chickenfoot_protocol::v1::session_response::What as Down;
use chickenfoot_server::{Limits, Server};
use operating::Service;
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

    let (_up, mut session, hello) = service.session(&token).await;
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
