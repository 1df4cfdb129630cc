//! What a record says of how it was played: what choices gave away, and what luck did.

mod account;
mod board;
mod page;
mod parallel;
mod replay;
mod step;

use std::num::NonZeroUsize;

use chickenfoot_rules::{Flaw, Record, TileSet, set_size};
use chickenfoot_strategy::{Estimator, Outlook};

pub use account::{Account, Analysis, Method, RoundAccount, SeatAccount};
pub use page::page;
pub use step::{OptionEstimate, Step};

/// How a record is looked at. The same settings give the same analysis on any machine and any number of threads.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whose estimates are taken: `search` or `monte-carlo`.
    pub strategy: String,
    /// About how many rollouts a decision.
    pub rollouts: u32,
    /// Rounds that are played for the outlook of each position, see [`Outlook`].
    pub shuffles: u32,
    /// The seed of all chance.
    pub seed: [u8; 32],
    /// How many decisions are looked at at once.
    pub threads: NonZeroUsize,
}

/// Why a record cannot be analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnalysisError {
    /// The record is not right.
    Flawed(Flaw),
    /// No such strategy estimates options.
    NoEstimates(String),
}

impl std::fmt::Display for AnalysisError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AnalysisError::Flawed(flaw) => write!(f, "the record is not right: {flaw}"),
            AnalysisError::NoEstimates(name) => write!(f, "{name:?} is neither search nor monte-carlo"),
        }
    }
}

impl std::error::Error for AnalysisError {}

/// Analyses a record.
///
/// *Choices*: for every decision with two options or more, each option's expected margin by [`Estimator`], from what the
/// seat could know. What was given away is by how much the option that is best on one half of the sampled deals does
/// better than the chosen one on the other half, the mean of both ways round. To take the best on all deals would count
/// the chance that made it the best too, and over a match that adds up to more than any player loses. So a single figure
/// may be below 0; sums are those of a player who always takes what half of the deals say. `behind_error` says what a
/// single difference is worth.
///
/// *Luck*: the [`Outlook`] of a position is each seat's expected margin for one who sees all hands but not the order of
/// the boneyard, if `dead-foot` plays on for everybody. The luck of the deal is the outlook when the starting double lies:
/// before anything is dealt or drawn for the start it is 0 for everybody, as all seats are then alike. The luck of a draw
/// is the outlook after it less the mean of the outlooks after each tile that might have been drawn. What is left of a
/// seat's margin is what play made of it: its own, and that of the others, compared with `dead-foot`.
///
/// A round that was not finished has no margin; its decisions and draws count all the same.
///
/// # Errors
/// A record that does not verify, or a strategy that estimates nothing.
pub fn analyse(record: &Record, settings: &Settings) -> Result<Analysis, AnalysisError> {
    let estimator = Estimator::new(&settings.strategy, settings.rollouts)
        .ok_or_else(|| AnalysisError::NoEstimates(settings.strategy.clone()))?;
    record.verify().map_err(AnalysisError::Flawed)?;
    let eye = Eye {
        estimator,
        outlook: Outlook { shuffles: settings.shuffles, seed: settings.seed },
        seed: settings.seed,
        threads: settings.threads,
    };
    let steps = if set_size(record.rules.max_pip()) <= TileSet::<1>::CAPACITY {
        eye.steps::<1>(record)
    } else {
        eye.steps::<3>(record)
    };
    Ok(account::account(record, settings, steps))
}

/// How every step is looked at.
pub(crate) struct Eye {
    estimator: Estimator,
    outlook: Outlook,
    seed: [u8; 32],
    threads: NonZeroUsize,
}

impl Eye {
    fn steps<const W: usize>(&self, record: &Record) -> Vec<Step> {
        let moments = replay::moments::<W>(record);
        parallel::map(&moments, self.threads, |at, moment| self.look(at as u64, moment))
    }
}
