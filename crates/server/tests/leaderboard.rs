//! Ratings: what the service says is what the records give.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use chickenfoot_bot::{Runner, strategy_bots};
use chickenfoot_protocol::v1::{self, entrant_spec::Who, tournament_config::Format};
use chickenfoot_server::{Limits, Server};
use chickenfoot_tournament::statistics::Ratings;
use common::{Agent, Service, rounds, within};
use tokio::task::JoinHandle;

const AGENTS: [&str; 3] = ["dead-foot", "greedy", "random"];

/// Registers the agents and lets them play until the test ends.
async fn players(service: &Service) -> (Vec<Agent>, Vec<JoinHandle<()>>) {
    let mut agents = Vec::new();
    let mut bots = Vec::new();
    for name in AGENTS {
        let agent = service.agent(name).await;
        let runner = Runner::new(&service.address, &agent.token);
        let make = strategy_bots(name, 1).unwrap();
        bots.push(tokio::spawn(async move {
            // Ends with the test.
            let _ = runner.run(make, std::future::pending()).await;
        }));
        agents.push(agent);
    }
    (agents, bots)
}

/// Plays a rated match of all agents.
async fn play(host: &Agent, agents: &[Agent]) {
    let seats = agents.iter().map(Agent::seat).collect();
    let config = v1::MatchConfig { seed: Vec::new(), rated: true, ..rounds(1, seats) };
    let id = host.client.create_match(config).await.unwrap().id;
    let mut events = within(host.client.watch(&id, 0)).await.unwrap();
    while within(events.next()).await.unwrap().is_some() {}
}

async fn board(host: &Agent) -> v1::GetLeaderboardResponse {
    within(host.client.leaderboard("", "")).await.unwrap()
}

#[tokio::test]
async fn the_leaderboard_is_what_the_records_of_rated_matches_give() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("matches.db");
    let open = || async { Service::run(Server::on_file(Limits::default(), &path).unwrap()).await };
    let service = open().await;
    let (agents, bots) = players(&service).await;
    let host = &agents[0];
    assert_eq!(board(host).await, v1::GetLeaderboardResponse::default());
    for _ in 0..4 {
        play(host, &agents).await;
    }
    let first = board(host).await;
    play(host, &agents).await;
    let second = board(host).await;
    assert_eq!(first.entries.iter().map(|row| row.matches).collect::<Vec<_>>(), [4, 4, 4]);
    assert_ne!(first.entries, second.entries, "a match that has ended since counts");

    let mut games = within(host.client.matches(v1::MatchState::Finished, "")).await.unwrap().entries;
    games.sort_by_key(|game| game.end_time.map(|end| (end.seconds, end.nanos)));
    let mut ratings = Ratings::new();
    for game in games.iter().filter(|game| game.rated) {
        let record = within(host.client.record(&game.id)).await.unwrap();
        assert_eq!(record.verify(), Ok(()));
        let names: Vec<String> = record.seats.iter().map(|seat| seat.name.clone()).collect();
        ratings.record(&names, &record.places).unwrap();
    }
    for ((name, rating), row) in ratings.leaderboard().iter().zip(&second.entries) {
        assert_eq!(
            (name.as_str(), rating.mean, rating.deviation),
            (row.agent.as_str(), row.mean, row.deviation)
        );
    }

    // Nothing is kept but the matches.
    service.stop().await;
    for bot in bots {
        bot.abort();
    }
    let service = open().await;
    assert_eq!(board(&service.known(host)).await, second);
    service.stop().await;
}

#[tokio::test]
async fn a_ladder_rates_its_agents() {
    let service = Service::start().await;
    let (agents, _bots) = players(&service).await;
    let host = &agents[0];
    let spec = |agent: &Agent| v1::EntrantSpec {
        name: String::new(),
        who: Some(Who::Agent(agent.name.clone())),
        owner: String::new(),
    };
    let config = v1::TournamentConfig {
        name: "a ladder".to_owned(),
        format: Some(Format::Ladder(v1::Ladder { blocks: 3, same_owner: false })),
        rules: Some(v1::Rules { rounds: Some(1), ..v1::Rules::default() }),
        table_size: 2,
        entrants: agents.iter().map(spec).collect(),
        ..v1::TournamentConfig::default()
    };
    let id = within(host.client.create_tournament(config)).await.unwrap().id;
    within(host.client.start_tournament(&id)).await.unwrap();
    let mut watch = within(host.client.watch_tournament(&id, 0)).await.unwrap();
    while within(watch.next()).await.unwrap().is_some() {}
    let board = board(host).await;
    let pool = board.pools.first().unwrap();
    assert_eq!((pool.matches, pool.agents), (6, 3), "each block is two matches");
    assert_eq!(board.entries.iter().map(|row| row.matches).sum::<u32>(), 12);
    service.stop().await;
}

#[tokio::test]
async fn who_cannot_be_compared_is_not_rated() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let rated =
        |seats: Vec<v1::SeatSpec>| v1::MatchConfig { rated: true, seed: Vec::new(), ..rounds(1, seats) };
    for config in [
        rated(vec![ann.seat(), common::house("greedy")]),
        rated(vec![ann.seat(), ann.seat()]),
        v1::MatchConfig { seed: vec![7; 32], ..rated(vec![ann.seat(), common::open_seat()]) },
    ] {
        let refused = within(ann.client.create_match(config)).await.unwrap_err();
        assert_eq!(refused.reason(), Some("FIELD_OUT_OF_RANGE"), "{refused}");
    }
    let unknown = within(ann.client.leaderboard("no such rules", "")).await.unwrap_err();
    assert_eq!(unknown.reason(), Some("FIELD_OUT_OF_RANGE"));
    service.stop().await;
}
