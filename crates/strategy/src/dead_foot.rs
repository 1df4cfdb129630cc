use chickenfoot_rules::{Move, Tile, View};

use crate::Strategy;
use crate::tiles::{Counts, counts, points, without};

/// Greedy that counts what is left of a number before it lays or completes a double.
///
/// A foot takes three tiles of its number. Where fewer are in reach it can never be completed, and the round ends
/// blocked: good for the lightest hand, bad for the others. Where they are in reach, it matters who holds them: toes of
/// one's own are sure plays.
pub(crate) struct DeadFoot;

/// What a foot is worth beside the tile's own points, in sixteenths of a point, by the toes in one's own hand.
const OWN_TOES: [i32; 4] = [-64, 0, 64, 96];

/// The share of one's lead in points that a dead foot is worth, in sixteenths.
const DEAD_LEAD: i32 = 8;

/// What it costs to open an end on which another's double would make a foot that one cannot feed, in sixteenths of a
/// point; less by a third for each toe in one's own hand.
const RISK: i32 = 24;

/// What it is worth to open an end of a number of which one holds more, in sixteenths of a point a tile.
const SUPPLY: i32 = 12;

impl Strategy for DeadFoot {
    fn choose(&mut self, view: &View<'_>) -> Move {
        let table = Reckoning::of(view);
        let mut best = None;
        for action in view.moves() {
            let value = table.value(action);
            if best.is_none_or(|(top, _)| value > top) {
                best = Some((value, action));
            }
        }
        best.map_or(Move::Pass, |(_, action)| action)
    }
}

/// What a view says about all options together.
struct Reckoning<'a> {
    view: &'a View<'a>,
    /// How many tiles of each number are in other hands and in the boneyard.
    unseen: Counts,
    /// Points of the seat's own hand, and of the others' hands at their mean.
    own_points: i32,
    others_points: i32,
}

impl<'a> Reckoning<'a> {
    fn of(view: &'a View<'a>) -> Reckoning<'a> {
        let sum = |tiles: chickenfoot_rules::Tiles| -> i32 {
            tiles.iter().map(|tile| i32::from(points(tile, &view.rules))).sum()
        };
        let unseen = view.unseen();
        let others =
            view.seats().iter().map(|seat| i32::from(seat.tiles)).sum::<i32>() - view.hand.len() as i32;
        let seats = view.seats().len() as i32 - 1;
        // An unseen tile counts as the mean of all that are unseen.
        let others_points = sum(unseen) * others / (unseen.len().max(1) as i32 * seats);
        Reckoning { view, unseen: counts(unseen), own_points: sum(view.hand), others_points }
    }

    /// The worth of an option in sixteenths of a point.
    fn value(&self, action: Move) -> i32 {
        let Move::Play { tile, end } = action else {
            return i32::MIN;
        };
        let rest = without(self.view.hand, tile);
        if rest.is_empty() {
            return i32::MAX;
        }
        let own = counts(rest);
        let laid = i32::from(points(tile, &self.view.rules));
        let foot = tile.is_double();
        16 * laid + if foot { self.foot(end, &own, laid) } else { self.end(tile, end, &own) }
    }

    /// A double that opens a foot.
    fn foot(&self, number: u8, own: &Counts, laid: i32) -> i32 {
        let toes = own[usize::from(number)];
        if toes + self.unseen[usize::from(number)] < 3 {
            DEAD_LEAD * (self.others_points - self.own_points + laid)
        } else {
            OWN_TOES[usize::from(toes.min(3))]
        }
    }

    /// A tile whose outward number becomes an open end.
    fn end(&self, tile: Tile, end: u8, own: &Counts) -> i32 {
        let outward = tile.outward(end).unwrap_or(end);
        let toes = i32::from(own[usize::from(outward)]);
        let double = Tile::double(outward);
        let may_come = double.is_some_and(|double| self.view.unseen().contains(double));
        let risk = if may_come { RISK * (3 - toes).max(0) / 3 } else { 0 };
        SUPPLY * toes.min(3) - risk
    }
}
