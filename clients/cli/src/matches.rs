use chickenfoot_bot::entropy;
use chickenfoot_protocol::v1::{self, seat_spec::Who};
use serde_json::json;

use crate::args::{Global, State};
use crate::error::Failure;
use crate::json;
use crate::output::{Output, note};
use crate::story::rules_text;
use crate::text::clean;

/// `match create`: the id alone, so that a shell can take it.
pub(crate) async fn create(
    global: &Global,
    config: v1::MatchConfig,
    out: &mut Output,
) -> Result<(), Failure> {
    let game = global.client()?.create_match(config).await?;
    if out.is_json() { out.value(&json::game(&game)) } else { out.line(game.id) }
}

/// `match list`: every page.
pub(crate) async fn list(
    global: &Global,
    state: Option<State>,
    agent: Option<String>,
    tournament: Option<String>,
    out: &mut Output,
) -> Result<(), Failure> {
    let client = global.client()?;
    let state = match state {
        None => v1::MatchState::Unspecified,
        Some(State::Open) => v1::MatchState::Open,
        Some(State::Running) => v1::MatchState::Running,
        Some(State::Finished) => v1::MatchState::Finished,
        Some(State::Aborted) => v1::MatchState::Aborted,
    };
    let mut request = v1::ListMatchesRequest {
        state: state.into(),
        agent: agent.unwrap_or_default(),
        tournament_id: tournament.unwrap_or_default(),
        ..v1::ListMatchesRequest::default()
    };
    loop {
        let page = client.list_matches(request.clone()).await?;
        for game in &page.entries {
            if out.is_json() {
                out.value(&json::game(game))?;
            } else {
                out.line(summary(game))?;
            }
        }
        request.page_token = page.next;
        if request.page_token.is_empty() {
            return Ok(());
        }
    }
}

/// A match in one line.
fn summary(game: &v1::Match) -> String {
    let seats: Vec<String> = game.seats.iter().map(sitter).collect();
    format!("{}  {:<8}  round {:>2}  {}", game.id, json::state(game.state()), game.round, seats.join(", "))
}

/// Who sits on a seat, or may.
fn sitter(seat: &v1::Seat) -> String {
    if seat.name.is_empty() { format!("({})", json::spec(seat)) } else { seat.name.clone() }
}

/// Whom an open match waits for, in words; `None` for one that waits for nobody.
pub(crate) fn missing(game: &v1::Match) -> Option<String> {
    let free = (0..).zip(&game.seats).filter(|(_, seat)| seat.name.is_empty());
    let seats: Vec<String> = free
        .map(|(number, seat): (u32, _)| match seat.spec.as_ref().and_then(|spec| spec.who.as_ref()) {
            Some(Who::Agent(name)) => format!("seat {number}, which is kept for {}", clean(name)),
            Some(Who::House(_) | Who::Open(_)) | None => format!("seat {number}, which anybody may take"),
        })
        .collect();
    let open = game.state() == v1::MatchState::Open && !seats.is_empty();
    open.then(|| format!("waiting for {}", seats.join("; ")))
}

/// Why a match was ended before its time, in words.
pub(crate) fn aborted(reason: &str) -> String {
    match reason {
        "" => "ended before its time, without a result".to_owned(),
        "CREATOR" => "ended before its time by who made it".to_owned(),
        "ORGANISER" => "ended before its time by an organiser".to_owned(),
        "EXPIRED" => "ended: its seats were not taken in time".to_owned(),
        "SERVER_FAULT" => "ended by a fault of the service".to_owned(),
        other => format!("ended before its time: {}", clean(other)),
    }
}

/// `match show`.
pub(crate) async fn show(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    let game = global.client()?.get_match(id).await?;
    print(&game, out)
}

/// `match join`.
pub(crate) async fn join(
    global: &Global,
    id: &str,
    seat: Option<u32>,
    out: &mut Output,
) -> Result<(), Failure> {
    let joined = global.client()?.join_match(id, seat, entropy()).await?;
    if out.is_json() {
        let game = joined.r#match.as_ref().map(json::game);
        return out.value(&json!({"seat": joined.seat, "match": game}));
    }
    out.line(format_args!("seat {}", joined.seat))
}

/// `match leave`.
pub(crate) async fn leave(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    let game = global.client()?.leave_match(id).await?;
    done(&game, "left", out)
}

/// `match abort`.
pub(crate) async fn abort(global: &Global, id: &str, out: &mut Output) -> Result<(), Failure> {
    let game = global.client()?.abort_match(id).await?;
    done(&game, "aborted", out)
}

fn done(game: &v1::Match, what: &str, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.value(&json::game(game));
    }
    note(format_args!("{what} {}", game.id));
    Ok(())
}

/// Prints where a match stands.
pub(crate) fn print(game: &v1::Match, out: &mut Output) -> Result<(), Failure> {
    if out.is_json() {
        return out.value(&json::game(game));
    }
    out.heading(format_args!("match {}: {}", game.id, json::state(game.state())))?;
    if !game.abort_reason.is_empty() {
        out.line(format_args!("why         {}", game.abort_reason))?;
    }
    out.line(format_args!("creator     {}", game.creator))?;
    if let Some(time) = &game.create_time {
        out.line(format_args!("created     {time}"))?;
    }
    if let Some(rules) = &game.rules {
        out.line(format_args!("rules       {}", rules_text(rules, game.seats.len())?))?;
    }
    out.line(format_args!("time        {} s a decision", json::seconds(game)))?;
    out.line(format_args!("round       {}, {} events", game.round, game.head_seq))?;
    if !game.tournament_id.is_empty() {
        out.line(format_args!("tournament  {}", game.tournament_id))?;
    }
    if !game.commitment.is_empty() {
        out.line(format_args!("commitment  {}", json::hex(&game.commitment)))?;
    }
    if !game.seed.is_empty() {
        out.line(format_args!("seed        {}", json::hex(&game.seed)))?;
        out.line(format_args!("digest      {}", json::hex(&game.digest)))?;
    }
    print_seats(game, out)
}

/// Prints the seats as a table.
pub(crate) fn print_seats(game: &v1::Match, out: &mut Output) -> Result<(), Failure> {
    let width = game.seats.iter().map(|seat| sitter(seat).chars().count()).max().unwrap_or(0);
    out.heading(format_args!("seat  {:<width$}  score  place  faults", "name", width = width.max(4)))?;
    for (number, seat) in game.seats.iter().enumerate() {
        let place = match seat.place {
            0 => "-".to_owned(),
            place => place.to_string(),
        };
        let ledger = seat.ledger.unwrap_or_default();
        let faults = ledger.late + ledger.gone + ledger.illegal;
        let out_word = json::out_word(ledger.out()).map(|why| format!("  out: {why}")).unwrap_or_default();
        out.line(format_args!(
            "{number:>4}  {:<width$}  {:>5}  {place:>5}  {faults:>6}{out_word}",
            sitter(seat),
            seat.total,
            width = width.max(4)
        ))?;
    }
    Ok(())
}
