use chickenfoot_rules::{MAX_PIP, Tile, TileSet};

/// How many tiles of a set bear each number.
pub(crate) type Counts = [u8; MAX_PIP as usize + 1];

pub(crate) fn counts<const W: usize>(tiles: TileSet<W>) -> Counts {
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
pub(crate) fn points(tile: Tile, double_blank: u8) -> u8 {
    if tile.high() == 0 { double_blank } else { tile.pips() }
}

pub(crate) fn without<const W: usize>(mut tiles: TileSet<W>, tile: Tile) -> TileSet<W> {
    tiles.remove(tile);
    tiles
}
