use rusqlite::{Error, ErrorCode};

use crate::journal::StoreError;

/// Says in the store's words what SQLite said.
pub(super) fn store_error(error: Error) -> StoreError {
    let text = error.to_string();
    let corrupt = |what: &str| StoreError::Corrupt(format!("{what}: {text}"));
    match &error {
        Error::SqliteFailure(failure, _) => match failure.code {
            ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::PermissionDenied => {
                StoreError::ReadOnly(text)
            }
            ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase => corrupt("the file"),
            _ => StoreError::Unavailable(text),
        },
        // The schema is ours, so a value of another type or range is not what was written.
        Error::FromSqlConversionFailure(..)
        | Error::IntegralValueOutOfRange(..)
        | Error::Utf8Error(..)
        | Error::InvalidColumnType(..) => corrupt("a value"),
        // Every statement fits the schema of its version, so one that does not says that the schema is damaged.
        Error::SqlInputError { .. } => corrupt("the schema"),
        _ => StoreError::Unavailable(text),
    }
}

/// What is stored does not make sense.
pub(super) fn corrupt(what: impl Into<String>) -> StoreError {
    StoreError::Corrupt(what.into())
}

/// A number that the database has no room for: its integers end at 2^63 - 1.
pub(super) fn integer(number: u64) -> Result<i64, StoreError> {
    i64::try_from(number).map_err(|_| StoreError::Unavailable(format!("{number} is too large to be stored")))
}

/// A bound as the database has it: what its integers have no room for is beyond everything in it.
pub(super) fn clamped(bound: u64) -> i64 {
    i64::try_from(bound).unwrap_or(i64::MAX)
}
