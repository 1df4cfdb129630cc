//! A bot in a few lines: `cargo run -p chickenfoot-bot --example highest -- 127.0.0.1:7440 my-bot`

#![allow(clippy::print_stdout)]

use chickenfoot_bot::{Bot, Client, Runner, Turn, stop_signal};
use chickenfoot_rules::Move;

/// Lays the tile with the most pips.
struct Highest;

impl Bot for Highest {
    fn choose(&mut self, turn: &Turn) -> Move {
        let pips = |option: &Move| match option {
            Move::Play { tile, .. } => 1 + tile.pips(),
            Move::Draw | Move::Pass | Move::Keep => 0,
        };
        let best = turn.options.iter().copied().max_by_key(pips);
        best.expect("a turn has at least one option")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, name] = arguments.as_slice() else {
        return Err("usage: highest ADDRESS NAME".into());
    };
    // A name is registered once: its token is all that tells whose it is, so it is kept.
    let token = match std::env::var("HIGHEST_TOKEN") {
        Ok(token) => token,
        Err(_) => Client::connect(address, None)?.register(name).await?,
    };
    println!("{name} takes the seats that are kept for it; next time: HIGHEST_TOKEN={token}");
    let runner = Runner::new(address, &token);
    runner.run(|_game| Box::new(Highest), stop_signal()).await?;
    Ok(())
}
