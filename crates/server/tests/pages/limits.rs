//! Browsers are bounded as other callers without a token are, and they are counted.

use chickenfoot_server::{Limits, Server};
use tokio::net::TcpListener;

use crate::ask::{Answer, get};
use crate::common::Service;

#[tokio::test]
async fn who_asks_too_often_is_told_when_to_come_back() {
    let service = Service::run(Server::in_memory(Limits { max_peer_calls: 3, ..Limits::default() })).await;
    let mut answers: Vec<Answer> = Vec::new();
    for _ in 0..40 {
        answers.push(get(&service.address, "/").await);
    }
    let refused = answers.iter().find(|answer| answer.status != 200).expect("three a second are few");
    assert_eq!((refused.status, refused.header("retry-after")), (429, "1"));
    assert_eq!(refused.text(), "limits.max_peer_calls is 3, and no more are taken\n");
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
