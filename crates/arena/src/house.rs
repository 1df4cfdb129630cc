use std::sync::Arc;

use chickenfoot_rules::Seat;
use chickenfoot_store::{MatchRow, Occupant};
use chickenfoot_strategy::{Strategy, house_seed};

use crate::shared::Shared;

/// Makes a player of the house from the name of its strategy and a seed; `None` for an unknown name.
pub type House = Arc<dyn Fn(&str, [u8; 32]) -> Option<Box<dyn Strategy>> + Send + Sync>;

/// The players of the house at a table, by seat.
pub(crate) fn players(shared: &Shared, row: &MatchRow) -> Vec<Option<Box<dyn Strategy>>> {
    Seat::all(row.rules.players())
        .zip(&row.seats)
        .map(|(seat, of_seat)| match &of_seat.occupant {
            Some(Occupant::House(name)) => (shared.house)(name, house_seed(&row.seed, &row.deal_id, seat)),
            Some(Occupant::Agent(_)) | None => None,
        })
        .collect()
}
