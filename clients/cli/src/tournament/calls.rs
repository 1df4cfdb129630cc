use std::io::Read;
use std::path::Path;

use chickenfoot_bot::{Error, entropy};
use chickenfoot_protocol::v1;
use serde_json::json;

use super::args::{Format, State};
use super::{file, json, report, show, tables, words};
use crate::args::Global;
use crate::error::Failure;
use crate::output::{Output, note};

/// `tournament create`: the id alone, so that a shell can take it.
pub(crate) async fn create(global: &Global, path: &str, out: &mut Output) -> Result<(), Failure> {
    let config = file::parse(path, &read(path)?).map_err(Failure::NoTournament)?;
    let made = global.client()?.create_tournament(config).await?;
    if out.is_json() { out.value(&json::tournament(&made)) } else { out.line(made.id) }
}

/// The text of a file; `-` is stdin.
pub(crate) fn read(path: &str) -> Result<String, Failure> {
    let mut text = String::new();
    let done = if path == "-" {
        std::io::stdin().lock().read_to_string(&mut text).map(|_| ())
    } else {
        std::fs::read_to_string(path).map(|read| text = read)
    };
    done.map_err(|why| Failure::File { path: path.to_owned(), why })?;
    Ok(text)
}

/// `tournament list`: every page.
pub(crate) async fn list(global: &Global, state: Option<State>, out: &mut Output) -> Result<(), Failure> {
    let client = global.client()?;
    let state = match state {
        None => v1::TournamentState::Unspecified,
        Some(State::Open) => v1::TournamentState::Open,
        Some(State::Running) => v1::TournamentState::Running,
        Some(State::Paused) => v1::TournamentState::Paused,
        Some(State::Finished) => v1::TournamentState::Finished,
        Some(State::Cancelled) => v1::TournamentState::Cancelled,
    };
    let mut next = String::new();
    loop {
        let page = client.tournaments(state, &next).await?;
        for tournament in &page.entries {
            if out.is_json() {
                out.value(&json::tournament(tournament))?;
            } else {
                out.line(show::summary(tournament))?;
            }
        }
        next = page.next;
        if next.is_empty() {
            return Ok(());
        }
    }
}

/// `tournament show`.
pub(crate) async fn show(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    let client = global.client()?;
    let tournament = client.get_tournament(id).await?;
    let mut entrants = Vec::new();
    let mut next = String::new();
    loop {
        let page = client.entrants(id, &next).await?;
        entrants.extend(page.entries);
        next = page.next;
        if next.is_empty() {
            break;
        }
    }
    if out.is_json() {
        let mut value = json::tournament(&tournament);
        value["entrants"] = entrants.iter().map(json::entrant).collect();
        return out.value(&value);
    }
    show::print(&tournament, &entrants, out)
}

/// `tournament join`.
pub(crate) async fn join(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    let entrant = global.client()?.join_tournament(id, entropy()).await?;
    if out.is_json() {
        return out.value(&json::entrant(&entrant));
    }
    out.line(format_args!(
        "entrant {}, {}: {}",
        entrant.number,
        entrant.name,
        words::entrant_state(entrant.state())
    ))
}

/// `tournament withdraw`.
pub(crate) async fn withdraw(
    global: &Global,
    id: &str,
    name: Option<&str>,
    out: &mut Output,
) -> Result<(), Failure> {
    if name == Some("") {
        // On the wire it would mean the caller.
        return Err(Failure::Usage("--name must not be empty".to_owned()));
    }
    let entrant = global.client()?.withdraw_from_tournament(id, name).await?;
    if out.is_json() {
        return out.value(&json::entrant(&entrant));
    }
    note(format_args!("withdrew {}", entrant.name));
    Ok(())
}

/// `tournament start`.
pub(crate) async fn start(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    done(&global.client()?.start_tournament(id).await?, "started", out)
}

/// `tournament pause`.
pub(crate) async fn pause(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    done(&global.client()?.pause_tournament(id).await?, "paused", out)
}

/// `tournament resume`.
pub(crate) async fn resume(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    done(&global.client()?.resume_tournament(id).await?, "resumed", out)
}

/// `tournament cancel`.
pub(crate) async fn cancel(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    done(&global.client()?.cancel_tournament(id).await?, "cancelled", out)
}

fn done(tournament: &v1::Tournament, what: &str, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.value(&json::tournament(tournament));
    }
    note(format_args!("{what} {}", tournament.id));
    Ok(())
}

/// `tournament standings`.
pub(crate) async fn standings(
    global: &Global,
    id: &str,
    pairings: bool,
    out: &mut Output,
) -> Result<(), Failure> {
    let client = global.client()?;
    let answer =
        if pairings { client.standings_with_pairings(id).await? } else { client.standings(id).await? };
    if out.is_json() {
        return out.value(&json::standings(&answer, pairings));
    }
    show::standings(&answer, out)?;
    if pairings {
        out.line("")?;
        out.rows(&tables::pairings(&answer.standings, &answer.pairings))?;
    }
    Ok(())
}

/// `tournament export`.
pub(crate) async fn export(
    global: &Global,
    id: &str,
    format: Format,
    output: Option<&Path>,
    out: &mut Output,
) -> Result<(), Failure> {
    let client = global.client()?;
    let Some(path) = output else {
        if out.is_json() {
            return Err(Failure::Usage("the report is what it is: --json takes --output FILE".to_owned()));
        }
        let export = client.export_tournament(id, format.into()).await?;
        return match export.write_to(out.raw()).await {
            Ok(_) => Ok(()),
            Err(Error::Write(why)) => Err(Failure::Output(why)),
            Err(error) => Err(error.into()),
        };
    };
    let bytes = report::write(&client, id, format, path).await?;
    if out.is_json() {
        return out.value(&json!({"file": path.display().to_string(), "bytes": bytes}));
    }
    note(format_args!("wrote {}, {bytes} bytes", path.display()));
    Ok(())
}
