use chickenfoot_rules::{Hex32, Seat};
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

fn lp(hash: &mut Sha256, x: &[u8]) {
    hash.update((x.len() as u32).to_be_bytes());
    hash.update(x);
}
