use chickenfoot_rules::{MAX_PIP, MAX_SEATS, Move, Numbers, Round, Seat, Terms, Tile, TileSet, View};

use crate::dead_foot::Position;
use crate::tiles::{Counts, counts, points};

/// What lies where, counted, and kept true move by move: so that a position is weighed without counting anew.
#[derive(Clone, Debug)]
pub(crate) struct Tallies<const W: usize> {
    hands: [Tally; MAX_SEATS],
    table: Tally,
    laid_doubles: Numbers,
    all: Tally,
    players: usize,
    reserve: u8,
    double_blank: u8,
}

/// Some tiles, counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Tally {
    /// How many bear each number.
    bearing: Counts,
    points: i16,
    tiles: u8,
}

impl Tally {
    const NONE: Tally = Tally { bearing: [0; MAX_PIP as usize + 1], points: 0, tiles: 0 };

    fn of<const W: usize>(tiles: TileSet<W>, double_blank: u8) -> Tally {
        let points = tiles.iter().map(|tile| i16::from(points(tile, double_blank))).sum();
        Tally { bearing: counts(tiles), points, tiles: tiles.len() as u8 }
    }

    #[inline]
    fn add(&mut self, tile: Tile, double_blank: u8) {
        self.bearing[usize::from(tile.low())] += 1;
        self.bearing[usize::from(tile.high())] += u8::from(!tile.is_double());
        self.points += i16::from(points(tile, double_blank));
        self.tiles += 1;
    }

    #[inline]
    fn take(&mut self, tile: Tile, double_blank: u8) {
        self.bearing[usize::from(tile.low())] -= 1;
        self.bearing[usize::from(tile.high())] -= u8::from(!tile.is_double());
        self.points -= i16::from(points(tile, double_blank));
        self.tiles -= 1;
    }
}

impl<const W: usize> Tallies<W> {
    /// What a seat can count from its view; of the other hands only how many tiles they have.
    pub(crate) fn of_view(view: &View<'_>) -> Tallies<W> {
        let mut tallies = Tallies::new(&Terms::from(&view.rules));
        tallies.lay(view.table);
        for (tally, seat) in tallies.hands.iter_mut().zip(view.seats()) {
            tally.tiles = seat.tiles;
        }
        tallies.hands[view.seat.index()] = Tally::of(view.hand, view.rules.double_blank());
        tallies
    }

    /// Everything in a round.
    pub(crate) fn of_round(round: &Round<W>) -> Tallies<W> {
        let terms = round.terms();
        let mut tallies = Tallies::new(terms);
        let mut table = TileSet::<W>::whole(terms.max_pip);
        for seat in Seat::all(terms.players) {
            tallies.hands[seat.index()] = Tally::of(round.hand(seat), terms.double_blank);
            table = table.without(round.hand(seat));
        }
        tallies.lay(table.without(round.boneyard().collect()));
        tallies
    }

    fn new(terms: &Terms) -> Tallies<W> {
        Tallies {
            hands: [Tally::NONE; MAX_SEATS],
            table: Tally::NONE,
            laid_doubles: Numbers::EMPTY,
            all: Tally::of(TileSet::<3>::whole(terms.max_pip), terms.double_blank),
            players: usize::from(terms.players),
            reserve: terms.reserve,
            double_blank: terms.double_blank,
        }
    }

    fn lay<const V: usize>(&mut self, tiles: TileSet<V>) {
        self.table = Tally::of(tiles, self.double_blank);
        self.laid_doubles = tiles.iter().filter(|tile| tile.is_double()).map(Tile::low).collect();
    }

    /// Keeps the count true for a move that the seat on turn is about to make.
    #[inline]
    pub(crate) fn follow(&mut self, round: &Round<W>, action: Move) {
        let hand = &mut self.hands[round.turn().index()];
        match action {
            Move::Play { tile, .. } => {
                hand.take(tile, self.double_blank);
                self.table.add(tile, self.double_blank);
                if tile.is_double() {
                    self.laid_doubles.insert(tile.low());
                }
            }
            Move::Draw => {
                if let Some(tile) = round.boneyard().next() {
                    hand.add(tile, self.double_blank);
                }
            }
            Move::Pass | Move::Keep => {}
        }
    }

    /// What a seat knows.
    #[inline]
    pub(crate) fn position(&self, seat: Seat, hand: TileSet<W>) -> Position<'_, W> {
        let (own, yard) = (&self.hands[seat.index()], self.yard());
        let mut unseen_of = self.all.bearing;
        for ((unseen, laid), own) in unseen_of.iter_mut().zip(self.table.bearing).zip(own.bearing) {
            *unseen = unseen.saturating_sub(laid + own);
        }
        Position {
            hand,
            own: &own.bearing,
            unseen_of,
            laid_doubles: self.laid_doubles,
            lead: self.lead(own),
            double_blank: self.double_blank,
            fewest: self.fewest(seat),
            yard,
            can_draw: yard > self.reserve,
        }
    }

    /// How many tiles the seat with the fewest has, of all seats but one.
    #[inline]
    fn fewest(&self, seat: Seat) -> u8 {
        let hands = self.hands[..self.players].iter().enumerate();
        let others = hands.filter(|(i, _)| *i != seat.index());
        others.map(|(_, hand)| hand.tiles).min().unwrap_or(0)
    }

    /// How many tiles the boneyard has, the reserve included.
    #[inline]
    fn yard(&self) -> u8 {
        let held: u8 = self.hands[..self.players].iter().map(|hand| hand.tiles).sum();
        self.all.tiles.saturating_sub(self.table.tiles + held)
    }

    /// By how many points a hand is lighter than the others are at their mean, as far as its seat can tell.
    #[inline]
    fn lead(&self, own: &Tally) -> i32 {
        let in_all: i32 = self.hands[..self.players].iter().map(|hand| i32::from(hand.tiles)).sum();
        let in_others = in_all - i32::from(own.tiles);
        let unseen = i32::from(self.all.points - self.table.points - own.points);
        let tiles = i32::from(self.all.tiles.saturating_sub(self.table.tiles + own.tiles)).max(1);
        // An unseen tile counts as the mean of all that are unseen.
        unseen * in_others / (tiles * (self.players as i32 - 1)) - i32::from(own.points)
    }

    /// What a seat's hand counts.
    #[inline]
    pub(crate) fn points(&self, seat: Seat) -> i32 {
        i32::from(self.hands[seat.index()].points)
    }
}
