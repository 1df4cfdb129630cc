//! A call may be repeated with its request id as often as it takes to hear the answer.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;
mod stubs;

use std::sync::Arc;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1;
use chickenfoot_server::{Limits, Reason, Server};
use common::{Agent, Service, house, one_round, open_seat, within};
use futures_util::future::join_all;
use stubs::{Ill, Illness};
use tonic_types::StatusExt;

/// The ids of the matches that come of the same call, made so many times at once.
async fn create(agent: &Agent, request_id: &str, times: usize) -> Vec<String> {
    let request = v1::CreateMatchRequest {
        config: Some(one_round(vec![open_seat(), house("greedy")])),
        request_id: request_id.to_owned(),
    };
    let calls = (0..times).map(|_| {
        let (mut matches, request) = (agent.wire.matches.clone(), request.clone());
        async move { matches.create_match(request).await.unwrap().into_inner().r#match.unwrap().id }
    });
    within(join_all(calls)).await
}

#[tokio::test]
async fn a_match_that_is_made_again_with_the_same_id_is_the_same_match() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let bob = service.agent("bob").await;
    let mut ids = create(&ann, "one", 20).await;
    ids.extend(create(&ann, "one", 1).await);
    assert!(ids.iter().all(|id| *id == ids[0]));
    // Another id, another caller, no id at all: each is a call of its own.
    for (agent, id) in [(&ann, "two"), (&bob, "one"), (&ann, ""), (&ann, "")] {
        ids.extend(create(agent, id, 1).await);
    }
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 5);
    let listed = ann.client.matches(v1::MatchState::Unspecified, "").await.unwrap();
    assert_eq!(listed.entries.len(), 5);
}

#[tokio::test]
async fn a_match_that_is_made_again_while_the_store_has_the_first_call_is_the_same_match() {
    let store = Arc::new(Ill::default());
    let service = Service::run(Server::with_store(Limits::default(), store.stores())).await;
    let ann = service.agent("ann").await;
    store.fall_ill(Illness::Hangs);
    tokio::select! {
        ids = create(&ann, "one", 1) => panic!("the store has not answered: {ids:?}"),
        () = within(store.hangs(1)) => {}
    }
    // The caller of the first call is gone by now.
    let again = create(&ann, "one", 1);
    let well = async {
        // Time enough to get as far as the first one: more than that may not be made.
        for _ in 0..20 {
            within(ann.client.agent("ann")).await.unwrap();
        }
        store.get_well();
    };
    let (ids, ()) = tokio::join!(again, well);
    let listed = ann.client.matches(v1::MatchState::Unspecified, "").await.unwrap();
    let listed: Vec<String> = listed.entries.into_iter().map(|game| game.id).collect();
    assert_eq!(listed, ids);
    service.stop().await;
}

#[tokio::test]
async fn a_registration_that_is_repeated_returns_the_same_token() {
    let service = Service::start().await;
    let eve = service.agent("eve").await;
    let request = |request_id: &str| v1::RegisterAgentRequest {
        name: "ann".to_owned(),
        request_id: request_id.to_owned(),
    };
    let mut agents = eve.wire.agents.clone();
    let first = agents.register_agent(request("the secret of ann")).await.unwrap().into_inner();
    let again = agents.register_agent(request("the secret of ann")).await.unwrap().into_inner();
    assert_eq!(again, first);
    let refused = agents.register_agent(request("another secret of ann")).await.unwrap_err();
    assert_eq!(refused.get_details_error_info().unwrap().reason, Reason::AgentExists.name());
}

#[tokio::test]
async fn a_rotation_that_is_repeated_with_the_token_of_before_returns_the_same_token() {
    let service = Service::start().await;
    let (ann, bob) = (service.agent("ann").await, service.agent("bob").await);
    let id = "the secret of ann";
    let reason = |refused: Result<String, chickenfoot_bot::Error>| {
        refused.unwrap_err().reason().unwrap_or_default().to_owned()
    };
    let new = within(ann.client.rotate_token_as(None, id)).await.unwrap();
    assert_ne!(new, ann.token);
    assert_eq!(within(ann.client.rotate_token_as(None, id)).await.unwrap(), new);
    let works = Client::connect(&service.address, Some(&new)).unwrap();
    within(works.create_match(one_round(vec![open_seat(), open_seat()]))).await.unwrap();
    // It takes the token of before, the id and the same content, and is no way around any other method.
    for (client, name, id) in [
        (&ann.client, None, "another secret of ann"),
        (&ann.client, Some("ann"), id),
        (&ann.client, None, ""),
        (&Client::connect(&service.address, Some("wrong")).unwrap(), None, id),
    ] {
        assert_eq!(reason(within(client.rotate_token_as(name, id)).await), Reason::TokenInvalid.name());
    }
    assert_eq!(reason(within(service.anyone().rotate_token_as(None, id)).await), Reason::TokenMissing.name());
    assert!(within(ann.client.revoke_token(None)).await.is_err());
    // The same id of another agent is another request, and of ann's new token as well.
    let bobs = within(bob.client.rotate_token_as(None, id)).await.unwrap();
    assert_eq!(within(bob.client.rotate_token_as(None, id)).await.unwrap(), bobs);
    let newer = within(works.rotate_token_as(None, id)).await.unwrap();
    assert!(newer != new && newer != bobs);
    assert_eq!(reason(within(ann.client.rotate_token_as(None, id)).await), Reason::TokenInvalid.name());
    assert_eq!(within(works.rotate_token_as(None, id)).await.unwrap(), newer);
}

#[tokio::test]
async fn a_rotation_needs_an_id_that_nobody_guesses() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    for id in ["x".repeat(15), "x".repeat(65)] {
        let refused = within(ann.client.rotate_token_as(None, &id)).await.unwrap_err();
        assert_eq!(refused.reason(), Some(Reason::FieldOutOfRange.name()));
    }
    within(ann.client.rotate_token_as(None, &"x".repeat(16))).await.unwrap();
}

#[tokio::test]
async fn a_call_that_was_refused_is_tried_anew_when_it_is_repeated() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let bob = service.agent("bob").await;
    let game = ann.client.create_match(one_round(vec![open_seat(), ann.seat()])).await.unwrap();
    ann.join(&game.id, Some(0)).await;
    let request = || v1::JoinMatchRequest {
        match_id: game.id.clone(),
        request_id: "one".to_owned(),
        ..v1::JoinMatchRequest::default()
    };
    let mut matches = bob.wire.matches.clone();
    let refused = matches.join_match(request()).await.unwrap_err();
    assert_eq!(refused.get_details_error_info().unwrap().reason, Reason::NoFreeSeat.name());
    ann.client.leave_match(&game.id).await.unwrap();
    let joined = matches.join_match(request()).await.unwrap().into_inner();
    assert_eq!((joined.seat, joined.r#match.unwrap().seats[0].name.as_str()), (0, "bob"));
}

#[tokio::test]
async fn a_request_id_has_at_most_64_characters() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    create(&ann, &"é".repeat(64), 1).await;
    let request = v1::CreateMatchRequest {
        config: Some(one_round(vec![house("greedy"); 2])),
        request_id: "é".repeat(65),
    };
    let refused = ann.wire.matches.clone().create_match(request).await.unwrap_err();
    assert_eq!(refused.get_details_error_info().unwrap().reason, Reason::FieldOutOfRange.name());
    assert_eq!(refused.get_details_bad_request().unwrap().field_violations[0].field, "request_id");
}

#[tokio::test]
async fn every_page_of_a_list_goes_on_where_the_one_before_ended() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut made = Vec::new();
    for _ in 0..7 {
        made.extend(create(&ann, "", 1).await);
    }
    let (mut listed, mut page_token) = (Vec::new(), String::new());
    loop {
        let request =
            v1::ListMatchesRequest { page_size: 3, page_token, ..v1::ListMatchesRequest::default() };
        let page = ann.wire.matches.clone().list_matches(request).await.unwrap().into_inner();
        assert!(page.matches.len() <= 3);
        listed.extend(page.matches.into_iter().map(|game| game.id));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    made.sort();
    listed.sort();
    assert_eq!(listed, made);
}
