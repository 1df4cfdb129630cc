use std::cmp::Reverse;

use chickenfoot_rules::{MAX_PIP, Move, Tile, Tiles, View};

use crate::Strategy;
use crate::tiles::{Counts, counts, points, without};

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
        let reckoning = Reckoning::of(view);
        // The least of the reversed values is the greatest, and unlike `max_by_key` it is the first of equals.
        view.moves().min_by_key(|action| Reverse(reckoning.value(*action))).unwrap_or(Move::Pass)
    }
}

/// What all options of a view have in common.
struct Reckoning<'a> {
    view: &'a View<'a>,
    /// The tiles in other hands and in the boneyard, and how many of them bear each number.
    unseen: Tiles,
    unseen_of: Counts,
    /// By how many points the seat's hand is lighter than the others' are at their mean.
    lead: i32,
}

/// How many open ends show each number.
type Ends = [u8; MAX_PIP as usize + 1];

impl<'a> Reckoning<'a> {
    fn of(view: &'a View<'a>) -> Reckoning<'a> {
        let sum =
            |tiles: Tiles| -> i32 { tiles.iter().map(|tile| i32::from(points(tile, &view.rules))).sum() };
        let unseen = view.unseen();
        let others = view.seats().len() as i32 - 1;
        let in_all: i32 = view.seats().iter().map(|seat| i32::from(seat.tiles)).sum();
        let in_others = in_all - i32::from(view.seats[view.seat.index()].tiles);
        // An unseen tile counts as the mean of all that are unseen.
        let theirs = sum(unseen) * in_others / (unseen.len().max(1) as i32 * others);
        Reckoning { view, unseen, unseen_of: counts(unseen), lead: theirs - sum(view.hand) }
    }

    /// The worth of the position after a move.
    fn value(&self, action: Move) -> i32 {
        let mut ends = self.view.ends;
        let Move::Play { tile, end } = action else {
            let own = counts(self.view.hand);
            return self.hand(self.view.hand, &own) + self.table(&ends, &own);
        };
        let hand = without(self.view.hand, tile);
        if hand.is_empty() {
            return i32::MAX;
        }
        let own = counts(hand);
        let laid = i32::from(points(tile, &self.view.rules));
        if self.view.arms_left == 0 && self.view.foot.is_none() {
            let covered = &mut ends[usize::from(end)];
            *covered = covered.saturating_sub(1);
        }
        let table = if tile.is_double() {
            // By the time the foot is complete the other ends matter again, but not as they are now: half.
            self.table(&ends, &own) / 2 + self.opened(end, &own, self.lead + laid)
        } else {
            let outward = usize::from(tile.outward(end).unwrap_or(end));
            ends[outward] = ends[outward].saturating_add(1);
            self.table(&ends, &own) - OFFER * i32::from(self.unseen_of[outward])
        };
        16 * laid + self.hand(hand, &own) + table
    }

    /// What the hand is worth for later.
    fn hand(&self, hand: Tiles, own: &Counts) -> i32 {
        let worth = |number: u8| {
            let tiles = own[usize::from(number)];
            if contains_double(hand, number) {
                by(&HELD, tiles - 1)
            } else if contains_double(self.unseen, number) && !self.is_dead(number, own) && tiles > 0 {
                GUARD
            } else {
                0
            }
        };
        (0..=MAX_PIP).map(worth).sum()
    }

    /// What the open ends are worth.
    fn table(&self, ends: &Ends, own: &Counts) -> i32 {
        let worth = |number: u8| match ends[usize::from(number)] {
            0 => 0,
            count => by(&SUPPLY, own[usize::from(number)]) - i32::from(count) * self.risk(number, own),
        };
        (0..=MAX_PIP).map(worth).sum()
    }

    /// What an open end of this number costs.
    fn risk(&self, number: u8, own: &Counts) -> i32 {
        if !contains_double(self.unseen, number) {
            0
        } else if self.is_dead(number, own) {
            DEAD_RISK
        } else {
            by(&RISK, own[usize::from(number)])
        }
    }

    /// What a foot is worth that the seat has just opened.
    fn opened(&self, number: u8, own: &Counts, lead: i32) -> i32 {
        if self.is_dead(number, own) {
            DEAD
        } else {
            by(&OPENED, own[usize::from(number)]) - OPENED_LEAD * lead
        }
    }

    /// Whether fewer toes are in reach than the number's foot would take. The double is not one of them.
    fn is_dead(&self, number: u8, own: &Counts) -> bool {
        let double = u8::from(contains_double(self.unseen, number));
        own[usize::from(number)] + self.unseen_of[usize::from(number)] < TOES + double
    }
}

fn contains_double(tiles: Tiles, number: u8) -> bool {
    Tile::double(number).is_some_and(|double| tiles.contains(double))
}

/// The entry of a table for a count; its last one stands for all higher counts.
fn by<const N: usize>(table: &[i32; N], count: u8) -> i32 {
    table[usize::from(count).min(N - 1)]
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use chickenfoot_rules::{MAX_SEATS, Preset, RuleOptions, Seat, SeatState};

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
