//! A bot in a few lines: `cargo run -p chickenfoot-bot --example highest -- my-bot`

#![allow(clippy::print_stdout)]

use std::cmp::Reverse;
use std::env;

use chickenfoot_bot::{Bot, Client, Runner, Turn, stop_signal};
use chickenfoot_rules::Move;

/// Lays the tile with the most pips; of equals the one that comes first.
struct Highest;

impl Bot for Highest {
    fn choose(&mut self, turn: &Turn) -> Move {
        let pips = |option: &Move| match option {
            Move::Play { tile, .. } => 1 + tile.pips(),
            Move::Draw | Move::Pass | Move::Keep => 0,
        };
        let best = turn.options.iter().copied().min_by_key(|option| Reverse(pips(option)));
        best.expect("a turn has at least one option")
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = env::args().nth(1).ok_or("usage: highest NAME")?;
    let server = env::var("CHICKENFOOT_SERVER").unwrap_or_else(|_| "http://127.0.0.1:7440".to_owned());
    // A name is registered once: its token is all that tells whose it is, so it is kept.
    let token = match env::var("CHICKENFOOT_TOKEN") {
        Ok(token) => token,
        Err(_) => {
            let token = Client::connect(&server, None)?.register(&name).await?;
            println!("CHICKENFOOT_TOKEN={token}");
            token
        }
    };
    println!("{name} takes the seats that are kept for it");
    Runner::new(&server, &token).run(|_game| Box::new(Highest), stop_signal()).await?;
    Ok(())
}
