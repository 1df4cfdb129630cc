//! How good a list of blocks is, found from the list alone: nothing here is shared with what makes schedules.

use std::collections::{BTreeMap, BTreeSet};

use crate::{Block, EntrantId};

/// The least and the greatest of some counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Range {
    /// The least.
    pub least: u32,
    /// The greatest.
    pub most: u32,
}

/// What is wrong with a block whatever the format, apart from [`Fault::Twice`], which an A/B test half and half has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Blocks are not numbered from 0 without holes.
    Number {
        /// The number that it should have.
        expected: u32,
        /// The number that it has.
        found: u32,
    },
    /// The block has no match, or one with fewer than two seats.
    Empty {
        /// The block.
        number: u32,
    },
    /// An entrant has two seats in one match.
    Twice {
        /// The block.
        number: u32,
        /// Who.
        entrant: EntrantId,
    },
    /// The matches of a block are not between the same entrants.
    OtherGroup {
        /// The block.
        number: u32,
    },
    /// Two matches of a block have the same seating.
    SameSeating {
        /// The block.
        number: u32,
    },
    /// An entrant does not have every seat equally often in a block.
    Seats {
        /// The block.
        number: u32,
        /// Who.
        entrant: EntrantId,
    },
}

/// What can be said of a list of blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// What is wrong, by block.
    pub faults: Vec<Fault>,
    /// Blocks of each entrant.
    pub blocks: Range,
    /// Blocks that two entrants have together, over all pairs.
    pub meetings: Range,
    /// The bound for that: with so many meetings in all, no list has a greater least or a smaller greatest number.
    pub meetings_bound: Range,
    /// For each entrant and number of seats, matches on each seat: the greatest difference between two seats.
    pub seat_spread: u32,
    /// Matches in which one entrant sat next after another, clockwise, over all ordered pairs that met at a table of 3 and
    /// more.
    pub neighbours: Range,
    /// The most by which a number of `neighbours` is away from its fair share, which is one in (seats - 1) of the pair's
    /// matches; in 1/420 of a match, the unit in which all shares are whole.
    pub neighbour_lean: u32,
}

/// The unit of [`Quality::neighbour_lean`]: the least common multiple of 1 to 7.
pub const LEAN_UNIT: u32 = 420;

/// Judges the blocks of a tournament of these entrants.
pub fn judge(blocks: &[Block], entrants: &[EntrantId]) -> Quality {
    let faults = blocks.iter().zip(0..).flat_map(|(block, expected)| faults(block, expected)).collect();
    let (neighbours, neighbour_lean) = neighbours(blocks);
    let (meetings, meetings_bound) = meetings(blocks, entrants);
    let seat_spread = seat_spread(blocks);
    let blocks = blocks_of_each(blocks, entrants);
    Quality { faults, blocks, meetings, meetings_bound, seat_spread, neighbours, neighbour_lean }
}

fn faults(block: &Block, expected: u32) -> Vec<Fault> {
    let number = block.number;
    let mut faults = Vec::new();
    if number != expected {
        faults.push(Fault::Number { expected, found: number });
    }
    if block.seatings.iter().all(Vec::is_empty) || block.seatings.iter().any(|seating| seating.len() < 2) {
        faults.push(Fault::Empty { number });
        return faults;
    }
    let sorted = |seating: &Vec<EntrantId>| {
        let mut sorted = seating.clone();
        sorted.sort_unstable();
        sorted
    };
    let group = sorted(&block.seatings[0]);
    for pair in group.windows(2).filter(|pair| pair[0] == pair[1]) {
        faults.push(Fault::Twice { number, entrant: pair[0] });
    }
    let alike =
        |seating: &Vec<EntrantId>| BTreeSet::from_iter(sorted(seating)) == BTreeSet::from_iter(group.clone());
    if !block.seatings.iter().all(alike) {
        faults.push(Fault::OtherGroup { number });
        return faults;
    }
    if BTreeSet::from_iter(&block.seatings).len() < block.seatings.len() {
        faults.push(Fault::SameSeating { number });
    }
    for &entrant in &BTreeSet::from_iter(group) {
        let on =
            |seat: usize| block.seatings.iter().filter(|seating| seating.get(seat) == Some(&entrant)).count();
        if (1..block.seatings[0].len()).any(|seat| on(seat) != on(0)) {
            faults.push(Fault::Seats { number, entrant });
        }
    }
    faults
}

fn group(block: &Block) -> BTreeSet<EntrantId> {
    block.seatings.iter().flatten().copied().collect()
}

fn range(counts: impl Iterator<Item = u32>) -> Range {
    counts
        .fold(None, |range: Option<Range>, count| {
            let range = range.unwrap_or(Range { least: count, most: count });
            Some(Range { least: range.least.min(count), most: range.most.max(count) })
        })
        .unwrap_or_default()
}

fn blocks_of_each(blocks: &[Block], entrants: &[EntrantId]) -> Range {
    let mut counts: BTreeMap<EntrantId, u32> = entrants.iter().map(|&entrant| (entrant, 0)).collect();
    for entrant in blocks.iter().flat_map(group) {
        *counts.entry(entrant).or_default() += 1;
    }
    range(counts.into_values())
}

fn meetings(blocks: &[Block], entrants: &[EntrantId]) -> (Range, Range) {
    let mut counts: BTreeMap<(EntrantId, EntrantId), u32> = BTreeMap::new();
    for group in blocks.iter().map(group) {
        for &a in &group {
            for &b in group.range(a..).skip(1) {
                *counts.entry((a, b)).or_default() += 1;
            }
        }
    }
    let entrants = entrants.len() as u64;
    let pairs = entrants * entrants.saturating_sub(1) / 2;
    let all: u64 = counts.values().map(|&times| u64::from(times)).sum();
    let mut found = range(counts.values().copied());
    if (counts.len() as u64) < pairs {
        found.least = 0;
    }
    let bound = Range {
        least: all.checked_div(pairs).unwrap_or(0) as u32,
        most: if pairs == 0 { 0 } else { all.div_ceil(pairs) as u32 },
    };
    (found, bound)
}

fn seat_spread(blocks: &[Block]) -> u32 {
    let mut counts: BTreeMap<(EntrantId, usize), Vec<u32>> = BTreeMap::new();
    for seating in blocks.iter().flat_map(|block| &block.seatings) {
        for (seat, &entrant) in seating.iter().enumerate() {
            counts.entry((entrant, seating.len())).or_insert_with(|| vec![0; seating.len()])[seat] += 1;
        }
    }
    counts.into_values().map(|seats| range(seats.into_iter())).map(|it| it.most - it.least).max().unwrap_or(0)
}

fn neighbours(blocks: &[Block]) -> (Range, u32) {
    // By ordered pair: matches in which the second sat next after the first, and its fair share of them.
    let mut counts: BTreeMap<(EntrantId, EntrantId), (u32, u32)> = BTreeMap::new();
    for seating in blocks.iter().flat_map(|block| &block.seatings).filter(|seating| seating.len() > 2) {
        for (at, &a) in seating.iter().enumerate() {
            for (steps, &b) in seating.iter().cycle().skip(at + 1).take(seating.len() - 1).enumerate() {
                let (after, share) = counts.entry((a, b)).or_default();
                *after += u32::from(steps == 0);
                *share += LEAN_UNIT / (seating.len() as u32 - 1).min(LEAN_UNIT);
            }
        }
    }
    let lean = counts.values().map(|(after, share)| (after * LEAN_UNIT).abs_diff(*share)).max().unwrap_or(0);
    (range(counts.into_values().map(|(after, _)| after)), lean)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(number: u32, seatings: &[&[u32]]) -> Block {
        let seating = |seating: &&[u32]| seating.iter().map(|&id| EntrantId(id)).collect();
        Block { number, stage: 1, table: 0, seatings: seatings.iter().map(seating).collect() }
    }

    const ENTRANTS: [EntrantId; 4] = [EntrantId(0), EntrantId(1), EntrantId(2), EntrantId(3)];

    #[test]
    fn a_sound_list_has_no_faults_and_its_counts_are_stated() {
        let blocks = [
            block(0, &[&[0, 1, 2], &[1, 2, 0], &[2, 0, 1]]),
            block(1, &[&[0, 2, 1], &[2, 1, 0], &[1, 0, 2]]),
            block(2, &[&[0, 3], &[3, 0]]),
        ];
        let quality = judge(&blocks, &ENTRANTS);
        let expected = Quality {
            faults: Vec::new(),
            blocks: Range { least: 1, most: 3 },
            meetings: Range { least: 0, most: 2 },
            meetings_bound: Range { least: 1, most: 2 },
            seat_spread: 0,
            neighbours: Range { least: 3, most: 3 },
            neighbour_lean: 0,
        };
        assert_eq!(quality, expected);
        let one_sided = judge(&blocks[..1], &ENTRANTS[..3]);
        assert_eq!(one_sided.neighbours, Range { least: 0, most: 3 });
        assert_eq!(one_sided.neighbour_lean, 3 * LEAN_UNIT / 2);
    }

    #[test]
    fn each_fault_is_found() {
        let fault = |blocks: &[Block]| judge(blocks, &ENTRANTS).faults;
        let entrant = EntrantId(0);
        assert_eq!(fault(&[block(1, &[&[0, 1], &[1, 0]])]), [Fault::Number { expected: 0, found: 1 }]);
        assert_eq!(fault(&[block(0, &[])]), [Fault::Empty { number: 0 }]);
        assert_eq!(fault(&[block(0, &[&[0], &[0]])]), [Fault::Empty { number: 0 }]);
        assert!(
            fault(&[block(0, &[&[0, 0, 1], &[0, 1, 0], &[1, 0, 0]])])
                .contains(&Fault::Twice { number: 0, entrant })
        );
        assert_eq!(fault(&[block(0, &[&[0, 1], &[2, 0]])]), [Fault::OtherGroup { number: 0 }]);
        assert_eq!(
            fault(&[block(0, &[&[0, 1], &[1, 0], &[0, 1], &[1, 0]])]),
            [Fault::SameSeating { number: 0 }]
        );
        let uneven = fault(&[block(0, &[&[0, 1, 2], &[1, 2, 0]])]);
        assert_eq!(uneven.len(), 3);
        assert_eq!(uneven[0], Fault::Seats { number: 0, entrant });
    }

    #[test]
    fn a_seat_that_is_had_more_often_than_another_shows() {
        let blocks = [block(0, &[&[0, 1], &[1, 0]]), block(1, &[&[0, 1], &[0, 1]])];
        assert_eq!(judge(&blocks, &ENTRANTS).seat_spread, 2);
    }
}
