use std::io::Write;
use std::path::Path;
use std::time::Duration;

use chickenfoot_bot::{Client, Runner, strategy_bots};
use chickenfoot_protocol::v1::{self, entrant_spec::Who, tournament_config::Format};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::server::ServerError;

/// The bots, each with the strategy that it plays.
const BOTS: [(&str, &str); 6] = [
    ("ada", "dead-foot"),
    ("bo", "dead-foot"),
    ("cyd", "greedy"),
    ("dee", "greedy"),
    ("eli", "lowest"),
    ("flo", "random"),
];

/// How often the standings are shown.
const EVERY: Duration = Duration::from_secs(3);

/// Holds a round robin of six bots at tables of three, shows how it goes, writes its report to a file and verifies every
/// record.
///
/// # Errors
/// Anything that goes wrong, a record that does not verify above all.
pub(super) async fn hold(address: &str, report: &Path, out: &mut impl Write) -> Result<(), ServerError> {
    let mut bots: Vec<JoinHandle<()>> = Vec::new();
    for (name, strategy) in BOTS {
        let token = Client::connect(address, None)?.register(name).await?;
        let make = strategy_bots(strategy, 1).ok_or("the demo names an unknown strategy")?;
        let runner = Runner::new(address, &token);
        bots.push(tokio::spawn(async move {
            // Ends when the demonstration does.
            let _ = runner.run(make, std::future::pending()).await;
        }));
    }
    let token = Client::connect(address, None)?.register("host").await?;
    let host = Client::connect(address, Some(&token))?;
    let tournament = host.create_tournament(config()).await?;
    writeln!(
        out,
        "Tournament {}: six bots, each over its own gRPC session, everybody against everybody at\ntables of three. \
         A block is one deal, played three times so that everybody has each hand once.",
        tournament.id
    )?;
    writeln!(out, "The seed is committed to: {}", hex(&tournament.commitment))?;
    writeln!(out, "Watch it in a browser: {address}/t/{}\n", tournament.id)?;
    out.flush()?;
    host.start_tournament(&tournament.id).await?;
    follow(&host, &tournament.id, out).await?;
    let file = std::fs::File::create(report)?;
    let mut file = std::io::BufWriter::new(file);
    host.export_tournament(&tournament.id, v1::ExportFormat::Html).await?.write_to(&mut file).await?;
    file.flush()?;
    writeln!(out, "\nThe report with all figures: {}", report.display())?;
    let (matches, moves) = verify(&host, &tournament.id).await?;
    writeln!(
        out,
        "All {matches} records verify: deals, draws, legality, scores and digests of {moves} moves."
    )?;
    for bot in bots {
        bot.abort();
    }
    Ok(())
}

fn config() -> v1::TournamentConfig {
    let agent = |(name, _): (&str, &str)| v1::EntrantSpec {
        name: String::new(),
        who: Some(Who::Agent(name.to_owned())),
        owner: String::new(),
    };
    v1::TournamentConfig {
        name: "Demonstration".to_owned(),
        format: Some(Format::RoundRobin(v1::RoundRobin { cycles: 40 })),
        table_size: 3,
        entrants: BOTS.map(agent).to_vec(),
        invited_only: true,
        ..v1::TournamentConfig::default()
    }
}

/// Shows the standings every few seconds, and at the end.
async fn follow(host: &Client, id: &str, out: &mut impl Write) -> Result<(), ServerError> {
    let mut watch = host.watch_tournament(id, BOTS.len() as u32).await?;
    let mut next = Instant::now() + EVERY;
    let mut last = None;
    while let Some(update) = watch.next().await? {
        if Instant::now() >= next {
            show(&update, out)?;
            next = Instant::now() + EVERY;
        }
        last = Some(update);
    }
    let last = last.ok_or("the tournament shows nothing")?;
    let state = last.tournament.as_ref().map(v1::Tournament::state);
    if state != Some(v1::TournamentState::Finished) {
        return Err(format!("the tournament is {state:?}").into());
    }
    show(&last, out)?;
    Ok(())
}

fn show(update: &v1::WatchTournamentResponse, out: &mut impl Write) -> Result<(), std::io::Error> {
    let progress = update.tournament.as_ref().and_then(|it| it.progress).unwrap_or_default();
    let over = update.tournament.as_ref().is_some_and(|it| it.state() == v1::TournamentState::Finished);
    writeln!(
        out,
        "{} of {} blocks, {} matches, {} faults",
        progress.finished_blocks, progress.total_blocks, progress.finished_matches, progress.faults
    )?;
    writeln!(out, "  {:<22}{:>9}  {:<18}{:>9}{:>9}", "", "margin", "95 % interval", "firsts", "strength")?;
    for row in &update.standings {
        let strategy = BOTS.iter().find(|(name, _)| *name == row.name).map_or("", |(_, strategy)| *strategy);
        // While it goes on: an interval that holds however often one looks.
        let margin = if over { row.margin } else { row.live_margin }.unwrap_or_default();
        let bounds = match (margin.low, margin.high) {
            (Some(low), Some(high)) => format!("[{low:+.1}, {high:+.1}]"),
            _ => String::new(),
        };
        let firsts = row.first_share.unwrap_or_default().estimate * 100.0;
        let strength = row.strength.unwrap_or_default().estimate;
        let who = format!("{}. {} ({strategy})", row.rank, row.name);
        writeln!(out, "  {who:<22}{:>+9.1}  {bounds:<18}{firsts:>8.0}%{strength:>9.0}", margin.estimate)?;
    }
    writeln!(out)
}

/// Verifies the record of every match; returns how many there are, and their moves.
async fn verify(host: &Client, id: &str) -> Result<(usize, usize), ServerError> {
    let (mut matches, mut moves) = (0, 0);
    let mut token = String::new();
    loop {
        let page = host.blocks(id, &token).await?;
        for game in page.entries.iter().flat_map(|block| &block.matches) {
            let record = host.record(&game.match_id).await?;
            record.verify()?;
            if record.digest.0.as_slice() != game.digest.as_slice() {
                return Err(format!("match {}: the digest is not that of its block", game.match_id).into());
            }
            matches += 1;
            moves += record.rounds.iter().map(|round| round.moves.len()).sum::<usize>();
        }
        if page.next.is_empty() {
            return Ok((matches, moves));
        }
        token = page.next;
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
