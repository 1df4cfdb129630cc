use chickenfoot_rules::{MAX_PIP, Rules, Tile, Tiles};

/// How many tiles of a set bear each number.
pub(crate) type Counts = [u8; MAX_PIP as usize + 1];

pub(crate) fn counts(tiles: Tiles) -> Counts {
    let mut counts = [0; MAX_PIP as usize + 1];
    for tile in tiles.iter() {
        counts[usize::from(tile.low())] += 1;
        if !tile.is_double() {
            counts[usize::from(tile.high())] += 1;
        }
    }
    counts
}

/// What a tile counts in a hand at the end of a round: its pips, the double blank by its own value.
pub(crate) fn points(tile: Tile, rules: &Rules) -> u8 {
    if tile.high() == 0 { rules.double_blank() } else { tile.pips() }
}

pub(crate) fn without(mut tiles: Tiles, tile: Tile) -> Tiles {
    tiles.remove(tile);
    tiles
}
