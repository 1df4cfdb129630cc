use std::sync::Arc;

use chickenfoot_rules::Seat;
use chickenfoot_store::{MatchRow, Occupant};
use chickenfoot_strategy::{Strategy, seat_seed};
use sha2::{Digest, Sha256};

use crate::shared::Shared;

/// Makes a player of the house from the name of its strategy and a seed; `None` for an unknown name.
pub type House = Arc<dyn Fn(&str, [u8; 32]) -> Option<Box<dyn Strategy>> + Send + Sync>;

/// The players of the house at a table, by seat.
pub(crate) fn players(shared: &Shared, row: &MatchRow) -> Vec<Option<Box<dyn Strategy>>> {
    let commitment = row.seed.commitment(&row.deal_id);
    // Taken from the secret seed, so that nobody can foresee what a player of the house draws by lot.
    let secret: [u8; 32] =
        Sha256::digest([b"chickenfoot/v1/house", row.seed.reveal().as_slice()].concat()).into();
    let secret = u64::from_be_bytes(secret[..8].try_into().unwrap_or_default());
    Seat::all(row.rules.players())
        .zip(&row.seats)
        .map(|(seat, row)| match &row.occupant {
            Some(Occupant::House(name)) => (shared.house)(name, seat_seed(secret, &commitment, seat)),
            Some(Occupant::Agent(_)) | None => None,
        })
        .collect()
}
