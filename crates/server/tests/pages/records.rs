//! Records as files.

use chickenfoot_protocol::v1::{self, tournament_config::Format};
use chickenfoot_rules::Record;

use crate::ask::{ask, get, unpacked};
use crate::common::{Service, house, one_round, reserved, within};

#[tokio::test]
async fn a_record_is_downloaded_as_the_call_gives_it() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let game = ann.play_in(one_round(vec![house("greedy"), house("lowest")])).await;
    let mut events = within(service.anyone().watch(&game.id, 0)).await.unwrap();
    while within(events.next()).await.unwrap().is_some() {}
    let path = format!("/m/{}/record.json", game.id);
    let answer = get(&service.address, &path).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/json"));
    let file = format!("attachment; filename=\"chickenfoot-{}.json\"", game.id);
    assert_eq!(answer.header("content-disposition"), file);
    assert_eq!(answer.header("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
    let record = within(service.anyone().record(&game.id)).await.unwrap();
    assert_eq!(answer.text(), record.to_json());
    Record::from_json(answer.text()).unwrap().verify().unwrap();

    let packed = ask(&service.address, "GET", &path, &[("accept-encoding", "gzip")]).await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_eq!(unpacked(&packed.body), answer.body);
    let headers = [("if-none-match", answer.header("etag"))];
    assert_eq!(ask(&service.address, "GET", &path, &headers).await.status, 304);
    service.stop().await;
}

#[tokio::test]
async fn there_is_no_record_of_what_is_not_over_or_sealed_or_unknown() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let running = ann.play_in(one_round(vec![reserved("ann"), house("greedy")])).await.id;
    let answer = get(&service.address, &format!("/m/{running}/record.json")).await;
    assert_eq!(
        (answer.status, answer.text()),
        (409, "the match is not over; its record is secret until then\n")
    );
    assert_eq!(answer.header("cache-control"), "no-store");

    let entrant =
        |name: &str, who| v1::EntrantSpec { name: name.to_owned(), who: Some(who), ..Default::default() };
    let mut config = v1::TournamentConfig {
        name: "sealed".to_owned(),
        format: Some(Format::RoundRobin(v1::RoundRobin { cycles: 1 })),
        rules: Some(v1::Rules { rounds: Some(1), ..v1::Rules::default() }),
        table_size: 2,
        concurrency: 1,
        ..v1::TournamentConfig::default()
    };
    use v1::entrant_spec::Who;
    config.entrants =
        vec![entrant("ann", Who::Agent("ann".to_owned())), entrant("foe", Who::House("greedy".to_owned()))];
    let tournament = within(ann.client.create_tournament(config)).await.unwrap();
    let mut session = ann.session().await;
    within(ann.client.start_tournament(&tournament.id)).await.unwrap();
    let first = session.offer().await;
    session.accept(&first).await;
    session.play_on(&first).await;
    let known = [("if-none-match", "*")];
    let path = format!("/m/{first}/record.json");
    assert_eq!(ask(&service.address, "GET", &path, &known).await.status, 409);
    let answer = get(&service.address, &path).await;
    let refused = within(ann.client.record(&first)).await.unwrap_err();
    assert_eq!(refused.reason(), Some("RECORD_SEALED"));
    let expected = "other matches with the same deal are not over; the record is secret until then\n";
    assert_eq!((answer.status, answer.text()), (409, expected));

    let answer = get(&service.address, &format!("/m/{}/record.json", "0".repeat(32))).await;
    assert_eq!(answer.status, 404);
    service.stop().await;
}
