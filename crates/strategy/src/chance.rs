use chickenfoot_rules::View;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sha2::{Digest, Sha256};

/// The chance of one decision.
///
/// It follows from the seed and from how far the match has come, and not from what was asked before: so a player that
/// is made anew in the middle of a match goes on as the old one would have.
pub(crate) fn of_decision(seed: &[u8; 32], view: &View<'_>) -> ChaCha8Rng {
    let mut hash = Sha256::new();
    hash.update(seed);
    hash.update([view.round]);
    hash.update((view.history.len() as u32).to_be_bytes());
    ChaCha8Rng::from_seed(hash.finalize().into())
}

/// A number below `n`, as good as equally likely, by a multiplication instead of a division.
///
/// The chances differ by less than n in four thousand millions, far below what a search could notice.
#[inline]
pub(crate) fn below(n: u32, rng: &mut impl Rng) -> u32 {
    ((u64::from(rng.next_u32()) * u64::from(n)) >> 32) as u32
}
