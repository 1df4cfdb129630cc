use std::collections::BTreeMap;
use std::time::Duration;

use chickenfoot_rules::{Commitment, ForcedMoves, Rules};
use chickenfoot_store::{ClockRules, EntrantRow, FaultRules};
use chickenfoot_tournament::statistics::{AbPlan, Effect};
use chickenfoot_tournament::{AbTest, Arrangement, Entrant, EntrantId, Format, SameOwner, Seeding, Setup};
use serde::{Deserialize, Serialize};

use crate::reason::Reason;
use crate::refusal::Refusal;

/// How a tournament is played, as it is kept in the store.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Settings {
    pub(crate) format: FormatSettings,
    /// The rules by number of seats, for tables of 2 up to the full one, which comes last.
    pub(crate) rules: Vec<Rules>,
    pub(crate) invited_only: bool,
    pub(crate) max_entrants: u32,
    pub(crate) clock: ClockRules,
    pub(crate) faults: FaultRules,
    pub(crate) asks_forced: bool,
    /// How many events late spectators see its matches.
    pub(crate) spectator_delay: u32,
    /// Most matches at once.
    pub(crate) concurrency: u32,
    /// Most matches at once of one entrant.
    pub(crate) entrant_concurrency: u32,
    /// How long a match waits for its entrants.
    pub(crate) no_show: Duration,
    /// Whether a newcomer plays a match against itself first.
    pub(crate) entry_check: bool,
    /// The owners that the creator has named, by the names of their entrants.
    pub(crate) owners: BTreeMap<String, String>,
}

/// A format, with its entrants by name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum FormatSettings {
    RoundRobin { cycles: u32 },
    Gauntlet { candidate: String, blocks: u32 },
    Swiss { rounds: u32 },
    Elimination { advance: u8, blocks: u32, lots: bool },
    Ladder { blocks: u32, same_owner: bool },
    AbTest(AbSettings),
}

/// An A/B test. Empty names stand for the first and the second entrant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct AbSettings {
    pub(crate) candidate: String,
    pub(crate) base: String,
    /// `None`: shared tables where there are other entrants, else halves.
    pub(crate) arrangement: Option<AbTables>,
    pub(crate) alpha: f64,
    pub(crate) beta: f64,
    pub(crate) effect: f64,
    pub(crate) burn_in: u32,
    pub(crate) max_blocks: u32,
}

/// The tables of an A/B test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AbTables {
    Shared,
    Halves,
}

/// A name in the settings that no entrant has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UnknownEntrant {
    /// The field of the format.
    pub(crate) field: &'static str,
    pub(crate) name: String,
}

impl Settings {
    /// Seats of a full table.
    pub(crate) fn table(&self) -> u8 {
        self.rules.last().map_or(0, Rules::players)
    }

    /// How far a schedule runs ahead of its results: as many blocks as the matches at once fill.
    pub(crate) fn lookahead(&self) -> u32 {
        self.concurrency.div_ceil(u32::from(self.table().max(1)))
    }

    /// The rules of a table of so many seats.
    pub(crate) fn rules_for(&self, seats: usize) -> Option<Rules> {
        self.rules.iter().copied().find(|rules| usize::from(rules.players()) == seats)
    }

    pub(crate) fn forced(&self) -> ForcedMoves {
        if self.asks_forced { ForcedMoves::Asked } else { ForcedMoves::Automatic }
    }

    /// Whether its matches count for the ratings of their agents.
    pub(crate) fn is_rated(&self) -> bool {
        matches!(self.format, FormatSettings::Ladder { .. })
    }

    /// Whether agents may enter after the start.
    pub(crate) fn takes_late(&self) -> bool {
        matches!(self.format, FormatSettings::Swiss { .. } | FormatSettings::Ladder { .. })
    }

    /// The same with the entrants by name that the creator has left to their order. `entrants` are the scheduled ones.
    pub(crate) fn named(&self, entrants: &[EntrantRow]) -> Settings {
        let fill = |name: &mut String, position: usize| {
            if let (true, Some(entrant)) = (name.is_empty(), entrants.get(position)) {
                *name = entrant.name.to_string();
            }
        };
        let mut named = self.clone();
        match &mut named.format {
            FormatSettings::Gauntlet { candidate, .. } => fill(candidate, 0),
            FormatSettings::AbTest(test) => {
                fill(&mut test.candidate, 0);
                fill(&mut test.base, 1);
            }
            FormatSettings::RoundRobin { .. }
            | FormatSettings::Swiss { .. }
            | FormatSettings::Elimination { .. }
            | FormatSettings::Ladder { .. } => {}
        }
        named
    }

    /// As it is kept in the store.
    ///
    /// # Errors
    /// It cannot be written as JSON.
    pub(crate) fn to_json(&self) -> Result<String, Refusal> {
        serde_json::to_string(self)
            .map_err(|why| Refusal::new(Reason::Internal, format!("the settings cannot be kept: {why}")))
    }

    /// Reads what [`Settings::to_json`] writes.
    ///
    /// # Errors
    /// Another text.
    pub(crate) fn from_json(text: &str) -> Result<Settings, Refusal> {
        serde_json::from_str(text).map_err(|why| {
            Refusal::new(Reason::Internal, format!("the tournament's settings cannot be read: {why}"))
        })
    }

    /// What the schedule has to know of an entrant.
    pub(crate) fn for_schedule(&self, row: &EntrantRow) -> Entrant {
        Entrant {
            name: row.name.to_string(),
            owner: self.owners.get(row.name.as_str()).cloned().unwrap_or_default(),
            from_stage: row.from_stage,
            until_stage: row.until_stage,
        }
    }

    /// What the schedule is made from. Its public seed is the tournament's commitment, which was fixed before anyone
    /// entered and says nothing of the deals.
    ///
    /// # Errors
    /// The format names an entrant that there is not.
    pub(crate) fn setup(
        &self,
        entrants: &[EntrantRow],
        commitment: Commitment,
    ) -> Result<(Setup, Option<AbTest>), UnknownEntrant> {
        let find = |field, name: &str, otherwise| match name {
            "" => Ok(EntrantId(otherwise)),
            name => entrants
                .iter()
                .position(|entrant| entrant.name.as_str() == name)
                .map(|index| EntrantId(index as u32))
                .ok_or_else(|| UnknownEntrant { field, name: name.to_owned() }),
        };
        let mut ab = None;
        let format = match &self.format {
            FormatSettings::RoundRobin { cycles } => Format::RoundRobin { cycles: *cycles },
            FormatSettings::Gauntlet { candidate, blocks } => {
                Format::Gauntlet { candidate: find("gauntlet.candidate", candidate, 0)?, blocks: *blocks }
            }
            FormatSettings::Swiss { rounds } => Format::Swiss { rounds: *rounds },
            FormatSettings::Elimination { advance, blocks, lots } => Format::Elimination {
                advance: *advance,
                blocks: *blocks,
                seeding: if *lots { Seeding::Lot } else { Seeding::Entry },
            },
            FormatSettings::Ladder { blocks, same_owner } => Format::Ladder {
                blocks: *blocks,
                same_owner: if *same_owner { SameOwner::Together } else { SameOwner::Apart },
            },
            FormatSettings::AbTest(test) => {
                let candidate = find("ab_test.candidate", &test.candidate, 0)?;
                let base = find("ab_test.base", &test.base, 1)?;
                let tables = test.tables(entrants.len());
                let effect = Effect::StandardDeviations(test.effect);
                // Read with the same bounds.
                let plan = AbPlan::new(effect, test.alpha, test.beta, test.burn_in, test.max_blocks)
                    .map_err(|_| UnknownEntrant { field: "ab_test", name: String::new() })?;
                ab = Some(AbTest { plan, candidate, base });
                let arrangement = match tables {
                    AbTables::Shared => Arrangement::Shared,
                    AbTables::Halves => Arrangement::Halves,
                };
                Format::Ab { candidate, base, arrangement, blocks: test.max_blocks }
            }
        };
        let lookahead = self.lookahead();
        Ok((Setup { format, table: self.table(), seed: commitment.0, lookahead }, ab))
    }
}

impl AbSettings {
    /// The tables, as set or as they suit so many entrants.
    pub(crate) fn tables(&self, entrants: usize) -> AbTables {
        self.arrangement.unwrap_or(if entrants > 2 { AbTables::Shared } else { AbTables::Halves })
    }
}
