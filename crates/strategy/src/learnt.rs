use chickenfoot_rules::{Move, OpenEnds};

use crate::dead_foot::{Double, Position, State};
use crate::tiles::points;

/// What a policy thinks of a move, as a sum of weights: each says what one feature of the position is worth, in
/// sixteenths of a point.
///
/// The features are what `dead-foot` looks at, but for each there is a table instead of a rule: how a number stands with
/// the seat before and after the move (where its double is, how many of its other tiles are in the hand and unseen, how
/// many ends show it), what foot the move opens, and what it lays. [`crate::Lessons`] finds the weights.
pub(crate) type Weights = [i16; FEATURES];

/// How many features there are.
pub(crate) const FEATURES: usize = POINTS + STAGES * HURRIES;

/// When many tiles can be drawn, when a few can, and when none can.
const STAGES: usize = 3;

/// A few tiles in the boneyard.
const FEW: u8 = 14;

const OWN: usize = 7;
const UNSEEN: usize = 10;
const ENDS: usize = 4;
const NUMBER: usize = 0;
const OPENED: usize = NUMBER + STAGES * DOUBLES * OWN * UNSEEN * ENDS;
const DOUBLES: usize = 3;
/// How far the seat is ahead.
const LEADS: usize = 5;
const POINTS: usize = OPENED + STAGES * OWN * UNSEEN * LEADS;
/// How many tiles the seat with the fewest of the others has.
const HURRIES: usize = 6;

impl<const W: usize> Position<'_, W> {
    /// Tells the features of a move, each with how often it counts. Moves other than plays have none.
    #[inline]
    pub(crate) fn features(&self, open: &OpenEnds, action: Move, mut tell: impl FnMut(usize, i32)) {
        let Move::Play { tile, end } = action else {
            return;
        };
        let stage = if self.can_draw { 1 + usize::from(self.yard > FEW) } else { 0 };
        let ends = open.by_number();
        let covers = u8::from(open.arms_left() == 0 && open.foot().is_none());
        let covered = ends[usize::from(end)].saturating_sub(covers);
        let laid = i32::from(points(tile, self.double_blank));
        let hurry = usize::from(self.fewest.clamp(1, HURRIES as u8)) - 1;
        tell(POINTS + stage * HURRIES + hurry, laid);
        if tile.is_double() {
            let before = self.state(end);
            let after = State { double: Double::Laid, own: before.own.saturating_sub(1), ..before };
            tell(number(stage, before, ends[usize::from(end)]), -1);
            tell(number(stage, after, covered), 1);
            tell(opened(stage, after, self.lead + laid), 1);
        } else {
            let outward = tile.outward(end).unwrap_or(end);
            let changes = [(end, covered), (outward, ends[usize::from(outward)].saturating_add(1))];
            for (n, count) in changes {
                let before = self.state(n);
                let after = State { own: before.own.saturating_sub(1), ..before };
                tell(number(stage, before, ends[usize::from(n)]), -1);
                tell(number(stage, after, count), 1);
            }
        }
    }

    /// How much more the position is worth after a move than now, in sixteenths of a point.
    #[inline]
    pub(crate) fn learnt(&self, weights: &Weights, open: &OpenEnds, action: Move) -> i32 {
        let mut value = 0;
        self.features(open, action, |feature, times| value += i32::from(weights[feature]) * times);
        value
    }
}

/// The feature of so many open ends of a number.
#[inline]
fn number(stage: usize, state: State, ends: u8) -> usize {
    let double = state.double as usize;
    let toes = usize::from(state.own.saturating_sub(u8::from(state.double == Double::Held))).min(OWN - 1);
    let unseen =
        usize::from(state.unseen.saturating_sub(u8::from(state.double == Double::Unseen))).min(UNSEEN - 1);
    let ends = usize::from(ends).min(ENDS - 1);
    NUMBER + (((stage * DOUBLES + double) * OWN + toes) * UNSEEN + unseen) * ENDS + ends
}

/// The feature of a foot that the seat has just opened.
#[inline]
fn opened(stage: usize, state: State, lead: i32) -> usize {
    let toes = usize::from(state.own).min(OWN - 1);
    let unseen = usize::from(state.unseen).min(UNSEEN - 1);
    let lead = ((lead.clamp(-25, 24) + 25) / 10) as usize;
    OPENED + ((stage * OWN + toes) * UNSEEN + unseen) * LEADS + lead
}

/// Tells the pairs of features that differ by one step.
pub(crate) fn steps(mut tell: impl FnMut(usize, usize)) {
    let mut table = |first: usize, sizes: &[usize]| {
        let all: usize = sizes.iter().product();
        let mut stride = 1;
        for size in sizes.iter().rev() {
            for i in 0..all {
                if (i / stride) % size + 1 < *size {
                    tell(first + i, first + i + stride);
                }
            }
            stride *= size;
        }
    };
    for part in 0..STAGES * DOUBLES {
        table(NUMBER + part * OWN * UNSEEN * ENDS, &[OWN, UNSEEN, ENDS]);
    }
    for stage in 0..STAGES {
        table(OPENED + stage * OWN * UNSEEN * LEADS, &[OWN, UNSEEN, LEADS]);
        table(POINTS + stage * HURRIES, &[HURRIES]);
    }
}
