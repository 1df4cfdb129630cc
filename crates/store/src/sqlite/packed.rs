//! The log of a match that is over, in one value of about a kilobyte; the format is in the documentation of the parent.

use std::time::Duration;

use chickenfoot_rules::Entry;

use super::error::corrupt;
use crate::journal::{Cause, LogRow, StoreError};

const VERSION: u8 = 1;

/// Set in the byte of the cause if the number of illegal answers follows.
const ILLEGAL: u8 = 0x80;

/// Packs a log. What is below a microsecond in the think times is cut off.
pub(super) fn pack<'a>(rows: impl IntoIterator<Item = &'a LogRow>) -> Vec<u8> {
    let mut bytes = vec![VERSION];
    for row in rows {
        bytes.extend(row.entry.to_bytes());
        let illegal = if row.illegal > 0 { ILLEGAL } else { 0 };
        bytes.push(cause_number(row.cause) | illegal);
        push_number(&mut bytes, micros(row.think));
        if row.illegal > 0 {
            push_number(&mut bytes, row.illegal.into());
        }
    }
    bytes
}

/// Reads what [`pack`] wrote.
pub(super) fn unpack(bytes: &[u8]) -> Result<Vec<LogRow>, StoreError> {
    let Some((&VERSION, mut rest)) = bytes.split_first() else {
        return Err(corrupt("a packed log of an unknown version"));
    };
    let mut rows = Vec::with_capacity(rest.len() / 7);
    while !rest.is_empty() {
        let row;
        (row, rest) = entry(rest).ok_or_else(|| corrupt("a packed log that makes no sense"))?;
        rows.push(row);
    }
    Ok(rows)
}

fn entry(bytes: &[u8]) -> Option<(LogRow, &[u8])> {
    let (entry, rest) = bytes.split_first_chunk::<4>()?;
    let (&cause, rest) = rest.split_first()?;
    let (think, mut rest) = number(rest)?;
    let mut illegal = 0;
    if cause & ILLEGAL != 0 {
        let count;
        (count, rest) = number(rest)?;
        illegal = u32::try_from(count).ok().filter(|count| *count > 0)?;
    }
    let row = LogRow {
        entry: Entry::from_bytes(*entry)?,
        cause: cause_of(cause & !ILLEGAL)?,
        think: Duration::from_micros(think),
        illegal,
    };
    Some((row, rest))
}

fn push_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn number(mut bytes: &[u8]) -> Option<(u64, &[u8])> {
    let (mut number, mut shift) = (0_u64, 0);
    loop {
        let (&byte, rest) = bytes.split_first()?;
        bytes = rest;
        if shift > 63 {
            return None;
        }
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte < 0x80 {
            return Some((number, bytes));
        }
    }
}

/// Whole microseconds; more than 292 thousand years are as good as that.
pub(super) fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).map_or(i64::MAX as u64, |micros| micros.min(i64::MAX as u64))
}

pub(super) fn cause_number(cause: Cause) -> u8 {
    match cause {
        Cause::Agent => 0,
        Cause::House => 1,
        Cause::Late => 2,
        Cause::Gone => 3,
        Cause::Strikes => 4,
        Cause::Strict => 5,
        Cause::Creator => 6,
        Cause::ServerFault => 7,
        Cause::Organiser => 8,
    }
}

pub(super) fn cause_of(number: u8) -> Option<Cause> {
    Some(match number {
        0 => Cause::Agent,
        1 => Cause::House,
        2 => Cause::Late,
        3 => Cause::Gone,
        4 => Cause::Strikes,
        5 => Cause::Strict,
        6 => Cause::Creator,
        7 => Cause::ServerFault,
        8 => Cause::Organiser,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use chickenfoot_rules::{Move, Seat};

    #[test]
    fn a_packed_log_is_read_back_and_a_cut_one_never_as_another_length_by_half() {
        let rows: Vec<LogRow> = (0_u8..40)
            .map(|i| LogRow {
                entry: match i % 3 {
                    0 => Entry::Choice(Move::Draw.into()),
                    1 => Entry::Choice(Move::Pass.into()),
                    _ => Entry::Forfeit(Seat::new(3).unwrap()),
                },
                cause: cause_of(i % 9).unwrap(),
                think: Duration::from_micros(1 << i),
                illegal: if i % 3 == 1 { u32::MAX >> (i % 32) } else { 0 },
            })
            .collect();
        let bytes = pack(&rows);
        assert_eq!(unpack(&bytes), Ok(rows.clone()));
        for cut in 0..bytes.len() {
            match unpack(&bytes[..cut]) {
                Ok(fewer) => assert!(rows.starts_with(&fewer)),
                Err(why) => assert!(matches!(why, StoreError::Corrupt(_))),
            }
        }
    }

    #[test]
    fn the_longest_think_time_is_kept_as_the_longest() {
        let row = LogRow { entry: Entry::Abort, cause: Cause::Creator, think: Duration::MAX, illegal: 0 };
        let back = unpack(&pack([&row])).unwrap();
        assert_eq!(micros(back[0].think), i64::MAX as u64);
    }
    #[test]
    fn every_cause_has_a_number_of_its_own() {
        for number in 0..9 {
            assert_eq!(cause_of(number).map(cause_number), Some(number));
        }
        assert_eq!(cause_of(9), None);
    }

    /// What the documentation of the parent says, byte for byte.
    #[test]
    fn the_format_is_the_documented_one() {
        let row = |cause, micros, illegal| LogRow {
            entry: Entry::Abort,
            cause,
            think: Duration::from_micros(micros),
            illegal,
        };
        let entry = Entry::Abort.to_bytes();
        let plain = pack(&[row(Cause::House, 5, 0)]);
        assert_eq!(plain, [&[1], &entry[..], &[1, 5]].concat());
        let faulty = pack(&[row(Cause::Strict, 300, 200)]);
        assert_eq!(faulty, [&[1], &entry[..], &[0x85, 0xac, 0x02, 0xc8, 0x01]].concat());
    }

    #[test]
    fn a_long_match_takes_about_a_kilobyte() {
        let row = |i: u64| LogRow {
            entry: Entry::Choice(Move::Draw.into()),
            cause: Cause::Agent,
            think: Duration::from_micros(i * 10_000),
            illegal: u32::from(i.is_multiple_of(50)),
        };
        let bytes = pack(&(0..150).map(row).collect::<Vec<_>>());
        assert!(bytes.len() < 1_250, "{}", bytes.len());
    }

    #[test]
    fn a_count_that_is_none_makes_no_sense() {
        let entry = Entry::Abort.to_bytes();
        let too_many = [0xff, 0xff, 0xff, 0xff, 0x1f];
        for count in [&[][..], &[0], &too_many] {
            let bytes = [&[1], &entry[..], &[0x80, 5], count].concat();
            assert!(matches!(unpack(&bytes), Err(StoreError::Corrupt(_))), "{count:?}");
        }
    }
}
