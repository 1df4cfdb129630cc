//! A slow, literal model of one round, kept to be compared with the real engine.
//!
//! It shares no code and no representation with that engine: tiles are pairs, hands and open ends
//! are plain lists, and every question is answered by searching them again. Nothing is cached, so
//! nothing can go stale, and a disagreement with the engine points at one of two short programs.

/// The two numbers of a tile, the lower one first.
pub type Tile = (u8, u8);

/// The options that matter once the hands are dealt.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Rules {
    /// Highest number of the set.
    pub max_pip: u8,
    /// Seats at the table.
    pub players: usize,
    /// Arms that must lie before free play starts.
    pub opening_arms: usize,
    /// Tiles at the tail of the boneyard that nobody may draw.
    pub reserve: usize,
    /// Whether a drawn tile that fits may be kept (`true`) or has to be played (`false`).
    pub may_play: bool,
    /// Points for the double blank when it is left in a hand.
    pub double_blank: u32,
    /// Toes that complete a foot: three in the game, fewer only to keep test trees small.
    pub toes: u8,
}

/// One step of a round; the derived order is the canonical order of options.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Move {
    /// Lay `tile` with its half that shows `end` against a place that shows `end`.
    Play { tile: Tile, end: u8 },
    /// Take the next tile of the boneyard; the same seat then decides about it.
    Draw,
    /// Give up the turn because nothing fits.
    Pass,
    /// Hold back a drawn tile that would fit.
    Keep,
}

/// Why a round is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// This seat has no tile left.
    Out(usize),
    /// Nobody can play and nobody can draw.
    Blocked,
}

/// A round in progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Table {
    pub rules: Rules,
    /// Number of the starting double, which lies on the table from the start.
    pub hub: u8,
    /// Tiles of each seat, in the order they came in.
    pub hands: Vec<Vec<Tile>>,
    /// Undealt tiles, the next one to be drawn first.
    pub boneyard: Vec<Tile>,
    /// Numbers of the open ends, oldest first; a number occurs once for every end showing it.
    ///
    /// The starting double and an unfinished foot are not in this list.
    pub open: Vec<u8>,
    /// Number of the unfinished foot and the toes it still lacks.
    pub foot: Option<(u8, u8)>,
    /// Arms still to be begun.
    pub arms_left: usize,
    /// Seat on turn, counted from 0.
    pub seat: usize,
    /// The tile that the seat on turn has just drawn and not yet decided about.
    pub drawn: Option<Tile>,
    /// Stored rather than derived: the end is looked for after an action, never before the first.
    end: Option<End>,
}

impl Table {
    /// A round whose starting double is laid and whose first ordinary turn is `first`'s.
    ///
    /// # Panics
    /// If the hands, the boneyard and the starting double are not exactly one set.
    pub fn new(rules: Rules, hub: u8, first: usize, hands: Vec<Vec<Tile>>, boneyard: Vec<Tile>) -> Self {
        assert_eq!(hands.len(), rules.players, "one hand for each seat");
        assert!(first < rules.players, "the first seat is at the table");
        let mut seen = vec![(hub, hub)];
        seen.extend(hands.iter().flatten().chain(&boneyard));
        seen.sort();
        assert_eq!(seen, whole_set(rules.max_pip), "every tile once");
        Table {
            arms_left: rules.opening_arms,
            rules,
            hub,
            hands,
            boneyard,
            open: Vec::new(),
            foot: None,
            seat: first,
            drawn: None,
            end: None,
        }
    }

    /// Everything the seat on turn may do, in canonical order; nothing once the round is over.
    pub fn options(&self) -> Vec<Move> {
        if self.end.is_some() {
            return Vec::new();
        }
        if let Some(tile) = self.drawn {
            // A seat draws only when its other tiles do not fit, so the drawn one alone counts.
            let mut moves = self.plays(&[tile]);
            if moves.is_empty() {
                moves.push(Move::Pass);
            } else if self.rules.may_play {
                moves.push(Move::Keep);
            }
            return moves;
        }
        // Playing is compulsory, so drawing and passing exist only where no tile fits.
        let moves = self.plays(&self.hands[self.seat]);
        if !moves.is_empty() {
            moves
        } else if self.can_draw() {
            vec![Move::Draw]
        } else {
            vec![Move::Pass]
        }
    }

    /// Carries out one of the current options.
    ///
    /// # Panics
    /// If `step` is not among [`Table::options`].
    pub fn apply(&mut self, step: &Move) {
        assert!(self.options().contains(step), "{step:?} is not an option of seat {}", self.seat);
        let actor = self.seat;
        match *step {
            Move::Play { tile, end } => {
                self.hands[actor].retain(|&held| held != tile);
                self.lay(tile, end);
                self.pass_turn();
            }
            Move::Draw => {
                let tile = self.boneyard.remove(0);
                self.hands[actor].push(tile);
                self.drawn = Some(tile);
            }
            Move::Pass | Move::Keep => self.pass_turn(),
        }
        self.end = self.find_end(actor);
    }

    /// How the round ended, or `None` while it goes on.
    pub fn end(&self) -> Option<End> {
        self.end.clone()
    }

    /// Points each seat would add if the round stopped here: the pips it still holds.
    pub fn scores(&self) -> Vec<u32> {
        let points = |&(low, high): &Tile| match (low, high) {
            (0, 0) => self.rules.double_blank,
            _ => u32::from(low) + u32::from(high),
        };
        self.hands.iter().map(|hand| hand.iter().map(points).sum()).collect()
    }

    /// The different numbers that may be played on now.
    fn places(&self) -> Vec<u8> {
        // An unfinished foot shuts every other place, whoever is on turn.
        if let Some((number, _)) = self.foot {
            return vec![number];
        }
        // Until all arms are begun, only the starting double takes tiles.
        if self.arms_left > 0 {
            return vec![self.hub];
        }
        // Ends that show the same number are one and the same choice.
        let mut numbers = self.open.clone();
        numbers.sort();
        numbers.dedup();
        numbers
    }

    /// The plays these tiles allow; a tile that fits two numbers gives two of them.
    fn plays(&self, tiles: &[Tile]) -> Vec<Move> {
        let mut moves = Vec::new();
        for &tile in tiles {
            for end in self.places() {
                if tile.0 == end || tile.1 == end {
                    moves.push(Move::Play { tile, end });
                }
            }
        }
        moves.sort();
        moves
    }

    /// Whether the boneyard holds more than the tiles that nobody may draw.
    fn can_draw(&self) -> bool {
        self.boneyard.len() > self.rules.reserve
    }

    /// Changes the table for a tile that has just left the hand of the seat on turn.
    fn lay(&mut self, tile: Tile, end: u8) {
        let outer = if tile.0 == end { tile.1 } else { tile.0 };

        // A toe adds an end and uses up none: the foot itself is not in the list.
        if let Some((number, missing)) = self.foot {
            self.open.push(outer);
            self.foot = (missing > 1).then(|| (number, missing - 1));
            return;
        }

        // So does the first tile of an arm, which lies on the starting double.
        if self.arms_left > 0 {
            self.open.push(outer);
            self.arms_left -= 1;
            return;
        }

        // In free play the oldest end that shows the number is covered ...
        let covered = self.open.iter().position(|&number| number == end);
        self.open.remove(covered.expect("an option names an open end"));

        // ... and a double turns it into a foot, unless this tile has ended the round.
        if tile.0 == tile.1 && !self.hands[self.seat].is_empty() {
            self.foot = Some((end, self.rules.toes));
        } else {
            self.open.push(outer);
        }
    }

    fn pass_turn(&mut self) {
        self.drawn = None;
        self.seat = (self.seat + 1) % self.rules.players;
    }

    /// Looks for the end of the round after an action of `actor`.
    fn find_end(&self, actor: usize) -> Option<End> {
        // An empty hand comes first: nobody else could have emptied one.
        if self.hands[actor].is_empty() {
            return Some(End::Out(actor));
        }
        // While somebody can draw, or holds any tile that fits, the round goes on. A drawn tile
        // that fits is such a tile; one that does not fit leaves nothing to decide.
        let any_fits = self.hands.iter().any(|hand| !self.plays(hand).is_empty());
        (!self.can_draw() && !any_fits).then_some(End::Blocked)
    }
}

/// Every tile of a set, ordered by its lower and then its higher number.
pub fn whole_set(max_pip: u8) -> Vec<Tile> {
    (0..=max_pip).flat_map(|low| (low..=max_pip).map(move |high| (low, high))).collect()
}
