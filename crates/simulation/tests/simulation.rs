//! Whole simulations.

#![allow(clippy::unwrap_used, missing_docs)]

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use chickenfoot_rules::{Preset, Record, RuleOptions, Rules, Seed};
use chickenfoot_simulation::{Contest, Error, Progress, Simulation, Tables, Watch, players};
use chickenfoot_tournament::report::{self, PlayedBlock, Report};
use chickenfoot_tournament::statistics::{AbPlan, Effect, Verdict};

#[derive(Default)]
struct Seen {
    blocks: Vec<u32>,
    records: Vec<Record>,
    last: u32,
    stop_after: Option<usize>,
}

impl Watch for Seen {
    fn progress(&mut self, progress: Progress<'_>) -> ControlFlow<()> {
        assert!(progress.blocks <= progress.total);
        self.last = progress.blocks;
        ControlFlow::Continue(())
    }

    fn block(&mut self, block: &PlayedBlock, records: Vec<Record>) -> ControlFlow<()> {
        self.blocks.push(block.number);
        self.records.extend(records);
        if self.stop_after == Some(self.blocks.len()) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

fn simulation(contest: Contest, table: u8, texts: &[&str], threads: usize) -> Simulation {
    let rules = |seats| RuleOptions { rounds: Some(1), ..RuleOptions::new(Preset::Trains, seats) };
    let rules: Vec<Rules> = (2..=table).map(|seats| rules(seats).resolve().unwrap()).collect();
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    Simulation {
        title: "a test".to_owned(),
        contest,
        players: players(&texts).unwrap(),
        rules,
        seed: Seed::new([5; 32]),
        threads: NonZeroUsize::new(threads).unwrap(),
        records: true,
        begun_ms: 0,
    }
}

fn run(simulation: &Simulation) -> (Report, Seen) {
    let mut seen = Seen::default();
    let report = simulation.run(&|| Duration::ZERO, &mut seen).unwrap();
    (report, seen)
}

fn test(cap: u32) -> Contest {
    let plan = AbPlan::new(Effect::StandardDeviations(0.3), 0.05, 0.05, 8, cap).unwrap();
    Contest::Test { tables: Tables::Halves, plan }
}

#[test]
fn the_outcome_is_the_same_on_one_thread_and_on_many() {
    let cases: [(Contest, u8, &[&str]); 4] = [
        (Contest::RoundRobin { deals: 7 }, 3, &["random", "greedy", "monte-carlo:6", "search:6", "random"]),
        (Contest::Gauntlet { deals: 5 }, 3, &["oracle:6", "greedy", "random", "lowest"]),
        (Contest::Comparison { tables: Tables::Shared, deals: 4 }, 3, &["greedy", "random", "dead-foot"]),
        (test(60), 2, &["greedy", "random"]),
    ];
    for (contest, table, texts) in cases {
        let (one, seen_one) = run(&simulation(contest, table, texts, 1));
        let (many, seen_many) = run(&simulation(contest, table, texts, 4));
        assert_eq!(report::json(&one), report::json(&many), "{contest:?}");
        assert_eq!(report::html(&one, None), report::html(&many, None), "{contest:?}");
        assert_eq!(seen_one.records, seen_many.records, "{contest:?}");
        let numbers: Vec<u32> = (0..).take(one.blocks.len()).collect();
        assert_eq!((seen_one.blocks, seen_many.blocks), (numbers.clone(), numbers), "{contest:?}");
        let matches: usize = one.blocks.iter().map(|block| block.matches.len()).sum();
        assert_eq!(seen_one.records.len(), matches);
    }
}

#[test]
fn records_verify_and_are_those_of_the_report() {
    let (report, seen) = run(&simulation(Contest::RoundRobin { deals: 2 }, 2, &["greedy", "greedy"], 2));
    let games: Vec<_> = report.blocks.iter().flat_map(|block| &block.matches).collect();
    assert_eq!(games.len(), 4);
    for (record, game) in seen.records.iter().zip(games) {
        assert_eq!(record.verify(), Ok(()));
        assert_eq!((&record.match_id, record.digest.0), (&game.id, game.digest));
    }
}

#[test]
fn a_round_robin_plays_whole_cycles() {
    let texts = ["random", "greedy", "lowest"];
    // Three pairs at tables of two.
    for (deals, blocks) in [(1, 3), (3, 3), (4, 6)] {
        let (report, seen) = run(&simulation(Contest::RoundRobin { deals }, 2, &texts, 2));
        assert_eq!((report.blocks.len(), seen.last), (blocks, blocks as u32));
    }
}

#[test]
fn a_test_ends_when_it_is_decided_and_nothing_beyond_counts() {
    let (report, seen) = run(&simulation(test(1000), 2, &["greedy", "random"], 4));
    let ab = report.figures.unwrap().ab.unwrap();
    assert_eq!(ab.verdict, Verdict::Better);
    assert_eq!(ab.decided_at.map(|last| last as usize + 1), Some(report.blocks.len()));
    assert_eq!(seen.blocks.len(), report.blocks.len());
    assert!(report.blocks.len() < 100);
}

#[test]
fn the_oracle_beats_those_who_see_less() {
    let contest = Contest::Comparison { tables: Tables::Halves, deals: 12 };
    let (report, _) = run(&simulation(contest, 2, &["oracle:40", "dead-foot"], 2));
    let rows = report.figures.unwrap().standings.rows;
    assert_eq!(rows[0].entrant.0, 0, "{rows:?}");
}

#[test]
fn who_has_seen_enough_stops_it() {
    let mut seen = Seen { stop_after: Some(2), ..Seen::default() };
    let simulation = simulation(Contest::RoundRobin { deals: 1000 }, 2, &["random", "random"], 2);
    assert_eq!(simulation.run(&|| Duration::ZERO, &mut seen).map(|_| ()), Err(Error::Stopped));
    assert_eq!(seen.blocks, [0, 1]);
}

#[test]
fn what_does_not_fit_together_is_refused() {
    let refused = |simulation: Simulation| {
        simulation.run(&|| Duration::ZERO, &mut Seen::default()).map(|_| ()).unwrap_err().to_string()
    };
    let halves = Contest::Comparison { tables: Tables::Halves, deals: 4 };
    assert!(refused(simulation(halves, 3, &["greedy", "random"], 1)).contains("must be even"));
    let mut short = simulation(Contest::RoundRobin { deals: 1 }, 3, &["greedy", "random", "lowest"], 1);
    short.rules.remove(0);
    assert_eq!(refused(short), "there are no rules for a table of 2");
}
