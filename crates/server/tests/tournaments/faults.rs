//! Entrants that do what they should not, and what it costs whom.

use chickenfoot_bot::{Client, Error};
use chickenfoot_protocol::v1::{self, tournament_config::Format};
use chickenfoot_server::{Access, AdminToken, Limits, Server};

use crate::bots::{Manner, play};
use crate::common::{Service, millis, within};
use crate::fixture::{agent, config, house};

/// A tournament in which nobody waits long for anybody.
fn hasty(format: Format, table: u32, entrants: Vec<v1::EntrantSpec>) -> v1::TournamentConfig {
    v1::TournamentConfig {
        decision_time: Some(millis(500)),
        bank: Some(millis(0)),
        grace: Some(millis(500)),
        strikes: Some(1),
        illegal_answers: Some(1),
        no_show: Some(prost_types::Duration { seconds: 2, nanos: 0 }),
        ..config(format, table, entrants)
    }
}

#[tokio::test]
async fn every_kind_of_fault_is_named_and_costs_nobody_else() {
    let service = Service::start().await;
    let host = service.agent("host").await;
    let manners = [
        ("honest", Some(Manner::Honest)),
        ("silent", Some(Manner::Silent)),
        ("late", Some(Manner::Late)),
        ("illegal", Some(Manner::Illegal)),
        ("leaves", Some(Manner::Leaves)),
        ("twice", Some(Manner::Twice)),
        ("absent", None),
    ];
    let mut entrants = vec![house("foe", "lowest")];
    for (name, manner) in manners {
        let bot = service.agent(name).await;
        if let Some(manner) = manner {
            play(&bot, manner).await;
        }
        entrants.push(agent(name));
    }
    let id = host.hold(hasty(Format::RoundRobin(v1::RoundRobin { cycles: 1 }), 2, entrants)).await;
    let standings = host.standings(&id).await.standings;
    let conduct = |name: &str| standings.iter().find(|row| row.name == name).unwrap().conduct.unwrap();
    for name in ["foe", "honest", "twice"] {
        let it = conduct(name);
        assert_eq!((it.late, it.gone, it.illegal, it.out, it.absent), (0, 0, 0, 0, 0), "{name}: {it:?}");
    }
    assert!(conduct("silent").late > 0 && conduct("silent").out > 0);
    assert!(conduct("late").late > 0);
    assert!(conduct("illegal").illegal > 0);
    assert!(conduct("leaves").gone + conduct("leaves").absent > 0);
    assert!(conduct("absent").absent >= 3, "after three blocks in a row it is taken out");
    let blocks = host.blocks(&id).await;
    // Everybody met everybody but those that were not there.
    let played = |name: &str| standings.iter().find(|row| row.name == name).unwrap().blocks;
    assert!(played("honest") >= 5, "{}", played("honest"));
    assert_eq!(played("absent"), 0);
    let number = |name: &str| standings.iter().find(|row| row.name == name).unwrap().entrant;
    for block in blocks.iter().filter(|block| !block.absent.is_empty()) {
        assert!(block.matches.is_empty());
        assert!(block.absent.iter().all(|it| [number("absent"), number("leaves")].contains(it)));
    }
    service.stop().await;
}

#[tokio::test]
async fn who_comes_late_plays_from_then_on() {
    let service = Service::start().await;
    let host = service.agent("host").await;
    let late = service.agent("late").await;
    let entrants = vec![agent("late"), house("foe", "lowest")];
    let config = v1::TournamentConfig {
        concurrency: 1,
        ..hasty(Format::Gauntlet(v1::Gauntlet { candidate: String::new(), blocks: 4 }), 2, entrants)
    };
    let id = host.create(config).await.id;
    host.start(&id).await;
    let request = v1::WatchTournamentRequest { tournament_id: id.clone(), standings: 0 };
    let mut watch =
        within(host.wire.tournaments.clone().watch_tournament(request)).await.unwrap().into_inner();
    // The first block was over without it.
    loop {
        let update = within(watch.message()).await.unwrap().unwrap();
        if update.tournament.unwrap().progress.unwrap().finished_blocks > 0 {
            break;
        }
    }
    play(&late, Manner::Honest).await;
    host.to_the_end(&id).await;
    let blocks = host.blocks(&id).await;
    assert_eq!(blocks[0].absent, [0]);
    assert!(blocks.last().unwrap().absent.is_empty() && blocks.len() == 4);
    service.stop().await;
}

#[tokio::test]
async fn a_newcomer_that_cannot_play_is_not_scheduled() {
    let service = Service::start().await;
    let host = service.agent("host").await;
    let (good, bad) = (service.agent("good").await, service.agent("bad").await);
    play(&good, Manner::Honest).await;
    play(&bad, Manner::Illegal).await;
    let config = v1::TournamentConfig {
        entry_check: true,
        ..hasty(
            Format::RoundRobin(v1::RoundRobin { cycles: 1 }),
            2,
            vec![agent("good"), agent("bad"), house("foe", "lowest")],
        )
    };
    let id = host.hold(config).await;
    let request = v1::ListEntrantsRequest { tournament_id: id.clone(), ..v1::ListEntrantsRequest::default() };
    let entrants =
        within(host.wire.tournaments.clone().list_entrants(request)).await.unwrap().into_inner().entrants;
    let state = |name: &str| entrants.iter().find(|entrant| entrant.name == name).unwrap().state();
    assert_eq!(state("good"), v1::EntrantState::Entered);
    assert_eq!(state("bad"), v1::EntrantState::Rejected);
    let names: Vec<String> = host.standings(&id).await.standings.into_iter().map(|row| row.name).collect();
    assert!(names.contains(&"good".to_owned()) && !names.contains(&"bad".to_owned()), "{names:?}");
    service.stop().await;
}

#[tokio::test]
async fn a_fault_of_the_service_voids_the_block_and_costs_nobody() {
    let admin = "0123456789abcdef0123456789abcdef";
    let access = Access { admin_token: Some(AdminToken::new(admin).unwrap()), ..Access::default() };
    let service = Service::run(Server::in_memory(Limits::default()).with_access(access)).await;
    let host = service.agent("host").await;
    let ann = service.agent("ann").await;
    let entrants = vec![agent("ann"), house("foe", "lowest")];
    let id = host.create(config(Format::RoundRobin(v1::RoundRobin { cycles: 1 }), 2, entrants)).await.id;
    host.start(&id).await;
    let mut session = ann.session().await;
    let first = session.offer().await;
    session.accept(&first).await;
    session.decision().await;
    // The creator could be losing it.
    let refused = host.client.abort_match(&first).await.unwrap_err();
    assert!(matches!(refused, Error::Refused { reason, .. } if reason == "NOT_CREATOR"));
    // As good as a fault: the match ends without a result, and not by an entrant's doing.
    Client::connect(&service.address, Some(admin)).unwrap().abort_match(&first).await.unwrap();
    drop(session);
    play(&ann, Manner::Honest).await;
    host.to_the_end(&id).await;
    let blocks = host.blocks(&id).await;
    assert_eq!((blocks.len(), blocks[0].attempt, blocks[0].matches.len()), (1, 1, 2));
    assert!(blocks[0].matches.iter().all(|game| game.match_id != first));
    let aborted = host.client.record(&first).await.unwrap();
    let replayed = host.client.record(&blocks[0].matches[0].match_id).await.unwrap();
    assert_eq!((aborted.verify(), replayed.verify()), (Ok(()), Ok(())));
    assert_ne!(aborted.rounds[0].hands, replayed.rounds[0].hands, "another deal");
    service.stop().await;
}
