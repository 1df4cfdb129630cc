//! The laws of tournaments, of their blocks, and of the matches that belong to them.

#[expect(missing_docs, reason = "the name of a law says what it is")]
mod blocks;
#[expect(missing_docs, reason = "the name of a law says what it is")]
mod rated;
#[expect(missing_docs, reason = "the name of a law says what it is")]
mod rows;

pub use blocks::*;
pub use rated::*;
pub use rows::*;

use chickenfoot_rules::{Contributor, Entropy, Hex32, Seed};
use futures_util::future::join_all;

use super::{Store, answered, append, last, name, one, open, over, row_of, running, summary, without_end};
use crate::{
    AbortReason, Appended, BlockLink, BlockMatch, BlockOutcome, BlockRow, EntrantChange, EntrantRow,
    EntrantState, ListTournaments, MatchId, MatchRow, MatchState, Occupant, Tally, TournamentId,
    TournamentRow, TournamentState, Updated,
};

const STATES: [TournamentState; 5] = [
    TournamentState::Open,
    TournamentState::Running,
    TournamentState::Paused,
    TournamentState::Finished,
    TournamentState::Cancelled,
];

/// An open tournament.
pub fn tournament(id: u128) -> TournamentRow {
    TournamentRow {
        id: TournamentId(id),
        creator: name("ann"),
        created_ms: 1_700_000_000_000,
        started_ms: None,
        ended_ms: None,
        name: format!("Cup {id}"),
        settings: "{\"format\":\"swiss\"}".to_owned(),
        seed: Seed::new([id as u8; 32]),
        fixed_seed: false,
        state: TournamentState::Open,
        begun: false,
        message: String::new(),
        tally: Tally { entrants: 3, blocks: 2, matches: 8, attempts: 1, faults: 5, stage: 4 },
        version: 0,
    }
}

/// An agent that is entered.
pub fn entrant(number: u32, text: &str) -> EntrantRow {
    EntrantRow {
        number,
        name: name(text),
        who: Occupant::Agent(name(text)),
        entropy: Entropy::default(),
        joined_ms: 1_700_000_000_000 + u64::from(number),
        state: EntrantState::Entered,
        check: None,
        position: None,
        from_stage: 0,
        until_stage: None,
    }
}

/// A block of two matches, which have ids of the tournament's and the block's number.
pub fn block(tournament: u128, number: u32) -> BlockRow {
    let matches = (0..2).map(|game| played(block_match(tournament, number, game).id));
    BlockRow {
        tournament: TournamentId(tournament),
        number,
        ended_ms: 1_700_000_100_000 + u64::from(number),
        outcome: BlockOutcome {
            stage: 1 + number / 10,
            table: number % 10,
            attempt: 0,
            deal_id: format!("deal of block {number}"),
            absent: Vec::new(),
            matches: matches.collect(),
        },
    }
}

fn played(id: MatchId) -> BlockMatch {
    let summary = summary();
    BlockMatch {
        id,
        seating: vec![1, 0],
        points: summary.totals,
        places: summary.places,
        clean_rounds: vec![0, 3],
        lowest_round: vec![Some(4), None],
        ledger: summary.ledger,
        digest: summary.digest,
    }
}

/// A running match of a [`block`], sealed.
pub fn block_match(tournament: u128, number: u32, game: u16) -> MatchRow {
    let contributor = |name: &str, byte| Contributor { name: name.to_owned(), entropy: Hex32([byte; 32]) };
    let link = BlockLink {
        tournament: TournamentId(tournament),
        number,
        game,
        contributors: vec![contributor("ann", 7), contributor("house:greedy", 0)],
        sealed: true,
    };
    let id = tournament * 1_000_000 + u128::from(number) * 100 + u128::from(game);
    MatchRow { block: Some(link), ..running(id) }
}

/// The match when its seal is open; that counts its version up.
fn unsealed(row: &MatchRow) -> MatchRow {
    let link = row.block.as_ref().map(|link| BlockLink { sealed: false, ..link.clone() });
    MatchRow { block: link, version: row.version + 1, ..row.clone() }
}

fn put(put: Vec<EntrantRow>) -> EntrantChange {
    EntrantChange { remove: Vec::new(), put }
}

fn nothing() -> EntrantChange {
    EntrantChange::default()
}

async fn field(store: &impl Store, id: u128) -> Vec<EntrantRow> {
    store.entrants(TournamentId(id), 0, usize::MAX).await.expect("the store works")
}

async fn sealed(store: &impl Store, id: u128) -> Vec<MatchId> {
    let rows = store.sealed(TournamentId(id), None, usize::MAX).await.expect("the store works");
    rows.iter().map(|row| row.id).collect()
}
