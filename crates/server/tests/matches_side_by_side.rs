//! Many matches at once on one server, and what is left of them afterwards.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use chickenfoot_bot::{Runner, strategy_bots};
use chickenfoot_protocol::v1;
use common::{Agent, Service, rounds, within};
use futures_util::future::join_all;
use futures_util::stream::{self, StreamExt, TryStreamExt};
use tokio::task::JoinSet;

/// The agents, each named after its strategy; all four sit in every match.
const AGENTS: [&str; 4] = ["random", "lowest", "greedy", "dead-foot"];

/// They are played twice: after the first time the process has the threads and buffers that it needs.
const MATCHES: u64 = 200;

/// How much more memory the process may hold after the matches than before, their stored records included. A match
/// that was left in memory whole, with its task, its feed and its queues, would take some hundred kilobytes.
const MAX_GROWTH: u64 = 24 * 1024 * 1024;

/// Plays the matches at the same time and checks each.
async fn play(service: &Service, agents: &[Agent]) {
    let mut bots = JoinSet::new();
    for agent in agents {
        let make = strategy_bots(&agent.name, 1).unwrap();
        let runner = Runner::new(&service.address, &agent.token).games(MATCHES);
        bots.spawn(async move { runner.run(make, std::future::pending()).await });
    }
    let host = &agents[0].client;
    let config =
        || v1::MatchConfig { seed: Vec::new(), ..rounds(2, agents.iter().map(Agent::seat).collect()) };
    let games = join_all((0..MATCHES).map(|_| host.create_match(config()))).await;
    while let Some(stats) = within(bots.join_next()).await {
        let stats = stats.unwrap().unwrap();
        assert_eq!((stats.games, stats.refused, stats.reconnects), (MATCHES, 0, 0));
    }
    let check = |id: String| async move {
        let game = host.get_match(&id).await?;
        assert_eq!(game.state(), v1::MatchState::Finished);
        assert!(game.seats.iter().all(|seat| seat.ledger.is_some_and(|l| l.strikes == 0 && l.out == 0)));
        assert_eq!(host.record(&id).await?.verify(), Ok(()));
        Ok::<_, chickenfoot_bot::Error>(())
    };
    let ids = games.into_iter().map(|game| game.unwrap().id);
    let checked = stream::iter(ids).map(check).buffer_unordered(16);
    checked.try_collect::<()>().await.unwrap();
    let running = host.matches(v1::MatchState::Running, "").await.unwrap();
    assert!(running.entries.is_empty(), "no match is left running");
}

/// Bytes that the process holds; this test's clients are among them.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_matches_at_once_all_finish_verify_and_leave_no_memory_behind() {
    let service = Service::start().await;
    let agents = join_all(AGENTS.map(|name| service.agent(name))).await;
    play(&service, &agents).await;
    let before = resident();
    play(&service, &agents).await;
    let after = resident();
    if let (Some(before), Some(after)) = (before, after) {
        let growth = after.saturating_sub(before);
        println!("{before} bytes before, {growth} more after");
        assert!(growth < MAX_GROWTH, "{growth} bytes more than {before}");
    }
    let agents = agents[0].client.agents("").await.unwrap().entries;
    assert_eq!(agents.len(), AGENTS.len());
    service.stop().await;
}
