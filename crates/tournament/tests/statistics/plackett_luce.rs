use chickenfoot_tournament::statistics::PlackettLuce;
use chickenfoot_tournament::{BlockResult, EntrantId, Game};

use crate::simulation::{Chance, Coverage, World, block_of, game, results};

fn fit(entrants: usize, blocks: &[BlockResult]) -> PlackettLuce {
    PlackettLuce::fit(&results(entrants, blocks), b"public seed")
}

/// Games that ended with these places, each a block.
fn places(finishes: &[(&[usize], &[u8])]) -> Vec<BlockResult> {
    let block = |(number, (seating, places)): (u32, &(&[usize], &[u8]))| {
        let points = places.iter().map(|place| u32::from(*place)).collect();
        block_of(number, &[Game { places: places.to_vec(), ..game(seating, points) }])
    };
    (0..).zip(finishes).map(block).collect()
}

#[test]
fn two_entrants_have_the_odds_of_their_games() {
    // Thirty to ten. The ghost's games pull both towards 1: with strengths x and 1 / x the likelihood's slope is
    // 30 - 40 x^2 / (1 + x^2) + 1 - 2 x / (1 + x), half of each entrant's half games.
    let games = [vec![[1u8, 2]; 30], vec![[2, 1]; 10]].concat();
    let finishes: Vec<(&[usize], &[u8])> =
        games.iter().map(|places| ([0, 1].as_slice(), places.as_slice())).collect();
    let fit = fit(2, &places(&finishes));
    let x = fit.strengths[0].log.value.exp();
    let slope = 30.0 - 40.0 * x * x / (1.0 + x * x) + 0.5 - x / (1.0 + x);
    assert!(slope.abs() < 1e-6, "{slope}");
    assert!((fit.strengths[0].log.value + fit.strengths[1].log.value).abs() < 1e-9);
    assert_eq!(fit.tie, 0.0);
    let elo = fit.strengths[0].elo().value - fit.strengths[1].elo().value;
    assert!((elo - 400.0 * 3f64.log10()).abs() < 12.0, "{elo}");
}

/// The logarithm of the likelihood by the book: every set that could take a place is spelt out.
fn log_likelihood(blocks: &[BlockResult], logs: &[f64], tie: f64) -> f64 {
    let mut sum = 0.0;
    for game in blocks.iter().flat_map(|block| &block.games) {
        let mut left: Vec<usize> = (0..game.seating.len()).collect();
        while left.len() > 1 {
            let weight = |set: &[usize]| {
                let logs: f64 = set.iter().map(|seat| logs[game.seating[*seat].index()]).sum();
                tie.powi(set.len() as i32 - 1) * (logs / set.len() as f64).exp()
            };
            let best = left.iter().map(|seat| game.places[*seat]).min().unwrap();
            let (first, rest): (Vec<usize>, Vec<usize>) =
                left.iter().partition(|seat| game.places[**seat] == best);
            let sets = 1u32..1 << left.len();
            let all: f64 = sets
                .map(|bits| {
                    (0..left.len()).filter(|i| bits >> i & 1 == 1).map(|i| left[i]).collect::<Vec<_>>()
                })
                .filter(|set| set.len() <= 3)
                .map(|set| weight(&set))
                .sum();
            sum += (weight(&first) / all).ln();
            left = rest;
        }
    }
    let ghost = |log: &f64| 0.5 * (log - 2.0 * (1.0 + log.exp()).ln());
    let equals = 0.5 * (tie.ln() - 2.0 * (2.0 + tie).ln());
    sum + logs.iter().map(ghost).sum::<f64>() + equals
}

#[test]
fn the_fit_is_the_maximum_of_the_likelihood_written_out() {
    // With ties of two and of three, tables of several sizes, and an entrant on two seats.
    let blocks = places(&[
        (&[0, 1, 2, 3], &[1, 2, 2, 4]),
        (&[3, 2, 1, 0], &[1, 1, 1, 4]),
        (&[0, 4], &[1, 2]),
        (&[4, 1, 2], &[3, 1, 2]),
        (&[0, 3, 0, 4], &[2, 4, 1, 2]),
        (&[1, 4], &[1, 1]),
        (&[2, 0, 1, 4], &[1, 2, 3, 4]),
    ]);
    let fit = fit(5, &blocks);
    let logs: Vec<f64> = fit.strengths.iter().map(|strength| strength.log.value).collect();
    // The fit is shown with a mean of 0; the ghost fixes where it lies in truth.
    let (mut level, mut best) = (0.0, f64::NEG_INFINITY);
    for step in -4000..4000 {
        let by = f64::from(step) * 1e-3;
        let value = log_likelihood(&blocks, &logs.iter().map(|log| log + by).collect::<Vec<_>>(), fit.tie);
        if value > best {
            (level, best) = (by, value);
        }
    }
    let logs: Vec<f64> = logs.iter().map(|log| log + level).collect();
    for by in [-0.02, 0.02] {
        for entrant in 0..5 {
            let mut moved = logs.clone();
            moved[entrant] += by;
            assert!(log_likelihood(&blocks, &moved, fit.tie) < best, "entrant {entrant} by {by}");
        }
        assert!(log_likelihood(&blocks, &logs, fit.tie * (1.0 + by)) < best, "ties by {by}");
    }
}

#[test]
fn an_unbeaten_entrant_and_one_that_met_nobody_better_are_finite() {
    let finishes: Vec<(&[usize], &[u8])> = vec![(&[0, 1], &[1, 2]); 40];
    let fit = fit(4, &[places(&finishes), vec![block_of(90, &[game(&[2, 3], vec![5, 4])])]].concat());
    assert_eq!(fit.strengths.iter().map(|strength| strength.entrant.0).collect::<Vec<_>>(), [0, 1, 2, 3]);
    assert!(fit.strengths.iter().all(|strength| strength.log.value.abs() < 10.0));
    assert!(fit.strengths[0].log.value > fit.strengths[3].log.value);
    assert!(fit.strengths[3].log.value > fit.strengths[2].log.value);
    // However many games it won, nobody knows how much better it is.
    assert!(fit.strengths.iter().all(|strength| strength.log.interval.is_none()));
}

#[test]
fn who_did_not_play_has_no_strength() {
    let fit = fit(5, &[block_of(0, &[game(&[3, 1], vec![5, 4])])]);
    assert_eq!(
        fit.strengths.iter().map(|strength| strength.entrant).collect::<Vec<_>>(),
        [EntrantId(1), EntrantId(3)]
    );
    assert!(self::fit(2, &[]).strengths.is_empty());
}

#[test]
fn a_table_that_all_share_is_fitted_too() {
    let blocks = places(&[(&[0, 1, 2, 3, 4, 5], &[1; 6]), (&[0, 1], &[1, 2])]);
    let fit = fit(6, &blocks);
    assert!(fit.tie.is_finite() && fit.strengths.iter().all(|strength| strength.log.value.is_finite()));
}

#[test]
fn the_interval_of_a_strength_covers_95_times_in_100() {
    for (grain, blocks) in [(1.0, 12), (20.0, 40)] {
        let world = World { grain, ..World::of(&[60.0, 20.0, 0.0, -40.0]) };
        let mut chance = Chance::new(31);
        let many = world.blocks(20_000, &mut chance);
        let truth = fit(4, &many);
        let mut coverage = Coverage::default();
        for _ in 0..500 {
            let blocks = world.blocks(blocks, &mut chance);
            for (strength, truth) in fit(4, &blocks).strengths.iter().zip(&truth.strengths) {
                coverage.push(strength.log.interval.unwrap(), truth.log.value);
            }
        }
        coverage.assert_95(&format!("{blocks} blocks"));
    }
}
