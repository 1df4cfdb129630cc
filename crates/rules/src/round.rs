use std::fmt;

use crate::config::{DrawnTile, Rules};
use crate::fits::Fits;
use crate::illegal::{Illegal, SetupError};
use crate::moves::{Move, Moves};
use crate::number::Numbers;
use crate::open_ends::OpenEnds;
use crate::seat::{MAX_SEATS, Seat};
use crate::set::TileSet;
use crate::tile::{MAX_PIP, Tile, set_size};
use crate::view::View;

/// What one round needs to know of the rules.
///
/// Wider than [`Rules`] allows, so that small sets can be searched to the last leaf and positions can be studied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Terms {
    /// Highest number of the set, 0 to 18.
    pub max_pip: u8,
    /// Number of seats, 2 to 16.
    pub players: u8,
    /// Arms begun on the starting double before free play, at least 1.
    pub opening_arms: u8,
    /// Toes that complete a chicken foot: 3 in every published rule set; 1 and 2 serve the study of small sets.
    pub toes: u8,
    /// Tiles at the end of the boneyard that are never drawn.
    pub reserve: u8,
    /// What becomes of a drawn tile that fits.
    pub drawn_tile: DrawnTile,
    /// What the double blank counts in a hand.
    pub double_blank: u8,
}

impl From<&Rules> for Terms {
    fn from(rules: &Rules) -> Terms {
        Terms {
            max_pip: rules.max_pip(),
            players: rules.players(),
            opening_arms: rules.opening_arms(),
            toes: 3,
            reserve: rules.reserve(),
            drawn_tile: rules.drawn_tile(),
            double_blank: rules.double_blank(),
        }
    }
}

/// A chicken foot that lacks toes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
pub struct Foot {
    /// The double's number: every toe must bear it.
    pub number: u8,
    /// Toes still missing, at least 1.
    pub missing: u8,
}

/// How a round ended. As text, `out 2` or `blocked`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum End {
    /// This seat's hand is empty.
    Out(Seat),
    /// The boneyard is down to the reserve and no hand has a legal play.
    Blocked,
}

/// What the seat on turn is about to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    /// It plays from its hand; without a legal play it draws or passes.
    Turn,
    /// It drew this tile, which fits.
    Drew(Tile),
    /// It drew a tile that does not fit.
    DrewInVain,
    Over(End),
}

/// A round in progress, the starting double laid. Plain data of a fixed size, with nothing behind a pointer.
///
/// `W` is the width of its tile sets: 1 word for sets up to double-nine, 3 for all. Where tiles lie on the table is
/// not part of it: legality needs only how many open ends show each number. [`crate::Lines`] follows the places.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Round<const W: usize = 3> {
    hands: [TileSet<W>; MAX_SEATS],
    /// The boneyard in drawing order, as tile indices.
    yard: [[u8; 64]; W],
    /// What may be laid on what is open now: kept, because every turn asks.
    fits: Fits<W>,
    open: OpenEnds,
    yard_next: u8,
    yard_len: u8,
    terms: Terms,
    turn: Seat,
    phase: Phase,
}

impl<const W: usize> Round<W> {
    /// A round after the starting double `hub` was laid and before `first` takes its turn.
    ///
    /// `hands` has one set a seat, `boneyard` is drawn from its front. A hand may be empty when its seat went out by
    /// laying the starting double: then the round is over.
    ///
    /// # Errors
    /// Numbers out of range, or tiles that are not exactly the rest of the set.
    pub fn new(
        terms: Terms,
        hub: u8,
        first: Seat,
        hands: &[TileSet<W>],
        boneyard: &[Tile],
    ) -> Result<Round<W>, SetupError> {
        let laid = [Tile::of(hub.min(MAX_PIP), hub.min(MAX_PIP))].into_iter().collect();
        check(&terms, hub, first, laid, hands, boneyard)?;
        let out = Seat::all(terms.players).find(|seat| hands[seat.index()].is_empty());
        let phase = out.map_or(Phase::Turn, |seat| Phase::Over(End::Out(seat)));
        let mut round = Round::over(terms, OpenEnds::new(hub, terms.opening_arms), first, phase);
        round.put(hands, boneyard);
        Ok(round)
    }

    /// The round that a view is of, with these tiles where the view sees none. `boneyard` is drawn from its front.
    ///
    /// # Errors
    /// Numbers out of range, tiles that are not exactly the set, or not as many in each place as the view has.
    pub(crate) fn of_view(
        view: &View<'_>,
        hands: &[TileSet<W>],
        boneyard: &[Tile],
    ) -> Result<Round<W>, SetupError> {
        let terms = Terms::from(&view.rules);
        let table = view.table.resize();
        check(&terms, view.starting_double, view.seat, table, hands, boneyard)?;
        let as_seen = hands[view.seat.index()].widen() == view.hand
            && boneyard.len() == usize::from(view.boneyard)
            && hands.iter().zip(view.seats()).all(|(hand, seat)| hand.len() == usize::from(seat.tiles));
        if !as_seen {
            return Err(SetupError::NotTheCounts);
        }
        let phase = match view.drawn {
            Some(tile) => Phase::Drew(tile),
            None if view.drew_in_vain() => Phase::DrewInVain,
            None => Phase::Turn,
        };
        let mut round = Round::over(terms, view.open_ends(), view.seat, phase);
        round.put(hands, boneyard);
        Ok(round)
    }

    /// The same round with its hidden tiles dealt anew among hands and boneyard, each as large as it is. `boneyard` is
    /// drawn from its front.
    ///
    /// # Errors
    /// Tiles other than those that were there, or not as many in each place. Then nothing is changed.
    pub fn redeal(&mut self, hands: &[TileSet<W>], boneyard: &[Tile]) -> Result<(), SetupError> {
        let old = &self.hands[..usize::from(self.terms.players)];
        let as_many = hands.len() == old.len()
            && boneyard.len() == usize::from(self.yard_size())
            && hands.iter().zip(old).all(|(new, old)| new.len() == old.len());
        if !as_many {
            return Err(SetupError::NotTheCounts);
        }
        let all = |hands: &[TileSet<W>], yard: TileSet<W>| hands.iter().fold(yard, |all, hand| all.or(*hand));
        // With as many tiles as there were and no other ones, each is there once.
        if all(hands, boneyard.iter().copied().collect()) != all(old, self.boneyard().collect()) {
            return Err(SetupError::NotTheSet);
        }
        self.put(hands, boneyard);
        Ok(())
    }

    /// A round without hidden tiles, which [`Round::put`] puts where they belong.
    fn over(terms: Terms, open: OpenEnds, turn: Seat, phase: Phase) -> Round<W> {
        Round {
            hands: [TileSet::EMPTY; MAX_SEATS],
            yard: [[0; 64]; W],
            fits: Fits::new(open.numbers()),
            open,
            yard_next: 0,
            yard_len: 0,
            terms,
            turn,
            phase,
        }
    }

    #[inline]
    fn put(&mut self, hands: &[TileSet<W>], boneyard: &[Tile]) {
        self.hands[..hands.len()].copy_from_slice(hands);
        for (slot, tile) in self.yard.as_flattened_mut().iter_mut().zip(boneyard) {
            *slot = tile.index();
        }
        self.yard_next = 0;
        self.yard_len = boneyard.len() as u8;
    }

    /// The same round in tile sets of another width; `None` if they do not hold its set.
    pub(crate) fn resize<const V: usize>(&self) -> Option<Round<V>> {
        if set_size(self.terms.max_pip) > TileSet::<V>::CAPACITY {
            return None;
        }
        let mut round = Round::over(self.terms, self.open, self.turn, self.phase);
        let hands = self.hands.map(TileSet::resize);
        let boneyard: Vec<Tile> = self.boneyard().collect();
        round.put(&hands, &boneyard);
        Some(round)
    }

    /// Ends the round if it is blocked before the first turn. Laying the starting double from a hand is an action
    /// like any other, and the end is checked after every action; a double laid by lot is not.
    #[must_use]
    pub fn checked(mut self) -> Round<W> {
        if self.phase == Phase::Turn && self.is_blocked() {
            self.phase = Phase::Over(End::Blocked);
        }
        self
    }

    /// The round's part of the rules.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The starting double's number.
    pub fn hub(&self) -> u8 {
        self.open.hub()
    }

    /// The seat whose turn it is; after the end, the seat that moved last.
    #[inline]
    pub fn turn(&self) -> Seat {
        self.turn
    }

    /// How the round ended, once it has.
    #[inline]
    pub fn end(&self) -> Option<End> {
        match self.phase {
            Phase::Over(end) => Some(end),
            Phase::Turn | Phase::Drew(_) | Phase::DrewInVain => None,
        }
    }

    /// A seat's hand; empty for a seat that is not at the table.
    #[inline]
    pub fn hand(&self, seat: Seat) -> TileSet<W> {
        self.hands[seat.index()]
    }

    /// The tiles of the boneyard in drawing order, the reserve last.
    pub fn boneyard(&self) -> impl Iterator<Item = Tile> {
        let range = usize::from(self.yard_next)..usize::from(self.yard_len);
        self.yard.as_flattened()[range].iter().filter_map(|index| Tile::from_index(*index))
    }

    /// How many tiles the boneyard has, the reserve included.
    #[inline]
    pub fn yard_size(&self) -> u8 {
        self.yard_len - self.yard_next
    }

    /// How many open ends show each number. Places for missing toes and arms are not counted.
    pub fn ends(&self) -> &[u8; MAX_PIP as usize + 1] {
        self.open.by_number()
    }

    /// What can be played on.
    #[inline]
    pub fn open_ends(&self) -> &OpenEnds {
        &self.open
    }

    /// The unfinished chicken foot.
    pub fn foot(&self) -> Option<Foot> {
        self.open.foot()
    }

    /// Arms that the starting double still takes; 0 in free play.
    pub fn arms_left(&self) -> u8 {
        self.open.arms_left()
    }

    /// The tile just drawn, while its seat decides what to do with it.
    pub fn drawn(&self) -> Option<Tile> {
        match self.phase {
            Phase::Drew(tile) => Some(tile),
            Phase::Turn | Phase::DrewInVain | Phase::Over(_) => None,
        }
    }

    /// The numbers that a tile may be laid on now: the starting double's in the opening, the foot's while one is
    /// unfinished, else those of all open ends.
    #[inline]
    pub fn open_numbers(&self) -> Numbers {
        self.fits.numbers()
    }

    /// All legal moves of the seat on turn in canonical order; none once the round is over.
    #[inline]
    pub fn moves(&self) -> Moves<W> {
        match self.phase {
            Phase::Turn => {
                let hand = self.hands[self.turn.index()];
                Moves::of_hand(hand, &self.fits, self.can_draw())
            }
            Phase::Drew(tile) => Moves::of_drawn(tile, &self.fits, self.terms.drawn_tile),
            Phase::DrewInVain => Moves::only(Move::Pass),
            Phase::Over(_) => Moves::none(),
        }
    }

    /// Makes a move of the seat on turn. A refused move changes nothing.
    ///
    /// # Errors
    /// Why the move is not legal.
    #[inline]
    pub fn apply(&mut self, action: Move) -> Result<(), Illegal> {
        self.check(action)?;
        self.apply_unchecked(action);
        Ok(())
    }

    /// As [`Round::apply`] for a move that came from [`Round::moves`]: the fast path of a search. Any other move
    /// leaves a position that no rules describe, but never a panic in [`Round::moves`].
    #[inline]
    pub fn apply_unchecked(&mut self, action: Move) {
        match action {
            Move::Play { tile, end } => self.lay(tile, end),
            Move::Draw => {
                if self.draw() {
                    return;
                }
            }
            Move::Pass | Move::Keep => self.pass_on(),
        }
        if !matches!(self.phase, Phase::Over(_)) && self.is_blocked() {
            self.phase = Phase::Over(End::Blocked);
        }
    }

    /// What a seat's hand counts: its pips, the double blank by its own value.
    pub fn hand_score(&self, seat: Seat) -> u16 {
        let hand = self.hands[seat.index()];
        let blank = if hand.contains(Tile::of(0, 0)) { self.terms.double_blank } else { 0 };
        hand.pips() + u16::from(blank)
    }

    /// Whether [`Round::apply`] would make the move.
    ///
    /// # Errors
    /// Why the move is not legal.
    pub fn check(&self, action: Move) -> Result<(), Illegal> {
        let expected = match self.phase {
            Phase::Over(_) => return Err(Illegal::RoundOver),
            Phase::Drew(tile) => match action {
                Move::Keep if self.terms.drawn_tile == DrawnTile::MayPlay => return Ok(()),
                Move::Play { tile: other, .. } if other != tile => return Err(Illegal::NotTheDrawnTile),
                Move::Play { tile, end } => return self.check_place(tile, end),
                Move::Draw | Move::Pass | Move::Keep => return Err(Illegal::MustPlay),
            },
            Phase::DrewInVain => Move::Pass,
            Phase::Turn => match action {
                Move::Play { tile, .. } if !self.hands[self.turn.index()].contains(tile) => {
                    return Err(Illegal::NotInHand);
                }
                Move::Play { tile, end } => return self.check_place(tile, end),
                Move::Keep => return Err(Illegal::NothingToKeep),
                Move::Draw | Move::Pass if self.hands[self.turn.index()].intersects(self.fits.tiles()) => {
                    return Err(Illegal::MustPlay);
                }
                Move::Draw | Move::Pass if self.can_draw() => Move::Draw,
                Move::Draw | Move::Pass => Move::Pass,
            },
        };
        match (expected, action) {
            (Move::Draw, Move::Draw) | (Move::Pass, Move::Pass) => Ok(()),
            (Move::Draw, _) => Err(Illegal::MustDraw),
            (_, Move::Draw) => Err(Illegal::NothingToDraw),
            (_, Move::Play { tile, .. }) if !self.hands[self.turn.index()].contains(tile) => {
                Err(Illegal::NotInHand)
            }
            (_, Move::Play { .. }) => Err(Illegal::NoSuchEnd),
            (_, Move::Pass | Move::Keep) => Err(Illegal::NothingToKeep),
        }
    }

    fn check_place(&self, tile: Tile, end: u8) -> Result<(), Illegal> {
        if !tile.has(end) {
            Err(Illegal::DoesNotFit)
        } else if !self.open_numbers().contains(end) {
            Err(Illegal::NoSuchEnd)
        } else {
            Ok(())
        }
    }

    #[inline]
    fn can_draw(&self) -> bool {
        self.yard_size() > self.terms.reserve
    }

    /// No drawn tile awaits its decision, nothing can be drawn, nobody can play.
    #[inline]
    fn is_blocked(&self) -> bool {
        !self.can_draw()
            && self.hands[..usize::from(self.terms.players)]
                .iter()
                .all(|hand| !hand.intersects(self.fits.tiles()))
    }

    #[inline]
    fn lay(&mut self, tile: Tile, end: u8) {
        let hand = &mut self.hands[self.turn.index()];
        hand.remove(tile);
        if hand.is_empty() {
            self.phase = Phase::Over(End::Out(self.turn));
        }
        let ended = matches!(self.phase, Phase::Over(_));
        // The last tile ends the round at once: a double opens no foot any more.
        self.open.lay(tile, end, if ended { 0 } else { self.terms.toes });
        self.find_fits();
        if !ended {
            self.pass_on();
        }
    }

    /// Draws the next tile. Whether it awaits its decision.
    #[inline]
    fn draw(&mut self) -> bool {
        let next = usize::from(self.yard_next);
        let Some(tile) = self.yard.as_flattened().get(next).and_then(|index| Tile::from_index(*index)) else {
            return false;
        };
        self.yard_next += 1;
        self.hands[self.turn.index()].insert(tile);
        let fits = self.fits.tiles().contains(tile);
        self.phase = if fits { Phase::Drew(tile) } else { Phase::DrewInVain };
        fits
    }

    #[inline]
    fn pass_on(&mut self) {
        self.turn = self.turn.next(self.terms.players);
        self.phase = Phase::Turn;
    }

    #[inline]
    fn find_fits(&mut self) {
        let numbers = self.open.numbers();
        if numbers != self.fits.numbers() {
            self.fits = Fits::new(numbers);
        }
    }
}

impl<const W: usize> fmt::Debug for Round<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hands = &self.hands[..usize::from(self.terms.players)];
        f.debug_struct("Round")
            .field("terms", &self.terms)
            .field("open", &self.open)
            .field("hands", &hands)
            .field("boneyard", &self.boneyard().collect::<Vec<_>>())
            .field("turn", &self.turn)
            .field("phase", &self.phase)
            .finish()
    }
}

fn check<const W: usize>(
    terms: &Terms,
    hub: u8,
    first: Seat,
    laid: TileSet<W>,
    hands: &[TileSet<W>],
    boneyard: &[Tile],
) -> Result<(), SetupError> {
    let in_range = [
        ("max_pip", terms.max_pip <= MAX_PIP),
        ("players", (2..=MAX_SEATS as u8).contains(&terms.players)),
        ("hands", hands.len() == usize::from(terms.players)),
        ("opening_arms", terms.opening_arms > 0),
        ("toes", (1..=3).contains(&terms.toes)),
        ("starting double", hub <= terms.max_pip),
        ("first seat", first.number() < terms.players),
    ];
    if let Some((what, _)) = in_range.into_iter().find(|(_, fine)| !fine) {
        return Err(SetupError::OutOfRange(what));
    }
    let size = set_size(terms.max_pip);
    if size > TileSet::<W>::CAPACITY {
        return Err(SetupError::SetTooWide);
    }
    let mut all = boneyard.iter().copied().collect::<TileSet<W>>().or(laid);
    let mut count = boneyard.len() + laid.len();
    for hand in hands {
        all = all.or(*hand);
        count += hand.len();
    }
    if count != size || all != TileSet::whole(terms.max_pip) {
        return Err(SetupError::NotTheSet);
    }
    if hands.iter().filter(|hand| hand.is_empty()).count() > 1 {
        return Err(SetupError::EmptyHands);
    }
    Ok(())
}
