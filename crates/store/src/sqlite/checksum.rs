use rusqlite::Row;
use rusqlite::types::{Value, ValueRef};
use sha2::{Digest, Sha256};

use super::error::{corrupt, store_error};
use crate::journal::StoreError;

/// The kinds of rows that are counted and summed up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Agents,
    /// Matches that are not over.
    Live,
    /// Matches that are over.
    Over,
    Log,
    Requests,
    Servers,
    /// Tournaments that are not over.
    LiveTournaments,
    /// Tournaments that are over.
    OverTournaments,
    Entrants,
    Blocks,
}

impl Kind {
    pub(super) const ALL: [Kind; 10] = [
        Kind::Agents,
        Kind::Live,
        Kind::Over,
        Kind::Log,
        Kind::Requests,
        Kind::Servers,
        Kind::LiveTournaments,
        Kind::OverTournaments,
        Kind::Entrants,
        Kind::Blocks,
    ];

    /// Its name in the table of totals.
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Agents => "agents",
            Kind::Live => "live",
            Kind::Over => "over",
            Kind::Log => "log",
            Kind::Requests => "requests",
            Kind::Servers => "servers",
            Kind::LiveTournaments => "live_tournaments",
            Kind::OverTournaments => "over_tournaments",
            Kind::Entrants => "entrants",
            Kind::Blocks => "blocks",
        }
    }

    /// The table that its rows are in; the first thing in their checksum.
    pub(super) fn table(self) -> &'static str {
        match self {
            Kind::Live | Kind::Over => "matches",
            Kind::LiveTournaments | Kind::OverTournaments => "tournaments",
            Kind::Agents | Kind::Log | Kind::Requests | Kind::Servers | Kind::Entrants | Kind::Blocks => {
                self.name()
            }
        }
    }

    /// How many columns its table had at first, the checksum apart.
    fn first_columns(self) -> usize {
        match self {
            Kind::Agents => 4,
            Kind::Live | Kind::Over => 27,
            Kind::Log => 8,
            Kind::Requests => 6,
            Kind::Servers => 3,
            Kind::LiveTournaments | Kind::OverTournaments => 14,
            Kind::Entrants => 11,
            Kind::Blocks => 4,
        }
    }
}

/// The checksum of a row: the first 8 bytes, little-endian, of SHA-256 over the table's name and the values in the order
/// of the columns, each with its type and, if it has one, its length. Of a column that a later version of the schema
/// added, a NULL counts as nothing and anything else has the column's position before it: so the rows of before keep
/// their checksums.
///
/// SQLite has checksums in its write-ahead log and none in the file itself, where a changed bit would else become a
/// changed decision.
pub(super) fn checksum<'a>(kind: Kind, values: impl IntoIterator<Item = ValueRef<'a>>) -> i64 {
    let mut hash = Sha256::new();
    hash.update(kind.table());
    for (position, value) in values.into_iter().enumerate() {
        if position >= kind.first_columns() {
            if value == ValueRef::Null {
                continue;
            }
            hash.update((position as u64).to_le_bytes());
        }
        match value {
            ValueRef::Null => hash.update([0]),
            ValueRef::Integer(number) => {
                hash.update([1]);
                hash.update(number.to_le_bytes());
            }
            ValueRef::Real(number) => {
                hash.update([2]);
                hash.update(number.to_le_bytes());
            }
            ValueRef::Text(bytes) => sized(&mut hash, 3, bytes),
            ValueRef::Blob(bytes) => sized(&mut hash, 4, bytes),
        }
    }
    let hash: [u8; 32] = hash.finalize().into();
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    i64::from_le_bytes(first)
}

fn sized(hash: &mut Sha256, tag: u8, bytes: &[u8]) {
    hash.update([tag]);
    hash.update((bytes.len() as u64).to_le_bytes());
    hash.update(bytes);
}

/// Adds the checksum to the values of a row, and returns it.
pub(super) fn seal(kind: Kind, values: &mut Vec<Value>) -> i64 {
    let sum = checksum(kind, values.iter().map(ValueRef::from));
    values.push(Value::Integer(sum));
    sum
}

/// Compares a row that was read whole, its checksum last, with that checksum, and returns it.
pub(super) fn verify(kind: Kind, row: &Row<'_>) -> Result<i64, StoreError> {
    let last = row.as_ref().column_count() - 1;
    let mut values = Vec::with_capacity(last);
    for column in 0..last {
        values.push(row.get_ref(column).map_err(store_error)?);
    }
    let stored: i64 = row.get(last).map_err(store_error)?;
    if checksum(kind, values) == stored {
        Ok(stored)
    } else {
        Err(corrupt(format!("a row of {} does not fit its checksum", kind.table())))
    }
}
