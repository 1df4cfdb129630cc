use chickenfoot_rules::{Move, Round};

use crate::search::{Below, best};

/// What a search plays that sees all tiles: a ceiling for those that do not, and no player of the house.
///
/// `round` is the round itself, with a live decision; `rollouts` as for `search`, from 1. `None` once the round is over.
///
/// ```
/// use chickenfoot_rules::*;
/// use chickenfoot_strategy::oracle;
///
/// let terms = Terms::from(&RuleOptions::new(Preset::Trains, 2).resolve()?);
/// let mut tiles: Vec<Tile> = Tile::set(9).filter(|tile| Some(*tile) != Tile::double(9)).collect();
/// let boneyard = tiles.split_off(42);
/// let hands: Vec<TileSet<1>> = tiles.chunks(21).map(|hand| hand.iter().copied().collect()).collect();
/// let round = Round::new(terms, 9, Seat::try_from(0)?, &hands, &boneyard)?;
/// assert!(round.moves().any(|action| Some(action) == oracle(&round, 20)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn oracle<const W: usize>(round: &Round<W>, rollouts: u32) -> Option<Move> {
    let moves: Vec<Move> = round.moves().collect();
    if moves.len() <= 1 {
        return moves.first().copied();
    }
    best(round.turn(), moves, Below::Tree, TRUST, rollouts, &mut || true, || *round)
}

/// What the policy expects counts as much as so many rollouts: few, since there is no luck of the deal in them.
const TRUST: i32 = 16;
