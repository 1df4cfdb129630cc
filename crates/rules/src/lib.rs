//! The game of Chicken Foot, from one tile to a verified match record. Pure: no I/O, no clock, no ambient chance.
//!
//! * [`Tile`], [`TileSet`], [`Numbers`], [`Seat`]: the words of the game, small and cheap to copy.
//! * [`RuleOptions`] resolve to [`Rules`]: two presets, every difference between them an option.
//! * [`Round`]: the state machine of one round, plain data that a search copies; [`Moves`] lists what is legal,
//!   [`Round::apply`] makes a [`Move`]. [`Lines`] follows *where* tiles lie, which legality never asks.
//! * [`SeededDeals`]: deals that follow from a committed seed and can be recomputed in any language.
//! * [`Match`]: the fold of a log of [`Entry`]s. It emits [`Event`]s; [`Seen`] is what one viewer sees of an event and
//!   [`View`] what one seat may know in its turn. An [`Onlooker`] follows what everybody sees.
//! * [`Record`]: a finished match as a file, and [`Record::verify`], which names the first thing that is wrong.
//!
//! ```
//! use chickenfoot_rules::*;
//!
//! let rules = RuleOptions::new(Preset::Trains, 2).resolve()?;
//! let seats = ["ann", "bob"].map(|name| Contributor { name: name.into(), entropy: Entropy::default() }).to_vec();
//! let seed = Seed::new([7; 32]);
//! let start = MatchStart::new(rules, "example", &seed, seats);
//! let setup = MatchSetup::seeded(start, &seed, ForcedMoves::Automatic);
//! let (mut events, mut log) = (Vec::new(), Vec::new());
//! let mut game = Match::start(setup, &mut events)?;
//! while let Some(view) = game.view() {
//!     let choice = view.moves().next().expect("a decision has an option").into();
//!     let decision = game.decision().expect("there is a view, so there is a decision");
//!     let entry = game.check(decision.number, decision.seat, choice)?;
//!     game.commit(entry, &mut events)?;
//!     log.push(entry);
//! }
//! let record = Record::of("m1", &seed, game.setup(), ForcedMoves::Automatic, &log)?;
//! assert_eq!(record.verify(), Ok(()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # The canonical encoding of events and the digest
//!
//! The digest of a match is SHA-256 over the following bytes; two implementations that agree on it agree on
//! everything that happened. `u8` is one byte, `u32` four bytes, big-endian. `lp(x)` is the length of x in bytes as a
//! `u32`, then x; texts are UTF-8. A tile is two `u8`: its lower number, its higher number. A seat is a `u8` from 0.
//!
//! First comes `lp("chickenfoot/v1/events")`, then every event of the match in order, without separators. An event is
//! a `u8` that names its kind and then its fields:
//!
//! | kind | event | fields |
//! | --- | --- | --- |
//! | 1 | match started | `lp`(rules text), `lp`(deal id), the 32 bytes of the commitment, `u8` number of seats, then for each seat `lp`(name) and its 32 bytes of entropy; `u8` number of contributors of the block, 0 for a match of its own, then each of them in the same way, sorted by name |
//! | 2 | round started | `u8` round from 1, `u8` number of the starting double |
//! | 3 | hand dealt | seat, `u8` number of tiles, the tiles by lower, then higher number |
//! | 4 | starting double laid | seat |
//! | 5 | played | seat, tile, `u8` number of the end, `u8` arm or toe |
//! | 6 | drew | seat, tile |
//! | 7 | passed | seat |
//! | 8 | kept the drawn tile | seat |
//! | 9 | round ended | `u8` 0 and the seat that is out, or `u8` 1 and `u8` 0 if blocked; `u8` number of seats, each seat's score of the round as `u32`, then each seat's total as `u32` |
//! | 10 | seat forfeited | seat |
//! | 11 | match ended | `u8` number of seats, each seat's total as `u32`, then each seat's place as `u8` |
//! | 12 | match aborted | nothing |
//!
//! The rules text is [`Rules::text`]. One `hand dealt` follows for each seat, in seat order, on every `round started`.
//! Where the holder of the starting double starts and nobody was dealt it, the draws that look for it come before
//! `starting double laid`, the drawn double among them. Arms and toes are numbered together from 1 in the order in
//! which they were begun in the round, so a tile that begins one bears the next free number; a tile laid on an end of
//! a number that several arms or toes show bears the lowest of theirs, unless the seat named another.

mod bytes;
mod config;
mod deal;
mod entry;
mod event;
mod fits;
mod game;
mod illegal;
mod lines;
mod made;
mod moves;
mod number;
mod onlooker;
mod open_ends;
mod packed;
mod record;
mod refused;
mod round;
mod score;
mod seat;
mod seen;
mod set;
mod table;
mod text;
mod tile;
mod verify;
mod view;

pub use bytes::{Hex32, ParseHexError};
pub use config::{ConfigError, DrawnTile, Preset, RuleOptions, Rules, Starter};
pub use deal::{Commitment, Contributor, Deal, Deals, Entropy, Seed, SeededDeals};
pub use entry::{Choice, Entry};
pub use event::{Event, MatchStart};
pub use game::{Decision, ForcedMoves, Match, MatchSetup, Status};
pub use illegal::{Illegal, SetupError};
pub use lines::{Line, LineId, Lines, NoSuchLine};
pub use made::{Deed, Made, ParseEndError, ParseMadeError};
pub use moves::{Move, Moves};
pub use number::Numbers;
pub use onlooker::{Onlooker, Situation};
pub use open_ends::OpenEnds;
pub use record::{Outcome, RECORD_FORMAT, Record, RecordError, RoundRecord};
pub use refused::{Refused, StartError};
pub use round::{End, Foot, Round, Terms};
pub use score::{SeatResult, places};
pub use seat::{MAX_SEATS, NoSuchSeat, Seat};
pub use seen::{Seen, Viewer};
pub use set::{TileIter, TileSet, Tiles};
pub use tile::{MAX_PIP, MAX_TILES, ParseTileError, Tile, set_size};
pub use verify::Flaw;
pub use view::{Act, SeatState, Step, View};
