//! The seats of a match as they stand in its row: as JSON text.

use std::time::Duration;

use chickenfoot_rules::Entropy;
use serde::{Deserialize, Serialize};

use super::packed::micros;
use crate::matches::{MatchRow, Occupant, OutReason, SeatLedger, SeatRow, SeatSpec};

/// What tells a player of the house from an agent, whose name has no colon.
const HOUSE: &str = "house:";

/// A seat, and how it ended.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoredSeat {
    reserved_for: Option<String>,
    occupant: Option<String>,
    entropy: Entropy,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) total: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) place: Option<u8>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ledger: Option<StoredLedger>,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StoredLedger {
    late: u32,
    gone: u32,
    illegal: u32,
    strikes: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    out: Option<StoredOut>,
    think_us: u64,
    bank_used_us: u64,
}

#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum StoredOut {
    Left,
    Strikes,
    Strict,
}

/// The seats of a match, and how they ended once it has.
pub(super) fn seats_of(row: &MatchRow) -> Vec<StoredSeat> {
    let summary = row.summary.as_ref();
    let seats = row.seats.iter().enumerate();
    seats
        .map(|(i, seat)| StoredSeat {
            reserved_for: match &seat.spec {
                SeatSpec::Open => None,
                SeatSpec::Agent(name) => Some(name.to_string()),
                SeatSpec::House(strategy) => Some(format!("{HOUSE}{strategy}")),
            },
            occupant: seat.occupant.as_ref().map(Occupant::name),
            entropy: seat.entropy,
            total: summary.and_then(|summary| summary.totals.get(i).copied()),
            place: summary.and_then(|summary| summary.places.get(i).copied()),
            ledger: summary.and_then(|summary| summary.ledger.get(i)).map(StoredLedger::new),
        })
        .collect()
}

/// Who has that [name](Occupant::name), unless it is none.
pub(super) fn occupant_of(name: &str) -> Option<Occupant> {
    match name.strip_prefix(HOUSE) {
        Some(strategy) => Some(Occupant::House(strategy.to_owned())),
        None => name.parse().ok().map(Occupant::Agent),
    }
}

impl StoredSeat {
    /// The seat, unless a name in it is none.
    pub(super) fn row(self) -> Option<SeatRow> {
        let spec = match self.reserved_for {
            None => SeatSpec::Open,
            Some(name) => match name.strip_prefix(HOUSE) {
                Some(strategy) => SeatSpec::House(strategy.to_owned()),
                None => SeatSpec::Agent(name.parse().ok()?),
            },
        };
        let occupant = match self.occupant {
            None => None,
            Some(name) => Some(occupant_of(&name)?),
        };
        Some(SeatRow { spec, occupant, entropy: self.entropy })
    }

    /// Its faults and times, once the match is over.
    pub(super) fn ledger(&self) -> Option<SeatLedger> {
        self.ledger.map(StoredLedger::ledger)
    }
}

impl StoredLedger {
    fn new(ledger: &SeatLedger) -> StoredLedger {
        StoredLedger {
            late: ledger.late,
            gone: ledger.gone,
            illegal: ledger.illegal,
            strikes: ledger.strikes,
            out: ledger.out.map(|out| match out {
                OutReason::Left => StoredOut::Left,
                OutReason::Strikes => StoredOut::Strikes,
                OutReason::Strict => StoredOut::Strict,
            }),
            think_us: micros(ledger.think),
            bank_used_us: micros(ledger.bank_used),
        }
    }

    fn ledger(self) -> SeatLedger {
        SeatLedger {
            late: self.late,
            gone: self.gone,
            illegal: self.illegal,
            strikes: self.strikes,
            out: self.out.map(|out| match out {
                StoredOut::Left => OutReason::Left,
                StoredOut::Strikes => OutReason::Strikes,
                StoredOut::Strict => OutReason::Strict,
            }),
            think: Duration::from_micros(self.think_us),
            bank_used: Duration::from_micros(self.bank_used_us),
        }
    }
}
