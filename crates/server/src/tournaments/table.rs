use std::collections::BTreeSet;

use chickenfoot_blocks::{BlockDeals, Finished, game};
use chickenfoot_rules::Contributor;
use chickenfoot_store::{
    BlockLink, BlockMatch, BlockOutcome, BlockRow, MatchId, MatchRow, Occupant, SeatSpec, TournamentId,
};
use chickenfoot_tournament::{Block, Seating};

use super::field::Field;

/// A block under way: the matches of one deal.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) block: Block,
    /// How often it was begun again.
    pub(crate) attempt: u32,
    /// The matches, in the order of the seatings.
    pub(crate) games: Vec<Progress>,
}

/// How far a match of a block is.
#[derive(Clone, Debug)]
pub(crate) enum Progress {
    /// Not made yet.
    Waiting,
    /// Made; waits for its entrants to take their seats.
    Open(MatchId),
    /// Being played.
    Running(MatchId),
    /// Played to its end.
    Over(BlockMatch),
}

impl Progress {
    /// The match, if it was made and is not over.
    pub(crate) fn live(&self) -> Option<MatchId> {
        match self {
            Progress::Open(id) | Progress::Running(id) => Some(*id),
            Progress::Waiting | Progress::Over(_) => None,
        }
    }
}

impl Table {
    pub(crate) fn new(block: Block) -> Table {
        let games = vec![Progress::Waiting; block.seatings.len()];
        Table { block, attempt: 0, games }
    }

    /// The first match that is not made yet.
    pub(crate) fn next(&self) -> Option<usize> {
        self.games.iter().position(|game| matches!(game, Progress::Waiting))
    }

    /// Whether every match was played to its end.
    pub(crate) fn is_over(&self) -> bool {
        self.games.iter().all(|game| matches!(game, Progress::Over(_)))
    }

    /// Begins again, with another deal.
    pub(crate) fn begin_again(&mut self) {
        self.attempt += 1;
        self.games.fill_with(|| Progress::Waiting);
    }

    /// The matches that were made.
    pub(crate) fn made(&self) -> Vec<MatchId> {
        let id = |game: &Progress| match game {
            Progress::Open(id) | Progress::Running(id) => Some(*id),
            Progress::Over(game) => Some(game.id),
            Progress::Waiting => None,
        };
        self.games.iter().filter_map(id).collect()
    }

    /// The positions of the entrants of the block, each once.
    pub(crate) fn entrants(&self) -> BTreeSet<u32> {
        self.block.seatings.iter().flatten().map(|entrant| entrant.0).collect()
    }

    /// How a match knows its block.
    pub(crate) fn link(
        &self,
        deals: &BlockDeals,
        tournament: TournamentId,
        game: usize,
        field: &Field,
    ) -> BlockLink {
        let contributor =
            |id| field.at(id).map(|row| Contributor { name: row.name.to_string(), entropy: row.entropy });
        BlockLink {
            tournament,
            number: self.block.number,
            game: game as u16,
            contributors: deals.contributors(&self.block, contributor),
            sealed: true,
        }
    }

    /// The block as it is stored once it is over. With absent entrants it has no matches.
    pub(crate) fn row(
        &self,
        tournament: TournamentId,
        deals: &BlockDeals,
        absent: Vec<u32>,
        now_ms: u64,
    ) -> BlockRow {
        let played = |game: &Progress| match game {
            Progress::Over(game) => Some(game.clone()),
            Progress::Waiting | Progress::Open(_) | Progress::Running(_) => None,
        };
        let matches =
            if absent.is_empty() { self.games.iter().filter_map(played).collect() } else { Vec::new() };
        BlockRow {
            tournament,
            number: self.block.number,
            ended_ms: now_ms,
            outcome: BlockOutcome {
                stage: self.block.stage,
                table: self.block.table,
                attempt: self.attempt,
                deal_id: deals.id(self.block.number, self.attempt),
                absent,
                matches,
            },
        }
    }
}

/// Who may sit where.
pub(crate) fn seats(seating: &Seating, field: &Field) -> Option<Vec<SeatSpec>> {
    seating
        .iter()
        .map(|entrant| {
            field.at(*entrant).map(|row| match &row.who {
                Occupant::Agent(name) => SeatSpec::Agent(name.clone()),
                Occupant::House(strategy) => SeatSpec::House(strategy.clone()),
            })
        })
        .collect()
}

/// A match that was played to its end, as its block keeps it: `numbers` are those of its entrants by seat, `rounds` each
/// seat's scores by round.
pub(crate) fn played(
    row: &MatchRow,
    seating: &Seating,
    numbers: Vec<u32>,
    rounds: Vec<Vec<u16>>,
) -> Option<BlockMatch> {
    let summary = row.summary.as_ref()?;
    let (totals, places) = (summary.totals.clone(), summary.places.clone());
    let game = game(seating.clone(), Finished { totals, places, rounds });
    Some(BlockMatch {
        id: row.id,
        seating: numbers,
        points: game.points,
        places: game.places,
        clean_rounds: game.clean_rounds,
        lowest_round: game.lowest_round,
        ledger: summary.ledger.clone(),
        digest: summary.digest,
    })
}

/// The numbers of entrants whose seats nobody took, in a match that waited for them in vain.
pub(crate) fn absent(row: &MatchRow, seating: &Seating, field: &Field) -> Vec<u32> {
    let mut absent: Vec<u32> = row
        .seats
        .iter()
        .zip(seating)
        .filter(|(seat, _)| seat.occupant.is_none())
        .filter_map(|(_, entrant)| field.at(*entrant))
        .map(|entrant| entrant.number)
        .collect();
    absent.sort_unstable();
    absent.dedup();
    absent
}
