use std::io::{self, IsTerminal};

use chickenfoot_bot::{Runner, stop_signal, strategy_bots};
use serde_json::json;
use tracing_subscriber::EnvFilter;

use crate::args::{Global, RunAgent};
use crate::error::Failure;
use crate::json;
use crate::output::{Output, note};

/// `agent register`: the token alone, so that a shell can take it.
pub(crate) async fn register(global: &Global, name: &str, out: &mut Output) -> Result<(), Failure> {
    let token = global.client_as(None)?.register(name).await?;
    if out.is_json() { out.value(&json!({"name": name, "token": token})) } else { out.line(token) }
}

/// `agent list`: every page.
pub(crate) async fn list(global: &Global, out: &mut Output) -> Result<(), Failure> {
    let client = global.client()?;
    let mut next = String::new();
    loop {
        let page = client.agents(&next).await?;
        for agent in &page.entries {
            if out.is_json() {
                out.value(&json::agent(agent))?;
            } else {
                let online = if agent.online { "online" } else { "offline" };
                out.line(format_args!("{:<40} {online}", agent.name))?;
            }
        }
        next = page.next;
        if next.is_empty() {
            return Ok(());
        }
    }
}

/// `agent run`: plays until it is told to stop or has played enough.
pub(crate) async fn run(global: &Global, run: &RunAgent, out: &mut Output) -> Result<(), Failure> {
    log();
    let Some(make) = strategy_bots(&run.strategy, run.seed) else {
        return Err(Failure::Usage(format!("there is no strategy {:?}", run.strategy)));
    };
    let token = token_of(global, Some(&run.name)).await?;
    let mut runner = Runner::new(&global.server, &token).agent(&run.name);
    if let Some(games) = run.games {
        runner = runner.games(games);
    }
    note(format_args!("{} plays {}; Ctrl-C stops", run.name, run.strategy));
    let stats = runner.run(make, stop_signal()).await?;
    if out.is_json() {
        return out.value(&json::stats(&stats));
    }
    out.line(format_args!(
        "matches {}, choices {}, refused {}, reconnects {}",
        stats.games, stats.choices, stats.refused, stats.reconnects
    ))
}

/// The caller's token; without one an agent is registered, and its token told so that it can come back.
pub(crate) async fn token_of(global: &Global, name: Option<&str>) -> Result<String, Failure> {
    if let Some(token) = global.token() {
        return Ok(token.to_owned());
    }
    let name = name.map_or_else(made_up, str::to_owned);
    let token = global.client()?.register(&name).await?;
    note(format_args!("registered {name}; to come back as {name}: export CHICKENFOOT_TOKEN={token}"));
    Ok(token)
}

/// A name that nobody has.
fn made_up() -> String {
    let bytes = chickenfoot_bot::entropy();
    format!("guest-{}", json::hex(&bytes[..bytes.len().min(4)]))
}

/// Warnings, such as a lost connection, go to stderr; `RUST_LOG` asks for more.
pub(crate) fn log() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("warn"));
    let builder =
        tracing_subscriber::fmt().with_env_filter(filter).with_target(false).with_writer(io::stderr);
    builder.with_ansi(io::stderr().is_terminal()).init();
}
