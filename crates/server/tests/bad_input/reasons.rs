use chickenfoot_protocol::v1;
use chickenfoot_server::Reason;

use crate::common::option;
use crate::provoke::provoke;
use crate::scene::{Scene, check};

#[tokio::test]
async fn every_reason_can_be_provoked_and_says_what_the_contract_promises() {
    let mut scene = Scene::set().await;
    for reason in Reason::ALL {
        let (refused, field) = provoke(*reason, &mut scene).await;
        check(*reason, &refused, field);
    }
    // After all that, the match goes on where it was.
    let Scene { players, mut sessions, decision, asked, .. } = scene;
    sessions[asked].choose(option(&decision, 0)).await;
    let [first, second] = &mut sessions;
    let id = &decision.match_id;
    let (ended, _) = tokio::join!(first.play_on(id), second.play_on(id));
    assert_eq!(ended.r#match.unwrap().state(), v1::MatchState::Finished);
    assert_eq!(players[0].client.record(id).await.unwrap().verify(), Ok(()));
}
