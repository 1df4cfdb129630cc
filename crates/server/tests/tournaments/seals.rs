//! Nobody learns from one match of a block what helps in another.

use chickenfoot_protocol::v1::{self, tournament_config::Format};

use crate::common::{Service, within};
use crate::fixture::{agent, config, house};

#[tokio::test]
async fn a_match_that_is_over_keeps_its_secrets_until_its_block_is_over() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    // One match at a time: the second of the block waits for ann, the first is over.
    let config = v1::TournamentConfig {
        concurrency: 1,
        ..config(
            Format::RoundRobin(v1::RoundRobin { cycles: 1 }),
            2,
            vec![agent("ann"), house("foe", "greedy")],
        )
    };
    let id = ann.create(config).await.id;
    ann.start(&id).await;
    let mut session = ann.session().await;
    let first = session.offer().await;
    session.accept(&first).await;
    session.play_on(&first).await;
    let second = session.offer().await;
    assert_ne!(first, second);
    let over = ann.client.get_match(&first).await.unwrap();
    assert_eq!(over.state(), v1::MatchState::Finished);
    assert_eq!(over.tournament_id, id);
    assert!(
        over.seed.is_empty()
            && over.commitment.is_empty()
            && over.deal_id.is_empty()
            && over.digest.is_empty()
    );
    let refused = ann.client.record(&first).await.unwrap_err();
    assert_eq!(refused.reason(), Some("RECORD_SEALED"), "{refused}");
    let mut watch = within(service.anyone().watch(&first, 0)).await.unwrap();
    while let Some(event) = within(watch.next()).await.unwrap() {
        match event.what.unwrap() {
            v1::event::What::MatchStarted(start) => {
                assert!(start.deal_id.is_empty() && start.commitment.is_empty() && start.block.is_empty());
            }
            v1::event::What::HandDealt(hand) => assert!(hand.tiles.is_empty()),
            v1::event::What::Drew(drew) => assert_eq!(drew.tile, None),
            _ => {}
        }
    }
    session.accept(&second).await;
    session.play_on(&second).await;
    ann.to_the_end(&id).await;
    let (one, other) = (ann.client.record(&first).await.unwrap(), ann.client.record(&second).await.unwrap());
    assert_eq!((one.verify(), other.verify()), (Ok(()), Ok(())));
    assert_eq!(one.rounds[0].hands, other.rounds[0].hands, "both have the same deal");
    assert_eq!(one.block.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["ann", "foe"]);
    service.stop().await;
}
