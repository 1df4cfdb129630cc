use std::fmt;

use serde::{Deserialize, Serialize};

use crate::bytes::Hex32;
use crate::config::Rules;
use crate::deal::{Commitment, Contributor, Deal, Seed};
use crate::entry::Entry;
use crate::event::{Event, MatchStart};
use crate::game::{ForcedMoves, Match, MatchSetup, Status};
use crate::made::Made;
use crate::refused::{Refused, StartError};
use crate::round::End;
use crate::seat::Seat;
use crate::tile::Tile;

/// The name and version of the format, the first field of every record.
pub const RECORD_FORMAT: &str = "chickenfoot/v1/record";

/// A match that is over, complete enough to check every deal, draw, move, score and the digest offline.
///
/// Written as JSON. Tiles are texts such as `"4-9"`, hashes and seeds 64 hexadecimal digits, seats count from 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// [`RECORD_FORMAT`].
    pub format: String,
    /// The match it is of. Part of nothing that is checked, unless the deals are bound to it.
    pub match_id: String,
    /// The rules, as [`Rules::text`].
    pub rules: Rules,
    /// What the deals are bound to.
    pub deal_id: String,
    /// What was published before anyone gave entropy.
    pub commitment: Commitment,
    /// The seed, revealed.
    pub seed: Hex32,
    /// The seats' names and entropy.
    pub seats: Vec<Contributor>,
    /// Who contributed to the deals of a block of replays, sorted by name; left out of a match of its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub block: Vec<Contributor>,
    /// The rounds that were begun.
    pub rounds: Vec<RoundRecord>,
    /// How the match ended.
    pub outcome: Outcome,
    /// Each seat's score.
    pub totals: Vec<u32>,
    /// Each seat's place, from 1; none if the match was aborted.
    pub places: Vec<u8>,
    /// The digest of the events.
    pub digest: Hex32,
}

/// How a recorded match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Played to the end.
    Finished,
    /// Ended before its time, without a result.
    Aborted,
}

/// One round of a [`Record`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundRecord {
    /// The number of the starting double.
    pub starting_double: u8,
    /// Who found the starting double by lot; `null` where its holder starts.
    pub starter: Option<Seat>,
    /// The hands as dealt, by seat.
    pub hands: Vec<Vec<Tile>>,
    /// The boneyard as dealt, in drawing order.
    pub boneyard: Vec<Tile>,
    /// Everything the seats did, in order.
    pub moves: Vec<Made>,
    /// How the round ended; `null` if the match was aborted in it.
    pub end: Option<End>,
    /// Each seat's score in this round; none if the match was aborted in it.
    pub scores: Vec<u16>,
}

impl Record {
    /// Writes the record of a match that is over, from what decides it: how it began, the seed and the log.
    ///
    /// # Errors
    /// The log does not fit the match, or the match is not over after it.
    pub fn of(
        match_id: &str,
        seed: &Seed,
        start: &MatchStart,
        forced: ForcedMoves,
        entries: &[Entry],
    ) -> Result<Record, RecordError> {
        let setup = MatchSetup::seeded(start.clone(), seed, forced);
        let mut events = Vec::new();
        let mut game = Match::start(setup, &mut events).map_err(RecordError::Start)?;
        for (index, entry) in entries.iter().enumerate() {
            game.commit(*entry, &mut events).map_err(|why| RecordError::Entry { index, why })?;
        }
        let outcome = match game.status() {
            Status::Running => return Err(RecordError::NotOver),
            Status::Ended => Outcome::Finished,
            Status::Aborted => Outcome::Aborted,
        };
        Ok(Record {
            format: RECORD_FORMAT.to_owned(),
            match_id: match_id.to_owned(),
            rules: start.rules,
            deal_id: start.deal_id.clone(),
            commitment: start.commitment,
            seed: Hex32(seed.reveal()),
            seats: start.seats.clone(),
            block: start.block.clone(),
            rounds: rounds(&game, &events),
            outcome,
            totals: game.totals().to_vec(),
            places: if outcome == Outcome::Finished { game.places() } else { Vec::new() },
            digest: game.digest(),
        })
    }

    /// The record as a JSON document with a line break at its end.
    pub fn to_json(&self) -> String {
        // A record holds nothing that JSON cannot: no map with odd keys, no number beyond 32 bits.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }

    /// Reads what [`Record::to_json`] writes.
    ///
    /// # Errors
    /// What is not JSON of this form, with line and column.
    pub fn from_json(text: &str) -> Result<Record, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// The events of the match as the record tells them; the first has the number 1. That they are right is for
    /// [`Record::verify`] to say: then they are those of the match, and the digest is theirs.
    pub fn events(&self) -> Vec<Event> {
        let mut events = vec![Event::MatchStarted(Box::new(self.start()))];
        let mut totals = vec![0_u32; self.seats.len()];
        // No rules have more rounds than a number has room for.
        for (number, round) in (1..=u8::MAX).zip(&self.rounds) {
            events.push(Event::RoundStarted { round: number, starting_double: round.starting_double });
            let hands = Seat::all(self.rules.players()).zip(&round.hands);
            events.extend(
                hands.map(|(seat, hand)| Event::HandDealt { seat, tiles: hand.iter().copied().collect() }),
            );
            events.extend(round.moves.iter().map(|made| made.event()));
            if let Some(end) = round.end {
                for (total, score) in totals.iter_mut().zip(&round.scores) {
                    *total = total.saturating_add((*score).into());
                }
                let (scores, totals) = (round.scores.clone(), totals.clone());
                events.push(Event::RoundEnded { end, scores, totals });
            }
        }
        events.push(match self.outcome {
            Outcome::Finished => {
                Event::MatchEnded { totals: self.totals.clone(), places: self.places.clone() }
            }
            Outcome::Aborted => Event::MatchAborted,
        });
        events
    }

    /// How the match began, as far as the record tells.
    pub fn start(&self) -> MatchStart {
        MatchStart {
            rules: self.rules,
            deal_id: self.deal_id.clone(),
            commitment: self.commitment,
            seats: self.seats.clone(),
            block: self.block.clone(),
        }
    }
}

/// The rounds as events tell of them.
fn rounds(game: &Match, events: &[Event]) -> Vec<RoundRecord> {
    let mut rounds: Vec<RoundRecord> = Vec::new();
    for event in events {
        if let Event::RoundStarted { round, .. } = event {
            rounds.push(RoundRecord::dealt(game.deal(*round)));
        } else if let Some(round) = rounds.last_mut() {
            if let Some(made) = Made::from_event(event) {
                round.moves.push(made);
            } else if let Event::RoundEnded { end, scores, .. } = event {
                round.end = Some(*end);
                round.scores.clone_from(scores);
            }
        }
    }
    rounds
}

impl RoundRecord {
    fn dealt(deal: Deal) -> RoundRecord {
        let Deal { starting_double, starter, hands, boneyard } = deal;
        RoundRecord {
            starting_double,
            starter,
            hands,
            boneyard,
            moves: Vec::new(),
            end: None,
            scores: Vec::new(),
        }
    }
}

/// Why no record can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// The match cannot start.
    Start(StartError),
    /// An entry of the log does not fit.
    Entry {
        /// Its position in the log, from 0.
        index: usize,
        /// Why.
        why: Refused,
    },
    /// The match is not over.
    NotOver,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordError::Start(why) => write!(f, "the match cannot start: {why}"),
            RecordError::Entry { index, why } => write!(f, "entry {index} of the log does not fit: {why}"),
            RecordError::NotOver => f.write_str("the match is not over"),
        }
    }
}

impl std::error::Error for RecordError {}
