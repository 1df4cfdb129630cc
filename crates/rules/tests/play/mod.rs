//! Random rules, deals and play: the same for the same seed, so that what fails once fails again.
#![allow(dead_code, unused_imports, clippy::unwrap_used)]

mod choices;
mod position;
mod rules;
mod shadow;

pub use choices::{Stacked, choice, choose, matches, play, random_deals, setup, start};
pub use position::{Position, rounds, small_rounds};
pub use rules::rules;
pub use shadow::Shadow;

use std::fmt::Debug;

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngSeed, TestRunner};
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// Holds a claim against so many random values; one that refutes it is made as simple as possible and shown.
pub fn for_all<S: Strategy<Value: Debug>>(cases: u32, values: S, claim: impl Fn(S::Value)) {
    let config = Config {
        cases,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        max_shrink_iters: 1000,
        ..Config::default()
    };
    let outcome = TestRunner::new(config).run(&values, |value| {
        claim(value);
        Ok(())
    });
    if let Err(why) = outcome {
        panic!("{why}");
    }
}

pub fn rng(seed: u64) -> SmallRng {
    SmallRng::seed_from_u64(seed)
}
