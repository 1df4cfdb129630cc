use std::path::{Path, PathBuf};

use clap::Args;

use crate::figures::{Figure, Table, short};
use crate::job::{Job, Part, Target, Until};
use crate::process::{Players, Server, Store};
use crate::usage::memory;
use crate::{Failure, note, say};

/// Pieces that a part is played in. After each, the fresh server plays.
const PIECES: u64 = 10;

/// A piece of the fresh server's is this much smaller.
const SMALLER: u64 = 4;

/// Most matches that a server plays before it is measured: so many that are over stay in the memory store.
const WARM_UP: u64 = 10_000;

/// Measure whether a decision costs the same after many matches as at first
///
/// Plays one match after the other, 256 at once, and measures the first tenth, the second, and so on. A server that has
/// just been started, new for each tenth, plays in turns with the old one, so that both find the machine the same: what
/// a decision costs the old one, divided by what it costs the new one, is to stay 1. A million matches of one round take
/// some twenty minutes with each store.
#[derive(Args)]
pub(crate) struct Lasting {
    /// Matches in all
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    matches: u64,
    /// Matches at once
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=16_384))]
    at_once: u32,
    /// Rounds of a match
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10))]
    rounds: u32,
    /// Parts that are measured apart
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=1000))]
    parts: u32,
    /// Stores
    #[arg(long, value_name = "STORE,...", value_delimiter = ',', default_value = "memory,sqlite")]
    store: Vec<Store>,
    /// Where the SQLite file is made [default: the system's folder for temporary files]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

impl Lasting {
    pub(crate) fn run(&self, program: &Path) -> Result<(), Failure> {
        self.store.iter().try_for_each(|&store| self.store(store, program))
    }

    fn store(&self, store: Store, program: &Path) -> Result<(), Failure> {
        let mut table = Table::new(&[
            "matches so far",
            "decisions/s",
            "p99, us",
            "server us/decision",
            "of a fresh server",
            "ratio",
        ]);
        let mut old = Service::start(self, store, program)?;
        let before = memory(old.server.id())?;
        let mut ended = old.warmed_up;
        for part in 1..=self.parts {
            note(&format!("{}: part {part} of {}", store.name(), self.parts));
            let mut fresh = Service::start(self, store, program)?;
            let (mut olds, mut freshes) = (Vec::new(), Vec::new());
            for _ in 0..PIECES {
                olds.push(old.players.play(self.piece())?);
                freshes.push(fresh.players.play(self.piece().div_ceil(SMALLER))?);
            }
            ended += olds.iter().map(|piece| piece.matches).sum::<u64>();
            let figure = |pieces: &[Part], value: fn(&Part) -> f64| Figure::new(pieces.iter().map(value));
            table.row([
                ended.to_string(),
                figure(&olds, Part::rate).to_string(),
                figure(&olds, |piece| piece.p99).to_string(),
                figure(&olds, Part::server_us).to_string(),
                figure(&freshes, Part::server_us).to_string(),
                Figure::new(
                    olds.iter().zip(&freshes).map(|(old, fresh)| old.server_us() / fresh.server_us()),
                )
                .to_string(),
            ]);
        }
        let grown = (memory(old.server.id())? as f64 - before as f64) / (ended - old.warmed_up) as f64;
        say(&format!(
            "One match after the other, {} at once, {} each, {}; the server grew by {} bytes for each match:\n\n{table}",
            self.at_once,
            if self.rounds == 1 { "a round".to_owned() } else { format!("{} rounds", self.rounds) },
            store.name(),
            short(grown),
        ))
    }

    /// Matches of a piece of a part.
    fn piece(&self) -> u64 {
        (self.matches / u64::from(self.parts) / PIECES).max(1)
    }
}

/// A server, and those who play on it.
struct Service {
    players: Players,
    server: Server,
    /// Matches that it has played already.
    warmed_up: u64,
}

impl Service {
    fn start(how: &Lasting, store: Store, program: &Path) -> Result<Service, Failure> {
        let folder = how.folder.clone().unwrap_or_else(std::env::temp_dir);
        let server = Server::service(program, store, &folder)?;
        let job =
            Job { rounds: Some(how.rounds), ..Job::new(&server, Target::Service, how.at_once, Until::Told) };
        let mut players = Players::start(&job)?;
        let warmed_up = players.play(WARM_UP.min(how.piece() * PIECES))?.matches;
        Ok(Service { players, server, warmed_up })
    }
}
