use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use chickenfoot_bot::{Bot, Client, GameEnd, GameInfo, Runner, Turn, strategy_bots};
use chickenfoot_protocol::v1::{self, seat_spec::Who};
use chickenfoot_rules::Move;
use clap::Args;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::server::Server;
use crate::{Failure, Verdict};

/// Strategies that take no time to think: the service is to be measured and not they.
const BOTS: [&str; 4] = ["random", "lowest", "first", "second"];

/// What a file may cost: the decisions a second with one, of those in memory.
const GOAL: f64 = 0.6;

/// How long a server plays before anything counts.
const WARM_UP: Duration = Duration::from_secs(2);

/// Measures decisions a second in memory and in a file, in turns, so that what else the machine does meets both.
#[derive(Args)]
pub(crate) struct Throughput {
    /// For how long each store is measured each time
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    seconds: u64,
    /// Matches that are played at once
    #[arg(long, default_value_t = 256, value_name = "N")]
    matches: usize,
    /// How often each store is measured
    #[arg(long, default_value_t = 3, value_name = "N")]
    turns: usize,
}

/// What was measured in one turn.
struct Measured {
    /// Decisions a second that clients were told are stored.
    rate: f64,
    decisions: f64,
    commits: f64,
    entries: f64,
}

impl Throughput {
    pub(crate) async fn run(&self, program: &Path) -> Result<Verdict, Failure> {
        let (mut memory, mut file) = (Vec::new(), Vec::new());
        for _ in 0..self.turns.max(1) {
            memory.push(self.measure(program, false).await?);
            file.push(self.measure(program, true).await?);
        }
        let rates = |turns: &[Measured]| turns.iter().map(|turn| turn.rate).collect::<Vec<_>>();
        let sum = |field: fn(&Measured) -> f64| file.iter().map(field).sum::<f64>();
        let ratio = median(rates(&file)) / median(rates(&memory));
        let commits = sum(|turn| turn.commits);
        let text = format!(
            "matches at once         {}\n\
             memory, decisions/s     {:.0} {:.0?}\n\
             sqlite, decisions/s     {:.0} {:.0?}\n\
             ratio                   {ratio:.2} (goal {GOAL}: {})\n\
             commits                 {commits:.0}\n\
             entries per commit      {:.1}\n\
             decisions per commit    {:.1}",
            self.matches,
            median(rates(&memory)),
            rates(&memory),
            median(rates(&file)),
            rates(&file),
            if ratio >= GOAL { "met" } else { "not met" },
            sum(|turn| turn.entries) / commits,
            sum(|turn| turn.decisions) / commits,
        );
        // How fast a machine is, is no promise; that it plays at all is.
        let clean = memory.iter().chain(&file).all(|turn| turn.decisions > 0.0) && commits > 0.0;
        Ok(Verdict { text, clean })
    }

    async fn measure(&self, program: &Path, on_file: bool) -> Result<Measured, Failure> {
        let folder = tempfile::tempdir()?;
        let database = folder.path().join("matches.db").display().to_string();
        let store = if on_file { &database } else { "memory" };
        let mut server = Server::with_log(program, store, folder.path().join("server.log"), &[]).await?;
        server.start().await?;
        // Ended when dropped.
        let mut clients = JoinSet::new();
        let decisions = play(&server.address(), self.matches, &mut clients).await?;
        sleep(WARM_UP).await;
        let admin = server.admin();
        let counts = async || -> Result<[f64; 4], Failure> {
            Ok([
                decisions.load(Ordering::Relaxed) as f64,
                admin.metric("chickenfoot_store_commits_total").await?,
                admin.metric("chickenfoot_store_commit_entries_total").await?,
                admin.metric("chickenfoot_store_commit_failures_total").await?,
            ])
        };
        let (before, start) = (counts().await?, Instant::now());
        sleep(Duration::from_secs(self.seconds)).await;
        let (after, time) = (counts().await?, start.elapsed());
        let faults = admin.metric("chickenfoot_faults_total").await?;
        if let Some(ended) = clients.try_join_next() {
            ended??;
        }
        if server.process().is_none() || faults > 0.0 || after[3] > 0.0 {
            let failed = after[3];
            return Err(format!("{store}: {faults} faults, {failed} failed commits; {}", server.log()).into());
        }
        let [decisions, commits, entries, _] = std::array::from_fn(|index| after[index] - before[index]);
        Ok(Measured { rate: decisions / time.as_secs_f64(), decisions, commits, entries })
    }
}

/// Lets four agents play so many matches at once for as long as `clients` lives, and returns the count of their
/// decisions.
async fn play(
    address: &str,
    at_once: usize,
    clients: &mut JoinSet<Result<(), Failure>>,
) -> Result<Arc<AtomicU64>, Failure> {
    let decisions = Arc::new(AtomicU64::new(0));
    let (ended, mut ends) = mpsc::unbounded_channel();
    let mut creator = None;
    for name in BOTS {
        let token = Client::connect(address, None)?.register(name).await?;
        let counted = Arc::clone(&decisions);
        let runner = Runner::new(address, &token).on_accepted(move |_, _, _| {
            counted.fetch_add(1, Ordering::Relaxed);
        });
        // One of them tells of the ends of matches.
        let ended = creator.is_none().then(|| ended.clone());
        creator = creator.or(Some(Client::connect(address, Some(&token))?));
        let mut make = strategy_bots("random", 7).ok_or("an unknown strategy")?;
        clients.spawn(async move {
            let make = move |game: &GameInfo| -> Box<dyn Bot> {
                Box::new(Teller { bot: make(game), ended: ended.clone() })
            };
            runner.run(make, std::future::pending()).await?;
            Ok(())
        });
    }
    let creator = creator.ok_or("a trial needs bots")?;
    // All at once: those that play already would keep the others waiting.
    let mut first = JoinSet::new();
    for _ in 0..at_once {
        let creator = creator.clone();
        first.spawn(async move { creator.create_match(config()).await });
    }
    while let Some(created) = first.join_next().await {
        created??;
    }
    clients.spawn(async move {
        while ends.recv().await.is_some() {
            creator.create_match(config()).await?;
        }
        Ok(())
    });
    Ok(decisions)
}

fn config() -> v1::MatchConfig {
    let seats = BOTS.map(|name| v1::SeatSpec { who: Some(Who::Agent(name.to_owned())) });
    v1::MatchConfig { rules: Some(v1::Rules::default()), seats: seats.to_vec(), ..v1::MatchConfig::default() }
}

/// A bot that tells when its match is over.
struct Teller {
    bot: Box<dyn Bot>,
    ended: Option<mpsc::UnboundedSender<()>>,
}

impl Bot for Teller {
    fn choose(&mut self, turn: &Turn) -> Move {
        self.bot.choose(turn)
    }

    fn end(&mut self, _: &GameInfo, _: &GameEnd) {
        if let Some(ended) = &self.ended {
            // Fails only when the trial is over.
            let _ = ended.send(());
        }
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
