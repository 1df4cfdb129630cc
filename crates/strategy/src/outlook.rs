use chickenfoot_rules::{Move, Round, Seat, Tile, TileSet};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::chance::below;
use crate::mind::Mind;
use crate::playout::Playout;

/// What a round can be expected to come to, for one who sees all hands and knows what is left in the boneyard, but not
/// its order: the mean of rounds that `dead-foot` plays to the end for every seat, with the boneyard shuffled anew for
/// each.
///
/// It is a fixed measure of positions, made to tell luck from play, and no estimate of what anybody could know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outlook {
    /// How many rounds are played, from 1.
    pub shuffles: u32,
    /// The seed of the shuffles.
    pub seed: [u8; 32],
}

/// What a draw brought each seat: by how much its expected margin is more with the tile that was drawn than in the mean
/// over all tiles that might have been.
#[derive(Clone, Debug, PartialEq)]
pub struct Luck {
    /// By seat, in pips of margin.
    pub by_seat: Vec<f64>,
}

impl Outlook {
    /// The expected margin of each seat, in pips: the mean of the others' points in the round less its own. They add up
    /// to 0. `at` tells apart the positions that are looked at with one seed.
    pub fn margins<const W: usize>(&self, round: &Round<W>, at: u64) -> Vec<f64> {
        let mut shuffles = Shuffles::new(self, round, at);
        let mut sums = vec![0; shuffles.players()];
        for _ in 0..self.shuffles.max(1) {
            shuffles.next();
            shuffles.play(None, &mut sums);
        }
        self.means(&sums, 1)
    }

    /// The luck of the draw that the seat on turn is about to make; `None` if it makes none, or the boneyard is empty.
    ///
    /// Every tile of the boneyard is equally likely, the reserve's too, for nobody knows the order. Each is drawn once on
    /// every shuffle of the others, so what they bring adds up to 0 over all of them.
    pub fn draw<const W: usize>(&self, round: &Round<W>, at: u64) -> Option<Luck> {
        if !round.moves().any(|action| action == Move::Draw) {
            return None;
        }
        let drawn = round.boneyard().next()?;
        let tiles: Vec<Tile> = round.boneyard().collect();
        let mut shuffles = Shuffles::new(self, round, at);
        let players = shuffles.players();
        let (mut with_it, mut with_any) = (vec![0; players], vec![0; players]);
        for _ in 0..self.shuffles.max(1) {
            shuffles.next();
            for tile in &tiles {
                let mut sums = vec![0; players];
                shuffles.play(Some(*tile), &mut sums);
                if *tile == drawn {
                    add(&mut with_it, &sums);
                }
                add(&mut with_any, &sums);
            }
        }
        let mean = self.means(&with_any, tiles.len());
        let by_seat = self.means(&with_it, 1).into_iter().zip(mean).map(|(it, any)| it - any).collect();
        Some(Luck { by_seat })
    }

    /// Margins from the sums of rewards, of which each shuffle has so many.
    fn means(&self, sums: &[i64], each: usize) -> Vec<f64> {
        let rounds = f64::from(self.shuffles.max(1)) * each as f64;
        let others = sums.len() as f64 - 1.0;
        sums.iter().map(|sum| *sum as f64 / (rounds * others)).collect()
    }
}

fn add(sums: &mut [i64], more: &[i64]) {
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// A round with its boneyard in one order after the other.
struct Shuffles<const W: usize> {
    round: Round<W>,
    hands: Vec<TileSet<W>>,
    boneyard: Vec<Tile>,
    rng: ChaCha8Rng,
}

impl<const W: usize> Shuffles<W> {
    fn new(outlook: &Outlook, round: &Round<W>, at: u64) -> Shuffles<W> {
        let mut rng = ChaCha8Rng::from_seed(outlook.seed);
        rng.set_stream(at);
        let hands = Seat::all(round.terms().players).map(|seat| round.hand(seat)).collect();
        Shuffles { round: *round, hands, boneyard: round.boneyard().collect(), rng }
    }

    fn players(&self) -> usize {
        self.hands.len()
    }

    fn next(&mut self) {
        for i in (1..self.boneyard.len()).rev() {
            let j = below(i as u32 + 1, &mut self.rng) as usize;
            self.boneyard.swap(i, j);
        }
    }

    /// Plays to the end, after this tile was drawn if there is one, and adds what each seat has of it.
    fn play(&self, drawn: Option<Tile>, sums: &mut [i64]) {
        let mut boneyard = self.boneyard.clone();
        if let Some(at) = drawn.and_then(|drawn| boneyard.iter().position(|tile| *tile == drawn)) {
            boneyard.swap(0, at);
        }
        let mut round = self.round;
        // The tiles are those that were there.
        if round.redeal(&self.hands, &boneyard).is_err() {
            return;
        }
        if drawn.is_some() {
            round.apply_unchecked(Move::Draw);
        }
        let mut playout = Playout::new(&round, Mind::DeadFoot);
        playout.finish();
        for (sum, reward) in sums.iter_mut().zip(playout.rewards()) {
            *sum += i64::from(reward);
        }
    }
}
