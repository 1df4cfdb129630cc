use chickenfoot_protocol::v1::{self, tournament_config::Format};

use crate::common::Service;
use crate::fixture::{config, houses};

#[tokio::test]
async fn every_format_is_played_to_its_end_and_its_records_verify() {
    let service = Service::start().await;
    let host = service.agent("host").await;
    let formats = [
        (Format::RoundRobin(v1::RoundRobin { cycles: 1 }), 3, 5),
        (Format::Gauntlet(v1::Gauntlet { candidate: "bot-2".to_owned(), blocks: 4 }), 3, 5),
        (Format::Swiss(v1::Swiss { rounds: 2 }), 4, 9),
        (Format::Elimination(v1::Elimination { advance: 1, blocks: 1, lots: false }), 3, 7),
        (Format::Ladder(v1::Ladder { blocks: 6, same_owner: false }), 2, 5),
        (Format::AbTest(v1::AbTest { max_blocks: 10, ..v1::AbTest::default() }), 4, 2),
    ];
    for (format, table, entrants) in formats {
        let id = host.hold(config(format.clone(), table, houses(entrants))).await;
        let blocks = host.blocks(&id).await;
        assert!(!blocks.is_empty());
        assert!(blocks.iter().zip(0..).all(|(block, number)| block.number == number), "{format:?}");
        for game in blocks.iter().flat_map(|block| &block.matches) {
            let record = host.client.record(&game.match_id).await.unwrap();
            assert_eq!(record.verify(), Ok(()));
            assert_eq!(record.digest.0.to_vec(), game.digest);
            let totals: Vec<u32> = game.seats.iter().map(|seat| seat.points).collect();
            assert_eq!(record.totals, totals);
        }
        let answer = host.standings(&id).await;
        assert_eq!(answer.standings.len(), entrants);
        assert_eq!(answer.ab.is_some(), matches!(format, Format::AbTest(_)));
        let progress = answer.tournament.unwrap().progress.unwrap();
        assert_eq!(progress.finished_blocks as usize, blocks.len());
        assert_eq!((progress.running_matches, progress.waiting_matches, progress.faults), (0, 0, 0));
    }
    service.stop().await;
}

#[tokio::test]
async fn the_same_seed_and_names_give_the_same_tournament() {
    let service = Service::start().await;
    let host = service.agent("host").await;
    let format = Format::Swiss(v1::Swiss { rounds: 3 });
    let mut played = Vec::new();
    for _ in 0..2 {
        let id = host.hold(config(format.clone(), 3, houses(7))).await;
        let standings = host.standings(&id).await.standings;
        let digests: Vec<Vec<u8>> = host
            .blocks(&id)
            .await
            .into_iter()
            .flat_map(|block| block.matches)
            .map(|game| game.digest)
            .collect();
        played.push((standings, digests));
    }
    assert_eq!(played[0], played[1]);
    service.stop().await;
}

#[tokio::test]
async fn a_ladder_keeps_entrants_of_one_owner_apart_unless_told_otherwise() {
    let service = Service::start().await;
    let host = service.agent("host").await;
    for same_owner in [false, true] {
        let mut entrants = houses(4);
        for entrant in &mut entrants[..2] {
            entrant.owner = "us".to_owned();
        }
        let format = Format::Ladder(v1::Ladder { blocks: 12, same_owner });
        let id = host.hold(config(format, 2, entrants)).await;
        let met = |game: &v1::BlockMatch| game.seats.iter().all(|seat| seat.entrant < 2);
        let blocks = host.blocks(&id).await;
        assert_eq!(blocks.iter().flat_map(|block| &block.matches).any(met), same_owner);
    }
    service.stop().await;
}
