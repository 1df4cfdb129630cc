//! Records: written from the log, read back, verified, and refused with the place of the first flaw.
#![allow(clippy::unwrap_used, missing_docs)]

use chickenfoot_rules::{
    Contributor, Deed, Entry, ForcedMoves, Hex32, Made, Match, MatchSetup, MatchStart, Outcome, Preset,
    Record, RuleOptions, Rules, Seat, Seed, Tile,
};

/// Plays a match in which each seat takes a pseudo-random option, up to `limit` decisions, and writes its record.
fn record(rules: Rules, seed: u8, extra: &[(usize, Entry)]) -> Record {
    record_asked(rules, seed, ForcedMoves::Automatic, extra)
}

fn record_asked(rules: Rules, seed: u8, forced: ForcedMoves, extra: &[(usize, Entry)]) -> Record {
    let seed = Seed::new([seed; 32]);
    let seats: Vec<Contributor> = (0..rules.players())
        .map(|i| Contributor { name: format!("bot-{i}"), entropy: Hex32([i; 32]) })
        .collect();
    let setup = MatchSetup::seeded(MatchStart::new(rules, "test", &seed, seats), &seed, forced);
    let (mut events, mut log) = (Vec::new(), Vec::new());
    let mut game = Match::start(setup, &mut events).unwrap();
    while let Some(decision) = game.decision() {
        let entry = match extra.iter().find(|(at, _)| *at == log.len()) {
            Some((_, entry)) => *entry,
            None => {
                let pick = log.len() * 7 % decision.moves.total();
                let choice = decision.moves.clone().nth(pick).unwrap().into();
                game.check(decision.number, decision.seat, choice).unwrap()
            }
        };
        game.commit(entry, &mut events).unwrap();
        log.push(entry);
    }
    let record = Record::of("m", &seed, game.setup(), forced, &log).unwrap();
    assert_eq!(record.digest, game.digest());
    // Every record that a test makes tells the events that it was made from.
    assert_eq!(record.events(), events);
    record
}

fn all_rules() -> impl Iterator<Item = Rules> {
    (2..=8).flat_map(|players| {
        [Preset::Trains, Preset::Classic]
            .into_iter()
            .filter_map(move |preset| RuleOptions::new(preset, players).resolve().ok())
    })
}

#[test]
fn every_record_verifies_and_survives_json() {
    for (seed, rules) in all_rules().enumerate() {
        let record = record(rules, seed as u8, &[]);
        assert_eq!(record.verify(), Ok(()));
        assert_eq!(Record::from_json(&record.to_json()).unwrap(), record);
    }
}

#[test]
fn forfeits_and_aborts_are_recorded() {
    let rules = RuleOptions::new(Preset::Classic, 4).resolve().unwrap();
    let with_forfeit = record(rules, 1, &[(20, Entry::Forfeit(Seat::new(2).unwrap()))]);
    assert_eq!(with_forfeit.verify(), Ok(()));
    assert_eq!(with_forfeit.places[2], 4);
    let aborted = record(rules, 1, &[(30, Entry::Abort)]);
    assert_eq!(aborted.outcome, Outcome::Aborted);
    assert_eq!(aborted.verify(), Ok(()));
    let mut as_if_finished = aborted;
    as_if_finished.outcome = Outcome::Finished;
    assert!(as_if_finished.verify().unwrap_err().problem.contains("the moves end"));
}

#[test]
fn a_seat_may_give_up_and_a_match_be_aborted_where_there_is_no_choice() {
    let rules = RuleOptions::new(Preset::Classic, 3).resolve().unwrap();
    for at in 1..40 {
        for entry in [Entry::Forfeit(Seat::new(1).unwrap()), Entry::Abort] {
            assert_eq!(record_asked(rules, 2, ForcedMoves::Asked, &[(at, entry)]).verify(), Ok(()));
        }
    }
}

#[test]
fn the_first_flaw_is_named() {
    let rules = RuleOptions::new(Preset::Trains, 4).resolve().unwrap();
    let good = record(rules, 3, &[]);
    let flaw = |change: &dyn Fn(&mut Record)| {
        let mut bad = good.clone();
        change(&mut bad);
        bad.verify().unwrap_err().place
    };
    assert_eq!(flaw(&|r| r.format = "x".into()), "format");
    assert_eq!(flaw(&|r| r.seed.0[31] ^= 1), "commitment");
    assert_eq!(flaw(&|r| r.deal_id.push('x')), "commitment");
    // Another name gives another transcript, so the first deal is another.
    assert!(flaw(&|r| r.seats[1].name.push('x')).starts_with("round 1, "));
    assert!(flaw(&|r| r.seats[1].entropy.0[0] ^= 1).starts_with("round 1, "));
    assert_eq!(flaw(&|r| r.seats.truncate(3)), "seats");
    assert_eq!(flaw(&|r| r.rounds[2].boneyard.swap(0, 1)), "round 3, boneyard");
    assert_eq!(flaw(&|r| r.rounds[2].hands[1].swap(0, 1)), "round 3, hand of seat 1");
    assert_eq!(flaw(&|r| r.rounds[2].starter = None), "round 3, starter");
    assert_eq!(flaw(&|r| r.rounds[4].scores[0] += 1), "round 5, scores");
    assert_eq!(flaw(&|r| r.rounds[4].end = None), "round 5, end");
    assert_eq!(flaw(&|r| r.totals[3] += 1), "totals");
    assert_eq!(flaw(&|r| r.places.swap(0, 1)), "places");
    assert_eq!(flaw(&|r| r.digest.0[0] ^= 1), "digest");
    assert_eq!(flaw(&|r| r.outcome = Outcome::Aborted), "outcome");
    assert_eq!(flaw(&|r| r.rounds.truncate(9)), "rounds");
}

#[test]
fn a_record_that_is_not_right_has_events_too() {
    let rules = RuleOptions::new(Preset::Trains, 2).resolve().unwrap();
    let mut bad = record(rules, 3, &[]);
    bad.rounds[0].scores[0] = u16::MAX;
    bad.rounds[1].hands.truncate(1);
    bad.rounds[2].scores.clear();
    bad.seats.clear();
    let few = bad.events().len();
    bad.rounds = bad.rounds.iter().cycle().take(300).cloned().collect();
    assert!(bad.events().len() > few);
}

#[test]
fn a_changed_move_is_named_by_its_round_and_number() {
    let rules = RuleOptions::new(Preset::Classic, 3).resolve().unwrap();
    let good = record(rules, 5, &[]);
    for (r, round) in good.rounds.iter().enumerate() {
        for m in 0..round.moves.len() {
            let mut bad = good.clone();
            let made = &mut bad.rounds[r].moves[m];
            match &mut made.what {
                Deed::Draw(tile) => {
                    *tile = if *tile == Tile::new(0, 0).unwrap() { Tile::new(0, 1) } else { Tile::new(0, 0) }
                        .unwrap()
                }
                _ => made.seat = Seat::new((made.seat.number() + 1) % 3).unwrap(),
            }
            let place = bad.verify().unwrap_err().place;
            assert_eq!(place, format!("round {}, move {}", r + 1, m + 1), "{}", good.rounds[r].moves[m]);
            let mut short = good.clone();
            short.rounds[r].moves.remove(m);
            assert!(short.verify().is_err());
        }
        let mut long = good.clone();
        long.rounds[r].moves.push("0 pass".parse::<Made>().unwrap());
        assert!(long.verify().unwrap_err().problem.contains("after the end"));
    }
}

#[test]
fn what_is_no_record_is_refused_with_line_and_column() {
    let rules = RuleOptions::new(Preset::Trains, 2).resolve().unwrap();
    let text = record(rules, 9, &[]).to_json();
    for (from, to) in [
        ("\"seed\"", "\"sead\""),
        ("must_play", "may_be"),
        (" start", " began"),
        ("\"blocked\"", "\"stuck\""),
    ] {
        let error = Record::from_json(&text.replacen(from, to, 1)).unwrap_err();
        assert!(error.line() > 1, "{error}");
    }
}

/// The record of a match in which these names sit, on the deals of a block of `names`.
fn record_in_block(seated: [&str; 2], names: &[&str]) -> Record {
    let rules = RuleOptions::new(Preset::Trains, 2).resolve().unwrap();
    let contributor = |name: &&str| Contributor { name: (*name).to_owned(), entropy: Hex32([5; 32]) };
    let seed = Seed::new([9; 32]);
    let block = names.iter().map(contributor).collect();
    let start =
        MatchStart { block, ..MatchStart::new(rules, "b7", &seed, seated.iter().map(contributor).collect()) };
    let setup = MatchSetup::seeded(start, &seed, ForcedMoves::Automatic);
    let (mut events, mut log) = (Vec::new(), Vec::new());
    let mut game = Match::start(setup, &mut events).unwrap();
    while let Some(decision) = game.decision() {
        let choice = decision.moves.clone().next().unwrap().into();
        let entry = game.check(decision.number, decision.seat, choice).unwrap();
        game.commit(entry, &mut events).unwrap();
        log.push(entry);
    }
    Record::of("m1", &seed, game.setup(), ForcedMoves::Automatic, &log).unwrap()
}

#[test]
fn matches_of_a_block_have_the_same_deals_in_every_seating() {
    let block = ["ann", "bob"];
    let (one, other) = (record_in_block(["ann", "bob"], &block), record_in_block(["bob", "ann"], &block));
    assert_eq!((one.verify(), other.verify()), (Ok(()), Ok(())));
    assert_eq!(one.rounds[0].hands, other.rounds[0].hands);
    assert_ne!(one.digest, other.digest);
    let more = record_in_block(["ann", "bob"], &["ann", "bob", "eve"]);
    assert_ne!(one.rounds[0].hands, more.rounds[0].hands, "every contributor counts");
    let text = one.to_json();
    assert_eq!(Record::from_json(&text).unwrap(), one);
}

#[test]
fn a_block_whose_contributors_are_out_of_order_is_a_flaw() {
    for names in [["bob", "ann"], ["ann", "ann"]] {
        assert_eq!(record_in_block(["ann", "bob"], &names).verify().unwrap_err().place, "block");
    }
    let many: Vec<String> = (0..17).map(|i| format!("bot-{i:02}")).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    assert_eq!(record_in_block(["ann", "bob"], &many).verify().unwrap_err().place, "block");
    let mut renamed = record_in_block(["ann", "bob"], &["ann", "bob"]);
    renamed.block[0].name = "abe".to_owned();
    assert!(renamed.verify().is_err());
}
