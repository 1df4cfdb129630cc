use chickenfoot_rules::{Hex32, Seat, Seed};
use sha2::{Digest, Sha256};

/// The seed of one seat's player in one match.
///
/// It is SHA-256(lp("chickenfoot/v1/strategy") || lp(bot_seed) || lp(commitment) || lp(seat)), where lp(x) is the
/// length of x as 4 bytes, big-endian, and then x; `bot_seed` is 8 bytes, big-endian, `commitment` 32 bytes, `seat`
/// one byte. All of it is known to whoever plays the seat, in the service's process or over the network, and nothing
/// of it depends on what was played before: so a bot plays a match the same wherever and in whatever order.
pub fn seat_seed(bot_seed: u64, commitment: &Hex32, seat: Seat) -> [u8; 32] {
    let mut hash = Sha256::new();
    lp(&mut hash, b"chickenfoot/v1/strategy");
    lp(&mut hash, &bot_seed.to_be_bytes());
    lp(&mut hash, &commitment.0);
    lp(&mut hash, &[seat.number()]);
    hash.finalize().into()
}

/// The seed of a player of the house on one seat of a match whose deals follow from `seed`, bound to `deal_id`.
///
/// It is [`seat_seed`] with the first 8 bytes of SHA-256("chickenfoot/v1/house" || seed), big-endian, as its bot's seed:
/// taken from the secret, so that nobody can foresee what a player of the house draws by lot.
pub fn house_seed(seed: &Seed, deal_id: &str, seat: Seat) -> [u8; 32] {
    let mut hash = Sha256::new();
    hash.update(b"chickenfoot/v1/house");
    hash.update(seed.reveal());
    let secret: [u8; 32] = hash.finalize().into();
    let bot_seed = secret[..8].iter().fold(0, |number, byte| number << 8 | u64::from(*byte));
    seat_seed(bot_seed, &seed.commitment(deal_id), seat)
}

fn lp(hash: &mut Sha256, x: &[u8]) {
    hash.update((x.len() as u32).to_be_bytes());
    hash.update(x);
}
