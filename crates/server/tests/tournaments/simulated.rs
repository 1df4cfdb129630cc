//! The same tournament in process: match by match the same digests.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use chickenfoot_protocol::v1::{self, tournament_config::Format};
use chickenfoot_rules::{Preset, Record, RuleOptions, Rules, Seed};
use chickenfoot_simulation::{Contest, Progress, Simulation, Tables, Watch, players};
use chickenfoot_tournament::report::{PlayedBlock, Report};
use chickenfoot_tournament::statistics::{AbPlan, Effect};

use crate::common::Service;
use crate::fixture::{config, house};

struct Blind;

impl Watch for Blind {
    fn progress(&mut self, _progress: Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn block(&mut self, _block: &PlayedBlock, _records: Vec<Record>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Players with names of their own, of strategies with chance and without.
const PLAYERS: [(&str, &str); 5] =
    [("ann", "random"), ("bob", "monte-carlo:12"), ("cid", "greedy"), ("dan", "random"), ("eve", "search:8")];

fn simulated(contest: Contest, table: u8, players: usize) -> Report {
    let rules = |seats| RuleOptions { rounds: Some(1), ..RuleOptions::new(Preset::Trains, seats) };
    let rules: Vec<Rules> = (2..=table).map(|seats| rules(seats).resolve().unwrap()).collect();
    let texts: Vec<String> =
        PLAYERS[..players].iter().map(|(name, strategy)| format!("{name}={strategy}")).collect();
    let simulation = Simulation {
        title: "a test".to_owned(),
        contest,
        players: self::players(&texts).unwrap(),
        rules,
        seed: Seed::new([7; 32]),
        threads: NonZeroUsize::new(2).unwrap(),
        records: false,
        begun_ms: 0,
    };
    simulation.run(&|| Duration::ZERO, &mut Blind).unwrap()
}

#[tokio::test]
async fn a_simulation_has_the_matches_of_the_same_tournament_at_the_service() {
    let service = Service::start().await;
    let host = service.agent("host").await;
    let plan = AbPlan::new(Effect::StandardDeviations(0.3), 0.05, 0.05, 8, 12).unwrap();
    let test = v1::AbTest { max_blocks: 12, ..v1::AbTest::default() };
    let cases = [
        // Some tables have a seat less.
        (Contest::RoundRobin { deals: 1 }, Format::RoundRobin(v1::RoundRobin { cycles: 1 }), 3, 5),
        (
            Contest::Gauntlet { deals: 3 },
            Format::Gauntlet(v1::Gauntlet { candidate: "ann".to_owned(), blocks: 3 }),
            3,
            4,
        ),
        (Contest::Test { tables: Tables::Halves, plan }, Format::AbTest(test.clone()), 4, 2),
        (Contest::Test { tables: Tables::Shared, plan }, Format::AbTest(test), 3, 3),
    ];
    for (contest, format, table, players) in cases {
        let entrants = PLAYERS[..players].iter().map(|(name, strategy)| house(name, strategy)).collect();
        let id = host.hold(config(format, u32::from(table), entrants)).await;
        let report = simulated(contest, table, players);
        let there = host.blocks(&id).await;
        // Beyond the block that decides a test the service may have played some that do not count.
        assert!(!report.blocks.is_empty() && report.blocks.len() <= there.len(), "{contest:?}");
        for (here, there) in report.blocks.iter().zip(there) {
            assert_eq!((here.number, &here.deal_id), (there.number, &there.deal_id));
            let digests: Vec<Vec<u8>> = here.matches.iter().map(|game| game.digest.to_vec()).collect();
            let theirs: Vec<Vec<u8>> = there.matches.into_iter().map(|game| game.digest).collect();
            assert_eq!(digests, theirs, "block {} of {contest:?}", here.number);
        }
        let ranked = host.standings(&id).await.standings;
        let rows = report.figures.unwrap().standings.rows;
        let here: Vec<(u32, u64)> = rows.iter().map(|row| (row.entrant.0, row.points)).collect();
        assert_eq!(here, ranked.iter().map(|it| (it.entrant, it.points)).collect::<Vec<_>>(), "{contest:?}");
    }
    service.stop().await;
}
