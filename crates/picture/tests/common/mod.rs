//! Random rounds: legal moves, and of equal ends any.
use chickenfoot_picture::Layout;
use chickenfoot_rules::{
    Act, End, Lines, Move, Preset, Round, RuleOptions, Rules, Seat, Step, Terms, Tile, Tiles, set_size,
};

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A round in progress together with what everybody saw of it.
pub struct Play {
    pub terms: Terms,
    pub round: Round,
    pub steps: Vec<Step>,
    lines: Lines,
    rng: ChaCha8Rng,
}

impl Play {
    /// A round that is dealt and not begun. The same seed gives the same round.
    pub fn deal(rules: &Rules, seed: u64) -> Play {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
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

/// Rules for rounds with one set: both presets, 2 to 8 players where the set has tiles for them.
pub fn round_rules(max_pip: u8) -> Vec<Rules> {
    let presets = [Preset::Trains, Preset::Classic];
    let all = (2..=8).flat_map(|players| presets.map(|preset| RuleOptions::new(preset, players)));
    let fits = |rules: &Rules| {
        // The starting double lies, whoever held it.
        usize::from(rules.players()) * usize::from(rules.hand_size()) < set_size(rules.max_pip())
    };
    all.filter_map(|options| RuleOptions { max_pip: Some(max_pip), ..options }.resolve().ok())
        .filter(fits)
        .collect()
}

/// The layout of what was played.
pub fn layout_of(play: &Play) -> Layout {
    let mut layout = Layout::new(&play.terms, play.round.hub());
    for step in &play.steps {
        if let Act::Play { tile, end, line } = step.act {
            layout.place(tile, end, Some(line)).unwrap();
        }
    }
    if let Some(end) = play.round.end() {
        layout.finish(end);
    }
    layout
}

/// A table on which as much of a set as can be lies, laid at random without hands: doubles first, if asked.
pub fn stress(max_pip: u8, arms: u8, seed: u64) -> Layout {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rules = RuleOptions::new(Preset::Trains, 2).resolve().unwrap();
    let terms = Terms { max_pip, opening_arms: arms, ..Terms::from(&rules) };
    let hub = rng.random_range(0..=max_pip);
    let mut lines = Lines::new(&terms, hub);
    let mut layout = Layout::new(&terms, hub);
    let mut left: Vec<Tile> = Tile::set(max_pip).filter(|tile| *tile != Tile::double(hub).unwrap()).collect();
    let doubles_first = rng.random_bool(0.5);
    loop {
        let mut plays: Vec<(Tile, u8)> = left
            .iter()
            .flat_map(|tile| [(*tile, tile.low()), (*tile, tile.high())])
            .filter(|(_, end)| !lines.places(*end).is_empty())
            .collect();
        // A double is no toe and no arm.
        if lines.foot().is_some() || lines.all().len() < usize::from(arms) {
            plays.retain(|(tile, _)| !tile.is_double());
        } else if doubles_first && plays.iter().any(|(tile, _)| tile.is_double()) {
            plays.retain(|(tile, _)| tile.is_double());
        }
        let Some((tile, end)) = plays.choose(&mut rng).copied() else { return layout };
        let line = *lines.places(end).choose(&mut rng).unwrap();
        lines.lay(tile, end, Some(line)).unwrap();
        layout.place(tile, end, Some(line)).unwrap();
        left.retain(|other| *other != tile);
    }
}
