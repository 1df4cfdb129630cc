//! The embedded backend: everything in one SQLite file.
//!
//! * **Durable.** A write-ahead log with `synchronous = FULL`: what was answered survives the loss of power. One thread
//!   writes; all calls that wait when it is free share one transaction and one wait for the disk.
//! * **One server.** A lock on `FILE.lock` keeps a second server out; every start counts the incarnation up, and an append
//!   by an earlier one is [`Fenced`](crate::Appended::Fenced).
//! * **Damage is found, not served.** Rows have checksums, and their sums are kept, so that a flipped bit, a cut file or
//!   pages of different moments are [`Corrupt`](crate::StoreError::Corrupt) and never another decision.
//! * **Readable.** Plain `sqlite3 -readonly FILE` is welcome, also while the server runs: see the views
//!   `finished_matches`, `results` and `current_matches`, and of tournaments `tournament_list`, `tournament_entrants`,
//!   `tournament_blocks` and `block_results`. Nobody else must write to the file.
//!
//! The log of a running match is in the table `log`, a row an entry. When the match ends, the same transaction packs it
//! into one value in the row of the match (see below) and deletes the rows. Durations are kept in whole microseconds. Of a
//! match that is over only the id of the last entry is kept: its append repeated is a
//! [`Duplicate`](crate::Appended::Duplicate), those before it a [`Conflict`](crate::Appended::Conflict).
//!
//! # The packed log
//!
//! ```text
//! packed  := version entry*
//! version := 01
//! entry   := bytes cause think [illegal]
//! bytes   := 4 bytes, as Entry::to_bytes writes them
//! cause   := 1 byte: 0 agent, 1 house, 2 late, 3 gone, 4 strikes, 5 strict, 6 creator, 7 server fault,
//!            8 organiser;
//!            80 is added if the illegal answers follow
//! think   := number: microseconds
//! illegal := number: the illegal answers that were refused before, not 0; without it there were none
//! number  := LEB128: 7 bits a byte, the lowest first, the high bit set on all but the last
//! ```
//!
//! That is 6 to 8 bytes for most entries, about a kilobyte for a match of 150.

mod agent_row;
mod backup;
mod block_row;
mod checksum;
mod entrant_row;
mod error;
mod examine;
mod lock;
mod log_row;
mod match_row;
mod options;
mod packed;
mod queries;
mod readers;
mod request_row;
mod schema;
mod seat_index;
mod seat_text;
mod stats;
mod store;
mod tables;
mod totals;
mod tournament_row;
mod writer;

pub use backup::backup;
pub use examine::{Report, check};
pub use options::{Examine, Options};
pub use stats::WriterStats;
pub use store::Sqlite;
