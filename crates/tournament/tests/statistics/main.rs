//! The statistics against cases with known answers, and against simulations whose truth is known.

#![allow(clippy::unwrap_used)]

mod ab;
mod confidence;
mod order;
mod pairwise;
mod plackett_luce;
mod ratings;
mod real;
mod simulation;
mod standings;
