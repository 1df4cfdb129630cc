//! Random rounds: legal moves, and of equal ends any.
use chickenfoot_rules::{
    Act, End, Lines, Move, Preset, Round, RuleOptions, Rules, Seat, Step, Terms, Tile, Tiles,
};
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

/// A round in progress together with what everybody saw of it.
pub struct Play {
    pub terms: Terms,
    pub round: Round,
    pub steps: Vec<Step>,
    lines: Lines,
    rng: StdRng,
}

impl Play {
    /// A round that is dealt and not begun. The same seed gives the same round.
    pub fn deal(rules: &Rules, seed: u64) -> Play {
        let mut rng = StdRng::seed_from_u64(seed);
        let terms = Terms::from(rules);
        let hub = rng.random_range(0..=rules.max_pip());
        let mut tiles: Vec<Tile> =
            Tile::set(rules.max_pip()).filter(|tile| *tile != Tile::double(hub).unwrap()).collect();
        tiles.shuffle(&mut rng);
        let dealt = usize::from(rules.players()) * usize::from(rules.hand_size());
        let hands: Vec<Tiles> = tiles[..dealt]
            .chunks(usize::from(rules.hand_size()))
            .map(|hand| hand.iter().copied().collect())
            .collect();
        let first = Seat::new(0).unwrap();
        Play {
            terms,
            round: Round::new(terms, hub, first, &hands, &tiles[dealt..]).unwrap(),
            steps: Vec::new(),
            lines: Lines::new(&terms, hub),
            rng,
        }
    }

    /// One random move; `None` once the round is over.
    pub fn step(&mut self) -> Option<&Step> {
        let moves: Vec<Move> = self.round.moves().collect();
        let action = *moves.choose(&mut self.rng)?;
        let act = match action {
            Move::Play { tile, end } => {
                let line = *self.lines.places(end).choose(&mut self.rng).unwrap();
                self.lines.lay(tile, end, Some(line)).unwrap();
                Act::Play { tile, end, line }
            }
            Move::Draw => Act::Draw,
            Move::Pass | Move::Keep => Act::Pass,
        };
        let seat = self.round.turn();
        self.round.apply(action).unwrap();
        self.steps.push(Step { seat, act });
        self.steps.last()
    }

    /// Plays on to the end.
    pub fn finish(&mut self) -> End {
        while self.step().is_some() {}
        self.round.end().unwrap()
    }
}

/// Rules for every size of set, both presets, few seats and many.
pub fn rule_sets() -> Vec<Rules> {
    let mut all = Vec::new();
    for max_pip in [6, 9, 12, 15, 18] {
        for (preset, players) in [(Preset::Trains, 2), (Preset::Trains, 6), (Preset::Classic, 3)] {
            let options = RuleOptions { max_pip: Some(max_pip), ..RuleOptions::new(preset, players) };
            all.push(options.resolve().unwrap());
        }
    }
    all
}
