//! Whatever a client sends, it is told what is wrong in a form that a program can read, and nobody else notices.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;
mod stubs;
mod web;

use std::sync::Arc;

use chickenfoot_protocol::v1::{self, session_request::What as Up};
use chickenfoot_rules::Tile;
use chickenfoot_server::authz::Registration;
use chickenfoot_server::{Access, DOMAIN, Limits, Reason, Server};
use chickenfoot_store::Memory;
use common::{
    Agent, Service, Session, Wire, house, moved, next_decision, one_round, open_seat, option, within,
};
use stubs::{Ill, Illness};
use tonic::transport::Endpoint;
use tonic::{Code, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;
use tonic_types::StatusExt;

/// How a refusal came.
enum Refused {
    /// As the error of a call or a stream.
    Call(Status),
    /// As a message of a session that goes on.
    Message(v1::Refusal),
}

/// A server with one match in each state.
///
/// `running` is between two agents, its first decision answered and the second one open. Nobody but `stranger` has
/// no seat anywhere.
struct Scene {
    service: Service,
    players: [Agent; 2],
    sessions: [Session; 2],
    stranger: Agent,
    /// Who has to answer `decision`.
    asked: usize,
    decision: v1::Decision,
    /// The answered decision, whose option 0 was played, and whose it was.
    answered: (usize, v1::Decision),
    /// One seat is free, the other one reserved for the second player.
    open: String,
    over: String,
}

impl Scene {
    async fn set() -> Scene {
        let service = Service::start().await;
        let players = [service.agent("ann").await, service.agent("bob").await];
        let stranger = service.agent("eve").await;
        let mut sessions = [players[0].session().await, players[1].session().await];
        let over = players[0].play_in(one_round(vec![players[0].seat(), house("greedy")])).await;
        sessions[0].play_on(&over.id).await;
        let seats = vec![players[0].seat(), players[1].seat()];
        let running = players[0].play_in(one_round(seats)).await;
        players[1].join(&running.id, None).await;
        let (first, answered) = next_decision(&mut sessions).await;
        players[first].client.play(option(&answered, 0)).await.unwrap();
        let (asked, decision) = next_decision(&mut sessions).await;
        let open = one_round(vec![open_seat(), players[1].seat()]);
        let open = players[0].client.create_match(open).await.unwrap();
        Scene {
            service,
            players,
            sessions,
            stranger,
            asked,
            decision,
            answered: (first, answered),
            open: open.id,
            over: over.id,
        }
    }

    fn asked(&self) -> &Agent {
        &self.players[self.asked]
    }

    /// How the agent that is asked is refused with this answer.
    async fn refused(&self, choice: v1::Choice) -> Refused {
        refused_play(self.asked(), choice).await
    }
}

async fn refused_play(agent: &Agent, choice: v1::Choice) -> Refused {
    let request = v1::PlayRequest { choice: Some(choice) };
    call(agent.wire.matches.clone().play(request)).await
}

async fn refused_create(agent: &Agent, config: v1::MatchConfig) -> Refused {
    let request = v1::CreateMatchRequest { config: Some(config), request_id: String::new() };
    call(agent.wire.matches.clone().create_match(request)).await
}

async fn refused_get(wire: &Wire, id: &str) -> Refused {
    let request = v1::GetMatchRequest { match_id: id.to_owned() };
    call(wire.matches.clone().get_match(request)).await
}

async fn refused_join(agent: &Agent, id: &str, seat: Option<u32>) -> Refused {
    let request = v1::JoinMatchRequest { match_id: id.to_owned(), seat, ..v1::JoinMatchRequest::default() };
    call(agent.wire.matches.clone().join_match(request)).await
}

async fn call<T: std::fmt::Debug>(call: impl Future<Output = Result<tonic::Response<T>, Status>>) -> Refused {
    Refused::Call(within(call).await.expect_err("the call is refused"))
}

fn play(low: Option<u32>, high: Option<u32>, end: Option<u32>, line: Option<u32>) -> v1::r#move::Kind {
    v1::r#move::Kind::Play(v1::Play { tile: Some(v1::Tile { low, high }), end, line })
}

/// The option 0 of a decision as a play.
fn first_play(decision: &v1::Decision) -> v1::Play {
    match decision.options[0].kind {
        Some(v1::r#move::Kind::Play(play)) => play,
        ref other => panic!("the first option is a play, not {other:?}"),
    }
}

/// Provokes a refusal for this reason; the field that it must name, if it is about one.
#[expect(clippy::too_many_lines, reason = "a table with one row for each reason")]
async fn provoke(reason: Reason, scene: &mut Scene) -> (Refused, Option<&'static str>) {
    let [ann, _] = &scene.players;
    let anyone = Wire::connect(&scene.service.address, None);
    match reason {
        Reason::TokenMissing => {
            let request = v1::CreateMatchRequest::default();
            (call(anyone.matches.clone().create_match(request)).await, None)
        }
        Reason::TokenInvalid => {
            let wire = Wire::connect(&scene.service.address, Some("no-such-token"));
            let request = v1::CreateMatchRequest::default();
            (call(wire.matches.clone().create_match(request)).await, None)
        }
        Reason::RoleRequired => {
            let request = v1::SetRoleRequest { name: "ann".to_owned(), role: v1::Role::Admin.into() };
            (call(ann.wire.agents.clone().set_role(request)).await, None)
        }
        Reason::RegistrationClosed => {
            let access = Access { registration: Registration::Closed, ..Access::default() };
            let service = Service::run(Server::in_memory(Limits::default()).with_access(access)).await;
            let request = v1::RegisterAgentRequest { name: "ann".to_owned(), request_id: String::new() };
            let wire = Wire::connect(&service.address, None);
            (call(wire.agents.clone().register_agent(request)).await, None)
        }
        Reason::NotSeated => (refused_play(&scene.stranger, option(&scene.decision, 0)).await, None),
        Reason::NotYourDecision => {
            let other = &scene.players[1 - scene.asked];
            (refused_play(other, option(&scene.decision, 0)).await, None)
        }
        Reason::NotCreator => {
            let request = v1::AbortMatchRequest {
                match_id: scene.decision.match_id.clone(),
                request_id: String::new(),
            };
            (call(scene.stranger.wire.matches.clone().abort_match(request)).await, None)
        }
        Reason::SeatReserved => (refused_join(ann, &scene.open, Some(1)).await, None),
        Reason::MatchNotFound => (refused_get(&anyone, &"0".repeat(32)).await, None),
        Reason::AgentNotFound => {
            let request = v1::GetAgentRequest { name: "nobody".to_owned() };
            (call(anyone.agents.clone().get_agent(request)).await, None)
        }
        Reason::AgentExists => {
            let request = v1::RegisterAgentRequest { name: "ann".to_owned(), request_id: String::new() };
            (call(anyone.agents.clone().register_agent(request)).await, Some("name"))
        }
        Reason::ServiceUnknown => {
            let channel = Endpoint::from_shared(scene.service.address.clone()).unwrap().connect_lazy();
            let request = HealthCheckRequest { service: "chess".to_owned() };
            (call(HealthClient::new(channel).check(request)).await, None)
        }
        Reason::FieldMissing => {
            let request = v1::CreateMatchRequest::default();
            (call(ann.wire.matches.clone().create_match(request)).await, Some("config"))
        }
        Reason::FieldOutOfRange => {
            let request = v1::ListMatchesRequest { page_size: 1001, ..v1::ListMatchesRequest::default() };
            (call(anyone.matches.clone().list_matches(request)).await, Some("page_size"))
        }
        Reason::TileIncomplete => {
            let choice = moved(&scene.decision, play(None, Some(5), Some(5), None));
            (scene.refused(choice).await, Some("choice.move.play.tile.low"))
        }
        Reason::MatchIdInvalid => (refused_get(&anyone, "abc").await, Some("match_id")),
        Reason::AgentNameInvalid => {
            let request =
                v1::RegisterAgentRequest { name: "house:greedy".to_owned(), request_id: String::new() };
            (call(anyone.agents.clone().register_agent(request)).await, Some("name"))
        }
        Reason::RulesImpossible => {
            let mut config = one_round(vec![house("greedy"); 2]);
            config.rules.as_mut().unwrap().max_pip = Some(10);
            (refused_create(ann, config).await, Some("config.rules.max_pip"))
        }
        Reason::SeatCount => {
            let mut config = one_round(vec![house("greedy"); 2]);
            config.rules.as_mut().unwrap().players = Some(3);
            (refused_create(ann, config).await, Some("config.seats"))
        }
        Reason::StrategyUnknown => {
            let config = one_round(vec![house("greedy"), house("Greedy")]);
            (refused_create(ann, config).await, Some("config.seats"))
        }
        Reason::PageTokenInvalid => {
            let request =
                v1::ListMatchesRequest { page_token: "next".to_owned(), ..v1::ListMatchesRequest::default() };
            (call(anyone.matches.clone().list_matches(request)).await, Some("page_token"))
        }
        Reason::MessageMalformed => {
            let garbage = b"\xff\xff\xff\xff";
            let path = "/chickenfoot.v1.MatchService/GetMatch";
            (Refused::Call(web::call(&scene.service.address, path, &[], garbage).await), None)
        }
        Reason::RequestIdReused => {
            let mut request = v1::CreateMatchRequest {
                config: Some(one_round(vec![house("greedy"); 2])),
                request_id: "one".to_owned(),
            };
            let mut matches = ann.wire.matches.clone();
            matches.create_match(request.clone()).await.unwrap();
            request.config = Some(one_round(vec![house("lowest"); 2]));
            (call(matches.create_match(request)).await, Some("request_id"))
        }
        Reason::OptionOutOfRange => {
            let beyond = scene.decision.options.len() as u32;
            (scene.refused(option(&scene.decision, beyond)).await, Some("choice.option"))
        }
        Reason::TileNotInHand => {
            let hand = &scene.decision.view.as_ref().unwrap().hand;
            let missing = Tile::set(9).map(v1::Tile::from).find(|tile| !hand.contains(tile)).unwrap();
            let kind = play(missing.low, missing.high, missing.low, None);
            (scene.refused(moved(&scene.decision, kind)).await, Some("choice.move.play.tile"))
        }
        Reason::MoveIllegal => {
            let draw = v1::r#move::Kind::Draw(v1::Draw {});
            (scene.refused(moved(&scene.decision, draw)).await, Some("choice.move"))
        }
        Reason::LineUnknown => {
            let play = v1::Play { line: Some(200), ..first_play(&scene.decision) };
            let choice = moved(&scene.decision, v1::r#move::Kind::Play(play));
            (scene.refused(choice).await, Some("choice.move.play.line"))
        }
        Reason::MatchNotOpen => {
            let id = scene.decision.match_id.clone();
            (refused_join(&scene.stranger, &id, None).await, None)
        }
        Reason::MatchNotStarted => {
            let config = one_round(vec![ann.seat(), open_seat()]);
            let waiting = ann.play_in(config).await;
            let choice =
                v1::Choice { match_id: waiting.id, decision: 1, choice: Some(v1::choice::Choice::Option(0)) };
            (refused_play(ann, choice).await, None)
        }
        Reason::MatchOver => {
            let request = v1::LeaveMatchRequest { match_id: scene.over.clone(), request_id: String::new() };
            (call(ann.wire.matches.clone().leave_match(request)).await, None)
        }
        Reason::MatchNotOver => {
            let request = v1::GetRecordRequest { match_id: scene.decision.match_id.clone() };
            (call(anyone.matches.clone().get_record(request)).await, None)
        }
        Reason::DecisionNotOpen => {
            let mut choice = option(&scene.decision, 0);
            choice.decision += 1;
            (scene.refused(choice).await, Some("choice.decision"))
        }
        Reason::DecisionAnswered => {
            let (whose, answered) = &scene.answered;
            let another = option(answered, 1);
            (refused_play(&scene.players[*whose], another).await, None)
        }
        Reason::SeatTaken => {
            let config = one_round(vec![open_seat(), open_seat()]);
            let game = ann.client.create_match(config).await.unwrap();
            ann.join(&game.id, Some(0)).await;
            (refused_join(&scene.stranger, &game.id, Some(0)).await, None)
        }
        Reason::NoFreeSeat => {
            let config = one_round(vec![house("greedy"), ann.seat()]);
            let game = ann.client.create_match(config).await.unwrap();
            (refused_join(&scene.stranger, &game.id, None).await, None)
        }
        Reason::SessionNotOpened => {
            let (up, down) = scene.stranger.call_session(1).await;
            let mut session = Session { up, down };
            session.choose(option(&scene.decision, 0)).await;
            (Refused::Call(session.try_next().await.expect_err("Open comes first")), None)
        }
        Reason::TooManyPending => (too_many_pending().await, None),
        Reason::LimitReached => {
            let limits = Limits { max_open_matches_per_agent: 1, ..Limits::default() };
            let service = Service::run(Server::in_memory(limits)).await;
            let agent = service.agent("ann").await;
            let open = || one_round(vec![open_seat(), open_seat()]);
            agent.client.create_match(open()).await.unwrap();
            (refused_create(&agent, open()).await, None)
        }
        Reason::StoreFull => {
            let agent = ill_service(Illness::Full).await.1;
            (refused_create(&agent, one_round(vec![house("greedy"); 2])).await, None)
        }
        Reason::MessageTooLarge => {
            let id = "0".repeat(Limits::default().max_message as usize);
            (refused_get(&anyone, &id).await, None)
        }
        Reason::MethodUnknown => {
            let path = "/chickenfoot.v1.MatchService/NoSuchMethod";
            (Refused::Call(web::call(&scene.service.address, path, &[], b"").await), None)
        }
        Reason::DeadlinePassed => {
            let (service, _) = ill_service(Illness::Hangs).await;
            let deadline = [("grpc-timeout", "20m")];
            let id = v1::GetMatchRequest { match_id: "0".repeat(32) };
            let path = "/chickenfoot.v1.MatchService/GetMatch";
            let message = prost::Message::encode_to_vec(&id);
            (Refused::Call(web::call(&service.address, path, &deadline, &message).await), None)
        }
        Reason::Unavailable => {
            let (service, _) = ill_service(Illness::Unavailable).await;
            let wire = Wire::connect(&service.address, None);
            (refused_get(&wire, &"0".repeat(32)).await, None)
        }
        Reason::ShuttingDown => {
            let service = Service::start().await;
            let agent = service.agent("ann").await;
            let game = agent.client.create_match(one_round(vec![open_seat(), open_seat()])).await.unwrap();
            let request = v1::WatchMatchRequest { match_id: game.id, after_seq: 0 };
            let mut watch = agent.wire.matches.clone().watch_match(request).await.unwrap().into_inner();
            service.tell_to_stop();
            (Refused::Call(within(watch.message()).await.expect_err("the watch ends")), None)
        }
        Reason::Internal => {
            let (_service, agent) = ill_service(Illness::WrongLog).await;
            let game = agent.client.create_match(one_round(vec![house("greedy"); 2])).await.unwrap();
            let request = v1::GetRecordRequest { match_id: game.id };
            (call(agent.wire.matches.clone().get_record(request)).await, None)
        }
    }
}

/// A server with a store that begins to ail once an agent is registered.
async fn ill_service(illness: Illness) -> (Service, Agent) {
    let store = Arc::new(Ill::default());
    let server = Server::with_store(
        Limits::default(),
        Arc::new(Memory::new()),
        store.clone(),
        Arc::new(Memory::new()),
    );
    let service = Service::run(server).await;
    let agent = service.agent("ann").await;
    store.fall_ill(illness);
    (service, agent)
}

/// Two choices at once where one may wait, on a store that holds the first one up.
async fn too_many_pending() -> Refused {
    let store = Arc::new(Ill::default());
    let limits = Limits { max_pending: 1, ..Limits::default() };
    let service = Service::run(Server::with_store(
        limits,
        Arc::new(Memory::new()),
        store.clone(),
        Arc::new(Memory::new()),
    ))
    .await;
    let agent = service.agent("ann").await;
    let mut session = agent.session().await;
    agent.play_in(one_round(vec![agent.seat(), house("greedy")])).await;
    let decision = session.decision().await;
    store.fall_ill(Illness::Hangs);
    session.choose(option(&decision, 0)).await;
    session.choose(option(&decision, 0)).await;
    Refused::Message(session.refusal().await)
}

/// Checks all that a refusal must say.
fn check(reason: Reason, refused: &Refused, field: Option<&str>) {
    let name = reason.name();
    match refused {
        Refused::Call(status) => {
            assert_eq!(status.code(), reason.code(), "{name}: {status:?}");
            let info = status
                .get_details_error_info()
                .unwrap_or_else(|| panic!("{name} has no ErrorInfo: {status:?}"));
            assert_eq!((info.reason.as_str(), info.domain.as_str()), (name, DOMAIN));
            assert!(!status.message().is_empty(), "{name} says nothing to people");
            let violations = status.get_details_bad_request().map(|bad| bad.field_violations);
            let fields: Vec<String> = violations.into_iter().flatten().map(|bad| bad.field).collect();
            assert_eq!(fields, field.into_iter().collect::<Vec<_>>(), "{name}: {status:?}");
        }
        Refused::Message(refusal) => {
            assert_eq!(refusal.reason, name);
            assert_eq!(refusal.code, i32::from(reason.code()), "{name}");
            assert_eq!(refusal.metadata.get("field").map(String::as_str), field, "{name}");
            assert!(!refusal.message.is_empty(), "{name} says nothing to people");
        }
    }
}

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

/// An answer that names its move by what is played.
fn by_move(decision: &v1::Decision, option: usize) -> v1::Choice {
    v1::Choice {
        match_id: decision.match_id.clone(),
        decision: decision.number,
        choice: Some(v1::choice::Choice::Move(decision.options[option])),
    }
}

#[tokio::test]
async fn the_same_answer_again_is_the_same_ok_and_another_one_is_told_what_was_played() {
    let scene = Scene::set().await;
    let (whose, answered) = &scene.answered;
    let agent = &scene.players[*whose];
    let made = agent.client.play(option(answered, 0)).await.unwrap();
    let again = agent.client.play(by_move(answered, 0)).await.unwrap();
    assert_eq!(again, made);
    let as_made = v1::Choice { choice: Some(v1::choice::Choice::Move(made)), ..option(answered, 0) };
    assert_eq!(agent.client.play(as_made).await.unwrap(), made);
    let Refused::Call(status) = refused_play(agent, by_move(answered, 1)).await else {
        unreachable!("Play is a call")
    };
    let info = status.get_details_error_info().unwrap();
    assert_eq!(info.reason, Reason::DecisionAnswered.name());
    assert_eq!(info.metadata["open_decision"], scene.decision.number.to_string());
    let Some(v1::r#move::Kind::Play(play)) = made.kind else { panic!("a play, not {made:?}") };
    assert_eq!(info.metadata["line"], play.line.unwrap().to_string());
    let tile = play.tile.unwrap();
    let numbers = format!("{}-{}", tile.low.unwrap(), tile.high.unwrap());
    assert!(info.metadata["played"].contains(&numbers), "{:?}", info.metadata);
}

#[tokio::test]
async fn impossible_configs_are_refused_with_the_field_that_is_wrong() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let two = || one_round(vec![house("greedy"); 2]);
    let rules = |change: fn(&mut v1::Rules)| {
        let mut config = two();
        change(config.rules.as_mut().unwrap());
        config
    };
    let cases = [
        (Reason::RulesImpossible, "config.rules.players", one_round(Vec::new())),
        (Reason::RulesImpossible, "config.rules.players", one_round(vec![house("greedy"); 9])),
        (Reason::RulesImpossible, "config.rules.players", one_round(vec![house("greedy"); 300])),
        (Reason::RulesImpossible, "config.rules.rounds", rules(|rules| rules.rounds = Some(0))),
        (Reason::RulesImpossible, "config.rules.rounds", rules(|rules| rules.rounds = Some(11))),
        (Reason::RulesImpossible, "config.rules.hand_size", rules(|rules| rules.hand_size = Some(0))),
        (Reason::RulesImpossible, "config.rules.hand_size", rules(|rules| rules.hand_size = Some(u32::MAX))),
        (Reason::RulesImpossible, "config.rules.reserve", rules(|rules| rules.reserve = Some(9))),
        (Reason::RulesImpossible, "config.rules.double_blank", rules(|rules| rules.double_blank = Some(1))),
        (Reason::RulesImpossible, "config.rules.opening_arms", rules(|rules| rules.opening_arms = Some(1))),
        (Reason::FieldOutOfRange, "config.rules.preset", rules(|rules| rules.preset = 7)),
        (Reason::FieldOutOfRange, "config.rules.starter", rules(|rules| rules.starter = -1)),
        (
            Reason::FieldOutOfRange,
            "config.decision_time",
            v1::MatchConfig { decision_time: Some(common::millis(9)), ..two() },
        ),
        (
            Reason::FieldOutOfRange,
            "config.decision_time",
            v1::MatchConfig {
                decision_time: Some(prost_types::Duration { seconds: i64::MIN, nanos: -1 }),
                ..two()
            },
        ),
        (Reason::FieldOutOfRange, "config.forced_moves", v1::MatchConfig { forced_moves: 3, ..two() }),
        (Reason::FieldOutOfRange, "config.seed", v1::MatchConfig { seed: vec![7; 31], ..two() }),
        (Reason::FieldOutOfRange, "config.deal_id", v1::MatchConfig { deal_id: "a b".to_owned(), ..two() }),
        (
            Reason::FieldOutOfRange,
            "config.deal_id",
            v1::MatchConfig { seed: Vec::new(), deal_id: "x".to_owned(), ..two() },
        ),
        (
            Reason::FieldMissing,
            "config.seats[1].who",
            one_round(vec![house("greedy"), v1::SeatSpec::default()]),
        ),
        (
            Reason::AgentNameInvalid,
            "config.seats[1].agent",
            one_round(vec![house("greedy"), common::reserved("")]),
        ),
        // What is wrong is not echoed at any length: an error has to fit into the headers.
        (
            Reason::StrategyUnknown,
            "config.seats",
            one_round(vec![house("greedy"), house(&"x".repeat(60_000))]),
        ),
    ];
    for (reason, field, config) in cases {
        check(reason, &refused_create(&ann, config).await, Some(field));
    }
    let unknown = one_round(vec![house("greedy"), common::reserved("nobody")]);
    check(Reason::AgentNotFound, &refused_create(&ann, unknown).await, None);
}

#[tokio::test]
async fn malformed_ids_and_choices_are_refused_with_the_field_that_is_wrong() {
    let scene = Scene::set().await;
    for id in ["", "0", &"G".repeat(32), &"A".repeat(32), &"0".repeat(33), &"é".repeat(16), "\0"] {
        let refused = refused_get(&scene.stranger.wire, id).await;
        check(Reason::MatchIdInvalid, &refused, Some("match_id"));
    }
    let decision = &scene.decision;
    let cases = [
        (Reason::FieldMissing, "choice.choice", v1::Choice { choice: None, ..option(decision, 0) }),
        (
            Reason::FieldMissing,
            "choice.move.kind",
            v1::Choice { choice: Some(v1::choice::Choice::Move(v1::Move::default())), ..option(decision, 0) },
        ),
        (
            Reason::TileIncomplete,
            "choice.move.play.tile.low",
            moved(decision, play(None, None, Some(1), None)),
        ),
        (
            Reason::TileIncomplete,
            "choice.move.play.tile.high",
            moved(decision, play(Some(0), None, Some(0), None)),
        ),
        (Reason::FieldMissing, "choice.move.play.end", moved(decision, play(Some(0), Some(1), None, None))),
        (
            Reason::FieldOutOfRange,
            "choice.move.play.tile.high",
            moved(decision, play(Some(0), Some(19), Some(0), None)),
        ),
        (
            Reason::FieldOutOfRange,
            "choice.move.play.end",
            moved(decision, play(Some(0), Some(1), Some(u32::MAX), None)),
        ),
        (
            Reason::FieldOutOfRange,
            "choice.move.play.line",
            moved(decision, play(Some(0), Some(1), Some(0), Some(0))),
        ),
        (Reason::OptionOutOfRange, "choice.option", option(decision, u32::MAX)),
        (Reason::DecisionNotOpen, "choice.decision", v1::Choice { decision: 0, ..option(decision, 0) }),
        (
            Reason::DecisionNotOpen,
            "choice.decision",
            v1::Choice { decision: u32::MAX, ..option(decision, 0) },
        ),
    ];
    for (reason, field, choice) in cases {
        check(reason, &scene.refused(choice).await, Some(field));
    }
}

#[tokio::test]
async fn the_number_0_and_the_tile_0_0_are_values_like_any_other() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    // With a single round there are ten tiles with a blank among 55; every one that is offered is played by name.
    let game = ann.play_in(common::rounds(10, vec![ann.seat(), ann.seat()])).await;
    let (mut blanks, mut double_blank) = (0, false);
    loop {
        let decision = match session.next().await {
            v1::session_response::What::Decision(decision) => decision,
            v1::session_response::What::GameEnded(_) => break,
            v1::session_response::What::Refusal(refusal) => panic!("{refusal:?}"),
            _ => continue,
        };
        let blank = |option: &&v1::Move| matches!(option.kind, Some(v1::r#move::Kind::Play(play)) if play.end == Some(0));
        let Some(wanted) = decision.options.iter().rev().find(blank).copied() else {
            session.choose(option(&decision, 0)).await;
            continue;
        };
        blanks += 1;
        let zero = v1::Tile { low: Some(0), high: Some(0) };
        double_blank |= matches!(wanted.kind, Some(v1::r#move::Kind::Play(play)) if play.tile == Some(zero));
        let choice = v1::Choice { choice: Some(v1::choice::Choice::Move(wanted)), ..option(&decision, 0) };
        session.choose(choice).await;
    }
    assert!(blanks > 0 && double_blank, "{blanks} blanks, double blank: {double_blank}");
    assert_eq!(ann.client.record(&game.id).await.unwrap().verify(), Ok(()));
}

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
