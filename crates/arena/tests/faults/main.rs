//! What a seat's time is, what counts as a fault, and what faults cost.

#![allow(clippy::unwrap_used, missing_docs)]

mod clocks;
mod deliveries;
mod late_answers;
mod penalties;
mod table;
