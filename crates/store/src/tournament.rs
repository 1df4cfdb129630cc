use std::collections::BTreeSet;

use async_trait::async_trait;
use chickenfoot_rules::{Commitment, Entropy, Hex32, Seed};
use serde::{Deserialize, Serialize};

use crate::id::{AgentName, MatchId, TournamentId};
use crate::journal::{StoreError, Updated};
use crate::matches::{BlockLink, MatchRow, Occupant, SeatLedger};
use crate::request::Remembered;

/// A tournament as it is stored, apart from its entrants and blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentRow {
    /// Its id.
    pub id: TournamentId,
    /// Who made it.
    pub creator: AgentName,
    /// When, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it was started, in milliseconds since 1970.
    pub started_ms: Option<u64>,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: Option<u64>,
    /// A title for people.
    pub name: String,
    /// Format, rules, clocks and limits as a JSON object. The store does not read it.
    pub settings: String,
    /// The seed from which the seeds of all blocks follow: a secret until the tournament is over.
    pub seed: Seed,
    /// Whether the creator gave the seed.
    pub fixed_seed: bool,
    /// Where it stands.
    pub state: TournamentState,
    /// Whether the field is settled and numbered, so that blocks may be played.
    pub begun: bool,
    /// Why it rests or ended, for people; empty if there is nothing to say.
    pub message: String,
    /// How many entrants it has; and what its blocks come to, once it is over.
    pub tally: Tally,
    /// How often the row was changed: an update names the version that it was made from.
    pub version: u32,
}

impl TournamentRow {
    /// Most entrants of a tournament.
    pub const MAX_ENTRANTS: usize = 10_000;

    /// What its deals are bound to: its id; beside a given seed "fixed", so that the same seed and names give the same
    /// deals.
    pub fn label(&self) -> String {
        if self.fixed_seed { "fixed".to_owned() } else { self.id.to_string() }
    }

    /// What fixes its seed: published before anyone enters.
    pub fn commitment(&self) -> Commitment {
        self.seed.commitment(&self.label())
    }
}

/// Sums over a tournament, so that a list needs none of its entrants and blocks. Stored as a JSON object.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Entrants.
    pub entrants: u32,
    /// Blocks that are over.
    pub blocks: u32,
    /// Their matches.
    pub matches: u32,
    /// How often they were begun again after a fault of the service.
    pub attempts: u32,
    /// Faults of all entrants in them.
    pub faults: u32,
    /// The latest stage of one that is over, from 1; 0 without any.
    pub stage: u32,
}

/// Where a tournament stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TournamentState {
    /// Agents may be entered.
    Open,
    /// Its blocks are being played.
    Running,
    /// No further matches are begun.
    Paused,
    /// Played to its end.
    Finished,
    /// Ended before its time.
    Cancelled,
}

impl TournamentState {
    /// Whether nothing is played in it any more.
    pub fn is_over(self) -> bool {
        match self {
            TournamentState::Open | TournamentState::Running | TournamentState::Paused => false,
            TournamentState::Finished | TournamentState::Cancelled => true,
        }
    }
}

/// An entrant of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntrantRow {
    /// Its number in the tournament, from 0 in the order of entry.
    pub number: u32,
    /// Its name, unlike all others in the tournament.
    pub name: AgentName,
    /// Who it is.
    pub who: Occupant,
    /// What it adds to the deals of its blocks; zero for nothing.
    pub entropy: Entropy,
    /// When it was entered, in milliseconds since 1970.
    pub joined_ms: u64,
    /// Where it stands.
    pub state: EntrantState,
    /// The match against itself that it has to play or has played.
    pub check: Option<MatchId>,
    /// Its position in the schedule, from 0, once it is scheduled.
    pub position: Option<u32>,
    /// The first stage that it is scheduled in, from 1; 0 as long as it is not scheduled.
    pub from_stage: u32,
    /// The first stage that it is not scheduled in any more, if it withdrew.
    pub until_stage: Option<u32>,
}

/// Where an entrant stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EntrantState {
    /// Named by the creator, but has not joined.
    Invited,
    /// Has to play a match against itself without a fault.
    Checking,
    /// Did not pass that match.
    Rejected,
    /// Takes part.
    Entered,
    /// Takes part no more.
    Withdrawn,
}

/// A change of a tournament's list of entrants: what is removed or replaced goes first, so that entrants may change their
/// numbers or names among themselves.
#[derive(Clone, Debug, Default)]
pub struct EntrantChange {
    /// Numbers whose entrants are removed, if there are such.
    pub remove: Vec<u32>,
    /// Entrants that are new, or replace those of their numbers. No number and no name is there twice.
    pub put: Vec<EntrantRow>,
}

impl EntrantChange {
    /// The numbers whose entrants go, to be replaced or not.
    ///
    /// # Errors
    /// Two of the new entrants have the same number or name.
    pub(crate) fn numbers(&self) -> Result<BTreeSet<u32>, StoreError> {
        let mut numbers = BTreeSet::new();
        let mut names = BTreeSet::new();
        for entrant in &self.put {
            if !numbers.insert(entrant.number) {
                let why = format!("two entrants have the number {}", entrant.number);
                return Err(StoreError::Unavailable(why));
            }
            if !names.insert(&entrant.name) {
                return Err(EntrantChange::name_is_taken(&entrant.name));
            }
        }
        numbers.extend(&self.remove);
        Ok(numbers)
    }

    /// Says that another entrant has a name.
    pub(crate) fn name_is_taken(name: &AgentName) -> StoreError {
        StoreError::Unavailable(format!("another entrant is named {name}"))
    }
}

/// A block that is over: one deal, played in several seatings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockRow {
    /// The tournament.
    pub tournament: TournamentId,
    /// Its number, from 0.
    pub number: u32,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: u64,
    /// What happened in it.
    pub outcome: BlockOutcome,
}

impl BlockRow {
    /// A match whose seal the block may open is one of its own.
    ///
    /// # Errors
    /// It is one of another block, or of none.
    pub(crate) fn check_match(&self, played: &MatchRow) -> Result<(), StoreError> {
        let own = |link: &BlockLink| link.tournament == self.tournament && link.number == self.number;
        if played.block.as_ref().is_some_and(own) {
            return Ok(());
        }
        let BlockRow { tournament, number, .. } = self;
        let why = format!("match {} is not one of block {number} of tournament {tournament}", played.id);
        Err(StoreError::Unavailable(why))
    }

    /// Says that there is no such tournament.
    pub(crate) fn without_tournament(&self) -> StoreError {
        StoreError::Unavailable(format!("there is no tournament {}", self.tournament))
    }
}

/// What happened in a block. Stored as a JSON object.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockOutcome {
    /// The stage that it belongs to, from 1.
    pub stage: u32,
    /// The table within the stage, from 0.
    pub table: u32,
    /// How often it was begun again after a fault of the service.
    pub attempt: u32,
    /// What its deals were bound to.
    pub deal_id: String,
    /// The numbers of entrants that were absent; such a block has no matches that count.
    pub absent: Vec<u32>,
    /// The matches in the order of the seatings.
    pub matches: Vec<BlockMatch>,
}

/// A match of a block, by seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BlockMatch {
    /// The match.
    pub id: MatchId,
    /// The numbers of the entrants.
    pub seating: Vec<u32>,
    /// Each seat's total.
    pub points: Vec<u32>,
    /// Each seat's place, from 1.
    pub places: Vec<u8>,
    /// Rounds in which the seat scored 0.
    pub clean_rounds: Vec<u32>,
    /// The seat's lowest round score above 0.
    pub lowest_round: Vec<Option<u32>>,
    /// Each seat's faults and times.
    pub ledger: Vec<SeatLedger>,
    /// The digest of its events.
    pub digest: Hex32,
}

/// Which tournaments to list: newest first, by time of creation and then id.
#[derive(Clone, Copy, Debug, Default)]
pub struct ListTournaments {
    /// Only those in this state.
    pub state: Option<TournamentState>,
    /// Only those after this one in the order of the list.
    pub after: Option<(u64, TournamentId)>,
    /// At most so many.
    pub limit: usize,
}

/// Tournaments, their entrants and the blocks that are over.
///
/// Every call is one step: it takes effect as a whole or not at all, and what it has answered survives the loss of
/// power (of a store that survives at all).
#[async_trait]
pub trait Tournaments: Send + Sync + 'static {
    /// Stores a new tournament with its entrants, and with it the answer to the request that asked for it. It may be over
    /// already.
    ///
    /// # Errors
    /// The store failed or is full: of tournaments, or the tournament of [entrants](TournamentRow::MAX_ENTRANTS). Two
    /// entrants have the same number or name.
    async fn create_tournament(
        &self,
        row: TournamentRow,
        entrants: Vec<EntrantRow>,
        remember: Option<Remembered>,
    ) -> Result<(), StoreError>;

    /// A tournament.
    ///
    /// # Errors
    /// The store failed.
    async fn tournament(&self, id: TournamentId) -> Result<Option<TournamentRow>, StoreError>;

    /// Lists tournaments.
    ///
    /// # Errors
    /// The store failed.
    async fn tournaments(&self, query: ListTournaments) -> Result<Vec<TournamentRow>, StoreError>;

    /// Replaces the row of a tournament that is not over, if its version is still `row.version`, and counts the version
    /// up; with it, changes entrants and stores the answer to the request that asked for it.
    ///
    /// # Errors
    /// The store failed, or the tournament is full of [entrants](TournamentRow::MAX_ENTRANTS). Two entrants would have
    /// the same number or name.
    async fn update_tournament(
        &self,
        row: TournamentRow,
        entrants: EntrantChange,
        remember: Option<Remembered>,
    ) -> Result<Updated, StoreError>;

    /// Up to `limit` entrants in the order of their numbers, from a number on.
    ///
    /// # Errors
    /// The store failed.
    async fn entrants(
        &self,
        id: TournamentId,
        from: u32,
        limit: usize,
    ) -> Result<Vec<EntrantRow>, StoreError>;

    /// The entrant of that name.
    ///
    /// # Errors
    /// The store failed.
    async fn entrant(&self, id: TournamentId, name: &AgentName) -> Result<Option<EntrantRow>, StoreError>;

    /// Stores a block that is over and opens the seals of its matches, which counts their versions up. Whether it was
    /// stored: the first one of a number stays, and then nothing is changed.
    ///
    /// # Errors
    /// The store failed or is full. There is no such tournament, or a match is one of another block or of none.
    async fn finish_block(&self, row: BlockRow) -> Result<bool, StoreError>;

    /// Up to `limit` blocks that are over, in the order of their numbers, from a number on.
    ///
    /// # Errors
    /// The store failed.
    async fn blocks(&self, id: TournamentId, from: u32, limit: usize) -> Result<Vec<BlockRow>, StoreError>;

    /// Opens the seals of matches whose block is over without a result: it is played anew, or never. Counts the versions
    /// of those that were sealed up; what is not sealed, or not there, stays as it is.
    ///
    /// # Errors
    /// The store failed.
    async fn unseal(&self, matches: Vec<MatchId>) -> Result<(), StoreError>;

    /// Up to `limit` matches of a tournament that are sealed, over or not, in the order of their ids, from the first one
    /// after `after` on: what a service that starts again has to finish or to unseal.
    ///
    /// # Errors
    /// The store failed.
    async fn sealed(
        &self,
        id: TournamentId,
        after: Option<MatchId>,
        limit: usize,
    ) -> Result<Vec<MatchRow>, StoreError>;
}
