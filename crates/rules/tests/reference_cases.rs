//! The published reference cases: rounds step by step, whole game trees, worked deals.
//!
//! With the environment variable `CHICKENFOOT_CASES` the rounds of another file of the same format are run.
#![allow(clippy::unwrap_used, missing_docs)]

mod cases;
mod oracle;

use std::path::PathBuf;

use cases::{Case, DealCase, Did, Tree};
use chickenfoot_rules::{Contributor, Deals, End, Hex32, Move, Round, Rules, Seat, Seed, SeededDeals, Tile};

#[test]
fn rounds() {
    let file = std::env::var_os("CHICKENFOOT_CASES").map_or_else(|| data("rounds.jsonl"), PathBuf::from);
    let text = std::fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
    let mut count = 0;
    for (i, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let case: Case = serde_json::from_str(line).unwrap_or_else(|e| panic!("line {}: {e}", i + 1));
        run(&case);
        count += 1;
    }
    assert!(count > 0, "{} has no case", file.display());
    println!("{count} rounds agree");
}

fn run(case: &Case) {
    let name = &case.name;
    let mut round = case.setup.round::<3>();
    for (i, step) in case.steps.iter().enumerate() {
        let at = format!("{name}, step {i}");
        assert_eq!(round.end(), None, "{at}: the round is over already");
        assert_eq!(round.turn().number(), step.seat, "{at}: seat on turn");
        assert_eq!(round.foot().map(|foot| (foot.number, foot.missing)), step.foot, "{at}: foot");
        assert_eq!(round.arms_left(), step.arms_left, "{at}: arms left");
        assert_eq!(round.yard_size(), step.yard, "{at}: boneyard");
        for (number, count) in round.ends().iter().enumerate() {
            let expected = step.open.get(&number.to_string()).copied().unwrap_or(0);
            assert_eq!(*count, expected, "{at}: open ends that show {number}");
        }
        let options: Vec<Did> = round.moves().map(Did::from).collect();
        assert_eq!(options, step.options, "{at}: options");
        round.apply(Move::from(step.did)).unwrap_or_else(|why| panic!("{at}: {why}"));
    }
    let end = round.end().unwrap_or_else(|| panic!("{name}: not over after the last step"));
    let word = if matches!(end, End::Out(_)) { "out" } else { "blocked" };
    assert_eq!(word, case.end, "{name}: end");
    let players = case.setup.rules.players;
    let scores: Vec<u32> = Seat::all(players).map(|seat| u32::from(round.hand_score(seat))).collect();
    assert_eq!(scores, case.scores, "{name}: scores");
}

#[test]
fn trees() {
    let text = std::fs::read_to_string(data("trees.jsonl")).unwrap();
    for line in text.lines() {
        let tree: Tree = serde_json::from_str(line).unwrap();
        let mut counts = oracle::trees::Counts::default();
        walk(&tree.setup.round::<1>(), tree.setup.rules.players, &mut counts);
        let found = (counts.leaves, counts.actions, counts.out, counts.scores);
        assert_eq!(found, (tree.leaves, tree.actions, tree.out, tree.scores), "{}", tree.name);
        assert_eq!(counts, oracle::trees::count(&tree.setup.naive()), "{}: the naive engine", tree.name);
    }
}

fn walk(round: &Round<1>, players: u8, counts: &mut oracle::trees::Counts) {
    if let Some(end) = round.end() {
        counts.leaves += 1;
        counts.out += u64::from(matches!(end, End::Out(_)));
        counts.scores += Seat::all(players).map(|seat| u64::from(round.hand_score(seat))).sum::<u64>();
        return;
    }
    for action in round.moves() {
        let mut next = *round;
        next.apply(action).unwrap();
        counts.actions += 1;
        walk(&next, players, counts);
    }
}

#[test]
fn deals() {
    let text = std::fs::read_to_string(data("deals.json")).unwrap();
    let cases: Vec<DealCase> = serde_json::from_str(&text).unwrap();
    for case in cases {
        let id = &case.deal_id;
        let rules = Rules::from_text(&case.rules_text).unwrap();
        assert_eq!(rules.text(), case.rules_text);
        let seed = Seed::new(case.seed.parse::<Hex32>().unwrap().0);
        let contributors: Vec<Contributor> = case
            .contributors
            .iter()
            .map(|(name, entropy)| Contributor { name: name.clone(), entropy: entropy.parse().unwrap() })
            .collect();
        let deals = SeededDeals::new(rules, id, &seed, &contributors);
        assert_eq!(deals.commitment().to_string(), case.commitment, "{id}: commitment");
        assert_eq!(Hex32(deals.transcript()).to_string(), case.transcript, "{id}: transcript");
        for expected in &case.rounds {
            let at = format!("{id}, round {}", expected.round);
            let deal = deals.deal(expected.round);
            assert_eq!(Hex32(deals.round_key(expected.round)).to_string(), expected.key, "{at}: key");
            assert_eq!(deal.starting_double, expected.starting_double, "{at}: starting double");
            assert_eq!(deal.starter.map(Seat::number), expected.starter, "{at}: starter");
            let hands: Vec<Vec<Tile>> = expected.hands.iter().map(|hand| cases::tiles(hand)).collect();
            assert_eq!(deal.hands, hands, "{at}: hands");
            assert_eq!(deal.boneyard, cases::tiles(&expected.boneyard), "{at}: boneyard");
        }
    }
}

fn data(file: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(file)
}
