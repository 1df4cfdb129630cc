use std::num::NonZeroUsize;

use chickenfoot_bot::Client;
use chickenfoot_strategy::{NAMES, by_name};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::create::Create;
use crate::doctor::Doctor;
use crate::error::Failure;
use crate::exec::Exec;
use crate::output::Output;
use crate::records::{Analyse, Picture};
use crate::replay::Replay;
use crate::simulate::Simulate;
use crate::tournament::Tournament;
use crate::view::Look;

const EXIT_CODES: &str = "\
Exit codes:
   0  fine
   1  the operation failed: the service refused or was not reached, a record is not right
  64  wrong usage
 130, 143  a view was ended by Ctrl-C, or by SIGTERM
`tournament run`, `tournament watch`, `simulate` and `doctor` have more, see their help.";

/// What every command takes stands apart from its own options.
const SERVICE: &str = "Options of every command";

/// The Chicken Foot match service from the command line
///
/// Data go to stdout, everything else to stderr.
#[derive(Parser)]
#[command(name = "chickenfoot", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Args)]
pub(crate) struct Global {
    /// Address of the service
    #[arg(
        long,
        global = true,
        help_heading = SERVICE,
        env = "CHICKENFOOT_SERVER",
        value_name = "ADDRESS",
        default_value = "http://127.0.0.1:7440"
    )]
    pub(crate) server: String,
    /// Token of the agent to act as, from `agent register`
    #[arg(
        long,
        global = true,
        help_heading = SERVICE,
        env = "CHICKENFOOT_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true
    )]
    pub(crate) token: Option<String>,
    /// For programs: one JSON object a line; errors too, on stderr
    #[arg(long, global = true, help_heading = SERVICE)]
    pub(crate) json: bool,
}

impl Global {
    /// A client with the caller's token, if there is one. An empty token, as from an unset variable, is none.
    pub(crate) fn client(&self) -> Result<Client, Failure> {
        self.client_as(self.token())
    }

    pub(crate) fn client_as(&self, token: Option<&str>) -> Result<Client, Failure> {
        Ok(Client::connect(&self.server, token)?)
    }

    pub(crate) fn token(&self) -> Option<&str> {
        self.token.as_deref().filter(|token| !token.is_empty())
    }
}

/// Reads a number of threads: more than a few for each core only cost memory.
pub(crate) fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let number = text.parse().ok().filter(|number: &NonZeroUsize| number.get() <= MAX_THREADS);
    number.ok_or_else(|| format!("must be a number from 1 to {MAX_THREADS}"))
}

/// Most threads that may be asked for.
const MAX_THREADS: usize = 1024;

/// Whether the command line asks for JSON, for errors that are found before it is read.
pub(crate) fn wants_json() -> bool {
    std::env::args_os().skip(1).any(|arg| arg == "--json")
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Agents: the programs and people that play
    #[command(subcommand)]
    Agent(Agent),
    /// Matches: make, watch and play them
    #[command(subcommand)]
    Match(Match),
    /// Records of matches that are over
    #[command(subcommand)]
    Record(Record),
    /// Look at a match that is over, from its record: in the terminal, or as a page
    ///
    /// On a terminal this is the view of `match watch`, from the first event on; in a pipe, or with --plain, it is
    /// `record show`, but of a record that is right: one that is not is refused, where `record show` tells what the file
    /// says; --unverified shows it all the same. With --html it is a page for a browser, complete in one file: it needs no service and no network.
    ///
    /// As in: chickenfoot replay match.json --html -o match.html
    Replay(Replay),
    /// Tournaments: make, play and follow them
    #[command(subcommand)]
    Tournament(Tournament),
    /// Find out what is wrong with a bot, before a tournament does
    ///
    /// Starts a private server, puts the bot through scripted matches with lost connections, repeated and forced decisions,
    /// blanks, and a restart of the server, and prints a checklist, the transcript around the first broken promise, and a
    /// histogram of the times that its answers took.
    Doctor(Doctor),
    /// Play a tournament of strategies in process, on all cores, without a service
    ///
    /// Deals are played once in each seating, as in the service's tournaments, and the figures are the same: with the
    /// same seed, rules, names and strategies a tournament at the service has the same matches.
    Simulate(Simulate),
    /// Agents by their ratings from rated matches and ladders
    Leaderboard(Leaderboard),
}

#[derive(Args)]
pub(crate) struct Leaderboard {
    /// Which pool, by the rules of its matches in one line; else the one with the most matches
    #[arg(long, value_name = "TEXT")]
    pub(crate) rules: Option<String>,
    /// Verify the records of all rated matches, fold the ratings again, and fail at the first difference
    #[arg(long)]
    pub(crate) recompute: bool,
}

#[derive(Subcommand)]
pub(crate) enum Agent {
    /// Register an agent and print its token, which is shown this once
    ///
    /// As in: export CHICKENFOOT_TOKEN=$(chickenfoot agent register me)
    Register {
        /// 1 to 40 letters, digits, '.', '_' and '-'
        name: String,
    },
    /// List the agents by name
    List,
    /// Play a strategy as an agent, in every match that reserves a seat for it
    ///
    /// Without a token the agent is registered first. Ctrl-C or SIGTERM stops; what was played is told at the end.
    Run(RunAgent),
    /// Play a program as an agent, in every match that reserves a seat for it
    ///
    /// As in: chickenfoot agent exec me -- python3 my-bot.py
    ///
    /// The program reads one JSON object a line on stdin and writes one a line on stdout; proto/LINES.md specifies them.
    /// One that ends, hangs, does not read or writes nonsense is told of on stderr and started again. Without a token
    /// the agent is registered first. Ctrl-C or SIGTERM stops; what was played and what went wrong is told at the end.
    Exec(Box<Exec>),
}

/// A strategy's name, with an effort or without.
fn strategy(text: &str) -> Result<String, String> {
    match by_name(text, [0; 32]) {
        Some(_) => Ok(text.to_owned()),
        None => Err(format!("none of {}, with an effort where that means something", NAMES.join(", "))),
    }
}

#[derive(Args)]
pub(crate) struct RunAgent {
    /// Name of the agent; a given token must be this agent's. Whose it is, only an open session tells: with another agent's
    /// token that agent's session is taken over before the command notices and ends
    pub(crate) name: String,
    /// How it plays: random, lowest, greedy, dead-foot, monte-carlo or search; the last two also with an effort for each
    /// decision, as in monte-carlo:200 (rollouts) or search:20ms
    #[arg(long, value_parser = strategy)]
    pub(crate) strategy: String,
    /// Seed of its chance: the same seed plays the same match alike
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Stop after so many matches
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u64>,
}

#[derive(Subcommand)]
pub(crate) enum Match {
    /// Make a match and print its id
    Create(Create),
    /// List matches, newest first
    List {
        /// Only matches in this state
        #[arg(long)]
        state: Option<State>,
        /// Only matches in which this agent sits, or sat when they ended
        #[arg(long, value_name = "NAME")]
        agent: Option<String>,
        /// Only matches of this tournament
        #[arg(long, value_name = "ID")]
        tournament: Option<String>,
    },
    /// Show where a match stands
    Show {
        /// The match
        id: String,
    },
    /// Look at a match, live or as it was
    ///
    /// On a terminal this is a view that fills it: the table, the seats, the last moves. The arrow keys step through the
    /// match, ? shows all keys, q quits. A lost connection is taken up again.
    ///
    /// In a pipe, or with --plain, the match is followed to its end, a line for each event. With a seat's token the
    /// seat's own tiles are shown.
    Watch {
        /// The match
        id: String,
        /// Show only what comes after this event; a view begins there
        #[arg(long, value_name = "SEQ", default_value_t = 0)]
        after: u64,
        #[command(flatten)]
        screen: Screen,
        /// End the view when the match is over
        #[arg(long)]
        exit: bool,
    },
    /// Take a seat
    Join {
        /// The match
        id: String,
        /// The seat, from 0; else the one reserved for the caller or the first open one
        #[arg(long, value_name = "N")]
        seat: Option<u32>,
    },
    /// Give up the caller's seats; in a running match they are forfeited
    Leave {
        /// The match
        id: String,
    },
    /// End a match without a result; only its creator or an organiser may, and an organiser alone once a match runs that is
    /// rated or of a tournament
    Abort {
        /// The match
        id: String,
    },
    /// Take a seat and play it in the terminal
    ///
    /// Answer with the number of an option, or with a number and a line, as in `2 #5`, to choose among equal ends.
    /// q or the end of the input leaves the match. Ctrl-C only goes away: the seat waits until its time is up, and the
    /// same command with the same token comes back to it. Meanwhile the agent has no other session, so its other
    /// matches get no answers: play with a token of your own.
    Play {
        /// The match
        id: String,
        /// Name to register when there is no token; else a free one is made up
        #[arg(long)]
        name: Option<String>,
    },
}

/// What may be left out of a terminal.
#[derive(Args)]
pub(crate) struct Screen {
    /// Print lines, also on a terminal
    #[arg(long)]
    plain: bool,
    /// Draw with ASCII characters alone
    #[arg(long)]
    ascii: bool,
}

impl Screen {
    /// How the view looks that fills the terminal; `None` if lines are to be printed.
    pub(crate) fn look(&self, out: &mut Output) -> Option<Look> {
        if self.ascii {
            out.ascii();
        }
        if self.plain { None } else { out.look() }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum State {
    Open,
    Running,
    Finished,
    Aborted,
}

#[derive(Subcommand)]
pub(crate) enum Record {
    /// Print the record of a match that is over, as JSON
    Get {
        /// The match
        id: String,
    },
    /// Show a record for people: seats, rounds, moves, scores and tables
    Show {
        /// The record; - for stdin
        file: String,
    },
    /// Say what the choices in a record gave away, and what luck did
    ///
    /// Every option of every decision is estimated by a search, from what its seat could know. Luck is measured by
    /// rounds that dead-foot plays to the end, all hands known. README.md tells how exactly.
    Analyse(Analyse),
    /// Draw the table of a round as SVG
    ///
    /// Tiles bear digits, in a colour for each number; the newest tile is marked, open ends and missing toes are dashed.
    /// All pictures of a round have the same size and every tile in the same place, so they can be leafed through.
    Picture(Picture),
    /// Check a record offline: deals, draws, moves, scores and digest
    ///
    /// Prints ok and the digest, or says the first thing that is wrong.
    Verify {
        /// The record; - for stdin
        file: String,
    },
}
