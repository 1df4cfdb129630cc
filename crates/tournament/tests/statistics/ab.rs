use chickenfoot_tournament::statistics::{AbPlan, AbPlanError, AbReport, Effect, Results, Verdict};
use chickenfoot_tournament::{BlockResult, EntrantId};

use crate::simulation::{Chance, World, block_of, game, results};

const CANDIDATE: EntrantId = EntrantId(0);
const BASE: EntrantId = EntrantId(1);

fn report(plan: &AbPlan, results: &Results<'_>) -> AbReport {
    AbReport::of(plan, results, CANDIDATE, BASE)
}

fn sd(effect: f64) -> AbPlan {
    AbPlan::new(Effect::StandardDeviations(effect), 0.05, 0.05, 8, 5000).unwrap()
}

/// A block that the candidate won by this much.
fn won_by(number: u32, pips: i32) -> BlockResult {
    block_of(number, &[game(&[0, 1], vec![1000, (1000 + pips) as u32])])
}

fn won(margins: &[i32]) -> Vec<BlockResult> {
    (0..).zip(margins).map(|(number, pips)| won_by(number, *pips)).collect()
}

/// A table of two pairs that change places: the candidate has the even seats, then the odd ones.
fn half_and_half(world: &World, blocks: u32, chance: &mut Chance) -> Vec<BlockResult> {
    let seatings = [vec![0, 1, 0, 1], vec![1, 0, 1, 0]];
    (0..blocks).map(|number| world.played(number, &seatings, chance)).collect()
}

#[test]
fn the_ratio_is_that_of_the_formulas() {
    let blocks = won(&[1, 2, 3, 6]);
    let results = results(2, &blocks);
    let (mean, square) = (3.0f64, 12.5f64);
    let pips = AbPlan::new(Effect::Pips(2.0), 0.05, 0.1, 8, 100).unwrap();
    let expected = 2.0 * (square / (square - mean * mean + 1.0)).ln();
    assert!((report(&pips, &results).log_likelihood_ratio - expected).abs() < 1e-9);

    // In standard deviations: the most likely spread under each by search.
    let log_likelihood =
        |t: f64, s: f64| -4.0 * s.ln() - 2.0 * (square / (s * s) - 2.0 * t * mean / s + t * t);
    let most = |t: f64| {
        (1..100_000).map(|i| log_likelihood(t, f64::from(i) * 1e-4)).fold(f64::NEG_INFINITY, f64::max)
    };
    let report = report(&sd(0.5), &results);
    assert!((report.log_likelihood_ratio - (most(0.5) - most(0.0))).abs() < 1e-6);
    assert_eq!((report.verdict, report.blocks, report.decided_at), (Verdict::Running, 4, None));
    assert!(
        (report.lower_bound + 19f64.ln()).abs() < 1e-12 && (report.upper_bound - 19f64.ln()).abs() < 1e-12
    );
    assert_eq!(report.margin.unwrap().value, 3.0);
}

#[test]
fn a_block_is_the_margin_of_the_candidate_over_the_base_however_they_are_seated() {
    let value = |games: &[chickenfoot_tournament::Game]| {
        let blocks = [block_of(0, games)];
        report(&sd(0.3), &results(4, &blocks)).margin.map(|margin| margin.value)
    };
    // Side by side, on several seats, and in turns against the same field.
    assert_eq!(value(&[game(&[0, 1, 2], vec![10, 16, 90]), game(&[1, 0, 2], vec![10, 6, 90])]), Some(5.0));
    assert_eq!(value(&[game(&[0, 1, 0, 1], vec![10, 16, 20, 24])]), Some(5.0));
    assert_eq!(
        value(&[game(&[0, 2, 3], vec![10, 16, 20]), game(&[1, 2, 3], vec![14, 13, 17])]),
        Some(8.0 - 1.0)
    );
    assert_eq!(value(&[game(&[0, 2, 3], vec![10, 16, 20])]), None);
}

#[test]
fn the_decision_is_the_same_in_whatever_order_results_come() {
    let mut blocks = won(&[5, 7, 3, 6, 9, 2, 5, 6, 4, 8, 5, 6, 7, -90, -90, -90, -90]);
    let whole = report(&sd(1.0), &results(2, &blocks));
    assert_eq!((whole.verdict, whole.decided_at, whole.blocks), (Verdict::Better, Some(7), 8));
    // What comes after the decision changes nothing, and what comes after a hole waits.
    assert_eq!(report(&sd(1.0), &results(2, &blocks[..8])), whole);
    let hole = blocks.remove(5);
    let waiting = report(&sd(1.0), &results(2, &blocks));
    assert_eq!((waiting.verdict, waiting.blocks), (Verdict::Running, 5));
    blocks.push(hole);
    assert_eq!(report(&sd(1.0), &results(2, &blocks)), whole);
}

#[test]
fn a_block_without_games_is_passed_over() {
    let mut blocks = won(&[5, 7, 3, 6, 9, 2, 5, 6, 4]);
    blocks[2] = BlockResult { number: 2, absent: vec![BASE], games: Vec::new() };
    let report = report(&sd(1.0), &results(2, &blocks));
    assert_eq!((report.verdict, report.decided_at, report.blocks), (Verdict::Better, Some(8), 8));
}

#[test]
fn the_cap_ends_the_test_undecided() {
    let plan = AbPlan::new(Effect::StandardDeviations(0.3), 0.05, 0.05, 2, 6).unwrap();
    let blocks = won(&[1, -1, 2, 0, 3, -1, 50, 50]);
    let report = report(&plan, &results(2, &blocks));
    assert_eq!((report.verdict, report.decided_at, report.blocks), (Verdict::Undecided, Some(5), 6));
}

#[test]
fn two_that_play_alike_are_found_so() {
    let blocks = won(&[0; 200]);
    for plan in [sd(0.3), AbPlan::new(Effect::Pips(2.0), 0.05, 0.05, 8, 400).unwrap()] {
        let report = report(&plan, &results(2, &blocks));
        assert_eq!(report.verdict, Verdict::NotBetter);
        assert!(report.log_likelihood_ratio.is_finite());
    }
}

#[test]
fn a_plan_that_cannot_be_is_refused() {
    let effect = Effect::Pips(1.0);
    assert_eq!(AbPlan::new(Effect::Pips(0.0), 0.05, 0.05, 8, 9), Err(AbPlanError::Effect));
    assert_eq!(AbPlan::new(Effect::StandardDeviations(f64::NAN), 0.05, 0.05, 8, 9), Err(AbPlanError::Effect));
    assert_eq!(AbPlan::new(effect, 0.0, 0.05, 8, 9), Err(AbPlanError::Alpha));
    assert_eq!(AbPlan::new(effect, 0.05, 0.5, 8, 9), Err(AbPlanError::Beta));
    assert_eq!(AbPlan::new(effect, 0.05, 0.05, 1, 9), Err(AbPlanError::BurnIn));
    assert_eq!(AbPlan::new(effect, 0.05, 0.05, 8, 7), Err(AbPlanError::Cap));
}

/// Of tests of one kind, the share that found the candidate better, and their mean length in blocks.
fn run(plan: &AbPlan, runs: u32, mut play: impl FnMut() -> Vec<BlockResult>) -> (f64, f64) {
    let (mut better, mut length) = (0, 0);
    for _ in 0..runs {
        let blocks = play();
        let report = report(plan, &results(2, &blocks));
        assert_ne!(report.verdict, Verdict::Running);
        better += u32::from(report.verdict == Verdict::Better);
        length += report.blocks;
    }
    (f64::from(better) / f64::from(runs), f64::from(length) / f64::from(runs))
}

#[test]
fn it_errs_as_rarely_and_takes_as_long_as_it_says() {
    const SPREAD: f64 = 200.0;
    for (effect, alpha, beta, runs) in
        [(0.3, 0.05, 0.05, 2000), (0.3, 0.05, 0.1, 2000), (0.3, 0.02, 0.05, 2000)]
    {
        let plan = AbPlan::new(Effect::StandardDeviations(effect), alpha, beta, 8, 5000).unwrap();
        for (difference, least, most) in [(0.0, alpha / 2.0, alpha), (effect, 1.0 - beta, 1.0 - beta / 2.0)] {
            let mut chance = Chance::new(51);
            // Skewed margins: a normal part and an exponential one.
            let play = || -> Vec<BlockResult> {
                let mut margin = || SPREAD * (difference + 0.8 * chance.normal() + 0.6 * chance.skewed());
                (0..700).map(|number| won_by(number, margin().round() as i32)).collect()
            };
            let (better, length) = run(&plan, runs, play);
            assert!((least..=most).contains(&better), "{plan:?} at {difference}: better in {better}");
            let stated = plan.mean_length(difference, 1.0);
            assert!(
                (length / stated - 1.0).abs() < 0.1,
                "{plan:?} at {difference}: {length} blocks, not {stated}"
            );
        }
    }
}

#[test]
fn an_effect_in_pips_is_kept_too() {
    let plan = AbPlan::new(Effect::Pips(20.0), 0.05, 0.05, 8, 5000).unwrap();
    let mut chance = Chance::new(52);
    let mut play = |difference: f64| -> (f64, f64) {
        run(&plan, 1000, || {
            (0..800).map(|n| won_by(n, (difference + 60.0 * chance.normal()).round() as i32)).collect()
        })
    };
    let (same, better) = (play(0.0), play(20.0));
    assert!(same.0 <= 0.05 && better.0 >= 0.95, "{same:?} {better:?}");
    assert!((same.1 / plan.mean_length(0.0, 60.0) - 1.0).abs() < 0.08, "{same:?}");
    assert!((better.1 / plan.mean_length(20.0, 60.0) - 1.0).abs() < 0.08, "{better:?}");
}

#[test]
fn in_games_of_equals_it_finds_a_better_one_in_at_most_5_of_100() {
    let world = World::of(&[0.0, 0.0]);
    let mut chance = Chance::new(53);
    let (better, _) = run(&AbPlan::default(), 1500, || half_and_half(&world, 400, &mut chance));
    assert!((0.01..=0.05).contains(&better), "{better}");
}

#[test]
fn in_games_of_equals_a_large_effect_is_not_found_more_often_either() {
    let world = World::of(&[0.0, 0.0]);
    let mut chance = Chance::new(55);
    for effect in [2.0, 5.0] {
        let (better, _) = run(&sd(effect), 1000, || half_and_half(&world, 60, &mut chance));
        assert!(better <= 0.05, "{better} with an effect of {effect}");
    }
}

#[test]
fn its_interval_holds_at_the_end_of_the_test() {
    let world = World::of(&[12.0, 0.0]);
    let mut chance = Chance::new(54);
    let (mut held, runs) = (0, 500);
    for _ in 0..runs {
        let blocks = half_and_half(&world, 400, &mut chance);
        let margin = report(&AbPlan::default(), &results(2, &blocks)).margin.unwrap();
        held += u32::from(margin.interval.unwrap().contains(12.0));
    }
    assert!(f64::from(held) >= 0.95 * f64::from(runs), "{held} of {runs}");
}
