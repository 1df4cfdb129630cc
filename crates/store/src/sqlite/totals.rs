use rusqlite::Connection;

use super::checksum::Kind;
use super::error::{corrupt, store_error};
use crate::journal::StoreError;

/// How many rows of each kind there are, and the sum of their checksums.
///
/// Every transaction writes them with its rows. So a file whose pages are of different moments, which happens to one
/// that lost writes it had confirmed, is told from one that is whole: no order of the rows matters, only all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Totals {
    all: [Total; Kind::ALL.len()],
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Total {
    rows: i64,
    sum: i64,
}

impl Totals {
    pub(super) fn add(&mut self, kind: Kind, checksum: i64) {
        let total = &mut self.all[kind as usize];
        total.rows = total.rows.wrapping_add(1);
        total.sum = total.sum.wrapping_add(checksum);
    }

    pub(super) fn remove(&mut self, kind: Kind, checksum: i64) {
        let total = &mut self.all[kind as usize];
        total.rows = total.rows.wrapping_sub(1);
        total.sum = total.sum.wrapping_sub(checksum);
    }

    pub(super) fn rows(&self, kind: Kind) -> u64 {
        self.all[kind as usize].rows.max(0) as u64
    }

    pub(super) fn load(conn: &Connection) -> Result<Totals, StoreError> {
        let mut totals = Totals::default();
        let mut statement =
            conn.prepare_cached("SELECT rows, sum FROM totals WHERE kind = ?1").map_err(store_error)?;
        for kind in Kind::ALL {
            let read =
                statement.query_row([kind.name()], |row| Ok(Total { rows: row.get(0)?, sum: row.get(1)? }));
            totals.all[kind as usize] = match read {
                Err(rusqlite::Error::QueryReturnedNoRows) => {
                    return Err(corrupt(format!("there is no total of {}", kind.name())));
                }
                other => other.map_err(store_error)?,
            };
        }
        Ok(totals)
    }

    /// Writes what has changed since `before`.
    pub(super) fn save(&self, before: &Totals, conn: &Connection) -> Result<(), StoreError> {
        for kind in Kind::ALL {
            let (old, new) = (before.all[kind as usize], self.all[kind as usize]);
            if old != new {
                conn.prepare_cached("UPDATE totals SET rows = ?2, sum = ?3 WHERE kind = ?1")
                    .and_then(|mut statement| statement.execute((kind.name(), new.rows, new.sum)))
                    .map_err(store_error)?;
            }
        }
        Ok(())
    }

    /// Says which kind of rows is not what it should be. `kinds` are those that were counted.
    pub(super) fn compare(&self, counted: &Totals, kinds: &[Kind]) -> Result<(), StoreError> {
        for kind in kinds {
            let (stored, found) = (self.all[*kind as usize], counted.all[*kind as usize]);
            if stored != found {
                return Err(corrupt(format!(
                    "{}: there are {} rows with the sum {}, there should be {} with the sum {}",
                    kind.name(),
                    found.rows,
                    found.sum,
                    stored.rows,
                    stored.sum
                )));
            }
        }
        Ok(())
    }
}
