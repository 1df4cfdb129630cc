use std::sync::Arc;

use chickenfoot_bot::Client;
use chickenfoot_protocol::v1;
use chickenfoot_rules::{Tile, View};
use chickenfoot_server::authz::Registration;
use chickenfoot_server::{Access, AdminToken, Limits, Reason, Server};
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::common::{Agent, Service, Session, Wire, house, moved, one_round, open_seat, option, within};
use crate::scene::{
    Refused, Scene, call, first_play, play, refused_create, refused_get, refused_join, refused_play,
};
use crate::stubs::{Ill, Illness};
use crate::{tournaments, web};

/// Provokes a refusal for this reason; the field that it must name, if it is about one.
#[expect(clippy::too_many_lines, reason = "a table with one row for each reason")]
pub async fn provoke(reason: Reason, scene: &mut Scene) -> (Refused, Option<&'static str>) {
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
        Reason::TokenChanged => {
            let token = "the-token-of-the-first-admin-of-this-service".to_owned();
            let access = Access { admin_token: AdminToken::new(&token).ok(), ..Access::default() };
            let service = Service::run(Server::in_memory(Limits::default()).with_access(access)).await;
            let agent = service.agent("ann").await;
            let admin = Client::connect(&service.address, Some(&token)).unwrap();
            let request_id = "a secret of the admin".to_owned();
            within(admin.rotate_token_as(Some("ann"), &request_id)).await.unwrap();
            within(admin.revoke_token(Some(&agent.name))).await.unwrap();
            let request = v1::RotateTokenRequest { name: agent.name, request_id };
            let wire = Wire::connect(&service.address, Some(&token));
            (call(wire.agents.clone().rotate_token(request)).await, Some("request_id"))
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
            let hand = View::try_from(scene.decision.view.as_ref().unwrap()).unwrap().hand;
            let missing = Tile::set(9).find(|tile| !hand.contains(*tile)).map(v1::Tile::from).unwrap();
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
            let request = v1::WatchMatchRequest { match_id: game.id, after_seq: 0, ..Default::default() };
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
        Reason::NotInvited
        | Reason::TournamentNotFound
        | Reason::EntrantNotFound
        | Reason::EntrantExists
        | Reason::TournamentIdInvalid
        | Reason::RecordSealed
        | Reason::TournamentNotOpen
        | Reason::TournamentNotStarted
        | Reason::TournamentOver
        | Reason::TournamentFull
        | Reason::FieldUnfit
        | Reason::EntrantWithdrawn => tournaments::provoke(reason, scene).await,
    }
}

/// A server with a store that begins to ail once an agent is registered.
async fn ill_service(illness: Illness) -> (Service, Agent) {
    let store = Arc::new(Ill::default());
    let server = Server::with_store(Limits::default(), store.stores());
    let service = Service::run(server).await;
    let agent = service.agent("ann").await;
    store.fall_ill(illness);
    (service, agent)
}

/// Two choices at once where one may wait, on a store that holds the first one up.
async fn too_many_pending() -> Refused {
    let store = Arc::new(Ill::default());
    let limits = Limits { max_pending: 1, ..Limits::default() };
    let service = Service::run(Server::with_store(limits, store.stores())).await;
    let agent = service.agent("ann").await;
    let mut session = agent.session().await;
    agent.play_in(one_round(vec![agent.seat(), house("greedy")])).await;
    let decision = session.decision().await;
    store.fall_ill(Illness::Hangs);
    session.choose(option(&decision, 0)).await;
    session.choose(option(&decision, 0)).await;
    Refused::Message(session.refusal().await)
}
