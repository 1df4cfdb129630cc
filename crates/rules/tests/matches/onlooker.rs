//! What everybody may know is what every seat is shown of it, and nothing hidden has a part in it.

use chickenfoot_rules::{Event, ForcedMoves, Onlooker, Seat, Situation, Starter, Viewer};

use crate::play::{Shadow, choice, for_all, matches, rng, start};

/// The situation after each event, as one viewer's events tell it.
fn situations(events: &[Event], viewer: Viewer) -> Vec<Situation> {
    let mut onlooker = Onlooker::default();
    let after = |event: &Event| {
        onlooker.see(&event.seen_by(viewer));
        onlooker.situation().clone()
    };
    events.iter().map(after).collect()
}

#[test]
fn it_knows_of_the_seats_what_a_view_shows() {
    for_all(60, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Asked);
        let mut shadow = Shadow::new(rules, &deals);
        let mut onlooker = Onlooker::default();
        let mut followed = 0;
        let mut unclear = false;
        while let Some(decision) = game.decision().cloned() {
            for event in &events[followed..] {
                // A reserve that nobody could draw from: nobody sees whether the double lay there or in the first hand.
                if let Event::StartLaid { seat } = event {
                    let drew = matches!(events[..followed].last(), Some(Event::Drew { .. }));
                    let nothing_to_draw = shadow.boneyard.len() == usize::from(rules.reserve());
                    let first = Seat::new((game.round() - 1) % rules.players());
                    unclear = rules.starter() == Starter::Holder
                        && !drew
                        && nothing_to_draw
                        && first == Some(*seat);
                }
                shadow.follow(event);
                onlooker.see(&event.seen_by(Viewer::Spectator));
                followed += 1;
                // While hands are dealt the tiles are on their way.
                let last = Seat::new(rules.players() - 1);
                let dealing = match event {
                    Event::MatchStarted(_) | Event::RoundStarted { .. } => true,
                    Event::HandDealt { seat, .. } => Some(*seat) != last,
                    _ => false,
                };
                if !dealing && !unclear {
                    let boneyard = usize::from(onlooker.situation().boneyard);
                    assert_eq!(boneyard, shadow.boneyard.len(), "after {event:?}");
                }
            }
            let (view, situation) = (game.view().unwrap(), onlooker.situation());
            assert_eq!(situation.round, view.round);
            if !unclear {
                assert_eq!(situation.on_turn, Some(decision.seat));
                assert_eq!(situation.seats, view.seats());
                assert_eq!(situation.boneyard, view.boneyard);
            }
            assert_eq!(situation.foot, view.foot);
            assert_eq!(situation.arms_left, view.arms_left);
            let entry = game.check(decision.number, decision.seat, choice(&game, &mut rng));
            game.commit(entry.unwrap(), &mut events).unwrap();
        }
    });
}

#[test]
fn a_double_that_empties_a_hand_opens_no_foot() {
    let found = std::cell::Cell::new(0);
    for_all(60, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Automatic);
        while let Some(decision) = game.decision().cloned() {
            let entry = game.check(decision.number, decision.seat, choice(&game, &mut rng));
            game.commit(entry.unwrap(), &mut events).unwrap();
        }
        for (event, situation) in events.iter().zip(situations(&events, Viewer::Spectator)) {
            if let Event::Played { seat, tile, .. } = event
                && tile.is_double()
            {
                let is_out = situation.seats[seat.index()].tiles == 0;
                assert_eq!(situation.foot.is_none(), is_out, "after {event:?}");
                found.set(found.get() + u32::from(is_out));
            }
        }
    });
    assert!(found.get() > 5, "only {} went out with a double", found.get());
}

#[test]
fn all_eyes_lead_to_the_same() {
    for_all(25, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Automatic);
        while let Some(decision) = game.decision().cloned() {
            let entry = game.check(decision.number, decision.seat, choice(&game, &mut rng));
            game.commit(entry.unwrap(), &mut events).unwrap();
        }
        let public = situations(&events, Viewer::Spectator);
        for viewer in Seat::all(rules.players()).map(Viewer::Seat).chain([Viewer::Afterwards]) {
            assert_eq!(situations(&events, viewer), public);
        }
        let last = public.last().unwrap();
        assert_eq!(last.on_turn, None);
        assert!(last.seats.iter().map(|seat| seat.total).eq(game.totals().iter().copied()));
    });
}

#[test]
fn nobody_is_on_turn_before_the_starting_double_lies_and_after_the_end_of_a_round() {
    for_all(25, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Automatic);
        while let Some(decision) = game.decision().cloned() {
            let entry = game.check(decision.number, decision.seat, choice(&game, &mut rng));
            game.commit(entry.unwrap(), &mut events).unwrap();
        }
        let mut lies = false;
        for (event, situation) in events.iter().zip(situations(&events, Viewer::Spectator)) {
            lies = match event {
                Event::StartLaid { .. } => true,
                Event::RoundStarted { .. } | Event::RoundEnded { .. } => false,
                _ => lies,
            };
            let is_empty = situation.seats.iter().any(|seat| seat.tiles == 0);
            assert_eq!(situation.on_turn.is_some(), lies && !is_empty, "after {event:?}");
        }
    });
}
