//! Tournaments: a director with a task for each that runs, and their side of the contract.

mod api;
mod command;
mod conduct;
mod director;
mod export;
mod field;
mod figures;
mod host;
mod read;
mod report;
mod roster;
mod settings;
mod table;
mod view;
mod watch;
mod wire;

pub(crate) use api::TournamentApi;
pub(crate) use director::Director;
