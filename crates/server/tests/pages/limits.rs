//! Browsers are bounded as other callers without a token are, and they are counted.

use std::sync::Arc;

use chickenfoot_server::{Limits, Server};
use futures_util::future::join_all;
use tokio::net::TcpListener;

use crate::ask::{Answer, get};
use crate::common::{Service, house, one_round, within};
use crate::stubs::{Ill, Illness};

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_come_back() {
    let service = Service::run(Server::in_memory(Limits { max_peer_calls: 1, ..Limits::default() })).await;
    // At one a second, all of them would take twenty.
    let answers: Vec<Answer> = join_all((0..20).map(|_| get(&service.address, "/"))).await;
    let refused = answers.iter().find(|answer| answer.status != 200).expect("one a second is little");
    assert_eq!((refused.status, refused.header("retry-after")), (429, "1"));
    assert_eq!(refused.text(), "limits.max_peer_calls is 1, and no more are taken\n");
    assert_eq!(refused.header("cache-control"), "no-store");
    service.stop().await;
}

#[tokio::test]
async fn answers_are_counted_under_few_names() {
    let admin = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let metrics = format!("http://{}", admin.local_addr().unwrap());
    let service = Service::run(Server::in_memory(Limits::default()).with_admin(admin)).await;
    let series = async || {
        let text = get(&metrics, "/metrics").await.text().to_owned();
        text.lines().filter(|line| line.starts_with("chickenfoot_pages_total")).count()
    };
    let before = series().await;
    for i in 0..20 {
        get(&service.address, &format!("/nothing/{i}")).await;
        get(&service.address, &format!("/agents/a{i}")).await;
        get(&service.address, &format!("/m/{i}")).await;
    }
    assert_eq!(series().await, before, "whatever is asked for, there are no new series");
    let text = get(&metrics, "/metrics").await.text().to_owned();
    for line in [
        "chickenfoot_pages_total{page=\"other\",status=\"404\"} 20",
        "chickenfoot_pages_total{page=\"other\",status=\"400\"} 20",
        "chickenfoot_pages_total{page=\"document\",status=\"200\"} 20",
        "chickenfoot_page_seconds_count{page=\"document\"} 20",
    ] {
        assert!(text.lines().any(|other| other == line), "{line} in\n{text}");
    }
    assert!(!text.contains("chickenfoot_calls_total{method=\"other\",code=\"UNIMPLEMENTED\"}"));
    service.stop().await;
}

#[tokio::test]
async fn pictures_and_records_are_bounded_and_nothing_else_waits_for_them() {
    let store = Arc::new(Ill::default());
    let limits = Limits { max_drawings: 1, ..Limits::default() };
    let service = Service::run(Server::with_store(limits, store.stores())).await;
    let ann = service.agent("ann").await;
    let game =
        within(ann.client.create_match(one_round(vec![house("greedy"), house("lowest")]))).await.unwrap();
    let mut events = within(ann.client.watch(&game.id, 0)).await.unwrap();
    while within(events.next()).await.unwrap().is_some() {}
    store.fall_ill(Illness::Hangs);
    // Of two at once one waits for the store; the other is told that there is no room, whichever it is.
    let (picture, record) = (format!("/m/{}/1.svg", game.id), format!("/m/{}/record.json", game.id));
    let (one, other) = (get(&service.address, &picture), get(&service.address, &record));
    tokio::pin!(one, other);
    let refused = tokio::select! {
        answer = &mut one => answer,
        answer = &mut other => answer,
    };
    assert_eq!((refused.status, refused.header("retry-after")), (429, "1"));
    assert_eq!(refused.text(), "limits.max_drawings is 1, and no more are taken\n");
    // What needs nothing to be made is there.
    assert_eq!(get(&service.address, &format!("/m/{}", game.id)).await.status, 200);
    assert_eq!(get(&service.address, "/assets/app.js").await.status, 200);
    within(service.anyone().agent("ann")).await.unwrap();
}
