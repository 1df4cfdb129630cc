//! What a seat is shown is what it may know, and true.

use chickenfoot_rules::{Act, DrawnTile, Event, ForcedMoves, Move, Rules, Seat, Step, Tile, Tiles, View};

use rand::RngExt;

use crate::play::{Shadow, choice, for_all, matches, play, rng, start};

/// Plays matches in which every turn is asked for, and looks at each view beside what really lies where.
fn for_all_views(cases: u32, claim: impl Fn(&View<'_>, &Shadow, &Rules)) {
    for_all(cases, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Asked);
        let mut shadow = Shadow::new(rules, &deals);
        let mut followed = 0;
        while let Some(decision) = game.decision().cloned() {
            events[followed..].iter().for_each(|event| shadow.follow(event));
            followed = events.len();
            let view = game.view().unwrap();
            assert_eq!(view.seat, decision.seat);
            claim(&view, &shadow, &rules);
            let entry = game.check(decision.number, decision.seat, choice(&game, &mut rng));
            game.commit(entry.unwrap(), &mut events).unwrap();
        }
    });
}

#[test]
fn a_view_has_the_moves_of_the_decision() {
    for_all(25, matches(), |(rules, deals, seed)| {
        for forced in [ForcedMoves::Asked, ForcedMoves::Automatic] {
            let mut rng = rng(seed);
            play(rules, &deals, forced, |game| {
                let (view, decision) = (game.view().unwrap(), game.decision().unwrap());
                assert!(view.moves().eq(decision.moves.clone()));
                assert_eq!(view.moves().total(), decision.moves.total());
                choice(game, &mut rng)
            });
        }
    });
}

#[test]
fn what_a_view_shows_is_there() {
    for_all_views(25, |view, shadow, rules| {
        let round = shadow.round.as_ref().unwrap();
        assert_eq!(view.hand, shadow.hands[view.seat.index()]);
        assert_eq!(view.table, shadow.table);
        assert_eq!(usize::from(view.boneyard), shadow.boneyard.len());
        assert_eq!(view.drawn, round.drawn());
        assert_eq!(view.foot, round.foot());
        assert_eq!(view.arms_left, round.arms_left());
        assert_eq!(view.open_numbers(), round.open_numbers());
        assert_eq!(view.starting_double, round.hub());
        for seat in Seat::all(rules.players()) {
            let shown = view.seats()[seat.index()];
            assert_eq!(usize::from(shown.tiles), shadow.hands[seat.index()].len());
            assert_eq!(shown.total, shadow.totals[seat.index()]);
        }
    });
}

#[test]
fn the_unseen_tiles_are_the_other_hands_and_the_boneyard() {
    for_all_views(25, |view, shadow, rules| {
        let mut hidden: Tiles = shadow.boneyard.iter().copied().collect();
        for seat in Seat::all(rules.players()).filter(|seat| *seat != view.seat) {
            hidden = hidden.or(shadow.hands[seat.index()]);
        }
        assert_eq!(view.unseen(), hidden);
    });
}

#[test]
fn no_hand_has_a_number_that_its_seat_was_shown_to_lack() {
    for_all_views(60, |view, shadow, rules| {
        for seat in Seat::all(rules.players()) {
            let (hand, lacks) = (shadow.hands[seat.index()], view.seats()[seat.index()].lacks);
            let bears = |tile: &Tile| lacks.contains(tile.low()) || lacks.contains(tile.high());
            assert_eq!(hand.iter().find(bears), None, "{seat} is shown to lack {lacks:?}");
        }
    });
}

#[test]
fn a_seat_that_could_not_play_is_shown_to_lack_what_was_open() {
    for_all(25, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Asked);
        while let Some(decision) = game.decision().cloned() {
            let open = game.view().unwrap().open_numbers();
            let drew = game
                .view()
                .unwrap()
                .history
                .last()
                .is_some_and(|step| step.seat == decision.seat && step.act == Act::Draw);
            let must_play = rules.drawn_tile() == DrawnTile::MustPlay;
            let choice = choice(&game, &mut rng);
            let (at, round) = (events.len(), game.round());
            let entry = game.check(decision.number, decision.seat, choice).unwrap();
            game.commit(entry, &mut events).unwrap();
            // A pass shows that nothing fits, unless it may hide a drawn tile that was kept.
            let tells = choice.action == Move::Pass && (must_play || !drew);
            if let (true, Some(view)) = (tells && game.round() == round, game.view()) {
                let lacks = view.seats()[decision.seat.index()].lacks;
                assert!(open.iter().all(|number| lacks.contains(number)), "{:?}", events[at]);
            }
        }
    });
}

#[test]
fn the_lines_show_the_ends_of_the_round() {
    for_all_views(25, |view, shadow, _| {
        let round = shadow.round.as_ref().unwrap();
        assert_eq!(view.ends, *round.ends());
        let lines = view.lines();
        for (number, count) in round.ends().iter().enumerate() {
            let showing = lines.all().iter().filter(|line| line.tip == Some(number as u8));
            assert_eq!(showing.count(), usize::from(*count), "ends that show {number}");
        }
        assert_eq!(lines.foot().is_some(), round.foot().is_some());
        let tips = lines.all().iter().filter_map(|line| Some((line.id, line.tip?)));
        assert!(view.tips().eq(tips), "{lines:?}");
        for action in view.moves() {
            if let Move::Play { end, .. } = action {
                assert!(!lines.places(end).is_empty(), "{action} has no place");
            }
        }
    });
}

#[test]
fn a_view_of_its_own_is_the_same() {
    for_all_views(5, |view, _, _| assert_eq!(view.clone().into_owned(), *view));
}

#[test]
fn the_history_is_what_everybody_saw() {
    for_all(20, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Asked);
        while let Some(decision) = game.decision().cloned() {
            let started =
                events.iter().rposition(|event| matches!(event, Event::RoundStarted { .. })).unwrap();
            let steps = events[started..].iter().filter_map(|event| {
                let (seat, act) = match event {
                    Event::StartLaid { seat } => (*seat, Act::Start),
                    Event::Played { seat, tile, end, line } => {
                        let (tile, end, line) = (*tile, *end, *line);
                        (*seat, Act::Play { tile, end, line })
                    }
                    Event::Drew { seat, .. } => (*seat, Act::Draw),
                    Event::Passed { seat } | Event::Kept { seat } => (*seat, Act::Pass),
                    _ => return None,
                };
                Some(Step { seat, act })
            });
            assert!(steps.eq(game.view().unwrap().history.iter().copied()));
            let entry = game.check(decision.number, decision.seat, choice(&game, &mut rng));
            game.commit(entry.unwrap(), &mut events).unwrap();
        }
    });
}

#[test]
fn a_packed_view_is_the_same_view_and_nothing_else_is_one() {
    for_all_views(10, |view, _, _| {
        let packed = view.pack();
        assert_eq!(View::unpack(&packed).as_ref(), Some(view));
        // A history cut between two steps is one, too.
        let cuts = (0..packed.len()).filter(|len| View::unpack(&packed[..*len]).is_some()).count();
        assert_eq!(cuts, view.history.len());
        assert_eq!(View::unpack(&[packed.as_slice(), &[0]].concat()), None);
    });
}

#[test]
fn no_bytes_make_unpacking_panic() {
    let mut rng = rng(5);
    for_all_views(4, |view, _, _| {
        let packed = view.pack();
        for at in 0..packed.len() {
            let mut changed = packed.clone();
            changed[at] ^= 1 << (at % 8);
            if let Some(changed) = View::unpack(&changed) {
                assert_ne!(&changed, view, "every bit counts");
            }
        }
    });
    for len in 0..300 {
        let noise: Vec<u8> = (0..len).map(|_| rng.random()).collect();
        View::unpack(&noise);
    }
}
