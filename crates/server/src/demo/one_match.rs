use std::io::Write;

use chickenfoot_bot::{Client, Runner, strategy_bots};
use chickenfoot_protocol::v1::{self, event::What, round_end::How, seat_spec::Who};
use tokio::task::JoinSet;

use crate::server::ServerError;

/// The bots: each is named after the strategy that it plays.
const BOTS: [&str; 4] = ["random", "lowest", "greedy", "dead-foot"];

/// Plays a match of four bots at the service, and verifies its record.
///
/// # Errors
/// Anything that goes wrong, a record that does not verify above all.
pub(super) async fn play(address: &str, out: &mut impl Write) -> Result<(), ServerError> {
    let mut bots = JoinSet::new();
    let mut host = None;
    for name in BOTS {
        let token = Client::connect(address, None)?.register(name).await?;
        let make = strategy_bots(name, 1).ok_or("the demo names an unknown strategy")?;
        let runner = Runner::new(address, &token).games(1);
        bots.spawn(async move { runner.run(make, std::future::pending()).await });
        host = Some(Client::connect(address, Some(&token))?);
    }
    let host = host.ok_or("the demo has no bots")?;
    let reserved = |name: &&str| v1::SeatSpec { who: Some(Who::Agent((*name).to_owned())) };
    let config = v1::MatchConfig { seats: BOTS.iter().map(reserved).collect(), ..v1::MatchConfig::default() };
    let game = host.create_match(config).await?;
    writeln!(
        out,
        "Match {}: ten rounds of double-nine, four bots, each over its own gRPC session.",
        game.id
    )?;
    writeln!(out, "The seed is committed to: {}", hex(&game.commitment))?;
    writeln!(out, "Watch it in a browser: {address}/m/{}\n", game.id)?;
    out.flush()?;
    write_row(out, "", BOTS)?;
    let mut events = host.watch(&game.id, 0).await?;
    let mut round = 0;
    while let Some(event) = events.next().await? {
        match event.what {
            Some(What::RoundStarted(started)) => round = started.round,
            Some(What::RoundEnded(ended)) => {
                write_row(out, &format!("round {round}, {}", how(&ended)), &ended.totals)?;
            }
            _ => {}
        }
    }
    while let Some(stats) = bots.join_next().await {
        stats??;
    }
    let over = host.get_match(&game.id).await?;
    write_row(out, "place", over.seats.iter().map(|seat| seat.place))?;
    let record = host.record(&game.id).await?;
    record.verify()?;
    let decisions: usize = record.rounds.iter().map(|round| round.moves.len()).sum();
    writeln!(out, "\nThe record verifies: deal, draws, legality, scores and digest of {decisions} moves.")?;
    writeln!(out, "Seed   {}\nDigest {}", record.seed, record.digest)?;
    Ok(())
}

/// A row of the table: a label and a column for each seat.
fn write_row<T: ToString>(
    out: &mut impl Write,
    label: &str,
    cells: impl IntoIterator<Item = T>,
) -> Result<(), std::io::Error> {
    write!(out, "{label:<24}")?;
    for cell in cells {
        write!(out, "{:>11}", cell.to_string())?;
    }
    writeln!(out)
}

fn how(ended: &v1::RoundEnded) -> String {
    match ended.end.as_ref().and_then(|end| end.how.as_ref()) {
        Some(How::Out(seat)) => format!("{} out", BOTS.get(*seat as usize).unwrap_or(&"?")),
        Some(How::Blocked(_)) | None => "blocked".to_owned(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
