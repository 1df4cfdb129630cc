use std::hint::black_box;

use chickenfoot_rules::{
    Choice, Contributor, Entropy, ForcedMoves, Match, MatchSetup, MatchStart, Move, Preset, Round,
    RuleOptions, Seat, Seed, Terms, Tile, TileSet, View,
};
use chickenfoot_strategy::Determiniser;
use rand::rngs::SmallRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::{Effort, Subject};
use crate::{Failure, say};

/// Rounds whose positions are taken.
const ROUNDS: u64 = 64;

/// A position with a move that was made in it.
type Position = (Round<1>, Move);

/// What each step of a round costs, beside a whole move of random play: options, choice and application.
///
/// How many whole rounds a second there are, for any number of players, is measured beside a naive engine by
/// `cargo bench -p chickenfoot-rules`.
pub(crate) fn rules(effort: &Effort) -> Result<(), Failure> {
    let rules = RuleOptions::new(Preset::Trains, 4).resolve()?;
    let mut rng = SmallRng::seed_from_u64(9);
    let rounds = (0..ROUNDS).map(|_| deal(&rules, &mut rng)).collect::<Result<Vec<_>, _>>()?;
    let positions: Vec<Position> = rounds.iter().flat_map(|round| positions(round, &mut rng)).collect();
    let moves = positions.len() as u64;
    let games = (0..16).map(|number| begun(&rules, number)).collect::<Result<Vec<_>, _>>()?;
    let views: Vec<View<'_>> = games.iter().filter_map(Match::view).collect();
    let mut samplers = views
        .iter()
        .map(|view| Determiniser::<1>::new(view, &mut rng).ok_or("a view of another set"))
        .collect::<Result<Vec<_>, _>>()?;
    let (mut first, mut second, mut third) = (rng.clone(), rng.clone(), rng);
    let table = effort.compare(
        "calls",
        &mut [
            Subject::new("legal options: the set, and how many", || {
                for (round, _) in &positions {
                    black_box(black_box(round).moves().total());
                }
                Ok(moves)
            }),
            Subject::new("legal options: all of them in order", || {
                for (round, _) in &positions {
                    black_box(black_box(round).moves().count());
                }
                Ok(moves)
            }),
            Subject::new("copy", || {
                for (round, _) in &positions {
                    black_box(*black_box(round));
                }
                Ok(moves)
            }),
            Subject::new("copy and apply", || {
                for (round, action) in &positions {
                    let mut round = *black_box(round);
                    round.apply_unchecked(*action);
                    black_box(&round);
                }
                Ok(moves)
            }),
            Subject::new("copy, check and apply", || {
                for (round, action) in &positions {
                    let mut round = *black_box(round);
                    round.apply(*action)?;
                    black_box(&round);
                }
                Ok(moves)
            }),
            Subject::new("view of the seat on turn", || {
                for game in &games {
                    black_box(game.view());
                }
                Ok(games.len() as u64)
            }),
            Subject::new("determinise: prepare for a view", || {
                for view in &views {
                    black_box(Determiniser::<1>::new(view, &mut first));
                }
                Ok(views.len() as u64)
            }),
            Subject::new("determinise: one more sample", || {
                for sampler in &mut samplers {
                    black_box(sampler.sample(&mut second));
                }
                Ok(games.len() as u64)
            }),
            Subject::new("a whole move of random play", || {
                Ok(rounds.iter().map(|round| play(*round, &mut third)).sum())
            }),
        ],
    )?;
    say(&format!("The rules, double-nine, 4 players, one core:\n\n{table}"))
}

fn deal(rules: &chickenfoot_rules::Rules, rng: &mut SmallRng) -> Result<Round<1>, Failure> {
    let hub = Tile::double(rules.max_pip()).ok_or("no such double")?;
    let mut tiles: Vec<Tile> = Tile::set(rules.max_pip()).filter(|tile| *tile != hub).collect();
    tiles.shuffle(rng);
    let (players, size) = (usize::from(rules.players()), usize::from(rules.hand_size()));
    let hands: Vec<TileSet<1>> =
        tiles.chunks(size).take(players).map(|hand| hand.iter().copied().collect()).collect();
    let seat = Seat::new(0).ok_or("no such seat")?;
    Ok(Round::new(Terms::from(rules), rules.max_pip(), seat, &hands, &tiles[players * size..])?)
}

fn positions(round: &Round<1>, rng: &mut SmallRng) -> Vec<Position> {
    let (mut round, mut found) = (*round, Vec::new());
    while let Some(action) = pick(&round, rng) {
        found.push((round, action));
        round.apply_unchecked(action);
    }
    found
}

fn play(mut round: Round<1>, rng: &mut SmallRng) -> u64 {
    let mut moves = 0;
    while let Some(action) = pick(&round, rng) {
        round.apply_unchecked(action);
        moves += 1;
    }
    black_box(&round);
    moves
}

fn pick(round: &Round<1>, rng: &mut SmallRng) -> Option<Move> {
    if round.end().is_some() {
        return None;
    }
    let moves = round.moves();
    match moves.total() {
        1 => moves.pick(0),
        total => moves.pick(rng.random_range(0..total as u32) as usize),
    }
}

/// A match after its first twelve choices.
fn begun(rules: &chickenfoot_rules::Rules, number: u8) -> Result<Match, Failure> {
    let seed = Seed::new([number; 32]);
    let seat = |i: u8| Contributor { name: format!("seat-{i}"), entropy: Entropy::default() };
    let start = MatchStart::new(*rules, "bench", &seed, (0..4).map(seat).collect());
    let mut events = Vec::new();
    let mut game = Match::start(MatchSetup::seeded(start, &seed, ForcedMoves::Automatic), &mut events)?;
    for _ in 0..12 {
        let decision = game.decision().cloned().ok_or("a match of twelve choices")?;
        let choice = decision.moves.clone().next().ok_or("a decision without options")?;
        let entry = game.check(decision.number, decision.seat, Choice::from(choice))?;
        game.commit(entry, &mut events)?;
    }
    Ok(game)
}
