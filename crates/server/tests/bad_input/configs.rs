use chickenfoot_protocol::v1;
use chickenfoot_server::Reason;

use crate::common::{Service, house, millis, one_round, reserved};
use crate::scene::{check, refused_create};

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
            v1::MatchConfig { decision_time: Some(millis(9)), ..two() },
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
        (Reason::AgentNameInvalid, "config.seats[1].agent", one_round(vec![house("greedy"), reserved("")])),
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
    let unknown = one_round(vec![house("greedy"), reserved("nobody")]);
    check(Reason::AgentNotFound, &refused_create(&ann, unknown).await, None);
}
