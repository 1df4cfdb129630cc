//! Views that fill the terminal: a match and a tournament, live or as they were.
//!
//! What is shown is a value that takes messages, keys and the time ([`game`], [`hall`]), and is drawn into a buffer of
//! cells; the loop around it ([`run`]) does the reading and writing.

mod app;
mod feed;
mod game;
mod hall;
mod help;
mod key;
mod link;
mod paint;
mod run;
mod screen;
#[cfg(test)]
mod shot;

pub(crate) use paint::Look;
pub(crate) use run::{Showing, replay, watch_match, watch_tournament};
