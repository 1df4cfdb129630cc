use chickenfoot_tournament::EntrantId;
use chickenfoot_tournament::statistics::ConfidenceSequence;

use crate::simulation::{Chance, World, results};

#[test]
fn its_ends_are_where_the_martingale_reaches_twenty() {
    let values = [3.0, -1.0, 4.0, 1.0, -5.0, 9.0, 2.0, 6.0, -5.0, 3.0];
    let mut sequence = ConfidenceSequence::default();
    values.iter().for_each(|value| sequence.push(*value));
    let estimate = sequence.estimate().unwrap();
    assert!((estimate.value - 1.7).abs() < 1e-12);
    let interval = estimate.interval.unwrap();
    for end in [interval.low, interval.high] {
        let (sum, squares) =
            values.iter().fold((0.0, 0.0), |(s, q), value| (s + value - end, q + (value - end).powi(2)));
        let e = (4.0f64 / 14.0).sqrt() * (squares / (squares - sum * sum / 14.0)).powf(5.0);
        assert!((e - 20.0).abs() < 1e-6, "{e}");
    }
}

#[test]
fn it_begins_with_the_seventh_block() {
    let mut sequence = ConfidenceSequence::default();
    assert_eq!(sequence.estimate(), None);
    for block in 1u8..=10 {
        sequence.push(f64::from(block % 3));
        assert_eq!(sequence.estimate().unwrap().interval.is_some(), block >= 7);
    }
}

/// In how many of `runs` the interval of the first entrant's margin, looked at after each block, ever missed.
fn ever_missed(world: &World, runs: u32, blocks: u32, seed: u64) -> f64 {
    let mut chance = Chance::new(seed);
    let mut missed = 0;
    for _ in 0..runs {
        let blocks = world.blocks(blocks, &mut chance);
        let mut sequence = ConfidenceSequence::default();
        let misses = |(_, margin): &(u32, f64)| {
            sequence.push(*margin);
            let interval = sequence.estimate().unwrap().interval;
            interval.is_some_and(|interval| !interval.contains(world.margin(0)))
        };
        missed +=
            u32::from(results(world.strengths.len(), &blocks).block_margins(EntrantId(0)).iter().any(misses));
    }
    f64::from(missed) / f64::from(runs)
}

#[test]
fn looked_at_after_every_block_it_ever_misses_in_at_most_5_of_100() {
    let worlds = [
        World::of(&[30.0, 0.0, -10.0, -20.0]),
        // Nothing but the skewed chance of single games.
        World { suits: 0.0, ..World::of(&[0.0, 0.0, 0.0]) },
        World { suits: 0.0, ..World::of(&[0.0; 6]) },
    ];
    for (number, world) in worlds.iter().enumerate() {
        let missed = ever_missed(world, 1200, 200, 41);
        assert!((0.005..=0.05).contains(&missed), "world {number}: {missed}");
    }
}

#[test]
fn it_closes_in_on_the_mean() {
    let mut sequence = ConfidenceSequence::default();
    let mut chance = Chance::new(42);
    (0..1000).for_each(|_| sequence.push(5.0 + chance.normal()));
    let interval = sequence.estimate().unwrap().interval.unwrap();
    assert!(interval.contains(5.0) && interval.high - interval.low < 0.3, "{interval:?}");
    assert_eq!(sequence.count(), 1000);
}
