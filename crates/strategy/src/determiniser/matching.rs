use chickenfoot_rules::Tile;
use rand::Rng;

use super::places::Places;
use crate::chance::below;

/// Puts every tile into a place that can have it, in a random way that favours no tile but is not uniform. `None` if
/// that cannot be done.
///
/// A tile that fits no free place displaces others along an augmenting path (Kuhn 1955, with places that hold several).
pub(super) fn assign<const W: usize>(places: &Places<W>, rng: &mut impl Rng) -> Option<Vec<Vec<Tile>>> {
    let Some(needed) = places.needed() else {
        return Search::new(places, None).run(rng);
    };
    // Another seat has one of these tiles: some of them can be in some place, then.
    let mut pins: Vec<(Tile, usize)> = Vec::new();
    for at in (0..places.len()).filter(|at| places.seat(*at).is_some()) {
        pins.extend(places.may(at).and(needed).iter().map(|tile| (tile, at)));
    }
    shuffle(&mut pins, rng);
    pins.into_iter().find_map(|pin| Search::new(places, Some(pin)).run(rng))
}

struct Search<'a, const W: usize> {
    places: &'a Places<W>,
    /// A tile that must be in a certain place.
    pin: Option<(Tile, usize)>,
    contents: Vec<Vec<Tile>>,
    tried: Vec<bool>,
}

impl<'a, const W: usize> Search<'a, W> {
    fn new(places: &'a Places<W>, pin: Option<(Tile, usize)>) -> Search<'a, W> {
        Search { places, pin, contents: vec![Vec::new(); places.len()], tried: Vec::new() }
    }

    fn run(mut self, rng: &mut impl Rng) -> Option<Vec<Vec<Tile>>> {
        let mut tiles: Vec<Tile> = self.places.tiles().iter().collect();
        shuffle(&mut tiles, rng);
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        for tile in tiles {
            shuffle(&mut order, rng);
            self.tried = vec![false; self.places.len()];
            if !self.put(tile, &order) {
                return None;
            }
        }
        Some(self.contents)
    }

    fn may(&self, at: usize, tile: Tile) -> bool {
        self.places.may(at).contains(tile)
            && self.pin.is_none_or(|(pinned, there)| pinned != tile || at == there)
    }

    /// Puts a tile into a place, displacing others if need be. Changes nothing if that cannot be done.
    fn put(&mut self, tile: Tile, order: &[usize]) -> bool {
        for at in order.iter().copied() {
            if self.tried[at] || !self.may(at, tile) {
                continue;
            }
            self.tried[at] = true;
            if self.contents[at].len() < self.places.size(at) {
                self.contents[at].push(tile);
                return true;
            }
            for i in 0..self.contents[at].len() {
                if self.put(self.contents[at][i], order) {
                    self.contents[at][i] = tile;
                    return true;
                }
            }
        }
        false
    }
}

fn shuffle<T>(items: &mut [T], rng: &mut impl Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, below(i as u32 + 1, rng) as usize);
    }
}
