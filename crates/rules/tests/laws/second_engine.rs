//! Agreement with the naive engine, which shares nothing with the real one but the rules.

use std::cell::Cell;

use chickenfoot_rules::{DrawnTile, End, Move, Round, Seat, Tile, TileSet};

use crate::oracle::naive;
use crate::play::{Position, choose, for_all, rounds, small_rounds};

#[test]
fn random_rounds_agree_step_for_step() {
    for_all(80, rounds(), |position| {
        along_one_line::<3>(&position);
        if position.is_narrow() {
            along_one_line::<1>(&position);
        }
    });
}

#[test]
fn small_rounds_agree_step_for_step() {
    for_all(300, small_rounds(), |position| along_one_line::<1>(&position));
}

fn along_one_line<const W: usize>(position: &Position) {
    let mut rng = position.rng();
    let mut round = position.round::<W>();
    let Some(mut table) = naive(position) else {
        return;
    };
    loop {
        agree(&round, &table);
        let Some(action) = choose(&round, &mut rng) else {
            return;
        };
        round.apply(action).unwrap();
        table.apply(&naively(action));
    }
}

/// Nodes of one tree that are visited at most.
const BUDGET: u32 = 4_000;

#[test]
fn whole_trees_of_small_sets_agree_node_for_node() {
    let whole = Cell::new(0);
    for_all(60, small_rounds(), |position| {
        let Some(table) = naive(&position) else {
            return;
        };
        let mut budget = BUDGET;
        below(&position.round::<1>(), &table, &mut budget);
        whole.set(whole.get() + u32::from(budget > 0));
    });
    assert!(whole.get() >= 30, "only {} trees were walked to the end", whole.get());
}

fn below(round: &Round<1>, table: &naive::Table, budget: &mut u32) {
    agree(round, table);
    for action in round.moves() {
        *budget = budget.saturating_sub(1);
        if *budget == 0 {
            return;
        }
        let (mut round, mut table) = (*round, table.clone());
        round.apply(action).unwrap();
        table.apply(&naively(action));
        below(&round, &table, budget);
    }
}

/// Everything that both engines can be asked.
fn agree<const W: usize>(round: &Round<W>, table: &naive::Table) {
    let end = round.end().map(|end| match end {
        End::Out(seat) => naive::End::Out(seat.index()),
        End::Blocked => naive::End::Blocked,
    });
    assert_eq!(end, table.end());
    let options: Vec<naive::Move> = round.moves().map(naively).collect();
    assert_eq!(options, table.options());

    let pair = |tile: Tile| (tile.low(), tile.high());
    assert!(round.boneyard().map(pair).eq(table.boneyard.iter().copied()));
    for (seat, (theirs, points)) in
        Seat::all(round.terms().players).zip(table.hands.iter().zip(table.scores()))
    {
        let theirs: TileSet<W> = theirs.iter().map(|(a, b)| Tile::new(*a, *b).unwrap()).collect();
        assert_eq!(round.hand(seat), theirs, "{seat}'s hand");
        assert_eq!(u32::from(round.hand_score(seat)), points, "{seat}'s points");
    }
    if end.is_some() {
        // Whose turn it would be and what a last tile would have opened mean nothing any more.
        return;
    }
    assert_eq!(round.turn().index(), table.seat);
    assert_eq!(round.foot().map(|foot| (foot.number, foot.missing)), table.foot);
    assert_eq!(usize::from(round.arms_left()), table.arms_left);
    for (number, count) in round.ends().iter().enumerate() {
        let theirs = table.open.iter().filter(|open| usize::from(**open) == number);
        assert_eq!(usize::from(*count), theirs.count(), "ends that show {number}");
    }
    // The naive engine also remembers a drawn tile that does not fit.
    if round.drawn().is_some() {
        assert_eq!(round.drawn().map(pair), table.drawn);
    }
}

/// The position for the naive engine, which knows no hand that was empty from the start.
fn naive(position: &Position) -> Option<naive::Table> {
    if position.hands.iter().any(Vec::is_empty) {
        return None;
    }
    let terms = &position.terms;
    let rules = naive::Rules {
        max_pip: terms.max_pip,
        players: terms.players.into(),
        opening_arms: terms.opening_arms.into(),
        reserve: terms.reserve.into(),
        may_play: terms.drawn_tile == DrawnTile::MayPlay,
        double_blank: terms.double_blank.into(),
        toes: terms.toes,
    };
    let pairs = |tiles: &[Tile]| tiles.iter().map(|tile| (tile.low(), tile.high())).collect();
    let hands = position.hands.iter().map(|hand| pairs(hand)).collect();
    let boneyard = pairs(&position.boneyard);
    Some(naive::Table::new(rules, position.hub, position.first.index(), hands, boneyard))
}

fn naively(action: Move) -> naive::Move {
    match action {
        Move::Play { tile, end } => naive::Move::Play { tile: (tile.low(), tile.high()), end },
        Move::Draw => naive::Move::Draw,
        Move::Pass => naive::Move::Pass,
        Move::Keep => naive::Move::Keep,
    }
}
