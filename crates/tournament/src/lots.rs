use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The public seed, as the source of every lot.
///
/// A lot is drawn from a ChaCha20 stream (64-bit counter, 64-bit nonce) whose key is the seed and whose nonce is
/// `purpose * 2^56 + index`. Its output is read as little-endian 64-bit words. A whole number below n is a word modulo n,
/// where words from 2^64 - (2^64 mod n) on are passed over. A shuffle is that of Fisher and Yates, from the end.
#[derive(Clone, Debug)]
pub(crate) struct Lots {
    seed: [u8; 32],
}

/// What a lot is for: each purpose has its own streams.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// Rounds of a round robin; index: 0 for who has which position, else the cycle, from 1, times 2^32, plus the round.
    Design = 1,
    /// Which of several equally good seating orders; index: the block.
    Seating = 2,
    /// Ties, and the first round; one word for each entrant. Index: 0 for standings, else the stage that is paired.
    Tie = 3,
    /// Exchanges between tables; index: the stage.
    Exchange = 4,
    /// Who of a field sits down; index: the block.
    Field = 5,
    /// Patterns of a table that is filled half and half; index: how often all were used.
    Pattern = 6,
}

impl Lots {
    pub(crate) fn new(seed: [u8; 32]) -> Self {
        Self { seed }
    }

    pub(crate) fn stream(&self, purpose: Purpose, index: u64) -> Stream {
        let mut chacha = ChaCha20Rng::from_seed(self.seed);
        chacha.set_stream(((purpose as u64) << 56) | index);
        Stream { chacha }
    }

    /// The tie lot of each of `count` entrants: lower goes first.
    pub(crate) fn ties(&self, index: u64, count: usize) -> Vec<u64> {
        let mut stream = self.stream(Purpose::Tie, index);
        (0..count).map(|_| stream.chacha.next_u64()).collect()
    }
}

/// Lots of one purpose, one after the other.
pub(crate) struct Stream {
    chacha: ChaCha20Rng,
}

impl Stream {
    /// A whole number below `bound`; 0 if there is none.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let bound = bound.max(1) as u64;
        let spare = (u64::MAX % bound + 1) % bound;
        loop {
            let word = self.chacha.next_u64();
            if word <= u64::MAX - spare {
                return (word % bound) as usize;
            }
        }
    }

    /// Nearly the same for small bounds, and quicker: the upper half of a 32-bit word times the bound.
    pub(crate) fn quick(&mut self, bound: usize) -> usize {
        ((u64::from(self.chacha.next_u32()) * bound as u64) >> 32) as usize
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_derivation_is_the_published_one() {
        // ChaCha20 with key 0 and nonce 0 begins with 76 b8 e0 ad a0 f1 3d 90 (RFC 8439, A.1); the nonce used here is not 0.
        let mut stream = Lots::new([0; 32]).stream(Purpose::Design, 0);
        assert_eq!(stream.chacha.get_stream(), 1 << 56);
        stream.chacha.set_stream(0);
        assert_eq!(
            stream.chacha.next_u64(),
            u64::from_le_bytes([0x76, 0xb8, 0xe0, 0xad, 0xa0, 0xf1, 0x3d, 0x90])
        );
    }

    #[test]
    fn a_shuffle_keeps_every_item_and_each_number_below_the_bound_comes_up() {
        let mut stream = Lots::new([7; 32]).stream(Purpose::Design, 3);
        let mut items: Vec<usize> = (0..50).collect();
        stream.shuffle(&mut items);
        assert_ne!(items, (0..50).collect::<Vec<_>>());
        items.sort_unstable();
        assert_eq!(items, (0..50).collect::<Vec<_>>());
        let mut seen = [0; 6];
        for _ in 0..6_000 {
            seen[stream.below(6)] += 1;
        }
        assert!(seen.iter().all(|&times| (850..1150).contains(&times)), "{seen:?}");
    }
}
