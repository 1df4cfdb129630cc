//! Moments of matches as pictures and texts.

use chickenfoot_protocol::v1::{self, event::What};
use chickenfoot_rules::{Tile, View};
use chickenfoot_server::{Limits, Server};

use crate::ask::{Answer, ask, get, unpacked};
use crate::common::{Agent, Service, Session, house, one_round, open_seat, option, reserved, within};

/// How many tiles a picture shows.
#[track_caller]
fn tiles(svg: &str) -> usize {
    let document = roxmltree::Document::parse(svg).unwrap_or_else(|why| panic!("{why}: {svg}"));
    let is_tile = |node: &roxmltree::Node<'_, '_>| {
        node.attribute("class").is_some_and(|class| class.split(' ').any(|word| word == "tile"))
    };
    document.descendants().filter(is_tile).count()
}

#[track_caller]
fn is_picture(answer: &Answer) {
    assert_eq!((answer.status, answer.header("content-type")), (200, "image/svg+xml"));
    assert_eq!(answer.header("content-security-policy"), "default-src 'none'; style-src 'unsafe-inline'");
    assert_eq!(answer.header("cross-origin-resource-policy"), "cross-origin");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
}

#[track_caller]
fn is_text(answer: &Answer) {
    assert_eq!((answer.status, answer.header("content-type")), (200, "text/plain; charset=utf-8"));
    assert_eq!(answer.header("content-security-policy"), "default-src 'none'; frame-ancestors 'none'");
}

/// What a match shows everybody, to its end or as far as it is.
struct Seen {
    head: u64,
    /// The numbers of the events that laid a tile.
    laid: Vec<u64>,
}

async fn seen(service: &Service, id: &str, until: Option<u64>) -> Seen {
    let mut events = within(service.anyone().watch(id, 0)).await.unwrap();
    let mut seen = Seen { head: 0, laid: Vec::new() };
    while until.is_none_or(|until| seen.head < until) {
        let Some(event) = within(events.next()).await.unwrap() else { break };
        seen.head = event.seq;
        if matches!(event.what, Some(What::StartLaid(_) | What::Played(_))) {
            seen.laid.push(event.seq);
        }
    }
    seen
}

#[tokio::test]
async fn every_moment_of_a_match_that_is_over_can_be_shown_and_kept() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let id = ann.play_in(one_round(vec![house("greedy"), house("lowest"), house("random")])).await.id;
    let Seen { head, laid } = seen(&service, &id, None).await;
    assert!(laid.len() > 10, "{laid:?}");
    for seq in [1, laid[0] - 1, laid[0], laid[1], laid[9], head] {
        let expected = laid.iter().filter(|at| **at <= seq).count();
        let svg = get(&service.address, &format!("/m/{id}/{seq}.svg")).await;
        is_picture(&svg);
        assert_eq!(svg.header("cache-control"), "public, max-age=604800");
        assert_eq!(tiles(svg.text()), expected, "after event {seq}");
        let title = format!("Match {id}, ");
        assert!(
            svg.text().contains(&title)
                && svg.text().contains(&format!("after event {seq} of {head}</title>"))
        );
        let text = get(&service.address, &format!("/m/{id}/{seq}.txt")).await;
        is_text(&text);
        assert_eq!(text.header("cache-control"), "public, max-age=604800");
        assert!(
            text.text().starts_with("Chicken Foot: house:greedy, house:lowest, house:random. "),
            "{}",
            text.text()
        );
        for (seat, name) in ["house:greedy", "house:lowest", "house:random"].iter().enumerate() {
            assert_eq!(
                text.text().matches(&format!("\nSeat {seat}, {name}: ")).count(),
                1,
                "{}",
                text.text()
            );
        }
        assert_eq!(text.text().contains("\nNo tile lies.\n"), expected == 0, "{}", text.text());
        assert_eq!(text.text().contains("|9]") || text.text().contains("─"), expected > 0, "{}", text.text());
    }
    let last = get(&service.address, &format!("/m/{id}/latest.svg")).await;
    assert_eq!(last.body, get(&service.address, &format!("/m/{id}/{head}.svg")).await.body);
    assert_eq!(last.header("cache-control"), "public, max-age=604800");
    let text = get(&service.address, &format!("/m/{id}/latest.txt")).await;
    assert_eq!(text.body, get(&service.address, &format!("/m/{id}/{head}.txt")).await.body);

    let known = [("if-none-match", last.header("etag"))];
    let again = ask(&service.address, "GET", &format!("/m/{id}/latest.svg"), &known).await;
    assert_eq!((again.status, again.body.len()), (304, 0));
    for name in ["etag", "cache-control", "vary", "content-security-policy", "cross-origin-resource-policy"] {
        assert_eq!(again.header(name), last.header(name), "as with the picture");
    }
    // The tag is that of this moment in this form and coding, by whichever address.
    for (name, coding, status) in [
        (format!("{head}.svg"), "identity", 304),
        (format!("{head}.svg"), "gzip", 200),
        (format!("{}.svg", head - 1), "identity", 200),
        (format!("{head}.txt"), "identity", 200),
        ("record.json".to_owned(), "identity", 200),
        (format!("{}.svg", head + 1), "identity", 404),
    ] {
        let headers = [known[0], ("accept-encoding", coding)];
        let answer = ask(&service.address, "GET", &format!("/m/{id}/{name}"), &headers).await;
        assert_eq!(answer.status, status, "{name} by {coding}");
    }
    let any = [("if-none-match", "*")];
    let none = ask(&service.address, "GET", &format!("/m/{id}/{}.svg", head + 1), &any).await;
    assert_eq!(none.status, 404, "what is not there is known to nobody");
    let packed =
        ask(&service.address, "GET", &format!("/m/{id}/latest.svg"), &[("accept-encoding", "gzip")]).await;
    assert_eq!((packed.header("content-encoding"), packed.header("vary")), ("gzip", "accept-encoding"));
    assert_eq!(unpacked(&packed.body), last.body);
    let bare = ask(&service.address, "HEAD", &format!("/m/{id}/latest.svg"), &[]).await;
    assert_eq!((bare.header("content-length"), bare.body.len()), (last.header("content-length"), 0));

    for seq in [0, head + 1, u64::MAX] {
        for form in ["svg", "txt"] {
            let answer = get(&service.address, &format!("/m/{id}/{seq}.{form}")).await;
            assert_eq!(answer.status, 404);
            assert!(answer.text().starts_with(&format!("seq must be 1 to {head}, ")), "{}", answer.text());
            assert_eq!(answer.header("cache-control"), "no-store");
        }
    }
    service.stop().await;
}

#[tokio::test]
async fn what_is_no_number_or_match_has_no_picture() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let open =
        within(ann.client.create_match(one_round(vec![open_seat(), house("greedy")]))).await.unwrap().id;
    let unknown = "0".repeat(32);
    for form in ["svg", "txt"] {
        for (path, status, begins) in [
            (format!("/m/{open}/latest.{form}"), 404, "nothing of the match can be seen yet"),
            (format!("/m/{open}/1.{form}"), 404, "nothing of the match can be seen yet"),
            (format!("/m/{unknown}/latest.{form}"), 404, "there is no such match"),
            (format!("/m/17/latest.{form}"), 400, "match_id "),
            (format!("/m/{open}/.{form}"), 400, "seq: must be "),
            (format!("/m/{open}/-1.{form}"), 400, "seq: must be "),
            (format!("/m/{open}/last.{form}"), 400, "seq: must be "),
            (format!("/m/{open}/1.2.{form}"), 400, "seq: must be "),
            (format!("/m/{open}/1.{form}.{form}"), 400, "seq: must be "),
        ] {
            let answer = get(&service.address, &path).await;
            assert_eq!(answer.status, status, "{path}: {}", answer.text());
            assert!(answer.text().starts_with(begins), "{path}: {}", answer.text());
            assert_eq!(answer.header("cache-control"), "no-store");
        }
    }
    service.stop().await;
}

/// Plays with ann's session until she has been asked so often; what she is asked last stays open.
async fn asked(session: &mut Session, times: usize) -> v1::Decision {
    for _ in 1..times {
        let decision = session.decision().await;
        session.choose(option(&decision, 0)).await;
    }
    session.decision().await
}

/// The tiles of the hand in a decision, and how they stand in texts.
fn hand(decision: &v1::Decision) -> Vec<[String; 2]> {
    let view = View::try_from(decision.view.as_ref().unwrap()).unwrap();
    let both = |tile: Tile| {
        let (high, low) = (tile.high(), tile.low());
        [format!("{high}-{low}"), format!("{low}-{high}")]
    };
    view.hand.iter().map(both).collect()
}

async fn begin(service: &Service, spectator_delay: u32) -> (Agent, Session, String) {
    let ann = service.agent("ann").await;
    let session = ann.session().await;
    let mut config = one_round(vec![reserved("ann"), house("greedy"), house("lowest")]);
    config.spectator_delay = spectator_delay;
    let id = ann.play_in(config).await.id;
    (ann, session, id)
}

#[tokio::test]
async fn a_running_match_shows_no_hidden_tile_and_nothing_of_it_is_kept() {
    let service = Service::start().await;
    let (_ann, mut session, id) = begin(&service, 0).await;
    for _ in 0..6 {
        let decision = asked(&mut session, 1).await;
        // A decision bears the number of the event that it leads to.
        let head = u64::from(decision.number) - 1;
        let Seen { laid, .. } = seen(&service, &id, Some(head)).await;
        let svg = get(&service.address, &format!("/m/{id}/latest.svg")).await;
        is_picture(&svg);
        assert_eq!(svg.header("cache-control"), "no-store");
        assert!(!svg.headers.contains_key("etag"));
        assert_eq!(tiles(svg.text()), laid.len(), "what lies, and nothing else");
        let text = get(&service.address, &format!("/m/{id}/{head}.txt")).await;
        is_text(&text);
        assert_eq!(text.header("cache-control"), "no-store");
        let turn = format!("Seat {}, ann: ", decision.seat);
        let line = text.text().lines().find(|line| line.starts_with(&turn)).unwrap();
        assert!(line.ends_with(", on turn."), "{line}");
        for held in hand(&decision) {
            for tile in held {
                // Words are set apart, so that 1-1 is not found in 1-11.
                let words = |text: &str| {
                    text.split([' ', '*', '.', ',', '\n', '─', '<', '>']).any(|word| word == tile)
                };
                assert!(!words(svg.text()) && !words(text.text()), "{tile} in {}", text.text());
            }
        }
        session.choose(option(&decision, 0)).await;
    }
    service.stop().await;
}

#[tokio::test]
async fn a_delay_holds_for_pictures() {
    let service = Service::start().await;
    let (_ann, mut session, id) = begin(&service, 7).await;
    let decision = asked(&mut session, 6).await;
    let head = u64::from(decision.number) - 1;
    let shown = head - 7;
    let Seen { laid, .. } = seen(&service, &id, Some(shown)).await;
    let svg = get(&service.address, &format!("/m/{id}/latest.svg")).await;
    assert!(svg.text().contains(&format!("after event {shown} of {shown}</title>")), "{}", svg.text());
    assert_eq!(tiles(svg.text()), laid.len());
    for seq in [shown + 1, head] {
        for form in ["svg", "txt"] {
            let answer = get(&service.address, &format!("/m/{id}/{seq}.{form}")).await;
            assert_eq!(answer.status, 404);
            assert!(answer.text().starts_with(&format!("seq must be 1 to {shown}, ")), "{}", answer.text());
        }
    }
    session.choose(option(&decision, 0)).await;
    session.play_on(&id).await;
    let Seen { head, laid } = seen(&service, &id, None).await;
    let svg = get(&service.address, &format!("/m/{id}/latest.svg")).await;
    assert!(svg.text().contains(&format!("after event {head} of {head}</title>")));
    assert_eq!((tiles(svg.text()), svg.header("cache-control")), (laid.len(), "public, max-age=604800"));
    service.stop().await;
}

#[tokio::test]
async fn with_a_delay_that_hides_all_there_is_nothing_to_see() {
    let service = Service::run(Server::in_memory(Limits::default())).await;
    let (_ann, mut session, id) = begin(&service, 10_000).await;
    asked(&mut session, 3).await;
    for path in [format!("/m/{id}/latest.svg"), format!("/m/{id}/1.txt")] {
        let answer = get(&service.address, &path).await;
        assert_eq!((answer.status, answer.text()), (404, "nothing of the match can be seen yet\n"));
    }
    service.stop().await;
}
