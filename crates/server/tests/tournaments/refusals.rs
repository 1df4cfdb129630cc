//! What is refused, and how.

use chickenfoot_protocol::v1::{self, tournament_config::Format};
use chickenfoot_server::Reason;
use tonic::Status;
use tonic_types::StatusExt;

use crate::bots::{Manner, play};
use crate::common::{Agent, Service, within};
use crate::fixture::{agent, config, house, houses};

fn check<T: std::fmt::Debug>(
    result: Result<tonic::Response<T>, Status>,
    reason: Reason,
    field: Option<&str>,
) {
    let status = result.expect_err("the call is refused");
    let info = status.get_details_error_info().unwrap();
    assert_eq!(info.reason, reason.name(), "{status:?}");
    assert_eq!(status.code(), reason.code());
    if field.is_some() {
        assert_eq!(info.metadata.get("field").map(String::as_str), field, "{status:?}");
    }
}

async fn create(
    host: &Agent,
    config: v1::TournamentConfig,
) -> Result<tonic::Response<v1::CreateTournamentResponse>, Status> {
    let request = v1::CreateTournamentRequest { config: Some(config), request_id: String::new() };
    within(host.wire.tournaments.clone().create_tournament(request)).await
}

async fn join(agent: &Agent, id: &str) -> Result<tonic::Response<v1::JoinTournamentResponse>, Status> {
    let request =
        v1::JoinTournamentRequest { tournament_id: id.to_owned(), ..v1::JoinTournamentRequest::default() };
    within(agent.wire.tournaments.clone().join_tournament(request)).await
}

async fn start(agent: &Agent, id: &str) -> Result<tonic::Response<v1::StartTournamentResponse>, Status> {
    let request = v1::StartTournamentRequest { tournament_id: id.to_owned(), request_id: String::new() };
    within(agent.wire.tournaments.clone().start_tournament(request)).await
}

async fn resume(agent: &Agent, id: &str) -> Result<tonic::Response<v1::ResumeTournamentResponse>, Status> {
    let request = v1::ResumeTournamentRequest { tournament_id: id.to_owned(), request_id: String::new() };
    within(agent.wire.tournaments.clone().resume_tournament(request)).await
}

fn round_robin() -> Format {
    Format::RoundRobin(v1::RoundRobin::default())
}

#[tokio::test]
async fn settings_that_cannot_be_name_their_field() {
    let service = Service::start().await;
    let host = service.agent("host").await;
    let good = || config(round_robin(), 3, houses(4));
    let bad = [
        ("config.name", v1::TournamentConfig { name: "a\nb".to_owned(), ..good() }),
        ("config.name", v1::TournamentConfig { name: "\u{202e}puc".to_owned(), ..good() }),
        ("config.name", v1::TournamentConfig { name: "\u{1b}[2J".to_owned(), ..good() }),
        ("config.table_size", v1::TournamentConfig { table_size: 1, ..good() }),
        ("config.table_size", v1::TournamentConfig { table_size: 9, ..good() }),
        (
            "config.rules.players",
            v1::TournamentConfig {
                rules: Some(v1::Rules { players: Some(4), ..v1::Rules::default() }),
                ..good()
            },
        ),
        (
            "config.rules.max_pip",
            v1::TournamentConfig {
                rules: Some(v1::Rules { max_pip: Some(10), ..v1::Rules::default() }),
                ..good()
            },
        ),
        ("config.max_entrants", v1::TournamentConfig { max_entrants: 1, ..good() }),
        ("config.entrants", v1::TournamentConfig { max_entrants: 3, ..good() }),
        ("config.concurrency", v1::TournamentConfig { concurrency: 1001, ..good() }),
        (
            "config.no_show",
            v1::TournamentConfig { no_show: Some(prost_types::Duration { seconds: 0, nanos: 1 }), ..good() },
        ),
        ("config.seed", v1::TournamentConfig { seed: vec![1], ..good() }),
        ("config.spectator_delay", v1::TournamentConfig { spectator_delay: 10_001, ..good() }),
        (
            "config.decision_time",
            v1::TournamentConfig {
                decision_time: Some(prost_types::Duration { seconds: -1, nanos: 0 }),
                ..good()
            },
        ),
        ("config.swiss.rounds", config(Format::Swiss(v1::Swiss { rounds: 0 }), 3, houses(4))),
        ("config.ladder.blocks", config(Format::Ladder(v1::Ladder::default()), 3, houses(4))),
        (
            "config.elimination.advance",
            config(
                Format::Elimination(v1::Elimination { advance: 3, ..v1::Elimination::default() }),
                3,
                houses(4),
            ),
        ),
        (
            "config.ab_test.alpha",
            config(Format::AbTest(v1::AbTest { alpha: 0.5, ..v1::AbTest::default() }), 2, houses(2)),
        ),
        (
            "config.ab_test.effect",
            config(Format::AbTest(v1::AbTest { effect: f64::NAN, ..v1::AbTest::default() }), 2, houses(2)),
        ),
        (
            "config.ab_test.max_blocks",
            config(
                Format::AbTest(v1::AbTest { burn_in: 9, max_blocks: 8, ..v1::AbTest::default() }),
                2,
                houses(2),
            ),
        ),
        (
            "config.ab_test.arrangement",
            config(
                Format::AbTest(v1::AbTest {
                    arrangement: v1::AbArrangement::Halves.into(),
                    ..v1::AbTest::default()
                }),
                3,
                houses(2),
            ),
        ),
        (
            "config.ab_test.base",
            config(
                Format::AbTest(v1::AbTest {
                    candidate: "bot-0".to_owned(),
                    base: "bot-0".to_owned(),
                    ..v1::AbTest::default()
                }),
                2,
                houses(2),
            ),
        ),
    ];
    for (field, config) in bad {
        let reason = if field.starts_with("config.rules.max") {
            Reason::RulesImpossible
        } else {
            Reason::FieldOutOfRange
        };
        check(create(&host, config).await, reason, Some(field));
    }
    check(
        create(&host, v1::TournamentConfig { format: None, ..good() }).await,
        Reason::FieldMissing,
        Some("config.format"),
    );
    let twins = vec![house("one", "greedy"), house("one", "lowest")];
    check(create(&host, config(round_robin(), 2, twins)).await, Reason::EntrantExists, None);
    let unknown = vec![house("one", "chess"), house("two", "lowest")];
    check(
        create(&host, config(round_robin(), 2, unknown)).await,
        Reason::StrategyUnknown,
        Some("config.entrants[0].house"),
    );
    check(
        create(&host, config(round_robin(), 2, vec![agent("nobody"), house("two", "lowest")])).await,
        Reason::AgentNotFound,
        None,
    );
    assert!(create(&host, good()).await.is_ok());
    service.stop().await;
}

#[tokio::test]
async fn entering_and_starting_have_their_time() {
    let service = Service::start().await;
    let (host, ann, bob) =
        (service.agent("host").await, service.agent("ann").await, service.agent("bob").await);
    let id = host.create(config(round_robin(), 2, vec![house("foe", "lowest")])).await.id;
    // Too few.
    check(start(&host, &id).await, Reason::FieldUnfit, None);
    // Twice is once.
    let first = join(&ann, &id).await.unwrap().into_inner().entrant.unwrap();
    assert_eq!(join(&ann, &id).await.unwrap().into_inner().entrant.unwrap(), first);
    // Not started yet, and not everybody's to start.
    check(resume(&host, &id).await, Reason::TournamentNotStarted, None);
    check(start(&ann, &id).await, Reason::NotCreator, None);
    // The name of a player of the house is another's name.
    let foe = service.agent("foe").await;
    check(join(&foe, &id).await, Reason::EntrantExists, None);
    play(&ann, Manner::Honest).await;
    host.start(&id).await;
    check(join(&bob, &id).await, Reason::TournamentNotOpen, None);
    host.to_the_end(&id).await;
    check(resume(&host, &id).await, Reason::TournamentOver, None);
    check(start(&host, &id).await, Reason::TournamentOver, None);
    check(join(&bob, &id).await, Reason::TournamentOver, None);
    service.stop().await;
}

#[tokio::test]
async fn who_may_not_enter_is_told_why() {
    let service = Service::start().await;
    let (host, ann, bob) =
        (service.agent("host").await, service.agent("ann").await, service.agent("bob").await);
    let invited = v1::TournamentConfig {
        invited_only: true,
        ..config(round_robin(), 2, vec![house("foe", "lowest"), agent("ann")])
    };
    let id = host.create(invited).await.id;
    check(join(&bob, &id).await, Reason::NotInvited, None);
    assert_eq!(
        join(&ann, &id).await.unwrap().into_inner().entrant.unwrap().state(),
        v1::EntrantState::Entered
    );
    let full = v1::TournamentConfig { max_entrants: 2, ..config(round_robin(), 2, houses(2)) };
    let id = host.create(full).await.id;
    check(join(&ann, &id).await, Reason::TournamentFull, None);
    let request = v1::WithdrawFromTournamentRequest {
        tournament_id: id.clone(),
        name: "ann".to_owned(),
        request_id: String::new(),
    };
    check(
        within(host.wire.tournaments.clone().withdraw_from_tournament(request)).await,
        Reason::EntrantNotFound,
        None,
    );
    check(join(&ann, "xyz").await, Reason::TournamentIdInvalid, Some("tournament_id"));
    check(join(&ann, &"0".repeat(32)).await, Reason::TournamentNotFound, None);
    service.stop().await;
}

#[tokio::test]
async fn who_left_after_the_start_does_not_come_back() {
    let service = Service::start().await;
    let (host, ann) = (service.agent("host").await, service.agent("ann").await);
    let swiss = Format::Swiss(v1::Swiss { rounds: 3 });
    let mut entrants = houses(3);
    entrants.push(agent("ann"));
    let id = host.create(config(swiss, 2, entrants)).await.id;
    host.start(&id).await;
    let request = v1::WithdrawFromTournamentRequest {
        tournament_id: id.clone(),
        ..v1::WithdrawFromTournamentRequest::default()
    };
    let left =
        within(ann.wire.tournaments.clone().withdraw_from_tournament(request)).await.unwrap().into_inner();
    assert_eq!(left.entrant.unwrap().state(), v1::EntrantState::Withdrawn);
    check(join(&ann, &id).await, Reason::EntrantWithdrawn, None);
    service.stop().await;
}
