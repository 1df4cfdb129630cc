//! Where the tiles are, and how long a round can be.

use chickenfoot_rules::{End, ForcedMoves, Move, Round, Seat, Tile, TileSet};

use crate::play::{Position, Shadow, choice, choose, for_all, matches, play, rng, rounds};

#[test]
fn every_tile_is_in_one_place_after_every_action() {
    for_all(120, rounds(), |position| {
        every_tile_is_in_one_place::<3>(&position);
        if position.is_narrow() {
            every_tile_is_in_one_place::<1>(&position);
        }
    });
}

fn every_tile_is_in_one_place<const W: usize>(position: &Position) {
    let mut rng = position.rng();
    let mut round = position.round::<W>();
    let mut table: TileSet<W> = Tile::double(position.hub).into_iter().collect();
    loop {
        let mut all = table;
        let mut count = table.len();
        for hand in Seat::all(position.terms.players).map(|seat| round.hand(seat)) {
            all = all.or(hand);
            count += hand.len();
        }
        let boneyard: TileSet<W> = round.boneyard().collect();
        assert_eq!(boneyard.len(), usize::from(round.yard_size()));
        assert_eq!(all.or(boneyard), TileSet::whole(position.terms.max_pip));
        assert_eq!(count + boneyard.len(), position.set_size(), "a tile is in two places");

        let Some(action) = choose(&round, &mut rng) else {
            return;
        };
        if let Move::Play { tile, .. } = action {
            table.insert(tile);
        }
        round.apply(action).unwrap();
    }
}

#[test]
fn a_round_ends_within_its_bounds() {
    for_all(200, rounds(), |position| {
        let mut rng = position.rng();
        let mut round = position.round::<3>();
        let most_plays = position.set_size() - 1;
        let most_draws = position.boneyard.len().saturating_sub(position.terms.reserve.into());
        let (mut plays, mut draws, mut idle) = (0, 0, 0);
        while let Some(action) = choose(&round, &mut rng) {
            match action {
                Move::Play { .. } => (plays, idle) = (plays + 1, 0),
                Move::Draw => (draws, idle) = (draws + 1, 0),
                Move::Pass | Move::Keep => idle += 1,
            }
            assert!(plays <= most_plays && draws <= most_draws, "{plays} plays, {draws} draws");
            assert!(idle <= position.terms.players, "more passes in a row than seats");
            round.apply(action).unwrap();
        }
        assert!(round.end().is_some(), "no move is left, and yet it is not over");
    });
}

#[test]
fn nobody_goes_out_on_a_drawn_tile() {
    for_all(200, rounds(), |position| {
        let mut rng = position.rng();
        let mut round = position.round::<3>();
        while let Some(action) = choose(&round, &mut rng) {
            let (seat, drew) = (round.turn(), round.drawn().is_some());
            round.apply(action).unwrap();
            assert!(!drew || round.end() != Some(End::Out(seat)));
        }
    });
}

#[test]
fn a_round_is_over_exactly_when_a_hand_is_empty_or_nobody_can_go_on() {
    for_all(200, rounds(), |position| {
        let mut rng = position.rng();
        let mut round = position.round::<3>();
        // The first look comes after the first action: a starting double found by lot is none.
        while let Some(action) = choose(&round, &mut rng) {
            round.apply(action).unwrap();
            assert_eq!(round.end(), end_by_definition(&round), "after {action}");
        }
    });
}

fn end_by_definition(round: &Round<3>) -> Option<End> {
    let hands: Vec<_> = Seat::all(round.terms().players).map(|seat| (seat, round.hand(seat))).collect();
    if let Some((seat, _)) = hands.iter().find(|(_, hand)| hand.is_empty()) {
        return Some(End::Out(*seat));
    }
    let open = round.open_numbers();
    let fits = |tile: Tile| open.contains(tile.low()) || open.contains(tile.high());
    let stuck = hands.iter().all(|(_, hand)| !hand.iter().any(fits));
    (stuck && round.yard_size() <= round.terms().reserve).then_some(End::Blocked)
}

/// The shadow keeps its own books and asserts that each event fits them.
#[test]
fn a_match_keeps_every_tile_and_counts_the_pips_left_in_the_hands() {
    for_all(15, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (_, _, events) = play(rules, &deals, ForcedMoves::Automatic, |game| choice(game, &mut rng));
        let mut shadow = Shadow::new(rules, &deals);
        for event in &events {
            shadow.follow(event);
            let Some(round) = &shadow.round else {
                continue;
            };
            let mut all: Vec<Tile> = shadow.hands.iter().flat_map(|hand| hand.iter()).collect();
            all.extend(shadow.table.iter().chain(shadow.boneyard.iter().copied()));
            all.sort();
            assert_eq!(all, Tile::set(rules.max_pip()).collect::<Vec<_>>());
            assert!(Seat::all(rules.players()).all(|seat| round.hand(seat) == shadow.hands[seat.index()]));
        }
    });
}
