//! A tournament goes on where it was after its server has stopped.

use chickenfoot_protocol::v1::{self, tournament_config::Format};
use chickenfoot_server::{Limits, Server};

use crate::bots::{Manner, play};
use crate::common::{Service, within};
use crate::fixture::{agent, config, houses};

fn format() -> Format {
    Format::Swiss(v1::Swiss { rounds: 6 })
}

/// What does not depend on when and where it was played.
async fn outcome(host: &crate::common::Agent, id: &str) -> (Vec<Vec<u8>>, Vec<(u32, String, u64)>) {
    let blocks = host.blocks(id).await;
    let digests = blocks.into_iter().flat_map(|block| block.matches).map(|game| game.digest).collect();
    let rows = host.standings(id).await.standings;
    (digests, rows.into_iter().map(|row| (row.rank, row.name, row.points)).collect())
}

#[tokio::test]
async fn a_restarted_server_ends_the_tournament_as_if_nothing_had_been() {
    let calm = Service::start().await;
    let host = calm.agent("host").await;
    let id = host.hold(config(format(), 3, houses(8))).await;
    let expected = outcome(&host, &id).await;
    calm.stop().await;

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("matches.db");
    let open = || async { Service::run(Server::on_file(Limits::default(), &path).unwrap()).await };
    let mut service = open().await;
    let host = service.agent("host").await;
    let id = host.create(config(format(), 3, houses(8))).await.id;
    host.start(&id).await;
    for wanted in [1, 4] {
        // Stops it when so many blocks are over, whatever is under way.
        let host = service.known(&host);
        let request = v1::WatchTournamentRequest { tournament_id: id.clone(), standings: 0 };
        let mut watch =
            within(host.wire.tournaments.clone().watch_tournament(request)).await.unwrap().into_inner();
        loop {
            let update = within(watch.message()).await.unwrap().unwrap().tournament.unwrap();
            if update.progress.unwrap().finished_blocks >= wanted {
                break;
            }
        }
        drop(watch);
        service.stop().await;
        service = open().await;
    }
    let host = service.known(&host);
    host.to_the_end(&id).await;
    assert_eq!(outcome(&host, &id).await, expected);
    service.stop().await;
}

#[tokio::test]
async fn a_paused_tournament_rests_over_a_restart_and_a_cancelled_one_shows_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("matches.db");
    let open = || async { Service::run(Server::on_file(Limits::default(), &path).unwrap()).await };
    let service = open().await;
    let host = service.agent("host").await;
    let id = host
        .create(config(Format::Ladder(v1::Ladder { blocks: 100_000, same_owner: false }), 2, houses(4)))
        .await
        .id;
    host.start(&id).await;
    let paused = within(host.client.pause_tournament(&id)).await.unwrap();
    assert_eq!(paused.state(), v1::TournamentState::Paused);
    service.stop().await;
    let service = open().await;
    let host = service.known(&host);
    let rests = within(host.client.get_tournament(&id)).await.unwrap();
    assert_eq!(rests.state(), v1::TournamentState::Paused);
    assert!(rests.seed.is_empty());
    let resumed = within(host.client.resume_tournament(&id)).await.unwrap();
    assert_eq!(resumed.state(), v1::TournamentState::Running);
    let cancelled = within(host.client.cancel_tournament(&id)).await.unwrap();
    assert_eq!(cancelled.state(), v1::TournamentState::Cancelled);
    assert_eq!(cancelled.seed, vec![7; 32], "nothing is secret any more");
    assert_eq!(within(host.client.cancel_tournament(&id)).await.unwrap(), cancelled);
    let played = cancelled.progress.unwrap().finished_blocks as usize;
    assert_eq!(host.blocks(&id).await.len(), played.min(1000));
    service.stop().await;
}

#[tokio::test]
async fn blocks_under_way_keep_their_seatings_though_the_tournament_rests_and_somebody_leaves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("matches.db");
    let open = || async { Service::run(Server::on_file(Limits::default(), &path).unwrap()).await };
    let service = open().await;
    let host = service.agent("host").await;
    let names = ["ann", "bob", "cid", "dan"];
    let mut agents = Vec::new();
    for name in names {
        let agent = service.agent(name).await;
        // Takes its seats, and thinks for as long as it may.
        play(&agent, Manner::Silent).await;
        agents.push(agent);
    }
    let config = v1::TournamentConfig {
        concurrency: 4,
        entrant_concurrency: 4,
        ..config(Format::RoundRobin(v1::RoundRobin { cycles: 1 }), 2, names.map(agent).to_vec())
    };
    let id = host.create(config).await.id;
    host.start(&id).await;
    let of_it = v1::ListMatchesRequest {
        tournament_id: id.clone(),
        state: v1::MatchState::Running.into(),
        ..v1::ListMatchesRequest::default()
    };
    within(async {
        while host.client.list_matches(of_it.clone()).await.unwrap().entries.len() < 4 {
            tokio::task::yield_now().await;
        }
    })
    .await;
    within(host.client.pause_tournament(&id)).await.unwrap();
    service.stop().await;

    let service = open().await;
    let host = service.known(&host);
    within(host.client.withdraw_from_tournament(&id, Some("ann"))).await.unwrap();
    for agent in &agents {
        play(&service.known(agent), Manner::Honest).await;
    }
    within(host.client.resume_tournament(&id)).await.unwrap();
    let last = host.to_the_end(&id).await.tournament.unwrap();
    assert_eq!(last.state(), v1::TournamentState::Finished, "{}", last.message);
    let blocks = host.blocks(&id).await;
    let played = |block: &&v1::TournamentBlock| {
        block.matches.iter().any(|game| game.seats.iter().any(|seat| seat.entrant == 0))
    };
    assert!(blocks.iter().any(|block| played(&block)), "what was begun with ann is played to its end");
    for game in blocks.iter().flat_map(|block| &block.matches) {
        let seats = host.get(&game.match_id).await.seats;
        let seated: Vec<&str> = seats.iter().map(|seat| seat.name.as_str()).collect();
        let told: Vec<&str> = game.seats.iter().map(|seat| names[seat.entrant as usize]).collect();
        assert_eq!(seated, told);
    }
    service.stop().await;
}
