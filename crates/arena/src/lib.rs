//! Running matches, without gRPC.
//!
//! * [`Arena`] is the handle: make matches, take seats, answer decisions, watch, get records.
//! * A running match has one task, its owner, which alone writes its log. It stores a decision before it answers.
//! * A [`Watch`] reads events that are folded from the stored log, at the reader's own pace.
//! * All parts talk through a [`Bus`] in bytes, because they may sit in different processes one day; the bus may lose
//!   or double what it carries. Time stands behind [`Clock`].
//!
//! There is no wire format in here and no SQL. What decides a match is in its log; clocks only decide *when* something
//! is written to it.

mod arena;
mod bus;
mod clock;
mod deliveries;
mod error;
mod feed;
mod fold;
mod house;
mod lobby;
mod message;
mod owner;
mod running;
mod shared;
mod spectator;
mod time;
mod timer;

pub use arena::{Arena, Parts};
pub use bus::{Bus, Delivery, LocalBus, NoAnswer, Subject, Subscription};
pub use error::Error;
pub use feed::{Told, Watch, Watched};
pub use house::House;
pub use lobby::NewMatch;
pub use message::{Aborter, Answer, ChoiceError, Chosen, DecisionNote, ToAgent};
pub use time::{Clock, TokioClock};
