//! Who lays the starting double, and what that costs.

use chickenfoot_rules::{
    Deal, End, Event, ForcedMoves, Move, Preset, RuleOptions, Rules, Seat, Starter, Status, Tile,
};

use crate::play::{Stacked, choice, for_all, matches, play, rng, start};

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// Holder rules for three on double-six: 28 tiles.
fn holder(hand_size: u8, reserve: u8) -> Rules {
    let options = RuleOptions {
        max_pip: Some(6),
        hand_size: Some(hand_size),
        reserve: Some(reserve),
        rounds: Some(2),
        ..RuleOptions::new(Preset::Classic, 3)
    };
    options.resolve().unwrap()
}

/// Both rounds with the tiles in their order, but the starting double at a given position of hands and boneyard.
fn double_at(rules: &Rules, position: usize) -> Stacked {
    let deals = (1..=rules.rounds()).map(|round| {
        let starting_double = rules.starting_double(round).unwrap();
        let double = Tile::double(starting_double).unwrap();
        let mut tiles: Vec<Tile> = Tile::set(rules.max_pip()).filter(|tile| *tile != double).collect();
        tiles.insert(position, double);
        let hand_size = usize::from(rules.hand_size());
        let boneyard = tiles.split_off(usize::from(rules.players()) * hand_size);
        Deal {
            starting_double,
            starter: None,
            hands: tiles.chunks(hand_size).map(<[Tile]>::to_vec).collect(),
            boneyard,
        }
    });
    Stacked(deals.collect())
}

/// What a round begins with after the deal: the draws in search of the starting double, and its laying.
fn opening(events: &[Event], round: u8) -> Vec<Event> {
    let started = |event: &Event| matches!(event, Event::RoundStarted { round: this, .. } if *this == round);
    let laid = |event: &Event| matches!(event, Event::StartLaid { .. });
    let from = events.iter().position(started).unwrap() + 1 + hands(events);
    let to = from + events[from..].iter().position(laid).unwrap();
    events[from..=to].to_vec()
}

/// How many hands are dealt in a round.
fn hands(events: &[Event]) -> usize {
    match &events[0] {
        Event::MatchStarted(start) => start.seats.len(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_holder_lays_the_starting_double_as_its_turn() {
    let rules = holder(4, 0);
    for holder in 0..3 {
        let deals = double_at(&rules, usize::from(holder) * 4 + 1);
        let (game, events) = start(rules, &deals, ForcedMoves::Asked);
        assert_eq!(opening(&events, 1), [Event::StartLaid { seat: seat(holder) }]);
        let view = game.view().unwrap();
        assert_eq!(view.seat, seat(holder).next(3), "the next seat is on turn");
        assert_eq!(view.seats[usize::from(holder)].tiles, 3);
        assert_eq!(view.table.iter().collect::<Vec<_>>(), [Tile::double(6).unwrap()]);
        assert_eq!(view.boneyard, 16);
    }
}

#[test]
fn a_double_that_nobody_holds_is_looked_for_in_the_boneyard() {
    let rules = holder(4, 2);
    for before in 0..14 {
        let deals = double_at(&rules, 12 + before);
        let (game, events) = start(rules, &deals, ForcedMoves::Asked);
        let mut expected: Vec<Event> = (0..=before)
            .map(|i| Event::Drew { seat: seat((i % 3) as u8), tile: deals.0[0].boneyard[i] })
            .collect();
        let finder = seat((before % 3) as u8);
        expected.push(Event::StartLaid { seat: finder });
        assert_eq!(opening(&events, 1), expected);

        let view = game.view().unwrap();
        assert_eq!(view.seat, finder.next(3));
        assert_eq!(usize::from(view.boneyard), 16 - 1 - before);
        let tiles: Vec<u8> = view.seats().iter().map(|seat| seat.tiles).collect();
        // They keep what they drew, all but the double.
        let drew = |number: usize| ((before + 2 - number) / 3) as u8;
        assert_eq!(tiles, [4 + drew(0), 4 + drew(1), 4 + drew(2)], "{before} drawn in vain");
    }
}

#[test]
fn a_double_in_the_reserve_is_laid_by_the_seat_whose_turn_to_draw_it_is() {
    let rules = holder(4, 2);
    for in_reserve in 0..2 {
        let deals = double_at(&rules, 12 + 14 + in_reserve);
        let (game, events) = start(rules, &deals, ForcedMoves::Asked);
        let opening = opening(&events, 1);
        assert_eq!(opening.len(), 15, "all that may be drawn is drawn");
        // Fourteen draws from seat 0 on: the fifteenth would be seat 2's.
        assert_eq!(opening[14], Event::StartLaid { seat: seat(2) });
        let view = game.view().unwrap();
        assert_eq!((view.seat, view.boneyard), (seat(0), 1));
    }
}

#[test]
fn in_later_rounds_the_search_begins_one_seat_on() {
    let rules = holder(4, 0);
    let deals = double_at(&rules, 12 + 1);
    let mut rng = rng(3);
    let (_, _, events) = play(rules, &deals, ForcedMoves::Automatic, |game| choice(game, &mut rng));
    let drew = |seat_number, i: usize| Event::Drew { seat: seat(seat_number), tile: deals.0[1].boneyard[i] };
    let laid = Event::StartLaid { seat: seat(2) };
    assert_eq!(opening(&events, 2), [drew(1, 0), drew(2, 1), laid]);
}

#[test]
fn a_holder_of_nothing_else_is_out_at_once() {
    let rules = RuleOptions {
        max_pip: Some(6),
        hand_size: Some(1),
        rounds: Some(1),
        ..RuleOptions::new(Preset::Classic, 3)
    };
    let rules = rules.resolve().unwrap();
    let (game, events) = start(rules, &double_at(&rules, 1), ForcedMoves::Asked);
    assert!(game.decision().is_none());
    let laid = events.iter().position(|event| matches!(event, Event::StartLaid { .. })).unwrap();
    // The others hold the blank and the 0-1.
    let [ended, result] = &events[laid + 1..] else {
        panic!("{events:?}");
    };
    let (scores, totals) = (vec![50, 0, 1], vec![50, 0, 1]);
    let end = End::Out(seat(1));
    assert_eq!(*ended, Event::RoundEnded { end, scores, totals: totals.clone() });
    let places = vec![3, 1, 2];
    assert_eq!(*result, Event::MatchEnded { totals, places });
}

#[test]
fn a_round_that_is_stuck_once_the_double_is_laid_from_a_hand_ends_at_once() {
    let options = RuleOptions {
        max_pip: Some(6),
        hand_size: Some(10),
        reserve: Some(8),
        rounds: Some(1),
        ..RuleOptions::new(Preset::Classic, 2)
    };
    let rules = options.resolve().unwrap();
    let double = Tile::double(6).unwrap();
    // All other sixes lie in the reserve.
    let (sixes, mut rest): (Vec<Tile>, Vec<Tile>) =
        Tile::set(6).filter(|tile| *tile != double).partition(|tile| tile.has(6));
    let boneyard: Vec<Tile> = rest.split_off(19).into_iter().chain(sixes).collect();
    let holder = [vec![double], rest.split_off(10)].concat();
    let deal = Deal { starting_double: 6, starter: None, hands: vec![rest, holder], boneyard };
    let (game, events) = start(rules, &Stacked(vec![deal.clone()]), ForcedMoves::Asked);
    assert_eq!(game.status(), Status::Ended);
    let stuck = |event: &Event| matches!(event, Event::RoundEnded { end: End::Blocked, .. });
    assert!(events.iter().any(stuck));

    // Found by lot it was set aside, and to lay it is no turn: the first seat still gets to pass.
    let by_lot = RuleOptions { starter: Some(Starter::Lot), hand_size: Some(9), ..options };
    let mut deal = Deal { starter: Some(seat(0)), ..deal };
    deal.hands[1].remove(0);
    let rules = by_lot.resolve().unwrap();
    let (game, _) = start(rules, &Stacked(vec![deal]), ForcedMoves::Asked);
    let moves: Vec<Move> = game.decision().unwrap().moves.clone().collect();
    assert_eq!(moves, [Move::Pass]);
}

#[test]
fn the_finder_by_lot_takes_the_first_turn_and_nobody_draws() {
    for_all(60, matches(), |(rules, deals, _)| {
        let Some(finder) = deals.0[0].starter else {
            return;
        };
        let (game, events) = start(rules, &deals, ForcedMoves::Asked);
        assert_eq!(opening(&events, 1), [Event::StartLaid { seat: finder }]);
        let view = game.view().unwrap();
        assert_eq!(view.seat, finder);
        assert!(view.seats().iter().all(|seat| seat.tiles == rules.hand_size()));
        assert_eq!(usize::from(view.boneyard), deals.0[0].boneyard.len());
    });
}
