//! The blocks of a report as the statistics take them.

use std::collections::HashMap;

use super::{Entry, PlayedMatch, Report};
use crate::{BlockResult, EntrantId, Game};

/// A report's entrants by position in the schedule.
pub(super) struct Positions<'a>(HashMap<u32, &'a Entry>);

impl<'a> Positions<'a> {
    pub(super) fn of(report: &'a Report) -> Positions<'a> {
        let scheduled = report.entrants.iter().filter_map(|entry| Some((entry.position?, entry)));
        Positions(scheduled.collect())
    }

    /// The entrant of that position.
    pub(super) fn at(&self, id: EntrantId) -> Option<&'a Entry> {
        self.0.get(&id.0).copied()
    }

    /// The position of the entrant of that name.
    pub(super) fn named(&self, name: &str) -> Option<EntrantId> {
        let mut named = self.0.iter().filter(|(_, entry)| entry.name == name);
        named.next().map(|(position, _)| EntrantId(*position))
    }

    /// How many positions there are, gaps included.
    pub(super) fn len(&self) -> usize {
        self.0.keys().max().map_or(0, |last| *last as usize + 1)
    }
}

/// The blocks that count.
pub(super) fn results(report: &Report) -> Vec<BlockResult> {
    let position = |entry: &Entry| Some((entry.number, EntrantId(entry.position?)));
    let positions: HashMap<u32, EntrantId> = report.entrants.iter().filter_map(position).collect();
    // Nobody has the last position, so statistics refuse it.
    let id = |number: &u32| positions.get(number).copied().unwrap_or(EntrantId(u32::MAX));
    let counted = report.blocks.iter().filter(|block| report.counts(block.number));
    counted
        .map(|block| BlockResult {
            number: block.number,
            absent: block.absent.iter().map(id).collect(),
            games: block.matches.iter().map(|played| game(played, id)).collect(),
        })
        .collect()
}

fn game(played: &PlayedMatch, id: impl Fn(&u32) -> EntrantId) -> Game {
    let seats = || played.seats.iter();
    Game {
        seating: seats().map(|seat| id(&seat.entrant)).collect(),
        points: seats().map(|seat| seat.points).collect(),
        places: seats().map(|seat| seat.place).collect(),
        clean_rounds: seats().map(|seat| seat.clean_rounds).collect(),
        lowest_round: seats().map(|seat| seat.lowest_round).collect(),
    }
}
