use chickenfoot_rules::{Move, Numbers, OpenEnds, Tile, TileSet, View};

use crate::Strategy;
use crate::mind::Mind;
use crate::tallies::Tallies;
use crate::tiles::{Counts, points};

/// Greedy that counts what is left of a number before it parts with a tile of it or lays its double.
///
/// It plays to the position that is worth most: the points laid, what is left in the hand, and what the table shows
/// to it and to the others. Most rounds end on a foot that somebody cannot feed, so a number is worth what one can
/// still do about its double:
/// - A double in hand wants toes beside it. With three or more it can wait, for nobody else can lay it, and whenever
///   it comes the others draw while its owner feeds it; with one it had better be laid while others hold toes.
/// - A double that is unseen may come at any time: it wants one toe kept in hand, and no open end while there is none.
/// - A double of which fewer than three toes are in reach makes a *dead foot*, which no one can complete. It is laid
///   as soon as it fits: it can be got rid of but once, and an end left to it is another's chance to end the round.
pub(crate) struct DeadFoot;

// All in sixteenths of a point: found by climbing in duplicate matches against `greedy` and against earlier values of
// these, then rounded. What is beside a double, in hand or unseen, is most of the edge; finer values gain little.

/// A double in hand, by the toes beside it.
const HELD: [i32; 5] = [0, 192, 300, 440, 500];

/// A foot that one has just opened, by the toes in hand: to be compared with [`HELD`].
const OPENED: [i32; 4] = [44, 340, 240, 200];

/// Having a tile at all of a number whose double may still come from another hand.
const GUARD: i32 = 128;

/// A dead foot that one has just opened.
const DEAD: i32 = 380;

/// What a foot of one's own is worth less for each point that one's hand is lighter than the others': a foot means
/// that hands grow, which suits who is behind.
const OPENED_LEAD: i32 = 4;

/// A number that is open, by the tiles in hand that bear it.
const SUPPLY: [i32; 4] = [-20, 20, 30, 65];

/// What an open end costs on which another may lay a double, by the toes in hand.
const RISK: [i32; 3] = [120, 28, 0];

/// What an open end costs on which another may lay a double that is dead.
const DEAD_RISK: i32 = 100;

/// What it costs to open an end, for each unseen tile that fits it.
const OFFER: i32 = 25;

/// Toes that complete a foot.
const TOES: u8 = 3;

impl Strategy for DeadFoot {
    fn choose(&mut self, view: &View<'_>) -> Move {
        let tallies = Tallies::<3>::of_view(view);
        let position = tallies.position(view.seat, view.hand);
        position.best(Mind::DeadFoot, &view.open_ends(), view.moves()).unwrap_or(Move::Pass)
    }
}

/// What the seat on turn knows, counted: a move is weighed in a few steps, since a search weighs a great many.
pub(crate) struct Position<'a, const W: usize> {
    pub(crate) hand: TileSet<W>,
    /// How many tiles bear each number: in the hand, and in other hands and the boneyard.
    pub(crate) own: &'a Counts,
    pub(crate) unseen_of: Counts,
    /// The numbers whose doubles lie on the table.
    pub(crate) laid_doubles: Numbers,
    /// By how many points the seat's hand is lighter than the others' are at their mean.
    pub(crate) lead: i32,
    pub(crate) double_blank: u8,
    /// How many tiles the seat with the fewest of the others has.
    pub(crate) fewest: u8,
    /// How many tiles the boneyard has, and whether one can be drawn.
    pub(crate) yard: u8,
    pub(crate) can_draw: bool,
}

impl<const W: usize> Position<'_, W> {
    /// How much more the position is worth after a move than now. `table` keeps what all ends are worth now, which
    /// few moves ask for.
    #[inline]
    pub(crate) fn by_rule(&self, open: &OpenEnds, action: Move, table: &mut Option<i32>) -> i32 {
        let Move::Play { tile, end } = action else {
            return 0;
        };
        let ends = open.by_number();
        let covers = u8::from(open.arms_left() == 0 && open.foot().is_none());
        let covered = ends[usize::from(end)].saturating_sub(covers);
        let laid = i32::from(points(tile, self.double_blank));
        if tile.is_double() {
            let table = *table.get_or_insert_with(|| self.table(open));
            let (before, own) = (self.state(end), self.own[usize::from(end)].saturating_sub(1));
            let after = State { double: Double::Laid, own, ..before };
            let hand = after.hand() - before.hand();
            let shift = after.ends(covered) - before.ends(ends[usize::from(end)]);
            // By the time the foot is complete the other ends matter again, but not as they are now: half.
            let table = (table + shift) / 2 - table;
            16 * laid + hand + table + after.opened(self.lead + laid)
        } else {
            let outward = tile.outward(end).unwrap_or(end);
            let opened = ends[usize::from(outward)].saturating_add(1);
            let offer = OFFER * i32::from(self.unseen_of[usize::from(outward)]);
            16 * laid + self.change(end, covered, ends) + self.change(outward, opened, ends) - offer
        }
    }

    /// What changes with a number of which one tile leaves the hand, other than its double, while its ends become so
    /// many.
    #[inline]
    fn change(&self, number: u8, count: u8, ends: &Counts) -> i32 {
        let before = self.state(number);
        let after = State { own: before.own.saturating_sub(1), ..before };
        after.hand() + after.ends(count) - before.hand() - before.ends(ends[usize::from(number)])
    }

    #[inline]
    pub(crate) fn state(&self, number: u8) -> State {
        let double = if self.laid_doubles.contains(number) {
            Double::Laid
        } else if contains_double(self.hand, number) {
            Double::Held
        } else {
            Double::Unseen
        };
        State { double, own: self.own[usize::from(number)], unseen: self.unseen_of[usize::from(number)] }
    }

    /// What all open ends are worth.
    fn table(&self, open: &OpenEnds) -> i32 {
        (0..).zip(open.by_number()).map(|(number, count)| self.state(number).ends(*count)).sum()
    }
}

/// How a number stands with the seat on turn.
#[derive(Clone, Copy)]
pub(crate) struct State {
    pub(crate) double: Double,
    /// How many tiles bear it: in the hand, and in other hands and the boneyard.
    pub(crate) own: u8,
    pub(crate) unseen: u8,
}

/// Where a number's double is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Double {
    Laid,
    Held,
    Unseen,
}

impl State {
    /// What the number's tiles in the hand are worth for later.
    #[inline]
    fn hand(self) -> i32 {
        match self.double {
            Double::Held => by(&HELD, self.own.saturating_sub(1)),
            Double::Unseen if self.own > 0 && !self.is_dead() => GUARD,
            Double::Unseen | Double::Laid => 0,
        }
    }

    /// What so many open ends of the number are worth.
    #[inline]
    fn ends(self, count: u8) -> i32 {
        if count == 0 { 0 } else { by(&SUPPLY, self.own) - i32::from(count) * self.risk() }
    }

    /// What an open end of the number costs.
    #[inline]
    fn risk(self) -> i32 {
        match self.double {
            Double::Laid | Double::Held => 0,
            Double::Unseen if self.is_dead() => DEAD_RISK,
            Double::Unseen => by(&RISK, self.own),
        }
    }

    /// What the number's foot is worth that the seat has just opened.
    fn opened(self, lead: i32) -> i32 {
        if self.is_dead() { DEAD } else { by(&OPENED, self.own) - OPENED_LEAD * lead }
    }

    /// Whether fewer toes are in reach than the number's foot would take. The double is not one of them.
    #[inline]
    fn is_dead(self) -> bool {
        self.own + self.unseen < TOES + u8::from(self.double == Double::Unseen)
    }
}

fn contains_double<const W: usize>(tiles: TileSet<W>, number: u8) -> bool {
    Tile::double(number).is_some_and(|double| tiles.contains(double))
}

/// The entry of a table for a count; its last one stands for all higher counts.
fn by<const N: usize>(table: &[i32; N], count: u8) -> i32 {
    table[usize::from(count).min(N - 1)]
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use chickenfoot_rules::{MAX_PIP, MAX_SEATS, Preset, RuleOptions, Seat, SeatState, Tiles};

    use super::*;

    fn tiles(text: &str) -> Tiles {
        text.split_whitespace().map(|tile| tile.parse::<Tile>().unwrap()).collect()
    }

    /// What is chosen in free play at a table of two who hold as many tiles.
    fn chosen(hand: &str, table: &str, open: &[u8]) -> String {
        let (hand, table) = (tiles(hand), tiles(table));
        let mut ends = [0; MAX_PIP as usize + 1];
        for number in open {
            ends[usize::from(*number)] += 1;
        }
        let mut seats = [SeatState::default(); MAX_SEATS];
        seats[0].tiles = hand.len() as u8;
        seats[1].tiles = hand.len() as u8;
        let view = View {
            rules: RuleOptions::new(Preset::Trains, 2).resolve().unwrap(),
            round: 1,
            seat: Seat::new(0).unwrap(),
            starting_double: 9,
            hand,
            drawn: None,
            table,
            ends,
            foot: None,
            arms_left: 0,
            boneyard: 55 - (2 * hand.len() + table.len()) as u8,
            seats,
            history: Cow::Borrowed(&[]),
        };
        DeadFoot.choose(&view).to_string()
    }

    #[test]
    fn a_double_with_one_toe_is_laid_and_one_with_three_is_kept() {
        assert_eq!(chosen("4-4 4-5 2-6 0-1", "9-9 4-9 2-9", &[4, 2]), "4-4 on 4");
        assert_eq!(chosen("4-4 4-5 4-6 4-7 2-6 0-1", "9-9 4-9 2-9", &[4, 2]), "2-6 on 2");
    }

    #[test]
    fn the_last_tile_of_a_number_waits_for_its_double() {
        // 5-6 counts more than 0-7, but it is the only 5 against a 5-5 that may come; of the 0s there is another.
        assert_eq!(chosen("5-6 0-7 0-8 1-4", "9-9 6-9 7-9 6-6 7-7", &[6, 7]), "0-7 on 7");
        assert_eq!(chosen("5-6 0-7 0-8 1-4", "9-9 6-9 7-9 6-6 7-7 5-5", &[6, 7]), "5-6 on 6");
    }

    #[test]
    fn a_double_that_is_dead_is_laid() {
        let sevens = "9-9 7-9 0-7 1-7 2-7 3-7 4-7 5-7 2-9";
        assert_eq!(chosen("7-7 2-8 0-1 1-8", sevens, &[7, 2]), "7-7 on 7");
    }
}
