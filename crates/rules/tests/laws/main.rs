//! What is true of every round, whatever the rules, the deal and the choices.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../oracle/mod.rs"]
#[expect(dead_code, reason = "the reference cases use the rest")]
mod oracle;
#[path = "../play/mod.rs"]
mod play;

mod coverage;
mod feet;
mod legality;
mod second_engine;
mod symmetry;
mod tiles;
