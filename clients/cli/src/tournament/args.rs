use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::args::Screen;

#[derive(Subcommand)]
pub(crate) enum Tournament {
    /// Make a tournament from a file, to which agents may be entered until it starts, and print its id
    ///
    /// The form of the file is told in clients/cli/README.md; clients/cli/examples has one for each format.
    Create {
        /// The tournament, as TOML; - for stdin
        file: String,
    },
    /// List tournaments, newest first
    List {
        /// Only tournaments in this state
        #[arg(long)]
        state: Option<State>,
    },
    /// Show how a tournament was made, where it stands and who is entered
    Show {
        /// The tournament
        id: String,
    },
    /// Enter the caller
    Join {
        /// The tournament
        id: String,
    },
    /// Take the caller out; what it has played stands
    Withdraw {
        /// The tournament
        id: String,
        /// Take out this entrant; only the tournament's creator and organisers may
        #[arg(long)]
        name: Option<String>,
    },
    /// Start a tournament; only its creator may
    Start {
        /// The tournament
        id: String,
    },
    /// Begin no further matches until `resume`; only its creator may
    Pause {
        /// The tournament
        id: String,
    },
    /// Go on after `pause`; only its creator may
    Resume {
        /// The tournament
        id: String,
    },
    /// End a tournament before its time; only its creator may. Finished blocks stand
    Cancel {
        /// The tournament
        id: String,
    },
    /// Show the standings, from the blocks that are over
    Standings {
        /// The tournament
        id: String,
        /// Show how entrants did against each other too
        #[arg(long)]
        pairings: bool,
    },
    /// Follow a tournament to its end
    ///
    /// On a terminal this is a view that fills it: how far it is, the standings with their intervals, the matches that are
    /// being played, faults. Enter on a match shows the match; ? shows all keys, q quits. When the tournament is over
    /// and the view was left, the standings are printed.
    ///
    /// In a pipe, or with --plain, shows progress and, at the end, the standings. Ends with the exit codes of `run`; a
    /// view that is left before ends with 0. A lost connection is taken up again.
    Watch {
        /// The tournament
        id: String,
        #[command(flatten)]
        screen: Screen,
        /// End the view when the tournament is over
        #[arg(long)]
        exit: bool,
    },
    /// Get a report of a tournament as it stands
    ///
    /// JSON and CSV have everything from which another program recomputes every figure; HTML is a page for people.
    Export {
        /// The tournament
        id: String,
        /// The form of the report
        #[arg(long)]
        format: Format,
        /// Write to this file; else to stdout
        #[arg(long, value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Play whole tournaments: make, start and follow each, show its standings
    ///
    /// Makes the tournament of each file, starts it, follows it to its end and prints its standings, one tournament after
    /// the other. The service plays the house's players; agents among the entrants have to be connected, as by
    /// `agent run`. Without a token an agent is registered.
    ///
    /// Progress is a bar if stderr is a terminal, else JSON lines on stderr; with --json they go to stdout. A lost
    /// connection is taken up again.
    ///
    /// An interrupted run goes on: a small file beside FILE, named as FILE with .run at its end, says which tournament it
    /// is until that is over and its reports are written. The same command comes back to it, as long as FILE was not
    /// changed. The tournament itself goes on at the service in the meantime; `cancel` ends it.
    Run(Run),
}

const RUN_EXIT_CODES: &str = "\
Exit codes:
   0  every tournament was played to its end; an A/B test found the candidate better
   1  a tournament was cancelled, the operation failed, or the run was interrupted
   2  an A/B test was not decided
   3  entrants made faults in a tournament with `strict = true`; goes before 2 and 4
   4  an A/B test found the candidate not better
  64  wrong usage, or a file that is not right
With several files 1 if one failed, and those behind it are left; else that of the first which is not 0.";

#[derive(Args)]
#[command(after_help = RUN_EXIT_CODES)]
pub(crate) struct Run {
    /// The tournaments, as TOML
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Write reports: to a file whose name ends with .json, .csv or .html, or all three into a directory
    ///
    /// A directory is one that exists, or a name that ends with a slash; several FILEs need one. Its reports are named
    /// as FILE. They are written when the tournament is over, also if it was cancelled.
    #[arg(long, value_name = "PATH")]
    pub(crate) output: Option<PathBuf>,
    /// Begin a new tournament even if an interrupted run could go on
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Note here which tournament it is, not beside FILE; only with one FILE
    #[arg(long, value_name = "PATH")]
    pub(crate) state: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum State {
    Open,
    Running,
    Paused,
    Finished,
    Cancelled,
}

/// The form of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    Json,
    Csv,
    Html,
}

impl Format {
    /// How the names of such files end.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Html => "html",
        }
    }
}
