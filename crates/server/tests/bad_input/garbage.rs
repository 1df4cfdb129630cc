use chickenfoot_protocol::v1::{self, session_request::What as Up};
use chickenfoot_server::Reason;
use tonic::Code;
use tonic_types::StatusExt;

use crate::common::{Service, house, one_round, option, within};
use crate::scene::{Refused, check};
use crate::web;

#[tokio::test]
async fn garbage_on_a_session_ends_that_session_alone() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let game = ann.play_in(one_round(vec![ann.seat(), house("greedy")])).await;
    let decision = session.decision().await;
    session.send(Up::Open(v1::Open::default())).await;
    let status = session.try_next().await.expect_err("Open comes once");
    check(Reason::SessionNotOpened, &Refused::Call(status), None);
    let mut session = ann.session().await;
    assert_eq!(session.decision().await.number, decision.number);
    let huge = v1::Choice { match_id: "0".repeat(100_000), ..option(&decision, 0) };
    session.choose(huge).await;
    let status = loop {
        match session.try_next().await {
            Ok(_) => {}
            Err(status) => break status,
        }
    };
    check(Reason::MessageTooLarge, &Refused::Call(status), None);
    let mut session = ann.session().await;
    session.up.send(v1::SessionRequest { what: None }).await.unwrap();
    check(Reason::FieldMissing, &Refused::Message(session.refusal().await), Some("what"));
    session.choose(v1::Choice { match_id: "?".to_owned(), ..option(&decision, 0) }).await;
    let refusal = session.refusal().await;
    assert_eq!((refusal.match_id.as_str(), refusal.decision), ("?", decision.number));
    check(Reason::MatchIdInvalid, &Refused::Message(refusal), Some("match_id"));
    session.choose(option(&decision, 0)).await;
    let ended = session.play_on(&game.id).await;
    assert_eq!(ended.r#match.unwrap().state(), v1::MatchState::Finished);
}

#[tokio::test]
async fn garbage_bytes_never_take_the_connection_or_the_server_down() {
    let service = Service::start().await;
    let paths = [
        "/chickenfoot.v1.MatchService/CreateMatch",
        "/chickenfoot.v1.MatchService/WatchMatch",
        "/chickenfoot.v1.MatchService/Play",
        "/chickenfoot.v1.AgentService/RegisterAgent",
        "/chickenfoot.v1.AgentService/Session",
        "/no.such.Service/Method",
    ];
    for path in paths {
        for garbage in
            [&b"\x0a"[..], &b"\x0a\xff\xff\xff\xff\x0f"[..], &b"\x0a\x02\xc3\x28"[..], &[0xff; 300][..]]
        {
            let status = web::call(&service.address, path, &[], garbage).await;
            assert_ne!(status.code(), Code::Ok, "{path}");
            assert_ne!(status.code(), Code::Unknown, "{path}: {status:?}");
            assert!(status.get_details_error_info().is_some(), "{path}: {status:?}");
        }
    }
    // One step beyond every number that there can be.
    let mut watch = service.anyone().watch(&"0".repeat(32), u64::MAX).await;
    assert_eq!(watch.as_mut().err().unwrap().reason(), Some(Reason::MatchNotFound.name()));
    let ann = service.agent("ann").await;
    let game = ann.play_in(one_round(vec![ann.seat(), house("greedy")])).await;
    let mut session = ann.session().await;
    let mut watch = ann.client.watch(&game.id, u64::MAX).await.unwrap();
    session.play_on(&game.id).await;
    assert_eq!(within(watch.next()).await.unwrap(), None);
}
