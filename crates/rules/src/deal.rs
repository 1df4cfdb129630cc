use std::fmt;

use hkdf::Hkdf;
use sha2::{Digest, Sha256};

use crate::bytes::{Hex32, lp};
use crate::config::{Rules, Starter};
use crate::seat::Seat;
use crate::tile::{Tile, set_size};

/// A contributor's 32 bytes of entropy; all zero for one who gave none.
pub type Entropy = Hex32;

/// The service's promise: a hash of the seed that was published before anyone gave entropy.
pub type Commitment = Hex32;

/// The secret 32 bytes that the service drew for a match. Printed nowhere by accident: `Debug` hides it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Seed([u8; 32]);

impl Seed {
    /// A seed of these bytes.
    pub const fn new(bytes: [u8; 32]) -> Seed {
        Seed(bytes)
    }

    /// The bytes, to be stored or, after the match, revealed.
    pub const fn reveal(&self) -> [u8; 32] {
        self.0
    }

    /// SHA-256(lp("chickenfoot/v1/commit") || lp(deal_id) || lp(S)), with lp(x) the 4-byte big-endian length and x.
    pub fn commitment(&self, deal_id: &str) -> Commitment {
        let mut hash = Sha256::new();
        lp(&mut hash, b"chickenfoot/v1/commit");
        lp(&mut hash, deal_id.as_bytes());
        lp(&mut hash, &self.0);
        Hex32(hash.finalize().into())
    }
}

impl Seed {
    /// The seed of one block of a tournament with this seed: HKDF-Expand(HKDF-Extract(no salt, S),
    /// "chickenfoot/v1/block" || u32(number) || u32(attempt), 32). So a tournament commits to all its deals at once, and
    /// each of them can be revealed without the others. `attempt` counts how often the block was begun again.
    pub fn of_block(&self, number: u32, attempt: u32) -> Seed {
        Seed(self.derive(&[b"chickenfoot/v1/block", &number.to_be_bytes(), &attempt.to_be_bytes()]))
    }

    /// Other bytes that nobody can tell without the seed: HKDF-Expand(HKDF-Extract(no salt, S), info, 32), with the parts
    /// of `info` one after the other.
    pub fn derive(&self, info: &[&[u8]]) -> [u8; 32] {
        let mut bytes = [0; 32];
        expand(&Hkdf::<Sha256>::new(None, &self.0), info, &mut bytes);
        bytes
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(hidden)")
    }
}

/// Someone who may add entropy to a deal: a seat of a match, or an entrant of a block.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contributor {
    /// The name that enters the transcript.
    pub name: String,
    /// The entropy; zero for none.
    pub entropy: Entropy,
}

impl Contributor {
    /// A player of the house, who adds nothing: `house:` and the strategy.
    pub fn house(strategy: &str) -> Contributor {
        Contributor { name: format!("house:{strategy}"), entropy: Entropy::default() }
    }
}

/// Where a match gets its deals from.
pub trait Deals: Send + Sync {
    /// The deal of a round, from 1. Must always be the same for the same round.
    fn deal(&self, round: u8) -> Deal;
}

/// The tiles of one round before anything is laid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deal {
    /// The number of the starting double.
    pub starting_double: u8,
    /// Who found the starting double by lot; `None` where its holder starts.
    pub starter: Option<Seat>,
    /// The hands by seat, in the order dealt.
    pub hands: Vec<Vec<Tile>>,
    /// The boneyard in drawing order, the reserve last.
    pub boneyard: Vec<Tile>,
}

/// Deals that follow from a committed seed and the contributors' entropy, so that anyone can recompute them.
///
/// The construction is HKDF-SHA-256 (RFC 5869) over a transcript of all that was public before the deal, with
/// rejection sampling for unbiased numbers and the Fisher-Yates shuffle (Durstenfeld 1964) from the last index down.
#[derive(Clone)]
pub struct SeededDeals {
    rules: Rules,
    commitment: Commitment,
    transcript: [u8; 32],
    prk: Hkdf<Sha256>,
}

impl SeededDeals {
    /// The deals of one match or block. `contributors` are in seat order (match) or sorted by name (block).
    pub fn new(rules: Rules, deal_id: &str, seed: &Seed, contributors: &[Contributor]) -> SeededDeals {
        let commitment = seed.commitment(deal_id);
        let mut hash = Sha256::new();
        lp(&mut hash, b"chickenfoot/v1/transcript");
        lp(&mut hash, deal_id.as_bytes());
        lp(&mut hash, rules.text().as_bytes());
        lp(&mut hash, &commitment.0);
        for contributor in contributors {
            lp(&mut hash, contributor.name.as_bytes());
            lp(&mut hash, &contributor.entropy.0);
        }
        let transcript: [u8; 32] = hash.finalize().into();
        let prk = Hkdf::<Sha256>::new(Some(&transcript), &seed.0);
        SeededDeals { rules, commitment, transcript, prk }
    }

    /// The commitment that was published before entropy was taken.
    pub fn commitment(&self) -> Commitment {
        self.commitment
    }

    /// The hash of everything public that went into the deals.
    pub fn transcript(&self) -> [u8; 32] {
        self.transcript
    }

    /// The key of a round: HKDF-Expand(PRK, "chickenfoot/v1/round" || u8(round), 32).
    pub fn round_key(&self, round: u8) -> [u8; 32] {
        let mut key = [0; 32];
        expand(&self.prk, &[b"chickenfoot/v1/round", &[round]], &mut key);
        key
    }
}

impl Deals for SeededDeals {
    fn deal(&self, round: u8) -> Deal {
        let rules = &self.rules;
        // A round that the match does not have is never asked for; the last double stands in for it.
        let starting_double = rules.starting_double(round).unwrap_or(0);
        let key = Hkdf::<Sha256>::from_prk(&self.round_key(round)).ok();
        let mut tiles = Vec::with_capacity(set_size(rules.max_pip()));
        Tile::set(rules.max_pip()).for_each(|tile| tiles.push(tile));
        let starter = match rules.starter() {
            Starter::Lot => {
                let mut stream = Stream::new(key.as_ref(), b"chickenfoot/v1/start", 1);
                let drawn = stream.below(set_size(rules.max_pip()) as u32);
                tiles.retain(|tile| *tile != Tile::of(starting_double, starting_double));
                let first = u32::from(round.saturating_sub(1));
                Some(Seat::of(((first + drawn) % u32::from(rules.players())) as u8))
            }
            Starter::Holder => None,
        };
        let mut stream = Stream::new(key.as_ref(), b"chickenfoot/v1/deal", tiles.len() - 1);
        for i in (1..tiles.len()).rev() {
            let j = stream.below(i as u32 + 1) as usize;
            tiles.swap(i, j);
        }
        let boneyard = tiles.split_off(usize::from(rules.players()) * usize::from(rules.hand_size()));
        let hands = tiles.chunks(usize::from(rules.hand_size())).map(<[Tile]>::to_vec).collect();
        Deal { starting_double, starter, hands, boneyard }
    }
}

impl fmt::Debug for SeededDeals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SeededDeals").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// A stream of 32-bit numbers with a label: HKDF-Expand(K_r, L || u8(b), 1024) for b = 0, 1, ..., as big-endian words.
struct Stream<'a> {
    key: Option<&'a Hkdf<Sha256>>,
    label: &'static [u8],
    block: u8,
    bytes: [u8; BLOCK],
    /// How many bytes of the block are computed and how many are used up.
    ready: usize,
    used: usize,
}

/// Bytes of one expansion.
const BLOCK: usize = 1024;

/// Bytes of one hash, which an expansion is made of.
const HASH: usize = 32;

impl<'a> Stream<'a> {
    /// A stream of which about so many numbers will be used. More of them may be, at a higher cost; a shorter expansion is
    /// a prefix of a longer one.
    fn new(key: Option<&'a Hkdf<Sha256>>, label: &'static [u8], numbers: usize) -> Stream<'a> {
        let mut stream = Stream { key, label, block: 0, bytes: [0; BLOCK], ready: 0, used: 0 };
        stream.fill((numbers * 4).next_multiple_of(HASH).min(BLOCK));
        stream
    }

    fn fill(&mut self, ready: usize) {
        if let Some(key) = self.key {
            expand(key, &[self.label, &[self.block]], &mut self.bytes[..ready]);
        }
        self.ready = ready;
    }

    fn next(&mut self) -> u32 {
        if self.used == self.ready {
            if self.ready == BLOCK {
                self.block = self.block.wrapping_add(1);
                self.used = 0;
            }
            self.fill(BLOCK);
        }
        let word = &self.bytes[self.used..self.used + 4];
        self.used += 4;
        u32::from_be_bytes([word[0], word[1], word[2], word[3]])
    }

    /// A number below `n`, each equally likely: what would make the low ones likelier is rejected.
    fn below(&mut self, n: u32) -> u32 {
        let limit = (1_u64 << 32) / u64::from(n) * u64::from(n);
        loop {
            let x = self.next();
            if u64::from(x) < limit {
                return x % n;
            }
        }
    }
}

fn expand(key: &Hkdf<Sha256>, info: &[&[u8]], out: &mut [u8]) {
    // HKDF refuses only outputs above 255 hashes (8,160 bytes); a block has 1,024.
    debug_assert!(out.len() <= BLOCK);
    let _ = key.expand_multi_info(info, out);
}
