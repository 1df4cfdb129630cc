//! Reports of tournaments: a [`Report`] is everything that is known of one, and is written as JSON for programs, as CSV for
//! spreadsheets, and as a page of HTML for people. What the fields of the JSON mean is in the crate's README.

mod conduct;
mod csv;
mod evidence;
mod format;
mod html;
mod json;

use crate::Figures;

pub use conduct::Conduct;
pub use csv::csv;
pub use format::{AbTables, FormatInfo};
pub use html::html;

/// What the page is made of, for pages beside it that are to look alike.
pub mod page {
    pub use super::html::{Chart, Line, Name, document, plain, signed, visible};
}

pub use json::{FORMAT, VARYING, VERSION, json};

/// Everything that a report is written from.
#[derive(Clone, Debug)]
pub struct Report {
    /// The title that its creator gave it. Any text: the writers take care of it.
    pub title: String,
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub phase: Phase,
    /// Why it rests or ended, for people; empty if there is nothing to say.
    pub message: String,
    /// When it was made, in milliseconds since 1970.
    pub created_ms: u64,
    /// When it was started, in milliseconds since 1970.
    pub started_ms: Option<u64>,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: Option<u64>,
    /// Who meets whom.
    pub format: FormatInfo,
    /// Seats of a full table, 2 to 8.
    pub table_size: u8,
    /// How far a ladder or an A/B test runs ahead of its results, see [`crate::Setup::lookahead`].
    pub lookahead: u32,
    /// The rules of each size of table that may come up, the full one last.
    pub rules: Vec<TableRules>,
    /// What fixes the seed of the deals; also the public seed of all lots and bootstraps.
    pub commitment: [u8; 32],
    /// The seed of the deals, once it may be told.
    pub seed: Option<[u8; 32]>,
    /// The entrants by number.
    pub entrants: Vec<Entry>,
    /// The blocks that are over, by number. Blocks that were played beyond the end of an A/B test are among them.
    pub blocks: Vec<PlayedBlock>,
    /// Every figure that follows from the blocks; `None` before the field is settled.
    pub figures: Option<Figures>,
}

/// Where a tournament stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
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

/// The rules of a table.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct TableRules {
    /// Its seats.
    pub seats: u8,
    /// The rules in one line, as deals and digests are computed over them.
    pub text: String,
}

/// An entrant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its number, from 0 in the order of entry; there may be gaps.
    pub number: u32,
    /// Its name. Any text: the writers take care of it.
    pub name: String,
    /// Its strategy, if it is a player of the house.
    pub house: Option<String>,
    /// Where it stands.
    pub state: EntryState,
    /// Its position in the schedule, which is its [`crate::EntrantId`], once it is scheduled.
    pub position: Option<u32>,
    /// The first stage that it is scheduled in, from 1; 0 as long as it is not scheduled.
    pub from_stage: u32,
    /// The first stage that it is not scheduled in any more, if it withdrew.
    pub until_stage: Option<u32>,
}

/// Where an entrant stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum EntryState {
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

/// A block that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedBlock {
    /// Its number, from 0.
    pub number: u32,
    /// The stage that it belongs to, from 1.
    pub stage: u32,
    /// The table within the stage, from 0.
    pub table: u32,
    /// How often it was begun again after a fault of the service.
    pub attempt: u32,
    /// What its deals were bound to.
    pub deal_id: String,
    /// The numbers of entrants that were absent; such a block has no matches.
    pub absent: Vec<u32>,
    /// The matches, in the order of the seatings.
    pub matches: Vec<PlayedMatch>,
    /// When it ended, in milliseconds since 1970.
    pub ended_ms: u64,
}

/// A match of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMatch {
    /// Its id.
    pub id: String,
    /// The digest of its events.
    pub digest: [u8; 32],
    /// The seats, from seat 0.
    pub seats: Vec<PlayedSeat>,
}

/// A seat of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedSeat {
    /// The number of the entrant.
    pub entrant: u32,
    /// Its total in pips; fewer are better.
    pub points: u32,
    /// Its place, from 1; shared places are equal, and the next one is skipped.
    pub place: u8,
    /// Rounds in which it scored 0.
    pub clean_rounds: u32,
    /// Its lowest round score above 0, if it has one.
    pub lowest_round: Option<u32>,
    /// What it did wrong, and the time it took. Part of no figure.
    pub ledger: SeatLedger,
}

/// What a seat did wrong in a match, and the time it took.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeatLedger {
    /// Decisions that it had and did not answer in time.
    pub late: u32,
    /// Decisions whose time ran out while no stream of it had them.
    pub gone: u32,
    /// Answers that were not legal.
    pub illegal: u32,
    /// Strikes.
    pub strikes: u32,
    /// Why it was taken out, if it was.
    pub out: Option<Out>,
    /// Time taken for all its decisions, in milliseconds.
    pub think_ms: u64,
}

/// Why a seat was taken out of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Out {
    /// Its agent left.
    Left,
    /// It had too many strikes.
    Strikes,
    /// It made a mistake in a strict match.
    Strict,
}

impl Report {
    /// Whether a block counts: it was not played beyond the one that decided an A/B test.
    pub fn counts(&self, number: u32) -> bool {
        let ab = self.figures.as_ref().and_then(|figures| figures.ab.as_ref());
        ab.and_then(|ab| ab.decided_at).is_none_or(|last| number <= last)
    }

    /// What each entrant did wrong in all blocks, and the time it took; in the order of the entrants.
    pub fn conduct(&self) -> Vec<Conduct> {
        conduct::of(self)
    }
}

impl Phase {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Open => "open",
            Phase::Running => "running",
            Phase::Paused => "paused",
            Phase::Finished => "finished",
            Phase::Cancelled => "cancelled",
        }
    }
}

impl EntryState {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            EntryState::Invited => "invited",
            EntryState::Checking => "checking",
            EntryState::Rejected => "rejected",
            EntryState::Entered => "entered",
            EntryState::Withdrawn => "withdrawn",
        }
    }
}

impl Out {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Out::Left => "left",
            Out::Strikes => "strikes",
            Out::Strict => "strict",
        }
    }
}

/// Bytes as lower-case hexadecimal digits.
fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
