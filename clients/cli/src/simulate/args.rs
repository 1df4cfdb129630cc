use std::num::NonZeroUsize;
use std::path::PathBuf;

use chickenfoot_rules::{Hex32, Seed};
use clap::{Args, ValueEnum};

use crate::args::threads;
use crate::rule_flags::RuleFlags;
use crate::words::Preset;

const EXIT_CODES: &str = "\
Exit codes:
   0  played to the end; with --ab: the candidate is better
   1  the operation failed
   2  with --ab: nothing was decided
   4  with --ab: the candidate is not better
  64  wrong usage
Without --sprt the candidate is better, or not, if the whole interval of its margin says so.";

/// What is simulated.
#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Simulate {
    /// Who plays: strategies as of `agent run`, with an effort or without, or oracle, which sees all tiles; each may have
    /// a name before it, as in old=search:200. With --ab: who shares the tables of the two
    ///
    /// Without a name a player is called by its strategy, a hyphen in place of the colon; the second of a kind gets -2
    /// behind it, and so on.
    #[arg(long, value_name = "PLAYER,...", value_delimiter = ',', required_unless_present = "ab")]
    pub(crate) players: Vec<String>,
    /// Deals to play, each in all its seatings; what is missing of a whole cycle of a round robin is played too. With
    /// --sprt: the most deals [default: 100, with --sprt 1000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) deals: Option<u32>,
    /// Is A better than B? They share tables with --players, or fill them half and half
    #[arg(long, value_name = "A,B", value_delimiter = ',', num_args = 1)]
    pub(crate) ab: Vec<String>,
    /// Play until a sequential test has decided
    #[arg(long, requires = "ab")]
    pub(crate) sprt: bool,
    /// The chance to find A better that is as good as B, above 0 and below 0.5
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    pub(crate) alpha: f64,
    /// The chance to miss an A that is better by the effect, above 0 and below 0.5
    #[arg(long, value_name = "P", default_value_t = 0.05, requires = "sprt")]
    pub(crate) beta: f64,
    /// The difference worth finding, in standard deviations of a block's margin, above 0 and at most 5
    #[arg(long, value_name = "SD", default_value_t = 0.3, requires = "sprt")]
    pub(crate) effect: f64,
    /// Deals before the test may decide
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8,
        requires = "sprt",
        value_parser = clap::value_parser!(u32).range(8..=1000)
    )]
    pub(crate) burn_in: u32,
    /// Who sits at the tables of A and B; else shared where there are --players, and halves where not
    #[arg(long, requires = "ab")]
    pub(crate) tables: Option<Tables>,
    /// The first player sits at every table, the others take turns at the other seats
    #[arg(long, conflicts_with = "ab")]
    pub(crate) gauntlet: bool,
    /// Seats at a table, 2 to 8; else as many as there are players, or 4 if these are more than 8; with halves 2
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=8))]
    pub(crate) table_size: Option<u32>,
    /// Seed of deals and lots: a number, or 64 hexadecimal digits as at the service
    #[arg(long, value_name = "SEED", default_value = "0", value_parser = seed)]
    pub(crate) seed: Seed,
    /// Matches at once, 1 to 1024; else as many as there are cores. The outcome does not depend on it
    #[arg(long, value_name = "N", value_parser = threads)]
    pub(crate) threads: Option<NonZeroUsize>,
    /// Write the record of every match to this directory, a file each
    #[arg(long, value_name = "DIR")]
    pub(crate) records: Option<PathBuf>,
    /// Write reports: to a file whose name ends with .json, .csv or .html, or all three into a directory
    #[arg(long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Show how players did against each other too
    #[arg(long)]
    pub(crate) pairings: bool,
    /// Rule set that fills what is left out
    #[arg(long, default_value = "trains")]
    pub(crate) rules: Preset,
    // Last, so that its heading in the help stands over nothing else.
    #[command(flatten)]
    pub(crate) options: RuleFlags,
}

/// The tables of an A/B comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Tables {
    Shared,
    Halves,
}

/// Reads a seed. A number stands for the 32 bytes of it, big-endian.
fn seed(text: &str) -> Result<Seed, String> {
    if let Ok(Hex32(bytes)) = text.parse() {
        return Ok(Seed::new(bytes));
    }
    let number: u64 = text.parse().map_err(|_| "neither a number nor 64 hexadecimal digits".to_owned())?;
    let mut bytes = [0; 32];
    bytes[24..].copy_from_slice(&number.to_be_bytes());
    Ok(Seed::new(bytes))
}
