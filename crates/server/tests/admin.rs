//! The operator's port: what it says of a service that plays, and of one that stops.

// A test ends at what it did not expect; that its helpers do is not seen by the linter.
#![allow(clippy::unwrap_used)]

mod operating;

use std::collections::BTreeSet;

use chickenfoot_bot::{Client, Runner, strategy_bots};
use chickenfoot_protocol::v1;
use chickenfoot_protocol::v1::match_service_client::MatchServiceClient;
use chickenfoot_server::{FAMILIES, Limits, Server};
use operating::Service;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// The status and the body of a page.
async fn get(address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

/// Has an agent play a short match against the house.
async fn play(service: &Service) {
    let token = service.register("alice").await;
    let client = Client::connect(&service.address, Some(&token)).unwrap();
    let who = |who| v1::SeatSpec { who: Some(who) };
    let seats = vec![
        who(v1::seat_spec::Who::Agent("alice".to_owned())),
        who(v1::seat_spec::Who::House("greedy".to_owned())),
    ];
    let rules = v1::Rules { rounds: Some(1), ..v1::Rules::default() };
    let config = v1::MatchConfig { seats, rules: Some(rules), ..v1::MatchConfig::default() };
    client.create_match(config).await.unwrap();
    let runner = Runner::new(&service.address, &token).games(1);
    runner.run(strategy_bots("lowest", 1).unwrap(), std::future::pending()).await.unwrap();
}

#[tokio::test]
async fn every_metric_is_documented_and_every_documented_metric_is_there() {
    let (service, admin) = Service::start_with_admin(Server::in_memory(Limits::default())).await;
    play(&service).await;
    let (status, text) = get(&admin, "/metrics").await;
    assert_eq!(status, 200);
    let typed = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let rendered: BTreeSet<&str> = typed.filter_map(|line| line.split(' ').next()).collect();
    let documented: BTreeSet<&str> = FAMILIES.iter().map(|family| family.name).collect();
    assert_eq!(rendered, documented);
    for family in FAMILIES {
        assert!(text.contains(&format!("# HELP {} {}\n", family.name, family.help)), "{}", family.name);
    }
    let value = |series: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(series)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("no {series} in\n{text}")).parse().unwrap()
    };
    assert_eq!(value("chickenfoot_calls_total{method=\"MatchService/CreateMatch\",code=\"OK\"}"), 1.0);
    assert_eq!(value("chickenfoot_call_seconds_count{method=\"MatchService/CreateMatch\"}"), 1.0);
    assert_eq!(value("chickenfoot_matches_ended_total{end=\"finished\"}"), 1.0);
    assert_eq!(value("chickenfoot_matches{state=\"running\"}"), 0.0);
    let by_all = value("chickenfoot_decisions_total{by=\"agent\"}")
        + value("chickenfoot_decisions_total{by=\"house\"}");
    assert_eq!(value("chickenfoot_store_append_entries_sum"), by_all);
    assert!(value("chickenfoot_decisions_total{by=\"agent\"}") > 0.0);
    assert_eq!(value("chickenfoot_ready"), 1.0);
    service.stop.cancel();
    service.ended().await;
}

#[tokio::test]
async fn scenes_are_computed_once_for_all_who_watch() {
    let (service, admin) = Service::start_with_admin(Server::in_memory(Limits::default())).await;
    play(&service).await;
    let client = Client::connect(&service.address, None).unwrap();
    let id = client.matches(v1::MatchState::Finished, "").await.unwrap().entries.remove(0).id;
    let mut tiles = Vec::new();
    for readers in [1, 3] {
        let watches = (0..readers).map(|_| async {
            let mut scenes = client.watch_scenes(&id, 0, true).await.unwrap();
            let mut tiles = 0;
            while let Some((_, scene)) = scenes.next().await.unwrap() {
                tiles += scene.laid.len();
            }
            tiles
        });
        tiles.extend(futures_util::future::join_all(watches).await);
    }
    assert!(tiles[0] > 10 && tiles.iter().all(|count| *count == tiles[0]), "{tiles:?}");
    let (_, text) = get(&admin, "/metrics").await;
    assert!(text.contains(&format!("\nchickenfoot_scene_tiles_total {}\n", tiles[0])), "{text}");
    assert!(text.contains("\nchickenfoot_scene_matches 1\n"), "{text}");
    service.stop.cancel();
    service.ended().await;
}

#[tokio::test]
async fn while_it_stops_it_lives_but_is_not_ready() {
    // An hour: only the reader that does not read keeps the service.
    let server = Server::in_memory(Limits::default()).with_drain(std::time::Duration::from_secs(3600));
    let (service, admin) = Service::start_with_admin(server).await;
    assert_eq!(get(&admin, "/ready").await, (200, "ready\n".to_owned()));
    assert_eq!(get(&admin, "/live").await.0, 200);
    assert_eq!(get(&admin, "/").await.0, 404);
    let unread = service.unread_watch().await;
    let mut health = HealthClient::new(service.channel().await);
    let mut watched = health.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    watched.message().await.unwrap();

    service.stop.cancel();
    assert_eq!(watched.message().await.unwrap().unwrap().status, ServingStatus::NotServing as i32);
    let (status, why) = get(&admin, "/ready").await;
    assert_eq!((status, why.as_str()), (503, "the service stops\n"));
    assert_eq!(get(&admin, "/live").await.0, 200);
    let check = health.check(HealthCheckRequest::default()).await.unwrap();
    assert_eq!(check.get_ref().status, ServingStatus::NotServing as i32);
    // Nothing new is taken any more.
    let endpoint = Endpoint::from_shared(service.address.clone()).unwrap();
    let mut matches = MatchServiceClient::new(endpoint.connect().await.unwrap());
    let request = v1::WatchMatchRequest { match_id: "0".repeat(32), after_seq: 0, ..Default::default() };
    let refused = matches.watch_match(request).await.unwrap_err();
    let (reason, _, retry) = operating::reason(&refused);
    assert_eq!((reason.as_str(), retry), ("SHUTTING_DOWN", true));

    drop(unread);
    drop((health, matches, watched));
    service.ended().await;
}
