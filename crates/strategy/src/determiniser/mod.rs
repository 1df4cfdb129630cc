//! Deals that a view allows: what may lie in the other hands and in the boneyard.

mod matching;
mod places;

use chickenfoot_rules::{MAX_SEATS, Round, Seat, Tile, TileSet, View};
use rand::Rng;

use crate::chance::below;
use places::{Origin, Places};

/// Samples deals that agree with everything a seat knows, each as likely as any other.
///
/// A *deal* says which tiles each seat was dealt and in which order the boneyard lay. It agrees with a view if the
/// viewer's hand is what it is, and if playing the history from it is legal: who played a tile had it, and who drew or
/// passed had none that fitted at that time. The samples say where the hidden tiles are now, so a position to which
/// more deals lead comes more often.
///
/// The tiles go into *places*: what a seat was dealt, each tile that it drew and kept, and what is left of the
/// boneyard. Which tiles a place can have follows from the history. A first assignment is found by augmenting paths,
/// as in any bipartite matching, so there is one whenever there is a deal at all. From there a Markov chain goes from
/// sample to sample: it exchanges the tiles of two random places, or moves those of several round in a circle, where
/// that is allowed. A step and its reverse are proposed alike, so that all assignments are equally likely in the long
/// run; and since any two assignments differ by such circles, each is reached from each. Samples that follow one
/// another are not independent.
#[derive(Clone, Debug)]
pub struct Determiniser<const W: usize> {
    places: Places<W>,
    /// The place of each slot, and the tile in it. The viewer's own slots come last, from `hidden` on.
    slots: Vec<u8>,
    tiles: Vec<Tile>,
    hidden: usize,
    /// The tiles in hands now, by seat.
    hands: [TileSet<W>; MAX_SEATS],
    /// The first slot of what is left of the boneyard, and how many there are.
    yard: std::ops::Range<usize>,
    round: Round<W>,
}

/// Where the tiles of a round lay before the first turn, the starting double already laid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FullDeal<const W: usize> {
    /// The hands by seat.
    pub hands: Vec<TileSet<W>>,
    /// The boneyard in drawing order. A starting double that was drawn is not part of it.
    pub boneyard: Vec<Tile>,
}

/// So often another assignment is looked for, where not all will do, before the last one is taken again.
const TRIES: usize = 256;

/// Of so many steps one moves more than two tiles.
const CIRCLE: usize = 8;

impl<const W: usize> Determiniser<W> {
    /// A sampler for what the view's seat cannot see.
    ///
    /// `None` if the set is too large for `W` words, or if the view contradicts itself about how many tiles there are.
    /// A view whose history no deal explains (no match makes one, but a careless peer may) is sampled as if it proved
    /// less.
    pub fn new(view: &View<'_>, rng: &mut impl Rng) -> Option<Determiniser<W>> {
        let mut places = Places::of(view)?;
        let assigned = match matching::assign(&places, rng) {
            Some(assigned) => assigned,
            None => {
                places = places.unproved(view);
                matching::assign(&places, rng)?
            }
        };
        let own = |at: usize| places.seat(at) == Some(view.seat);
        let order: Vec<usize> =
            (0..places.len()).filter(|at| !own(*at)).chain((0..places.len()).filter(|at| own(*at))).collect();
        let hidden = (0..places.len()).filter(|at| !own(*at)).map(|at| places.size(at)).sum();
        let (mut slots, mut tiles, mut yard) = (Vec::new(), Vec::new(), 0..0);
        for at in order {
            let first = slots.len();
            slots.extend(std::iter::repeat_n(at as u8, places.size(at)));
            tiles.extend_from_slice(&assigned[at]);
            if places.seat(at).is_none() {
                yard = first..slots.len();
            }
        }
        let mut hands = [TileSet::EMPTY; MAX_SEATS];
        for (slot, tile) in slots.iter().zip(&tiles) {
            if let Some(seat) = places.seat(usize::from(*slot))
                && !places.laid().contains(*tile)
            {
                hands[seat.index()].insert(*tile);
            }
        }
        let players = usize::from(view.rules.players());
        let round = view.round(&hands[..players], &tiles[yard.clone()]).ok()?;
        let mut sampler = Determiniser { places, slots, tiles, hidden, hands, yard, round };
        sampler.advance(16 * hidden, rng);
        Some(sampler)
    }

    /// The round as it stands if the hidden tiles lie as in the next sample.
    pub fn sample(&mut self, rng: &mut impl Rng) -> &Round<W> {
        // Enough for most of the tiles to have moved.
        self.advance(2 * self.hidden, rng);
        let players = usize::from(self.round.terms().players);
        let same = self.round.redeal(&self.hands[..players], &self.tiles[self.yard.clone()]);
        debug_assert_eq!(same, Ok(()), "exchanges leave every place as large as it was");
        &self.round
    }

    /// A deal that led to the last sample: each one that did is as likely as any other.
    pub fn deal(&mut self, rng: &mut impl Rng) -> FullDeal<W> {
        // What the viewer itself drew and when does not matter for what is hidden from it, and so waits until here.
        let own = self.hidden..self.slots.len();
        for _ in 0..16 * own.len() {
            self.exchange(own.clone(), rng);
        }
        let mut hands = vec![TileSet::EMPTY; usize::from(self.round.terms().players)];
        for (seat, tile) in self.places.dealt() {
            hands[seat.index()].insert(*tile);
        }
        let mut boneyard: Vec<Tile> = Vec::new();
        let in_place = |at: usize| {
            let slots = self.slots.iter().zip(&self.tiles);
            slots.filter(move |(slot, _)| usize::from(**slot) == at).map(|(_, tile)| *tile)
        };
        for origin in self.places.drawn() {
            match origin {
                Origin::Known(tile) => boneyard.push(*tile),
                Origin::Place(at) => boneyard.extend(in_place(*at)),
            }
        }
        for at in 0..self.places.len() {
            match self.places.seat(at) {
                Some(seat) if self.places.is_dealt(at) => {
                    in_place(at).for_each(|tile| hands[seat.index()].insert(tile))
                }
                Some(_) => {}
                None => boneyard.extend(in_place(at)),
            }
        }
        FullDeal { hands, boneyard }
    }

    /// Goes on to another assignment.
    fn advance(&mut self, steps: usize, rng: &mut impl Rng) {
        let Some(needed) = self.places.needed() else {
            return self.mix(steps, rng);
        };
        // Nobody has a choice in such a position but for the others later, so this need not be fast. What nobody could
        // play on would have ended the round: such assignments are passed over.
        let before = (self.tiles.clone(), self.hands);
        for _ in 0..TRIES {
            self.mix(steps, rng);
            if self.hands.iter().any(|hand| hand.intersects(needed)) {
                return;
            }
        }
        (self.tiles, self.hands) = before;
    }

    fn mix(&mut self, steps: usize, rng: &mut impl Rng) {
        for step in 1..=steps {
            if step % CIRCLE == 0 {
                self.circle(rng);
            } else {
                self.exchange(0..self.hidden, rng);
            }
        }
    }

    /// Exchanges the tiles of two random slots, if both places can have the other's.
    #[inline]
    fn exchange(&mut self, among: std::ops::Range<usize>, rng: &mut impl Rng) {
        let (start, many) = (among.start, among.len() as u32);
        let a = start + below(many, rng) as usize;
        let b = start + below(many, rng) as usize;
        let (at_a, at_b) = (usize::from(self.slots[a]), usize::from(self.slots[b]));
        if self.places.may(at_a).contains(self.tiles[b]) && self.places.may(at_b).contains(self.tiles[a]) {
            self.tiles.swap(a, b);
            self.moved(self.tiles[a], at_b, at_a);
            self.moved(self.tiles[b], at_a, at_b);
        }
    }

    /// Moves the tiles of three or more random slots round in a circle, if each place can have what comes to it.
    fn circle(&mut self, rng: &mut impl Rng) {
        if self.hidden < 3 {
            return;
        }
        let mut size = 3;
        while size < self.hidden && below(2, rng) == 0 {
            size += 1;
        }
        let mut circle = [0_u8; 256];
        for i in 0..size {
            let slot = below(self.hidden as u32, rng) as u8;
            if circle[..i].contains(&slot) {
                return;
            }
            circle[i] = slot;
        }
        let circle = &circle[..size];
        let next = |i: usize| usize::from(circle[(i + 1) % size]);
        let fits = |i: usize| {
            let at = usize::from(self.slots[next(i)]);
            self.places.may(at).contains(self.tiles[usize::from(circle[i])])
        };
        if !(0..size).all(fits) {
            return;
        }
        let mut carried = self.tiles[usize::from(circle[size - 1])];
        let mut from = self.slots[usize::from(circle[size - 1])];
        for slot in circle.iter().map(|slot| usize::from(*slot)) {
            let to = self.slots[slot];
            self.moved(carried, usize::from(from), usize::from(to));
            carried = std::mem::replace(&mut self.tiles[slot], carried);
            from = to;
        }
    }

    /// Keeps the hands true after a tile went from one place to another.
    #[inline]
    fn moved(&mut self, tile: Tile, from: usize, to: usize) {
        let (from, to) = (self.places.seat(from), self.places.seat(to));
        if from == to {
            return;
        }
        // A tile that was laid stays in its seat's places, so it is a hidden one that moves.
        if let Some(seat) = from {
            self.hands[seat.index()].remove(tile);
        }
        if let Some(seat) = to {
            self.hands[seat.index()].insert(tile);
        }
    }
}

impl<const W: usize> FullDeal<W> {
    /// The hand of a seat; empty for a seat that is not at the table.
    pub fn hand(&self, seat: Seat) -> TileSet<W> {
        self.hands.get(seat.index()).copied().unwrap_or(TileSet::EMPTY)
    }
}
