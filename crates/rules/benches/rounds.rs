//! How many random rounds one core plays in a second: shuffle, deal, every turn and the scores included.
//!
//! `cargo bench` measures for some seconds. With `--quick`, or when run by anything else than `cargo bench`, each
//! table is played only long enough to see that it works.
#![allow(clippy::print_stdout, clippy::unwrap_used, missing_docs)]

#[path = "../tests/oracle/mod.rs"]
#[expect(dead_code, reason = "the tests use the rest")]
mod oracle;

use std::hint::black_box;
use std::time::{Duration, Instant};

use chickenfoot_rules::{DrawnTile, Preset, Round, RuleOptions, Rules, Seat, Terms, Tile, TileSet};
use oracle::naive;
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let given = |flag: &str| args.iter().any(|arg| arg == flag);
    let effort = if given("--bench") && !given("--quick") && !given("--test") {
        Effort { runs: 7, run: Duration::from_millis(250) }
    } else {
        Effort { runs: 3, run: Duration::from_millis(5) }
    };
    println!(
        "size of a round: {} bytes up to double-nine, {} for any set",
        size_of::<Round<1>>(),
        size_of::<Round>()
    );
    println!();
    println!("{:<32} {:>10} {:>23} {:>12}", "one core, random play", "rounds/s", "range", "turns/s");
    let trains = |players| RuleOptions::new(Preset::Trains, players).resolve().unwrap();
    effort.report("trains, double-9, 2 players", || engine::<1>(trains(2)));
    let four = effort.report("trains, double-9, 4 players", || engine::<1>(trains(4)));
    effort.report("trains, double-9, 8 players", || engine::<1>(trains(8)));
    let classic = RuleOptions { max_pip: Some(18), ..RuleOptions::new(Preset::Classic, 4) };
    effort.report("classic, double-18, 4 players", || engine::<3>(classic.resolve().unwrap()));
    let naive = effort.report("naive engine, as the second line", || naive_engine(trains(4)));
    println!();
    println!("the engine plays {:.0} rounds while the naive one plays one", four / naive);
}

/// How long to measure.
struct Effort {
    runs: usize,
    run: Duration,
}

impl Effort {
    /// Prints the median speed and the range over all runs. Returns the median, in rounds a second.
    fn report<P: FnMut() -> u32>(&self, name: &str, player: impl Fn() -> P) -> f64 {
        let mut speeds: Vec<(f64, f64)> = (0..self.runs).map(|_| self.measure(player())).collect();
        speeds.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (rounds, turns) = speeds[speeds.len() / 2];
        let (slowest, fastest) = (speeds[0].0, speeds[speeds.len() - 1].0);
        println!("{name:<32} {rounds:>10.0} {slowest:>10.0} to {fastest:>9.0} {turns:>12.0}");
        rounds
    }

    /// Rounds and turns a second in one run. The clock is read once a hundred rounds: it costs too.
    fn measure(&self, mut round: impl FnMut() -> u32) -> (f64, f64) {
        let (mut rounds, mut turns) = (0, 0);
        let start = Instant::now();
        loop {
            for _ in 0..100 {
                turns += u64::from(round());
            }
            rounds += 100;
            let seconds = start.elapsed().as_secs_f64();
            if seconds >= self.run.as_secs_f64() {
                return (f64::from(rounds) / seconds, turns as f64 / seconds);
            }
        }
    }
}

/// The same rounds in every run and on every machine.
fn rng() -> SmallRng {
    SmallRng::seed_from_u64(9)
}

/// A player of random rounds that returns how many turns the last one had.
fn engine<const W: usize>(rules: Rules) -> impl FnMut() -> u32 {
    let terms = Terms::from(&rules);
    let (players, hand) = (usize::from(rules.players()), usize::from(rules.hand_size()));
    let mut rng = rng();
    let mut tiles: Vec<Tile> = Tile::set(rules.max_pip()).collect();
    let mut hub = rules.max_pip();
    move || {
        // The starting double goes down by one each round, as in a match.
        hub = hub.checked_sub(1).unwrap_or(terms.max_pip);
        tiles.shuffle(&mut rng);
        let at = tiles.iter().position(|tile| *tile == Tile::double(hub).unwrap()).unwrap();
        tiles.swap(0, at);
        let mut hands = [TileSet::<W>::EMPTY; 16];
        for (set, dealt) in hands.iter_mut().zip(tiles[1..].chunks(hand)).take(players) {
            *set = dealt.iter().copied().collect();
        }
        let first = Seat::new(rng.random_range(0..terms.players)).unwrap();
        let boneyard = &tiles[1 + players * hand..];
        let mut round = Round::new(terms, hub, first, &hands[..players], boneyard).unwrap();
        let mut turns = 0;
        while round.end().is_none() {
            let moves = round.moves();
            let n = match moves.total() {
                1 => 0,
                total => rng.random_range(0..total as u32) as usize,
            };
            let seat = round.turn();
            round.apply_unchecked(moves.pick(n).unwrap());
            turns += u32::from(round.turn() != seat);
        }
        for seat in Seat::all(terms.players) {
            black_box(round.hand_score(seat));
        }
        turns
    }
}

/// As [`engine`], with the engine that the tests check this one against.
fn naive_engine(rules: Rules) -> impl FnMut() -> u32 {
    let terms = naive::Rules {
        max_pip: rules.max_pip(),
        players: rules.players().into(),
        opening_arms: rules.opening_arms().into(),
        reserve: rules.reserve().into(),
        may_play: rules.drawn_tile() == DrawnTile::MayPlay,
        double_blank: rules.double_blank().into(),
        toes: 3,
    };
    let (players, hand) = (terms.players, usize::from(rules.hand_size()));
    let mut rng = rng();
    let mut hub = rules.max_pip();
    move || {
        hub = hub.checked_sub(1).unwrap_or(terms.max_pip);
        let mut tiles = naive::whole_set(terms.max_pip);
        tiles.retain(|tile| *tile != (hub, hub));
        tiles.shuffle(&mut rng);
        let hands = tiles.chunks(hand).take(players).map(<[_]>::to_vec).collect();
        let first = rng.random_range(0..players);
        let boneyard = tiles[players * hand..].to_vec();
        let mut table = naive::Table::new(terms.clone(), hub, first, hands, boneyard);
        let mut turns = 0;
        while table.end().is_none() {
            let seat = table.seat;
            table.apply(table.options().choose(&mut rng).unwrap());
            turns += u32::from(table.seat != seat);
        }
        black_box(table.scores());
        turns
    }
}
