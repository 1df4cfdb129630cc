use chickenfoot_rules::{DrawnTile, Round, Seat, Starter, Terms, Tile, TileSet, set_size};
use proptest::arbitrary::any;
use proptest::sample::select;
use proptest::strategy::Strategy;
use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;

use super::{rng, rules};

/// A round after the starting double was laid, in a form that every engine can start from.
#[derive(Clone, Debug)]
pub struct Position {
    pub terms: Terms,
    pub hub: u8,
    pub first: Seat,
    pub hands: Vec<Vec<Tile>>,
    pub boneyard: Vec<Tile>,
    /// For the choices of whoever plays on from here.
    pub seed: u64,
}

/// Rounds by any rules.
pub fn rounds() -> impl Strategy<Value = Position> {
    (rules(), any::<u64>()).prop_map(|(rules, seed)| {
        let holder = rules.starter() == Starter::Holder;
        Position::random(Terms::from(&rules), rules.hand_size(), holder, seed)
    })
}

/// Rounds with the smallest sets, double-2 to double-4, and one to three toes to a foot.
pub fn small_rounds() -> impl Strategy<Value = Position> {
    let rule = select(vec![DrawnTile::MustPlay, DrawnTile::MayPlay]);
    let terms = (2..=4_u8, 2..=4_u8, 1..=4_u8, 1..=3_u8, 0..=2_u8, rule);
    (terms, any::<u64>()).prop_map(|(terms, seed)| {
        let (max_pip, players, opening_arms, toes, reserve, drawn_tile) = terms;
        let terms = Terms {
            max_pip,
            players,
            opening_arms,
            toes,
            reserve,
            drawn_tile,
            double_blank: if seed % 2 == 0 { 50 } else { 0 },
        };
        let most = (set_size(max_pip) as u8 - 1) / players;
        Position::random(terms, rng(seed).random_range(1..=most), false, seed)
    })
}

impl Position {
    /// A random deal of hands of this size; where the starting double came from a hand, one has a tile less.
    pub fn random(terms: Terms, hand_size: u8, from_a_hand: bool, seed: u64) -> Position {
        let mut rng = rng(seed);
        let hub = rng.random_range(0..=terms.max_pip);
        let mut first = rng.random_range(0..terms.players);
        let mut boneyard: Vec<Tile> =
            Tile::set(terms.max_pip).filter(|tile| *tile != Tile::double(hub).unwrap()).collect();
        boneyard.shuffle(&mut rng);
        let layer = from_a_hand.then_some(first);
        let hands = (0..terms.players)
            .map(|seat| {
                let size = hand_size - u8::from(layer == Some(seat));
                boneyard.drain(..usize::from(size)).collect()
            })
            .collect();
        if from_a_hand {
            first = (first + 1) % terms.players;
        }
        Position { terms, hub, first: Seat::new(first).unwrap(), hands, boneyard, seed }
    }

    pub fn round<const W: usize>(&self) -> Round<W> {
        let hands: Vec<TileSet<W>> = self.hands.iter().map(|hand| hand.iter().copied().collect()).collect();
        Round::new(self.terms, self.hub, self.first, &hands, &self.boneyard).unwrap()
    }

    pub fn rng(&self) -> SmallRng {
        rng(!self.seed)
    }

    /// Whether the set fits the narrow round.
    pub fn is_narrow(&self) -> bool {
        set_size(self.terms.max_pip) <= TileSet::<1>::CAPACITY
    }

    pub fn set_size(&self) -> usize {
        set_size(self.terms.max_pip)
    }
}
