//! Lists of the matches of an agent and of a tournament.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use chickenfoot_bot::Error;
use chickenfoot_protocol::v1::{self, tournament_config::Format};
use common::{Service, house, one_round, open_seat, reserved, within};

/// The ids of all matches that a request asks for, page by page, [`sorted`].
///
/// Their order in the list is checked here: newest first by the millisecond, and matches of one millisecond by their
/// ids. Those are random, so no test can tell beforehand which of two matches comes first.
async fn list(service: &Service, request: v1::ListMatchesRequest) -> Vec<String> {
    let mut lists = Vec::new();
    for page_size in [1, 2, 0] {
        let mut request = v1::ListMatchesRequest { page_size, ..request.clone() };
        let mut matches = Vec::new();
        loop {
            let page = within(service.anyone().list_matches(request.clone())).await.unwrap();
            matches.extend(page.entries);
            request.page_token = page.next;
            if request.page_token.is_empty() {
                break;
            }
        }
        let place = |game: &v1::Match| {
            let created = game.create_time.unwrap();
            (created.seconds, created.nanos, game.id.clone())
        };
        assert!(matches.iter().rev().is_sorted_by_key(place), "{matches:?}");
        lists.push(sorted(matches.into_iter().map(|game| game.id)));
    }
    assert!(lists.iter().all(|other| *other == lists[0]), "{lists:?}");
    lists.swap_remove(0)
}

/// Ids in their own order.
fn sorted(ids: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut ids: Vec<String> = ids.into_iter().collect();
    ids.sort();
    ids
}

fn of(agent: &str, state: v1::MatchState) -> v1::ListMatchesRequest {
    v1::ListMatchesRequest {
        agent: agent.to_owned(),
        state: state.into(),
        ..v1::ListMatchesRequest::default()
    }
}

#[tokio::test]
async fn an_agents_matches_are_those_in_which_it_sits() {
    let service = Service::start().await;
    let (ann, bob) = (service.agent("ann").await, service.agent("bob").await);
    let any = v1::MatchState::Unspecified;
    let ended = ann.play_in(one_round(vec![reserved("ann"), house("greedy")])).await.id;
    within(ann.client.leave_match(&ended)).await.unwrap();
    let mut events = within(service.anyone().watch(&ended, 0)).await.unwrap();
    while within(events.next()).await.unwrap().is_some() {}
    // Nobody else's, and those that wait for it are not its own yet.
    within(bob.client.create_match(one_round(vec![house("greedy"), house("lowest")]))).await.unwrap();
    let waits =
        within(bob.client.create_match(one_round(vec![reserved("ann"), open_seat()]))).await.unwrap().id;
    let running = ann.play_in(one_round(vec![house("greedy"), reserved("ann"), reserved("ann")])).await.id;
    assert_eq!(list(&service, of("ann", any)).await, sorted([running.clone(), ended.clone()]));
    assert_eq!(list(&service, of("bob", any)).await, [] as [String; 0]);
    ann.join(&waits, None).await;
    assert_eq!(list(&service, of("ann", v1::MatchState::Open)).await, std::slice::from_ref(&waits));
    assert_eq!(list(&service, of("ann", v1::MatchState::Running)).await, std::slice::from_ref(&running));
    assert_eq!(list(&service, of("ann", v1::MatchState::Finished)).await, std::slice::from_ref(&ended));
    assert_eq!(list(&service, of("ann", any)).await, sorted([running, waits, ended]));
    assert_eq!(list(&service, of("nobody", any)).await, [] as [String; 0]);
    service.stop().await;
}

#[tokio::test]
async fn a_tournaments_matches_are_listed() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let other = ann.play_in(one_round(vec![house("greedy"), house("lowest")])).await.id;
    let entrant = |strategy: &str| v1::EntrantSpec {
        who: Some(v1::entrant_spec::Who::House(strategy.to_owned())),
        name: format!("{strategy}-bot"),
        ..v1::EntrantSpec::default()
    };
    let config = v1::TournamentConfig {
        name: "lists".to_owned(),
        format: Some(Format::RoundRobin(v1::RoundRobin { cycles: 2 })),
        rules: Some(v1::Rules { rounds: Some(1), ..v1::Rules::default() }),
        table_size: 2,
        entrants: vec![entrant("greedy"), entrant("lowest")],
        ..v1::TournamentConfig::default()
    };
    let id = within(ann.client.create_tournament(config)).await.unwrap().id;
    within(ann.client.start_tournament(&id)).await.unwrap();
    let mut watch = within(service.anyone().watch_tournament(&id, 2)).await.unwrap();
    while within(watch.next()).await.unwrap().is_some() {}
    let request = v1::ListMatchesRequest { tournament_id: id.clone(), ..v1::ListMatchesRequest::default() };
    let blocks = within(service.anyone().blocks(&id, "")).await.unwrap().entries;
    let played = sorted(blocks.into_iter().flat_map(|block| block.matches).map(|game| game.match_id));
    let listed = list(&service, request.clone()).await;
    assert_eq!(listed.len(), 4);
    assert_eq!(listed, played);
    assert!(!listed.contains(&other));
    // Only agents are looked for: the house plays everywhere.
    let with_agent = v1::ListMatchesRequest { agent: "ann".to_owned(), ..request };
    assert_eq!(list(&service, with_agent).await, [] as [String; 0]);
    let unknown =
        v1::ListMatchesRequest { tournament_id: "0".repeat(32), ..v1::ListMatchesRequest::default() };
    assert_eq!(list(&service, unknown).await, [] as [String; 0]);
    service.stop().await;
}

#[tokio::test]
async fn what_is_no_name_or_id_is_refused_by_its_field() {
    let service = Service::start().await;
    let refused = async |request: v1::ListMatchesRequest| -> (String, String) {
        match within(service.anyone().list_matches(request)).await {
            Err(Error::Refused { reason, metadata, .. }) => (reason, metadata["field"].clone()),
            other => panic!("{other:?}"),
        }
    };
    for agent in ["-x", "house:greedy", "a b", " ", &"x".repeat(41), "\u{1f414}"] {
        let request = v1::ListMatchesRequest { agent: agent.to_owned(), ..v1::ListMatchesRequest::default() };
        assert_eq!(
            refused(request).await,
            ("AGENT_NAME_INVALID".to_owned(), "agent".to_owned()),
            "{agent:?}"
        );
    }
    for id in ["17", &"g".repeat(32), &"A".repeat(32), &"0".repeat(33), " "] {
        let request =
            v1::ListMatchesRequest { tournament_id: id.to_owned(), ..v1::ListMatchesRequest::default() };
        let expected = ("TOURNAMENT_ID_INVALID".to_owned(), "tournament_id".to_owned());
        assert_eq!(refused(request).await, expected, "{id:?}");
    }
    service.stop().await;
}
