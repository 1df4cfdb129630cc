//! What is said of records.

#![allow(clippy::unwrap_used, missing_docs)]

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::time::Duration;

use chickenfoot_rules::{Preset, Record, RuleOptions, Seed};
use chickenfoot_simulation::analysis::{Analysis, AnalysisError, Settings, analyse, page};
use chickenfoot_simulation::{Contest, Progress, Simulation, Watch, players};
use chickenfoot_tournament::report::PlayedBlock;

struct Keep(Vec<Record>);

impl Watch for Keep {
    fn progress(&mut self, _progress: Progress<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn block(&mut self, _block: &PlayedBlock, records: Vec<Record>) -> ControlFlow<()> {
        self.0.extend(records);
        ControlFlow::Continue(())
    }
}

/// The first match of these players.
fn record(preset: Preset, max_pip: u8, rounds: u8, texts: &[&str]) -> Record {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    let rules = |players| RuleOptions {
        rounds: Some(rounds),
        max_pip: Some(max_pip),
        ..RuleOptions::new(preset, players)
    };
    let simulation = Simulation {
        title: "a test".to_owned(),
        contest: Contest::RoundRobin { deals: 1 },
        players: players(&texts).unwrap(),
        rules: (2..=texts.len() as u8).map(|seats| rules(seats).resolve().unwrap()).collect(),
        seed: Seed::new([2; 32]),
        threads: NonZeroUsize::MIN,
        records: true,
        begun_ms: 0,
    };
    let mut kept = Keep(Vec::new());
    simulation.run(&|| Duration::ZERO, &mut kept).unwrap();
    kept.0.remove(0)
}

fn settings(strategy: &str, rollouts: u32, shuffles: u32, threads: usize) -> Settings {
    let threads = NonZeroUsize::new(threads).unwrap();
    Settings { strategy: strategy.to_owned(), rollouts, shuffles, seed: [4; 32], threads }
}

fn of(record: &Record, strategy: &str, rollouts: u32, shuffles: u32) -> Analysis {
    analyse(record, &settings(strategy, rollouts, shuffles, 2)).unwrap()
}

/// Whether figures that are sums in another order are the same.
fn close(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-6
}

#[test]
fn an_analysis_does_not_depend_on_threads() {
    let record = record(Preset::Trains, 9, 2, &["greedy", "random", "lowest"]);
    let one = analyse(&record, &settings("search", 40, 4, 1)).unwrap();
    assert_eq!(analyse(&record, &settings("search", 40, 4, 4)), Ok(one));
}

#[test]
fn the_figures_of_every_record_fit_together() {
    let cases = [
        record(Preset::Trains, 9, 2, &["greedy", "random", "lowest"]),
        // Keeping a drawn tile is a choice here, and the double blank counts 50.
        record(Preset::Classic, 9, 10, &["random", "greedy", "random"]),
        record(Preset::Trains, 12, 2, &["dead-foot", "random"]),
    ];
    for record in cases {
        let found = of(&record, "monte-carlo", 20, 3);
        assert_eq!(found.rounds.len(), record.rounds.len());
        for (round, recorded) in found.rounds.iter().zip(&record.rounds) {
            assert!(close(round.seats.iter().map(|seat| seat.margin).sum(), 0.0));
            assert!(close(round.seats.iter().map(|seat| seat.lost_to_deal).sum(), 0.0));
            assert!(close(round.seats.iter().map(|seat| seat.lost_to_draws).sum(), 0.0));
            for seat in &round.seats {
                assert!(close(seat.margin, seat.play - seat.lost_to_deal - seat.lost_to_draws));
            }
            // Every turn is there, as the record has it.
            for step in &round.steps {
                let made = recorded.moves[step.at as usize - 1];
                assert_eq!(made.seat.number(), step.seat);
                assert_eq!(step.made.starts_with("draw"), made.to_string().contains("draw"));
            }
            let turns = recorded.moves.iter().filter(|made| !made.to_string().ends_with("start")).count();
            assert!(round.steps.len() <= turns);
            if let Some(last) = round.steps.last() {
                assert_eq!(last.at as usize, recorded.moves.len());
            }
        }
        for step in found.rounds.iter().flat_map(|round| &round.steps) {
            let chosen: Vec<f64> =
                step.options.iter().filter(|option| option.chosen).map(|option| option.given_away).collect();
            assert_eq!(chosen, step.given_away.into_iter().collect::<Vec<f64>>());
            assert_ne!(step.options.len(), 1);
            let best = step.options.iter().map(|option| option.value).fold(f64::MIN, f64::max);
            assert!(step.options.iter().all(|option| close(option.behind, best - option.value)));
            assert_eq!(step.luck.is_some(), step.made.starts_with("draw"));
        }
        let decisions: u32 = found.seats.iter().map(|seat| seat.decisions).sum();
        assert!(decisions > 10, "{decisions}");
    }
}

#[test]
fn who_plays_worse_gives_more_away() {
    let record = record(Preset::Trains, 9, 3, &["lowest", "monte-carlo:300"]);
    let found = of(&record, "monte-carlo", 300, 2);
    let lost = |name: &str| {
        let seat = found.seats.iter().find(|seat| seat.name == format!("house:{name}")).unwrap();
        seat.account.lost_by_choices / f64::from(seat.decisions)
    };
    let (worse, better) = (lost("lowest"), lost("monte-carlo:300"));
    assert!(worse > 0.5 && better < worse / 2.0, "{worse} {better}");
}

#[test]
fn where_all_play_as_the_outlook_does_luck_explains_the_margins() {
    let record = record(Preset::Trains, 9, 6, &["dead-foot", "dead-foot", "dead-foot"]);
    let found = of(&record, "monte-carlo", 4, 40);
    let accounts = || found.rounds.iter().flat_map(|round| &round.seats);
    let margins: f64 = accounts().map(|account| account.margin * account.margin).sum();
    let left: f64 = accounts().map(|account| account.play * account.play).sum();
    assert!(margins > 0.0 && left < 0.3 * margins, "{left} of {margins}");
}

#[test]
fn a_page_shows_names_as_text_and_asks_for_nothing() {
    let record = record(Preset::Trains, 9, 1, &["greedy", "random"]);
    let mut found = of(&record, "monte-carlo", 10, 2);
    found.seats[0].name = "<script>alert(1)</script>".to_owned();
    let page = page(&record, &found);
    // The page's own script is the only one.
    assert!(page.contains("&lt;script&gt;") && page.matches("<script").count() == 1);
    for part in ["<polyline", "[9|9]", "Round 1 on double-9", "lost to draws"] {
        assert!(page.contains(part), "{part}");
    }
    for part in ["http:", "https:", "src=", "url(", "fetch(", "import"] {
        assert!(!page.contains(part), "{part}");
    }
}

#[test]
fn a_page_has_one_picture_of_each_round_and_of_each_turn_how_many_tiles_lie() {
    let record = record(Preset::Trains, 9, 3, &["greedy", "random"]);
    let found = of(&record, "monte-carlo", 4, 1);
    let page = page(&record, &found);
    assert_eq!(page.matches("class=\"chickenfoot\"").count(), 3);
    for (round, recorded) in found.rounds.iter().zip(&record.rounds) {
        let id = format!("<g id=\"table-{}-t\">", round.number);
        assert_eq!(page.matches(&id).count(), 1);
        // The last turn shows everything that was laid.
        let tiles = chickenfoot_picture::tiles_after(&recorded.moves);
        let last = round.steps.last().unwrap();
        assert!(page.contains(&format!("data-tiles=\"{tiles}\"><td class=\"at\">{}</td>", last.at)));
    }
    // Every one grows with its tiles, about 300 bytes each.
    assert!(page.len() < 450_000, "{}", page.len());
}

#[test]
fn a_record_that_is_not_right_is_refused() {
    let mut record = record(Preset::Trains, 9, 1, &["greedy", "random"]);
    assert_eq!(
        analyse(&record, &settings("greedy", 10, 2, 1)),
        Err(AnalysisError::NoEstimates("greedy".to_owned()))
    );
    record.totals[0] += 1;
    let flawed = analyse(&record, &settings("search", 10, 2, 1));
    assert!(matches!(flawed, Err(AnalysisError::Flawed(flaw)) if flaw.place == "totals"));
}
