//! The public history, played from a full deal.

use chickenfoot_rules::{Act, Move, Round, Seat, Starter, Step, Terms, TileSet, View};
use chickenfoot_strategy::FullDeal;

/// The round that the history leads to from a deal. Panics where a step is not legal, or not forced that should be.
pub fn replay<const W: usize>(view: &View<'_>, deal: &FullDeal<W>) -> Round<W> {
    let mut round = first_turn(view, deal);
    let start = view.history.iter().position(|step| step.act == Act::Start).unwrap();
    for step in &view.history[start + 1..] {
        assert_eq!(round.turn(), step.seat);
        let legal: Vec<Move> = round.moves().collect();
        let action = match step.act {
            Act::Start => panic!("a second start"),
            Act::Play { tile, end, .. } => Move::Play { tile, end },
            Act::Draw => {
                assert_eq!(legal, [Move::Draw], "a draw is forced");
                Move::Draw
            }
            Act::Pass if round.drawn().is_some() => Move::Keep,
            Act::Pass => {
                assert_eq!(legal, [Move::Pass], "a pass is forced");
                Move::Pass
            }
        };
        assert!(legal.contains(&action), "{action}");
        round.apply(action).unwrap();
    }
    round
}

/// The round when the starting double has been laid.
fn first_turn<const W: usize>(view: &View<'_>, deal: &FullDeal<W>) -> Round<W> {
    let (mut hands, mut boneyard) = (deal.hands.clone(), deal.boneyard.clone());
    let mut before = view.history.iter().take_while(|step| step.act != Act::Start).peekable();
    let start = view.history.iter().find(|step| step.act == Act::Start).unwrap();
    while let Some(Step { seat, .. }) = before.next() {
        let is_the_double = before.peek().is_none() && *seat == start.seat;
        if !is_the_double {
            hands[seat.index()].insert(boneyard.remove(0));
        }
    }
    let first = match view.rules.starter() {
        Starter::Lot => start.seat,
        Starter::Holder => start.seat.next(view.rules.players()),
    };
    Round::new(Terms::from(&view.rules), view.starting_double, first, &hands, &boneyard).unwrap()
}

/// Asserts that a round looks to the view's seat as its view does, and that the rest is as in `other`.
pub fn assert_same<const W: usize>(view: &View<'_>, round: &Round<W>, other: &Round<W>) {
    assert_eq!(round.turn(), view.seat);
    assert_eq!(round.hand(view.seat).widen(), view.hand);
    assert_eq!(round.moves().collect::<Vec<_>>(), view.moves().collect::<Vec<_>>());
    assert_eq!(round.moves().collect::<Vec<_>>(), other.moves().collect::<Vec<_>>());
    assert_eq!(round.open_ends(), other.open_ends());
    let hands = |round: &Round<W>| -> Vec<TileSet<W>> {
        Seat::all(view.rules.players()).map(|seat| round.hand(seat)).collect()
    };
    assert_eq!(hands(round), hands(other));
    assert_eq!(round.boneyard().collect::<Vec<_>>(), other.boneyard().collect::<Vec<_>>());
}
