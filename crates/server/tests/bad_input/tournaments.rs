//! Refusals of the tournaments' service.

use chickenfoot_protocol::v1::{self, entrant_spec::Who, tournament_config::Format};
use chickenfoot_server::Reason;

use crate::common::{Agent, within};
use crate::scene::{Refused, Scene, call};

/// Provokes a refusal for a reason that only tournaments have; the field that it must name, if it is about one.
pub async fn provoke(reason: Reason, scene: &mut Scene) -> (Refused, Option<&'static str>) {
    let [ann, bob] = &scene.players;
    let stranger = &scene.stranger;
    let open = |max_entrants| v1::TournamentConfig { max_entrants, ..config(&["greedy", "lowest"]) };
    match reason {
        Reason::TournamentIdInvalid => (refused_start(ann, "x").await, Some("tournament_id")),
        Reason::TournamentNotFound => (refused_start(ann, &"0".repeat(32)).await, None),
        Reason::NotInvited => {
            let id = made(ann, v1::TournamentConfig { invited_only: true, ..open(0) }).await;
            (refused_join(bob, &id).await, None)
        }
        Reason::TournamentFull => {
            let id = made(ann, open(2)).await;
            (refused_join(bob, &id).await, None)
        }
        Reason::EntrantExists => {
            let request = v1::CreateTournamentRequest {
                config: Some(config(&["greedy", "greedy"])),
                request_id: String::new(),
            };
            (call(ann.wire.tournaments.clone().create_tournament(request)).await, Some("config.entrants"))
        }
        Reason::EntrantNotFound => {
            let id = made(ann, open(0)).await;
            (refused_withdrawal(bob, &id).await, None)
        }
        Reason::FieldUnfit => {
            let id = made(ann, config(&["greedy"])).await;
            (refused_start(ann, &id).await, None)
        }
        Reason::TournamentNotStarted => {
            let id = made(ann, open(0)).await;
            let request = v1::PauseTournamentRequest { tournament_id: id, request_id: String::new() };
            (call(ann.wire.tournaments.clone().pause_tournament(request)).await, None)
        }
        Reason::TournamentOver => {
            let id = made(ann, open(0)).await;
            within(ann.client.cancel_tournament(&id)).await.unwrap();
            (refused_start(ann, &id).await, None)
        }
        Reason::TournamentNotOpen => {
            let id = under_way(ann, stranger, Format::RoundRobin(v1::RoundRobin::default())).await;
            (refused_join(bob, &id).await, None)
        }
        Reason::EntrantWithdrawn => {
            let id = under_way(ann, stranger, Format::Swiss(v1::Swiss { rounds: 3 })).await;
            let left = v1::WithdrawFromTournamentRequest { tournament_id: id.clone(), ..Default::default() };
            within(stranger.wire.tournaments.clone().withdraw_from_tournament(left)).await.unwrap();
            (refused_join(stranger, &id).await, None)
        }
        Reason::RecordSealed => {
            let id = under_way(ann, stranger, Format::RoundRobin(v1::RoundRobin::default())).await;
            let mut session = stranger.session().await;
            let sealed = session.offer().await;
            session.accept(&sealed).await;
            session.play_on(&sealed).await;
            let request = v1::GetRecordRequest { match_id: sealed };
            let refused = call(ann.wire.matches.clone().get_record(request)).await;
            within(ann.client.cancel_tournament(&id)).await.unwrap();
            (refused, None)
        }
        other => panic!("{} is not a tournament's", other.name()),
    }
}

/// A tournament of these players of the house at tables of two, one match at a time.
fn config(house: &[&str]) -> v1::TournamentConfig {
    let who = |name: &&str| Some(Who::House((*name).to_owned()));
    v1::TournamentConfig {
        name: "a test".to_owned(),
        format: Some(Format::RoundRobin(v1::RoundRobin::default())),
        rules: Some(v1::Rules { rounds: Some(1), ..v1::Rules::default() }),
        table_size: 2,
        entrants: house
            .iter()
            .map(|name| v1::EntrantSpec { name: String::new(), who: who(name), owner: String::new() })
            .collect(),
        concurrency: 1,
        ..v1::TournamentConfig::default()
    }
}

async fn made(host: &Agent, config: v1::TournamentConfig) -> String {
    within(host.client.create_tournament(config)).await.unwrap().id
}

/// A tournament that was started and waits for an agent.
async fn under_way(host: &Agent, agent: &Agent, format: Format) -> String {
    let mut config = v1::TournamentConfig { format: Some(format), ..config(&["greedy"]) };
    let who = Some(Who::Agent(agent.name.clone()));
    config.entrants.push(v1::EntrantSpec { name: String::new(), who, owner: String::new() });
    let id = made(host, config).await;
    within(host.client.start_tournament(&id)).await.unwrap();
    id
}

async fn refused_start(agent: &Agent, id: &str) -> Refused {
    let request = v1::StartTournamentRequest { tournament_id: id.to_owned(), request_id: String::new() };
    call(agent.wire.tournaments.clone().start_tournament(request)).await
}

async fn refused_join(agent: &Agent, id: &str) -> Refused {
    let request = v1::JoinTournamentRequest { tournament_id: id.to_owned(), ..Default::default() };
    call(agent.wire.tournaments.clone().join_tournament(request)).await
}

async fn refused_withdrawal(agent: &Agent, id: &str) -> Refused {
    let request = v1::WithdrawFromTournamentRequest { tournament_id: id.to_owned(), ..Default::default() };
    call(agent.wire.tournaments.clone().withdraw_from_tournament(request)).await
}
