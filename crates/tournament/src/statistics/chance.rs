//! Chance that follows from the tournament's public seed.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sha2::{Digest, Sha256};

/// SHA-256(lp("chickenfoot/v1/" + purpose) || lp(seed) || lp(detail)), where lp(x) is the length of x as 4 bytes,
/// big-endian, and then x.
pub(crate) fn digest(purpose: &str, seed: &[u8], detail: &[u8]) -> [u8; 32] {
    let mut hash = Sha256::new();
    lp(&mut hash, format!("chickenfoot/v1/{purpose}").as_bytes());
    lp(&mut hash, seed);
    lp(&mut hash, detail);
    hash.finalize().into()
}

/// A stream of chance for one purpose.
pub(crate) fn stream(purpose: &str, seed: &[u8]) -> ChaCha8Rng {
    ChaCha8Rng::from_seed(digest(purpose, seed, &[]))
}

fn lp(hash: &mut Sha256, x: &[u8]) {
    hash.update((x.len() as u32).to_be_bytes());
    hash.update(x);
}
