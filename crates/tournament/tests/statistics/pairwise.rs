use chickenfoot_tournament::EntrantId;
use chickenfoot_tournament::statistics::{Pair, Pairwise};

use crate::simulation::{Chance, Coverage, World, block_of, game, results};

fn pair(pairwise: &Pairwise, one: u32, other: u32) -> Pair {
    pairwise.get(EntrantId(one), EntrantId(other)).unwrap()
}

#[test]
fn meetings_are_counted_from_both_sides() {
    let blocks = [
        block_of(0, &[game(&[0, 1, 2], vec![10, 20, 20]), game(&[1, 2, 0], vec![5, 45, 30])]),
        block_of(1, &[game(&[2, 0, 2], vec![7, 8, 9])]),
    ];
    let pairwise = Pairwise::of(&results(4, &blocks));
    assert_eq!(
        pairwise.pairs().iter().map(|pair| (pair.one.0, pair.other.0)).collect::<Vec<_>>(),
        [(0, 1), (0, 2), (1, 2)]
    );
    let (one, other) = (pair(&pairwise, 0, 2), pair(&pairwise, 2, 0));
    assert_eq!((one.blocks, one.games, one.wins, one.ties, one.losses), (2, 4, 3, 0, 1));
    assert_eq!((other.blocks, other.games, other.wins, other.ties, other.losses), (2, 4, 1, 0, 3));
    assert_eq!((one.superiority.value, other.superiority.value), (0.75, 0.25));
    assert_eq!((one.margin.value, other.margin.value), ((10.0 + 15.0 - 1.0 + 1.0) / 4.0, -6.25));
    let tied = pair(&pairwise, 1, 2);
    assert_eq!((tied.wins, tied.ties, tied.losses, tied.superiority.value), (1, 1, 0, 0.75));
    assert_eq!(tied.superiority.interval, None);
    assert_eq!(pairwise.get(EntrantId(0), EntrantId(3)), None);
}

#[test]
fn the_intervals_are_those_of_the_textbook() {
    // Ten blocks of one game: Student's t over the margins 1 to 10, and Wilson's interval for 7 of 10 with the variance of a
    // sample of ten and Student's quantile.
    let blocks: Vec<_> =
        (0..10).map(|number| block_of(number, &[game(&[0, 1], vec![0, number + 1])])).collect();
    let interval = pair(&Pairwise::of(&results(2, &blocks)), 0, 1).margin.interval.unwrap();
    let reach = 2.262_157 * (82.5f64 / 9.0 / 10.0).sqrt();
    assert!((interval.low - (5.5 - reach)).abs() < 1e-3 && (interval.high - (5.5 + reach)).abs() < 1e-3);

    let blocks: Vec<_> = (0..10)
        .map(|number| block_of(number, &[game(&[0, 1], if number < 7 { vec![1, 2] } else { vec![2, 1] })]))
        .collect();
    let interval = pair(&Pairwise::of(&results(2, &blocks)), 0, 1).superiority.interval.unwrap();
    let (n, t, p) = (10.0f64, 2.262_157f64, 0.7f64);
    let middle = (p + t * t / (2.0 * n)) / (1.0 + t * t / n);
    let reach = t / (1.0 + t * t / n) * (p * (1.0 - p) / n + t * t / (4.0 * n * n)).sqrt();
    assert!(
        (interval.low - (middle - reach)).abs() < 1e-3 && (interval.high - (middle + reach)).abs() < 1e-3
    );
}

#[test]
fn an_entrant_that_always_won_is_not_certain_to() {
    let blocks: Vec<_> =
        (0..20).map(|number| block_of(number, &vec![game(&[0, 1], vec![1, 2]); 2])).collect();
    let superiority = pair(&Pairwise::of(&results(2, &blocks)), 0, 1).superiority;
    let interval = superiority.interval.unwrap();
    assert_eq!((superiority.value, interval.high), (1.0, 1.0));
    // The rule of three says 0.86 for twenty blocks, that each hold two games which say the same.
    assert!((0.78..0.88).contains(&interval.low), "{interval:?}");
}

#[test]
fn the_interval_of_superiority_covers_95_times_in_100() {
    for (gap, grain) in [(0.0, 1.0), (15.0, 20.0), (50.0, 1.0)] {
        let world = World { grain, ..World::of(&[gap, 0.0, 0.0, 0.0]) };
        let mut chance = Chance::new(21);
        let many = world.blocks(40_000, &mut chance);
        let truth = pair(&Pairwise::of(&results(4, &many)), 0, 1).superiority.value;
        let mut coverage = Coverage::default();
        for _ in 0..1500 {
            let blocks = world.blocks(25, &mut chance);
            let pairwise = Pairwise::of(&results(4, &blocks));
            for other in 1..4 {
                coverage.push(pair(&pairwise, 0, other).superiority.interval.unwrap(), truth);
            }
        }
        coverage.assert_95(&format!("a gap of {gap}"));
    }
}

#[test]
fn the_interval_of_the_difference_covers_95_times_in_100() {
    let world = World::of(&[30.0, 0.0, -10.0, -50.0]);
    for (blocks, runs) in [(8, 800), (30, 800)] {
        let mut chance = Chance::new(22);
        let mut coverage = Coverage::default();
        for _ in 0..runs {
            let blocks = world.blocks(blocks, &mut chance);
            for pair in Pairwise::of(&results(4, &blocks)).pairs() {
                let truth = world.strengths[pair.one.index()] - world.strengths[pair.other.index()];
                coverage.push(pair.margin.interval.unwrap(), truth);
            }
        }
        coverage.assert_95(&format!("{blocks} blocks"));
    }
}
