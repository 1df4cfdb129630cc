use chickenfoot_rules::{
    Choice, Contributor, Deal, Deals, Entry, Event, ForcedMoves, Hex32, Match, MatchSetup, MatchStart, Move,
    Round, Rules, Seat, Starter, Tile,
};
use proptest::arbitrary::any;
use proptest::strategy::Strategy;
use rand::RngExt;
use rand::rngs::SmallRng;
use rand::seq::{IndexedRandom, SliceRandom};

use super::{rng, rules};

/// Deals that were written down beforehand, the first round's first.
#[derive(Clone, Debug)]
pub struct Stacked(pub Vec<Deal>);

impl Deals for Stacked {
    fn deal(&self, round: u8) -> Deal {
        self.0[usize::from(round) - 1].clone()
    }
}

/// Rules and random deals for all rounds of a match.
pub fn matches() -> impl Strategy<Value = (Rules, Stacked, u64)> {
    (rules(), any::<u64>()).prop_map(|(rules, seed)| (rules, random_deals(&rules, &mut rng(seed)), !seed))
}

pub fn random_deals(rules: &Rules, rng: &mut SmallRng) -> Stacked {
    let deals = (1..=rules.rounds()).map(|round| {
        let starting_double = rules.starting_double(round).unwrap();
        let lot = rules.starter() == Starter::Lot;
        let mut tiles: Vec<Tile> = Tile::set(rules.max_pip())
            .filter(|tile| !lot || *tile != Tile::double(starting_double).unwrap())
            .collect();
        tiles.shuffle(rng);
        let hand_size = usize::from(rules.hand_size());
        let boneyard = tiles.split_off(usize::from(rules.players()) * hand_size);
        Deal {
            starting_double,
            starter: lot.then(|| Seat::new(rng.random_range(0..rules.players())).unwrap()),
            hands: tiles.chunks(hand_size).map(<[Tile]>::to_vec).collect(),
            boneyard,
        }
    });
    Stacked(deals.collect())
}

pub fn setup(rules: Rules, deals: &Stacked, forced: ForcedMoves) -> MatchSetup {
    let contributor =
        |seat: Seat| Contributor { name: format!("player {seat}"), entropy: Hex32([seat.number(); 32]) };
    let start = MatchStart {
        rules,
        deal_id: "a match".to_owned(),
        commitment: Hex32([7; 32]),
        seats: Seat::all(rules.players()).map(contributor).collect(),
        block: Vec::new(),
    };
    MatchSetup { start, deals: Box::new(deals.clone()), forced }
}

/// A match at its first decision, and what happened up to there.
pub fn start(rules: Rules, deals: &Stacked, forced: ForcedMoves) -> (Match, Vec<Event>) {
    let mut events = Vec::new();
    let game = Match::start(setup(rules, deals, forced), &mut events).unwrap();
    (game, events)
}

/// Plays a match to its end. Returns the log and the events.
pub fn play(
    rules: Rules,
    deals: &Stacked,
    forced: ForcedMoves,
    mut choose: impl FnMut(&Match) -> Choice,
) -> (Match, Vec<Entry>, Vec<Event>) {
    let (mut game, mut events) = start(rules, deals, forced);
    let mut entries = Vec::new();
    while let Some(decision) = game.decision() {
        let entry = game.check(decision.number, decision.seat, choose(&game)).unwrap();
        game.commit(entry, &mut events).unwrap();
        entries.push(entry);
    }
    (game, entries, events)
}

/// Any legal answer to the open decision, on any of the ends that it may be laid on.
pub fn choice(game: &Match, rng: &mut SmallRng) -> Choice {
    let moves: Vec<Move> = game.decision().unwrap().moves.clone().collect();
    let action = *moves.choose(rng).unwrap();
    let line = match action {
        Move::Play { end, .. } if rng.random() => {
            game.view().unwrap().lines().places(end).choose(rng).copied()
        }
        Move::Play { .. } | Move::Draw | Move::Pass | Move::Keep => None,
    };
    Choice { action, line }
}

/// Any legal move; none once the round is over.
pub fn choose<const W: usize>(round: &Round<W>, rng: &mut SmallRng) -> Option<Move> {
    let moves: Vec<Move> = round.moves().collect();
    moves.choose(rng).copied()
}
