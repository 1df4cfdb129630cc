//! The one place where messages of the service become lines.

use chickenfoot_protocol::v1::{self, session_response::What as Down};
use chickenfoot_protocol::{Malformed, end_from_wire, rules_from_wire};
use chickenfoot_rules::{Choice, Move, Rules, Tile};

use super::{Decision, End, Event, Message, Outcome, Refused, Start, What};
use crate::bot::Turn;

impl Message {
    /// What a program is told of a message of the session; `None` for what is the bridge's own business.
    ///
    /// # Errors
    /// The message means nothing.
    pub fn from_wire(down: &Down) -> Result<Option<Message>, Malformed> {
        Ok(Some(match down {
            Down::GameStarted(started) => Message::Start(start(started)?),
            Down::Decision(asked) => Message::Decision(Box::new(decision(asked)?)),
            Down::GameEvent(happened) => Message::Event(event(happened)?),
            Down::Refusal(refusal) if is_final(refusal) => Message::Refused(refused(refusal)),
            Down::GameEnded(ended) => Message::End(end(ended)?),
            Down::Refusal(_)
            | Down::Hello(_)
            | Down::SeatOffer(_)
            | Down::ChoiceAccepted(_)
            | Down::Heartbeat(_)
            | Down::Goodbye(_) => return Ok(None),
        }))
    }
}

/// Whether a refusal is of an answer, and stands: a choice that the service could not take just now is asked for again.
fn is_final(refusal: &v1::Refusal) -> bool {
    let code = tonic::Code::from_i32(refusal.code);
    refusal.decision != 0 && !matches!(code, tonic::Code::Unavailable | tonic::Code::ResourceExhausted)
}

fn start(started: &v1::GameStarted) -> Result<Start, Malformed> {
    let game = started.r#match.as_ref().ok_or_else(|| Malformed::missing("game_started.match"))?;
    Ok(Start {
        match_id: game.id.clone(),
        seats: started.seats.clone(),
        names: game.seats.iter().map(|seat| seat.name.clone()).collect(),
        rules: rules(game.rules.as_ref(), game.seats.len(), "game_started.match.rules")?,
    })
}

fn rules(wire: Option<&v1::Rules>, seats: usize, field: &str) -> Result<Rules, Malformed> {
    let wire = wire.ok_or_else(|| Malformed::missing(field))?;
    rules_from_wire(wire, seats).map_err(|e| e.within(field))
}

fn decision(asked: &v1::Decision) -> Result<Decision, Malformed> {
    Ok(Decision { match_id: asked.match_id.clone(), number: asked.number, turn: Turn::try_from(asked)? })
}

fn refused(refusal: &v1::Refusal) -> Refused {
    Refused {
        match_id: refusal.match_id.clone(),
        decision: refusal.decision,
        reason: refusal.reason.clone(),
        message: refusal.message.clone(),
    }
}

fn end(ended: &v1::GameEnded) -> Result<End, Malformed> {
    let game = ended.r#match.as_ref().ok_or_else(|| Malformed::missing("game_ended.match"))?;
    let outcome = match game.state() {
        v1::MatchState::Finished => Outcome::Finished,
        v1::MatchState::Aborted
        | v1::MatchState::Unspecified
        | v1::MatchState::Open
        | v1::MatchState::Running => Outcome::Aborted,
    };
    let places = match outcome {
        Outcome::Finished => game.seats.iter().map(|seat| seat.place).collect(),
        Outcome::Aborted => Vec::new(),
    };
    Ok(End {
        match_id: game.id.clone(),
        outcome,
        totals: game.seats.iter().map(|seat| seat.total).collect(),
        places,
        digest: game.digest.iter().map(|byte| format!("{byte:02x}")).collect(),
    })
}

fn event(happened: &v1::GameEvent) -> Result<Event, Malformed> {
    let event = happened.event.as_ref().ok_or_else(|| Malformed::missing("game_event.event"))?;
    Ok(Event { match_id: happened.match_id.clone(), seq: event.seq, what: what(event.what.as_ref())? })
}

fn what(what: Option<&v1::event::What>) -> Result<What, Malformed> {
    use v1::event::What as Wire;
    Ok(match what {
        None => What::Unknown,
        Some(Wire::MatchStarted(it)) => What::MatchStarted {
            rules: rules(it.rules.as_ref(), it.seats.len(), "match_started.rules")?,
            names: it.seats.iter().map(|seat| seat.name.clone()).collect(),
        },
        Some(Wire::RoundStarted(it)) => {
            What::RoundStarted { round: it.round, starting_double: it.starting_double }
        }
        Some(Wire::HandDealt(it)) => What::HandDealt {
            seat: it.seat,
            count: it.count,
            tiles: it.tiles.iter().map(Tile::try_from).collect::<Result<_, _>>()?,
        },
        Some(Wire::StartLaid(it)) => What::StartLaid { seat: it.seat },
        Some(Wire::Played(it)) => played(it)?,
        Some(Wire::Drew(it)) => {
            What::Drew { seat: it.seat, tile: it.tile.as_ref().map(Tile::try_from).transpose()? }
        }
        Some(Wire::Passed(it)) => What::Passed { seat: it.seat, kept: it.kept },
        Some(Wire::RoundEnded(it)) => What::RoundEnded {
            end: end_from_wire(it.end.as_ref().ok_or_else(|| Malformed::missing("round_ended.end"))?)?
                .to_string(),
            scores: it.scores.clone(),
            totals: it.totals.clone(),
        },
        Some(Wire::SeatForfeited(it)) => What::SeatForfeited { seat: it.seat },
        Some(Wire::MatchEnded(it)) => {
            What::MatchEnded { totals: it.totals.clone(), places: it.places.clone() }
        }
        Some(Wire::MatchAborted(v1::MatchAborted {})) => What::MatchAborted,
    })
}

fn played(it: &v1::Played) -> Result<What, Malformed> {
    let made = v1::Move { kind: it.play.map(v1::r#move::Kind::Play) };
    match Choice::try_from(&made).map_err(|e| e.within("played"))? {
        Choice { action: Move::Play { tile, end }, line: Some(line) } => {
            Ok(What::Played { seat: it.seat, tile, end, line: line.number() })
        }
        _ => Err(Malformed::missing("played.play.line")),
    }
}
