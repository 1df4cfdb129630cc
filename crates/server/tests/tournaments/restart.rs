//! A tournament goes on where it was after its server has stopped.

use chickenfoot_protocol::v1::{self, tournament_config::Format};
use chickenfoot_server::{Limits, Server};

use crate::common::{Service, within};
use crate::fixture::{config, houses};

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
