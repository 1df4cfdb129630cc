//! Setup and log decide everything.

use chickenfoot_rules::{
    Choice, Deal, Deals, Entry, Event, ForcedMoves, Hex32, Match, Preset, RuleOptions, Seat, Seed,
    SeededDeals, SetupError, StartError, Status,
};
use sha2::{Digest, Sha256};

use crate::play::{Stacked, choice, for_all, matches, play, random_deals, rng, setup, start};

#[test]
fn the_same_log_gives_the_same_match() {
    for_all(30, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (first, entries, events) =
            play(rules, &deals, ForcedMoves::Automatic, |game| choice(game, &mut rng));

        let (mut again, mut replayed) = start(rules, &deals, ForcedMoves::Automatic);
        for entry in entries {
            // Through the form in which a log is stored.
            let stored = Entry::from_bytes(entry.to_bytes()).unwrap();
            again.commit(stored, &mut replayed).unwrap();
        }
        assert_eq!(replayed, events);
        assert_eq!(again.digest(), first.digest());
        assert_eq!(again.seq(), first.seq());
        assert_eq!(again.totals(), first.totals());
        assert_eq!(again.results(), first.results());
        assert_eq!(again.status(), Status::Ended);
    });
}

#[test]
fn who_makes_the_forced_moves_changes_nothing_that_happens() {
    for_all(30, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (automatic, entries, events) =
            play(rules, &deals, ForcedMoves::Automatic, |game| choice(game, &mut rng));

        let mut choices = entries.iter();
        let (asked, asked_entries, asked_events) = play(rules, &deals, ForcedMoves::Asked, |game| {
            let mut moves = game.decision().unwrap().moves.clone();
            match moves.total() {
                1 => Choice::from(moves.next().unwrap()),
                _ => match choices.next() {
                    Some(Entry::Choice(choice)) => *choice,
                    other => panic!("{other:?}"),
                },
            }
        });
        assert_eq!(choices.next(), None);
        assert_eq!(asked_events, events);
        assert_eq!(asked.digest(), automatic.digest());
        assert!(asked_entries.len() >= entries.len());
    });
}

#[test]
fn decisions_are_numbered_by_the_events_before_them_and_have_a_choice_in_them() {
    for_all(30, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let mut asked = 0;
        let (game, entries, _) = play(rules, &deals, ForcedMoves::Automatic, |game| {
            let decision = game.decision().unwrap();
            assert_eq!(u64::from(decision.number), game.seq() + 1);
            assert_eq!(game.answered(), asked);
            assert!(decision.moves.total() > 1);
            asked += 1;
            choice(game, &mut rng)
        });
        assert_eq!(usize::try_from(game.answered()).unwrap(), entries.len());
        assert!(game.decision().is_none() && game.view().is_none());
    });
}

#[test]
fn the_digest_is_the_hash_of_all_events_and_seq_their_number() {
    for_all(20, matches(), |(rules, deals, seed)| {
        let mut rng = rng(seed);
        let (mut game, mut events) = start(rules, &deals, ForcedMoves::Automatic);
        loop {
            assert_eq!(game.seq(), events.len() as u64);
            assert_eq!(game.digest(), digest(&events));
            let Some(number) = game.decision().map(|decision| decision.number) else {
                return;
            };
            let answer = choice(&game, &mut rng);
            let seat = game.decision().unwrap().seat;
            let entry = game.check(number, seat, answer).unwrap();
            game.commit(entry, &mut events).unwrap();
        }
    });
}

fn digest(events: &[Event]) -> Hex32 {
    let label = b"chickenfoot/v1/events";
    let mut bytes = (label.len() as u32).to_be_bytes().to_vec();
    bytes.extend(label);
    for event in events {
        event.encode(&mut bytes);
    }
    Hex32(Sha256::digest(bytes).into())
}

#[test]
fn a_whole_match_of_either_preset_goes_from_the_highest_double_to_the_blank() {
    for preset in [Preset::Trains, Preset::Classic] {
        let rules = RuleOptions::new(preset, 4).resolve().unwrap();
        let deals = SeededDeals::new(rules, "a match", &Seed::new([5; 32]), &[]);
        let stacked = Stacked((1..=10).map(|round| deals.deal(round)).collect());
        let mut rng = rng(1);
        let (game, _, events) = play(rules, &stacked, ForcedMoves::Automatic, |game| choice(game, &mut rng));

        let doubles = events.iter().filter_map(|event| match event {
            Event::RoundStarted { starting_double, .. } => Some(*starting_double),
            _ => None,
        });
        assert!(doubles.eq((0..=9).rev()));
        let Some(Event::MatchEnded { totals, places }) = events.last() else {
            panic!("{:?}", events.last());
        };
        assert_eq!((totals.as_slice(), places), (game.totals(), &game.places()));
        assert!(game.results().iter().all(|result| result.rounds.len() == 10));
    }
}

#[test]
fn a_match_needs_a_name_for_each_seat_and_deals_of_its_set() {
    let rules = RuleOptions::new(Preset::Trains, 4).resolve().unwrap();
    let deals = random_deals(&rules, &mut rng(1));
    let mut nameless = setup(rules, &deals, ForcedMoves::Automatic);
    nameless.start.seats.pop();
    let refused = Match::start(nameless, &mut Vec::new()).err();
    assert_eq!(refused, Some(StartError::Seats { expected: 4, found: 3 }));

    let start_with = |change: &dyn Fn(&mut Deal)| {
        let mut stacked = deals.clone();
        change(&mut stacked.0[0]);
        Match::start(setup(rules, &stacked, ForcedMoves::Automatic), &mut Vec::new()).err()
    };
    let refused = |why| Some(StartError::Deal(why));
    let missing = start_with(&|deal| deal.boneyard.truncate(1));
    assert_eq!(missing, refused(SetupError::NotTheSet));
    let twice = start_with(&|deal| deal.boneyard[0] = deal.boneyard[1]);
    assert_eq!(twice, refused(SetupError::NotTheSet));
    for starter in [None, Seat::new(0)] {
        let no_hand = start_with(&|deal| (deal.starter, deal.hands) = (starter, Vec::new()));
        assert_eq!(no_hand, refused(SetupError::OutOfRange("hands")));
    }
    let no_double = start_with(&|deal| deal.starting_double = 19);
    assert_eq!(no_double, refused(SetupError::OutOfRange("starting double")));
    let absent = start_with(&|deal| deal.starter = Seat::new(4));
    assert_eq!(absent, refused(SetupError::OutOfRange("first seat")));
}
