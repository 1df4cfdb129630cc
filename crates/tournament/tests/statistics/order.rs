//! The order of a table, and what breaks its ties.

use chickenfoot_tournament::statistics::{Ranking, Standings, StandingsOptions};
use chickenfoot_tournament::{BlockResult, Game};

use crate::simulation::{block_of, game, results};

fn order(entrants: usize, blocks: &[BlockResult], ranking: Ranking<'_>, seed: &[u8]) -> Vec<(u32, bool)> {
    let standings = Standings::of(&results(entrants, blocks), &StandingsOptions { seed, ranking, byes: &[] });
    assert!(standings.rows.iter().map(|row| row.place).eq(1..=entrants as u32));
    standings.rows.iter().map(|row| (row.entrant.0, row.by_lot)).collect()
}

/// Two games that leave both with the same points, and so the same margin.
fn even(change: impl Fn(&mut [Game; 2])) -> [BlockResult; 1] {
    let mut games = [game(&[0, 1], vec![40, 50]), game(&[1, 0], vec![40, 50])];
    change(&mut games);
    [block_of(0, &games)]
}

#[test]
fn at_equal_margins_more_rounds_scored_0_win() {
    let blocks = even(|games| {
        games[1].clean_rounds = vec![3, 2];
        games[0].lowest_round = vec![Some(1), Some(9)];
    });
    for seed in 0..8 {
        assert_eq!(order(2, &blocks, Ranking::Margin, &[seed]), [(1, false), (0, false)]);
    }
}

#[test]
fn then_the_lower_smallest_round_above_0_wins() {
    let blocks = even(|games| {
        games[0].lowest_round = vec![Some(3), Some(9)];
        games[1].lowest_round = vec![Some(2), None];
    });
    for seed in 0..8 {
        assert_eq!(order(2, &blocks, Ranking::Margin, &[seed]), [(1, false), (0, false)]);
    }
}

#[test]
fn then_what_the_tied_ones_did_against_each_other_counts() {
    // Over the three games of each pair the points are even, but the first was ahead in two of them.
    let games = [game(&[0, 1], vec![40, 41]), game(&[0, 1], vec![40, 41]), game(&[0, 1], vec![52, 50])];
    let blocks = [block_of(0, &games)];
    for seed in 0..8 {
        assert_eq!(order(2, &blocks, Ranking::Margin, &[seed]), [(0, false), (1, false)]);
    }
}

#[test]
fn then_a_lot_from_the_seed_decides_whoever_entered_first() {
    let blocks = even(|_| ());
    let mut winners: Vec<u32> = (0..16u8)
        .map(|seed| {
            let order = order(2, &blocks, Ranking::Margin, &[seed]);
            assert!(order.iter().all(|(_, by_lot)| *by_lot));
            order[0].0
        })
        .collect();
    assert_eq!(winners[0], order(2, &blocks, Ranking::Margin, &[0])[0].0);
    winners.sort_unstable();
    winners.dedup();
    assert_eq!(winners, [0, 1]);
}

#[test]
fn a_score_of_the_format_goes_before_the_margin_which_breaks_its_ties() {
    let blocks = [block_of(0, &[game(&[0, 1, 2, 3], vec![10, 20, 30, 40])])];
    let ranking = Ranking::Score(&[1.0, 0.5, 2.0, 1.0]);
    let entrants: Vec<u32> = order(4, &blocks, ranking, b"").iter().map(|row| row.0).collect();
    assert_eq!(entrants, [2, 0, 3, 1]);
    // A missing score is 0.
    let entrants: Vec<u32> =
        order(4, &blocks, Ranking::Score(&[-1.0]), b"").iter().map(|row| row.0).collect();
    assert_eq!(entrants, [1, 2, 3, 0]);
}
