//! Seats that give up, and matches that are given up.

use chickenfoot_rules::{Entry, Event, ForcedMoves, Refused, Seat, Status};
use rand::RngExt;

use crate::play::{Shadow, choice, for_all, matches, rng, start};

#[test]
fn who_forfeits_is_played_for_and_ranks_last() {
    for_all(50, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Automatic);
        let mut gone: Vec<Seat> = Vec::new();
        let (mut last, mut answered) = (0, 0);
        while let Some(decision) = game.decision().cloned() {
            assert!(!gone.contains(&decision.seat), "asked after it gave up");
            assert!(decision.number > last, "the numbers rise");
            if rng.random_ratio(1, 20) {
                let seat = Seat::new(rng.random_range(0..rules.players())).unwrap();
                let outcome = game.commit(Entry::Forfeit(seat), &mut events);
                if gone.contains(&seat) {
                    assert_eq!(outcome, Err(Refused::Forfeited));
                } else {
                    assert_eq!(outcome, Ok(()));
                    gone.push(seat);
                }
            } else {
                let entry = game.check(decision.number, decision.seat, choice(&game, &mut rng));
                game.commit(entry.unwrap(), &mut events).unwrap();
                last = decision.number;
                answered += 1;
            }
        }
        assert_eq!(game.status(), Status::Ended);
        assert_eq!(game.answered(), answered);

        let places = game.places();
        let worst = |seat: &Seat| usize::from(places[seat.index()]);
        // The first to go has the last place, the second the one before it, and so on.
        for (i, seat) in gone.iter().enumerate() {
            assert_eq!(worst(seat), usize::from(rules.players()) - i, "{gone:?}: {places:?}");
        }
        assert_plays_for_the_absent(&events, Shadow::new(rules, &deals));
    });
}

/// From its forfeit on, each move of a seat is the first of the canonical list.
fn assert_plays_for_the_absent(events: &[Event], mut shadow: Shadow) {
    let mut gone: Vec<Seat> = Vec::new();
    for event in events {
        let moved = match event {
            Event::SeatForfeited { seat } => {
                gone.push(*seat);
                None
            }
            Event::Played { seat, .. } | Event::Kept { seat } => Some(*seat),
            _ => None,
        };
        let before = shadow.round;
        shadow.follow(event);
        if let (Some(round), true) = (before, moved.is_some_and(|seat| gone.contains(&seat))) {
            let mut first = round;
            first.apply(round.moves().next().unwrap()).unwrap();
            assert_eq!(shadow.round, Some(first), "{event:?}");
        }
    }
}

#[test]
fn a_match_that_everybody_left_is_played_to_its_end() {
    for_all(20, matches(), |(rules, deals, _)| {
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Asked);
        for seat in Seat::all(rules.players()) {
            game.commit(Entry::Forfeit(seat), &mut events).unwrap();
        }
        assert_eq!(game.status(), Status::Ended);
        assert_eq!(game.answered(), 0);
        assert!(matches!(events.last(), Some(Event::MatchEnded { .. })));
        let refused = game.commit(Entry::Forfeit(Seat::new(0).unwrap()), &mut events);
        assert_eq!(refused, Err(Refused::Over));
    });
}

#[test]
fn an_aborted_match_has_no_result_and_takes_no_more_entries() {
    for_all(20, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Automatic);
        for _ in 0..rng.random_range(0..20) {
            let Some(decision) = game.decision().cloned() else {
                return;
            };
            let entry = game.check(decision.number, decision.seat, choice(&game, &mut rng));
            game.commit(entry.unwrap(), &mut events).unwrap();
        }
        let Some(open) = game.decision().cloned() else {
            return;
        };
        let would_be_legal = choice(&game, &mut rng);
        let answered = game.answered();

        game.commit(Entry::Abort, &mut events).unwrap();
        assert_eq!(game.status(), Status::Aborted);
        assert_eq!(events.last(), Some(&Event::MatchAborted));
        assert_eq!(events.len() as u64, game.seq());
        assert!(game.decision().is_none() && game.view().is_none());
        assert_eq!(game.answered(), answered, "the open decision was not answered");

        let (digest, count) = (game.digest(), events.len());
        assert_eq!(game.check(open.number, open.seat, would_be_legal), Err(Refused::Over));
        for entry in [Entry::Choice(would_be_legal), Entry::Forfeit(open.seat), Entry::Abort] {
            assert_eq!(game.commit(entry, &mut events), Err(Refused::Over));
        }
        assert_eq!((game.digest(), events.len()), (digest, count));
    });
}
