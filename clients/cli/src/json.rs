//! What programs read: the JSON form of everything that is printed. README.md documents the keys; they are stable.

use chickenfoot_bot::Stats;
use chickenfoot_bot::exec::Note;
use chickenfoot_protocol::v1::{self, event::What, round_end::How, seat_spec::Who};
use serde_json::{Value, json};

pub(crate) fn agent(agent: &v1::Agent) -> Value {
    json!({
        "name": agent.name,
        "online": agent.online,
        "create_time": agent.create_time.as_ref().map(ToString::to_string),
    })
}

pub(crate) fn stats(stats: &Stats) -> Value {
    json!({
        "games": stats.games,
        "choices": stats.choices,
        "refused": stats.refused,
        "reconnects": stats.reconnects,
    })
}

/// Something that a program did wrong.
pub(crate) fn fault(note: &Note) -> Value {
    json!({
        "fault": note.fault.name(),
        "process": note.label,
        "match": note.match_id,
        "decision": note.decision,
        "message": note.text,
        "count": note.count,
    })
}

pub(crate) fn game(game: &v1::Match) -> Value {
    json!({
        "id": game.id,
        "state": state(game.state()),
        "creator": game.creator,
        "rules": game.rules.as_ref().map(rules),
        "seats": game.seats.iter().map(seat).collect::<Vec<_>>(),
        "decision_time": seconds(game),
        "forced_moves": forced_moves(game.forced_moves()),
        "spectator_delay": game.spectator_delay,
        "deal_id": filled(&game.deal_id),
        "commitment": known(&game.commitment),
        "fixed_seed": game.fixed_seed,
        "seed": known(&game.seed),
        "round": game.round,
        "head_seq": game.head_seq,
        "digest": known(&game.digest),
        "create_time": game.create_time.as_ref().map(ToString::to_string),
        "end_time": game.end_time.as_ref().map(ToString::to_string),
        "rated": game.rated,
        "tournament": filled(&game.tournament_id),
        "abort_reason": filled(&game.abort_reason),
    })
}

/// Who makes forced moves, as the options spell it.
pub(crate) fn forced_moves(forced: v1::ForcedMoves) -> &'static str {
    match forced {
        v1::ForcedMoves::Unspecified | v1::ForcedMoves::Automatic => "automatic",
        v1::ForcedMoves::Asked => "asked",
    }
}

/// The state of a match in one word, as the options spell it.
pub(crate) fn state(state: v1::MatchState) -> &'static str {
    match state {
        v1::MatchState::Unspecified => "unspecified",
        v1::MatchState::Open => "open",
        v1::MatchState::Running => "running",
        v1::MatchState::Finished => "finished",
        v1::MatchState::Aborted => "aborted",
    }
}

/// Who may sit on a seat, as `match create --seats` takes it.
pub(crate) fn spec(seat: &v1::Seat) -> String {
    match seat.spec.as_ref().and_then(|spec| spec.who.as_ref()) {
        None | Some(Who::Open(_)) => "open".to_owned(),
        Some(Who::Agent(name)) => format!("agent:{name}"),
        Some(Who::House(strategy)) => format!("house:{strategy}"),
    }
}

/// Seconds for each decision.
pub(crate) fn seconds(game: &v1::Match) -> f64 {
    millis(game.decision_time.as_ref())
}

/// A duration in seconds, exact to the millisecond.
pub(crate) fn millis(time: Option<&prost_types::Duration>) -> f64 {
    // Whole milliseconds: exact in a float and short in print.
    time.map_or(0, |time| time.seconds * 1000 + i64::from(time.nanos) / 1_000_000) as f64 / 1000.0
}

/// Why a seat is out, as a word.
pub(crate) fn out_word(reason: v1::OutReason) -> Option<&'static str> {
    match reason {
        v1::OutReason::Unspecified => None,
        v1::OutReason::Left => Some("left"),
        v1::OutReason::Strikes => Some("strikes"),
        v1::OutReason::Strict => Some("strict"),
    }
}

fn seat(seat: &v1::Seat) -> Value {
    let ledger = seat.ledger.unwrap_or_default();
    json!({
        "spec": spec(seat),
        "name": if seat.name.is_empty() { None } else { Some(&seat.name) },
        "total": seat.total,
        "place": if seat.place == 0 { None } else { Some(seat.place) },
        "late": ledger.late,
        "gone": ledger.gone,
        "illegal": ledger.illegal,
        "strikes": ledger.strikes,
        "out": out_word(ledger.out()),
        "think": millis(ledger.think.as_ref()),
    })
}

pub(crate) fn rules(rules: &v1::Rules) -> Value {
    json!({
        "preset": match rules.preset() {
            v1::Preset::Unspecified | v1::Preset::Trains => "trains",
            v1::Preset::Classic => "classic",
        },
        "players": rules.players,
        "max_pip": rules.max_pip,
        "hand_size": rules.hand_size,
        "opening_arms": rules.opening_arms,
        "starter": match rules.starter() {
            v1::Starter::Unspecified => None,
            v1::Starter::Lot => Some("lot"),
            v1::Starter::Holder => Some("holder"),
        },
        "drawn_tile": match rules.drawn_tile() {
            v1::DrawnTile::Unspecified => None,
            v1::DrawnTile::MustPlay => Some("must_play"),
            v1::DrawnTile::MayPlay => Some("may_play"),
        },
        "reserve": rules.reserve,
        "double_blank": rules.double_blank,
        "rounds": rules.rounds,
    })
}

/// An event: its number, its kind as `event`, and what belongs to the kind. Tiles are texts such as "4-9"; what the
/// viewer may not know is null.
pub(crate) fn event(event: &v1::Event) -> Value {
    let mut value = event.what.as_ref().map_or_else(|| json!({"event": "unknown"}), what);
    value["seq"] = event.seq.into();
    value
}

fn what(what: &What) -> Value {
    match what {
        What::MatchStarted(it) => json!({
            "event": "match_started",
            "rules": it.rules.as_ref().map(rules),
            "deal_id": filled(&it.deal_id),
            "commitment": known(&it.commitment),
            "seats": it.seats.iter().map(contributor).collect::<Vec<_>>(),
            "block": it.block.iter().map(contributor).collect::<Vec<_>>(),
        }),
        What::RoundStarted(it) => {
            json!({"event": "round_started", "round": it.round, "starting_double": it.starting_double})
        }
        What::HandDealt(it) => json!({
            "event": "hand_dealt",
            "seat": it.seat,
            "count": it.count,
            "tiles": if it.tiles.is_empty() { None } else { Some(it.tiles.iter().map(tile).collect::<Vec<_>>()) },
        }),
        What::StartLaid(it) => json!({"event": "start_laid", "seat": it.seat}),
        What::Played(it) => json!({
            "event": "played",
            "seat": it.seat,
            "tile": it.play.as_ref().and_then(|play| play.tile.as_ref()).map(tile),
            "end": it.play.as_ref().and_then(|play| play.end),
            "line": it.play.as_ref().and_then(|play| play.line),
        }),
        What::Drew(it) => json!({"event": "drew", "seat": it.seat, "tile": it.tile.as_ref().map(tile)}),
        What::Passed(it) => json!({"event": "passed", "seat": it.seat, "kept": it.kept}),
        What::RoundEnded(it) => json!({
            "event": "round_ended",
            "out": match it.end.as_ref().and_then(|end| end.how.as_ref()) {
                Some(How::Out(seat)) => Some(seat),
                Some(How::Blocked(_)) | None => None,
            },
            "scores": it.scores,
            "totals": it.totals,
        }),
        What::SeatForfeited(it) => json!({"event": "seat_forfeited", "seat": it.seat}),
        What::MatchEnded(it) => json!({"event": "match_ended", "totals": it.totals, "places": it.places}),
        What::MatchAborted(_) => json!({"event": "match_aborted"}),
    }
}

fn contributor(seat: &v1::Contributor) -> Value {
    json!({"name": seat.name, "entropy": hex(&seat.entropy)})
}

fn tile(tile: &v1::Tile) -> String {
    format!("{}-{}", tile.low.unwrap_or_default(), tile.high.unwrap_or_default())
}

/// A text that is not there is null.
pub(crate) fn filled(text: &str) -> Option<&str> {
    (!text.is_empty()).then_some(text)
}

/// Bytes that are not known yet are null.
pub(crate) fn known(bytes: &[u8]) -> Option<String> {
    (!bytes.is_empty()).then(|| hex(bytes))
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
