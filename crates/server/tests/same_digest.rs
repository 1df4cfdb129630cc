//! The same bots with the same seed play the same match, in process or over gRPC.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use chickenfoot_bot::local::{self, LocalMatch, MakeBot};
use chickenfoot_bot::{Runner, strategy_bots};
use chickenfoot_protocol::{rules_from_wire, v1};
use chickenfoot_rules::{Record, Seed};
use common::{Service, house, reserved, within};
use tokio::task::JoinSet;

/// What the bots that draw by lot draw from.
const BOT_SEED: u64 = 5;

fn config(preset: v1::Preset, seats: Vec<v1::SeatSpec>) -> v1::MatchConfig {
    v1::MatchConfig {
        rules: Some(v1::Rules { preset: preset.into(), rounds: Some(4), ..v1::Rules::default() }),
        seats,
        seed: vec![9; 32],
        ..v1::MatchConfig::default()
    }
}

/// The match in process; a seat named `house:greedy` plays greedy.
fn in_process(config: &v1::MatchConfig, names: &[String]) -> Record {
    let seats = names.iter().map(|name| {
        let strategy = name.strip_prefix("house:").unwrap_or(name);
        let make: MakeBot = Box::new(strategy_bots(strategy, BOT_SEED).unwrap());
        (name.clone(), make)
    });
    local::play(LocalMatch {
        rules: rules_from_wire(&config.rules.unwrap(), config.seats.len()).unwrap(),
        seed: Seed::new(config.seed.as_slice().try_into().unwrap()),
        seats: seats.collect(),
    })
    .unwrap()
}

/// The match over gRPC: every agent with its own runner.
async fn over_grpc(config: v1::MatchConfig, agents: &[&str]) -> Record {
    let service = Service::start().await;
    let host = service.agent("host").await.client;
    let mut bots = JoinSet::new();
    for name in agents {
        let agent = service.agent(name).await;
        let make = strategy_bots(name, BOT_SEED).unwrap();
        let runner = Runner::new(&service.address, &agent.token).games(1);
        bots.spawn(async move { runner.run(make, std::future::pending()).await });
    }
    let game = host.create_match(config).await.unwrap();
    let mut events = host.watch(&game.id, 0).await.unwrap();
    while within(events.next()).await.unwrap().is_some() {}
    while let Some(stats) = within(bots.join_next()).await {
        stats.unwrap().unwrap();
    }
    let record = host.record(&game.id).await.unwrap();
    assert_eq!(record.verify(), Ok(()));
    let over = host.get_match(&game.id).await.unwrap();
    assert_eq!(over.digest, record.digest.0);
    record
}

/// The same match apart from its id, which nothing depends on.
fn assert_same(here: Record, there: Record) {
    assert_eq!(here.digest, there.digest);
    let match_id = there.match_id.clone();
    assert_eq!(Record { match_id, ..here }, there);
}

async fn agents_play_the_same(preset: v1::Preset) {
    let names = ["random", "lowest", "greedy", "dead-foot"];
    let config = config(preset, names.map(reserved).to_vec());
    let here = in_process(&config, &names.map(str::to_owned));
    assert_same(here, over_grpc(config, &names).await);
}

#[tokio::test]
async fn agents_play_the_same_match_by_the_rules_of_trains() {
    agents_play_the_same(v1::Preset::Trains).await;
}

#[tokio::test]
async fn agents_play_the_same_match_by_the_rules_of_classic() {
    agents_play_the_same(v1::Preset::Classic).await;
}

/// Only players that draw nothing by lot: what a player of the house draws is the service's secret.
#[tokio::test]
async fn players_of_the_house_play_as_their_strategies_do() {
    let strategies = ["lowest", "greedy", "dead-foot"];
    for preset in [v1::Preset::Trains, v1::Preset::Classic] {
        let config = config(preset, strategies.map(house).to_vec());
        let names = strategies.map(|name| format!("house:{name}"));
        let here = in_process(&config, &names);
        assert_same(here, over_grpc(config, &[]).await);
    }
}
