//! What is not accepted leaves no trace.

use chickenfoot_rules::{
    Choice, Entry, Event, ForcedMoves, LineId, MAX_SEATS, Match, Move, Refused, Rules, Seat, Tile,
};
use rand::RngExt;
use rand::rngs::SmallRng;

use crate::play::{choice, for_all, matches, rng, start};

#[test]
fn a_refused_entry_changes_nothing() {
    for_all(25, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        // Asked, so that a lone draw or pass is among the decisions.
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Asked);
        while let Some(decision) = game.decision().cloned() {
            if rng.random_ratio(1, 40) {
                wrong_answers(&game, &mut rng);
                wrong_entries(&mut game, &rules, &mut events);
            }
            let entry = game.check(decision.number, decision.seat, choice(&game, &mut rng));
            game.commit(entry.unwrap(), &mut events).unwrap();
        }
    });
}

/// A good answer to another decision, or by another seat.
fn wrong_answers(game: &Match, rng: &mut SmallRng) {
    let open = game.decision().unwrap();
    let good = choice(game, rng);
    for number in [0, open.number - 1, open.number + 1, u32::MAX] {
        let refused = Err(Refused::NotOpen { open: open.number });
        assert_eq!(game.check(number, open.seat, good), refused);
    }
    for seat in Seat::all(MAX_SEATS as u8).filter(|seat| *seat != open.seat) {
        let on_turn = open.seat;
        assert_eq!(game.check(open.number, seat, good), Err(Refused::NotOnTurn { on_turn }));
    }
    assert!(game.check(open.number, open.seat, good).is_ok());
}

fn wrong_entries(game: &mut Match, rules: &Rules, events: &mut Vec<Event>) {
    let open = game.decision().unwrap().clone();
    let before = (format!("{:?}", game), game.seq(), game.digest(), game.answered(), events.len());

    let listed: Vec<Move> = open.moves.clone().collect();
    let plays = Tile::set(rules.max_pip()).flat_map(|tile| {
        let ends = [tile.low(), tile.high(), (tile.high() + 1) % 19, u8::MAX];
        ends.map(|end| Move::Play { tile, end })
    });
    let moves = plays.chain([Move::Draw, Move::Pass, Move::Keep]);
    for action in moves.filter(|action| !listed.contains(action)) {
        let refused = game.check(open.number, open.seat, action.into());
        assert!(matches!(refused, Err(Refused::Illegal(_))), "{action}: {refused:?}");
        let refused = game.commit(Entry::Choice(action.into()), events);
        assert!(matches!(refused, Err(Refused::Illegal(_))), "{action}: {refused:?}");
    }

    let lines = game.view().unwrap().lines();
    for action in listed {
        let Move::Play { end, .. } = action else {
            continue;
        };
        let there = lines.places(end);
        for line in (1..=u8::MAX).filter_map(LineId::new).filter(|line| !there.contains(line)) {
            let line = Some(line);
            let refused = game.commit(Entry::Choice(Choice { action, line }), events);
            assert!(matches!(refused, Err(Refused::Line(_))), "{action} at {line:?}: {refused:?}");
        }
    }

    for seat in (rules.players()..MAX_SEATS as u8).filter_map(Seat::new) {
        assert_eq!(game.commit(Entry::Forfeit(seat), events), Err(Refused::Forfeited));
    }
    let after = (format!("{:?}", game), game.seq(), game.digest(), game.answered(), events.len());
    assert_eq!(before, after);
}
