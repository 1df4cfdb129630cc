use std::sync::Arc;

use bytes::Bytes;
use chickenfoot_arena::{Bus, LocalBus, NoAnswer, Subject, Subscription, ToAgent};
use chickenfoot_bot::Client;
use chickenfoot_protocol::v1::{self, session_response::What as Down, watch_match_response::What};
use chickenfoot_server::authz::Registration;
use chickenfoot_server::{Limits, Server};
use tonic::{Code, Streaming};
use tonic_types::StatusExt;

use crate::calls::{Caller, Session};
use crate::service::{Service, access, reason, two_seats, within};

async fn works(client: &Client) -> Result<v1::Match, chickenfoot_bot::Error> {
    within(client.create_match(two_seats())).await
}

/// A session that has said Hello.
async fn session(service: &Service, token: &str) -> Session {
    let mut session = within(Caller::new(service, Some(token)).session()).await.unwrap();
    let hello = within(session.down.message()).await.unwrap().unwrap();
    assert!(matches!(hello.what, Some(Down::Hello(_))), "{hello:?}");
    session
}

/// A session says goodbye and ends.
async fn ends_unauthenticated(session: &mut Session) {
    let goodbye = loop {
        match within(session.down.message()).await.unwrap().unwrap().what {
            Some(Down::Goodbye(goodbye)) => break goodbye,
            Some(Down::Heartbeat(_)) => {}
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(goodbye.reason(), v1::GoodbyeReason::Unauthenticated);
    assert_eq!(goodbye.retry_after, None);
    let status = within(session.down.message()).await.unwrap_err();
    assert_eq!(status.code(), Code::Unauthenticated);
    assert_eq!(status.get_details_error_info().unwrap().reason, "TOKEN_INVALID");
}

/// A watch ends with an error.
async fn watch_ends_unauthenticated(watch: &mut Streaming<v1::WatchMatchResponse>) {
    let status = loop {
        match within(watch.message()).await {
            Ok(Some(v1::WatchMatchResponse { what: Some(What::Heartbeat(_)) })) => {}
            Ok(other) => panic!("{other:?}"),
            Err(status) => break status,
        }
    };
    assert_eq!(status.code(), Code::Unauthenticated);
    assert_eq!(status.get_details_error_info().unwrap().reason, "TOKEN_INVALID");
}

#[tokio::test]
async fn a_new_token_replaces_the_old_one_at_once() {
    let service = Service::start(Registration::Open).await;
    let old = service.agent("alice").await;
    let mut session = session(&service, &old).await;
    let new = within(service.client(Some(&old)).rotate_token(None)).await.unwrap();
    assert_ne!(new, old);
    assert_eq!(reason(works(&service.client(Some(&old))).await), "TOKEN_INVALID");
    assert_eq!(works(&service.client(Some(&new))).await.unwrap().creator, "alice");
    ends_unauthenticated(&mut session).await;
}

#[tokio::test]
async fn an_admins_rotation_that_is_repeated_makes_no_second_token() {
    let service = Service::start(Registration::Open).await;
    let (alice, id) = (service.agent("alice").await, "the admin's secret");
    let rotate = |name| {
        let admin = service.admin();
        async move { within(admin.rotate_token_as(Some(name), id)).await }
    };
    let new = rotate("alice").await.unwrap();
    assert_ne!(new, alice);
    assert_eq!(rotate("alice").await.unwrap(), new);
    let bob = service.agent("bob").await;
    assert_eq!(reason(rotate("bob").await), "REQUEST_ID_REUSED");
    works(&service.client(Some(&bob))).await.unwrap();
    let newer = within(service.client(Some(&new)).rotate_token(None)).await.unwrap();
    assert_eq!(reason(rotate("alice").await), "TOKEN_CHANGED");
    works(&service.client(Some(&newer))).await.unwrap();
    // Nor does another one's id help with a token that is void.
    let lost = within(service.client(Some(&alice)).rotate_token_as(Some("alice"), id)).await;
    assert_eq!(reason(lost), "TOKEN_INVALID");
}

#[tokio::test]
async fn of_two_rotations_with_one_token_one_wins() {
    let service = Service::start(Registration::Open).await;
    let token = service.agent("alice").await;
    let client = service.client(Some(&token));
    let (one, two) =
        within(async { tokio::join!(client.rotate_token(None), client.rotate_token(None)) }).await;
    let new = match (one, two) {
        (Ok(new), lost) | (lost, Ok(new)) => {
            assert_eq!(reason(lost), "TOKEN_INVALID");
            new
        }
        both => panic!("{both:?}"),
    };
    works(&service.client(Some(&new))).await.unwrap();
}

#[tokio::test]
async fn a_revoked_agent_loses_its_streams_at_once_and_an_admin_can_bring_it_back() {
    let service = Service::start(Registration::Open).await;
    let token = service.agent("alice").await;
    let client = service.client(Some(&token));
    let game = works(&client).await.unwrap();
    let mut session = session(&service, &token).await;
    let mut watch = within(Caller::new(&service, Some(&token)).watch(&game.id)).await.unwrap();
    let revoked = within(service.admin().revoke_token(Some("alice"))).await.unwrap();
    assert!(revoked.revoked);
    ends_unauthenticated(&mut session).await;
    watch_ends_unauthenticated(&mut watch).await;
    assert_eq!(reason(works(&client).await), "TOKEN_INVALID");
    // Repeating it changes nothing.
    assert_eq!(within(service.admin().revoke_token(Some("alice"))).await.unwrap().name, "alice");
    let token = within(service.admin().rotate_token(Some("alice"))).await.unwrap();
    assert_eq!(works(&service.client(Some(&token))).await.unwrap().creator, "alice");
    assert!(!within(service.client(None).agent("alice")).await.unwrap().revoked);
}

/// A bus that loses every word of changed tokens.
struct Forgetful(LocalBus);

#[tonic::async_trait]
impl Bus for Forgetful {
    fn publish(&self, subject: &Subject, message: Bytes) {
        if !matches!(ToAgent::decode(&message), Some(ToAgent::TokenChanged)) {
            self.0.publish(subject, message);
        }
    }

    fn subscribe(&self, subject: Subject, capacity: usize) -> Subscription {
        self.0.subscribe(subject, capacity)
    }

    async fn request(&self, subject: &Subject, message: Bytes) -> Result<Bytes, NoAnswer> {
        self.0.request(subject, message).await
    }
}

#[tokio::test]
async fn a_session_that_is_not_told_finds_out_with_its_heartbeat() {
    let server = Server::in_memory(Limits { heartbeat: 1, ..Limits::default() });
    let server =
        server.with_access(access(Registration::Open)).with_bus(Arc::new(Forgetful(LocalBus::new())));
    let service = Service::run(server).await;
    let token = service.agent("alice").await;
    let game = works(&service.client(Some(&token))).await.unwrap();
    let mut session = session(&service, &token).await;
    let mut watch = within(Caller::new(&service, Some(&token)).watch(&game.id)).await.unwrap();
    within(service.client(Some(&token)).revoke_token(None)).await.unwrap();
    ends_unauthenticated(&mut session).await;
    watch_ends_unauthenticated(&mut watch).await;
}

#[tokio::test]
async fn the_bot_client_takes_a_revoked_token_for_final() {
    let service = Service::start(Registration::Open).await;
    let token = service.agent("alice").await;
    let runner = chickenfoot_bot::Runner::new(&service.address, &token);
    let running = tokio::spawn(async move {
        let make = chickenfoot_bot::strategy_bots("greedy", 1).unwrap();
        runner.run(make, std::future::pending()).await
    });
    within(async {
        while !service.client(None).agent("alice").await.unwrap().online {
            tokio::task::yield_now().await;
        }
    })
    .await;
    within(service.client(Some(&token)).revoke_token(None)).await.unwrap();
    assert_eq!(reason(within(running).await.unwrap()), "TOKEN_INVALID");
}

#[tokio::test]
async fn a_role_counts_from_the_next_call_on() {
    let service = Service::start(Registration::Open).await;
    let (alice, bob) = (service.agent("alice").await, service.agent("bob").await);
    let (alice, bob) = (service.client(Some(&alice)), service.client(Some(&bob)));
    let game = works(&alice).await.unwrap();
    assert_eq!(reason(within(bob.abort_match(&game.id)).await), "NOT_CREATOR");
    let agent = within(service.admin().set_role("bob", v1::Role::Organiser)).await.unwrap();
    assert_eq!(agent.role(), v1::Role::Organiser);
    assert_eq!(within(service.client(None).agent("bob")).await.unwrap().role(), v1::Role::Organiser);
    assert_eq!(within(bob.abort_match(&game.id)).await.unwrap().abort_reason, "ORGANISER");
    let own = works(&bob).await.unwrap();
    assert_eq!(within(bob.abort_match(&own.id)).await.unwrap().abort_reason, "CREATOR");
    within(service.admin().set_role("bob", v1::Role::Agent)).await.unwrap();
    let game = works(&alice).await.unwrap();
    assert_eq!(reason(within(bob.abort_match(&game.id)).await), "NOT_CREATOR");
}

#[tokio::test]
async fn what_cannot_be_set_is_refused_with_its_reason() {
    let service = Service::start(Registration::Open).await;
    service.agent("alice").await;
    let admin = service.admin();
    assert_eq!(reason(within(admin.set_role("alice", v1::Role::Unspecified)).await), "FIELD_MISSING");
    assert_eq!(reason(within(admin.set_role("bob", v1::Role::Agent)).await), "AGENT_NOT_FOUND");
    assert_eq!(reason(within(admin.set_role("", v1::Role::Agent)).await), "AGENT_NAME_INVALID");
    assert_eq!(reason(within(admin.rotate_token(Some("bob"))).await), "AGENT_NOT_FOUND");
    assert_eq!(reason(within(admin.revoke_token(Some("no name"))).await), "AGENT_NAME_INVALID");
}

#[tokio::test]
async fn a_repeated_registration_does_not_give_a_token_that_is_invalid_by_now() {
    let service = Service::start(Registration::Open).await;
    let caller = Caller::new(&service, None);
    let id = "a secret of the caller's";
    let first = within(caller.register("alice", id)).await.unwrap();
    assert_eq!(within(caller.register("alice", id)).await.unwrap(), first);
    within(service.client(Some(&first)).rotate_token(None)).await.unwrap();
    let status = within(caller.register("alice", id)).await.unwrap_err();
    assert_eq!(status.get_details_error_info().unwrap().reason, "AGENT_EXISTS");
}
