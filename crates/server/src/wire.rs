use std::time::Duration;

use chickenfoot_arena::DecisionNote;
use chickenfoot_protocol::{v1, wire_event, wire_forced, wire_rules};
use chickenfoot_rules::{Event, Seat, Viewer};
use chickenfoot_store::{
    AbortReason, MatchRow, MatchState, Occupant, OutReason, Role, SeatLedger, SeatRow, SeatSpec, Summary,
};

/// A match on the wire. `summary` tells how it stands; its own summary is the one to give for a match that is over.
pub(crate) fn wire_match(row: &MatchRow, summary: Option<&Summary>) -> v1::Match {
    let all = row.is_open_to_all();
    // What tells which matches share a deal.
    let deal = row.block.as_ref().is_none_or(|link| !link.sealed);
    v1::Match {
        id: row.id.to_string(),
        state: wire_state(row.state).into(),
        creator: row.creator.to_string(),
        rules: Some(wire_rules(&row.rules)),
        seats: row.seats.iter().enumerate().map(|(i, seat)| wire_seat(seat, i, summary)).collect(),
        decision_time: Some(wire_duration(row.clock.decision)),
        bank: Some(wire_duration(row.clock.bank)),
        grace: Some(wire_duration(row.clock.grace)),
        strikes: row.faults.strikes,
        illegal_answers: row.faults.illegal,
        strict: row.faults.strict,
        spectator_delay: row.spectator_delay,
        forced_moves: wire_forced(row.forced).into(),
        deal_id: if deal { row.deal_id.clone() } else { String::new() },
        commitment: if deal { row.seed.commitment(&row.deal_id).0.to_vec() } else { Vec::new() },
        fixed_seed: row.fixed_seed && row.block.is_none(),
        seed: if all { row.seed.reveal().to_vec() } else { Vec::new() },
        round: summary.map_or(0, |summary| summary.round.into()),
        head_seq: summary.map_or(0, |summary| summary.head_seq),
        digest: summary.filter(|_| all).map(|summary| summary.digest.0.to_vec()).unwrap_or_default(),
        create_time: Some(wire_time(row.created_ms)),
        end_time: row.ended_ms.map(wire_time),
        rated: row.rated,
        tournament_id: row.block.as_ref().map(|link| link.tournament.to_string()).unwrap_or_default(),
        abort_reason: match row.state {
            MatchState::Aborted(AbortReason::Creator) => "CREATOR",
            MatchState::Aborted(AbortReason::Organiser) => "ORGANISER",
            MatchState::Aborted(AbortReason::ServerFault) => "SERVER_FAULT",
            MatchState::Aborted(AbortReason::Expired) => "EXPIRED",
            MatchState::Open | MatchState::Running | MatchState::Finished => "",
        }
        .to_owned(),
    }
}

fn wire_seat(seat: &SeatRow, index: usize, summary: Option<&Summary>) -> v1::Seat {
    use v1::seat_spec::Who;
    let who = match &seat.spec {
        SeatSpec::Open => Who::Open(v1::OpenSeat {}),
        SeatSpec::Agent(name) => Who::Agent(name.to_string()),
        SeatSpec::House(strategy) => Who::House(strategy.clone()),
    };
    v1::Seat {
        spec: Some(v1::SeatSpec { who: Some(who) }),
        name: seat.occupant.as_ref().map(Occupant::name).unwrap_or_default(),
        total: summary.and_then(|summary| summary.totals.get(index).copied()).unwrap_or_default(),
        place: summary.and_then(|summary| summary.places.get(index).copied()).unwrap_or_default().into(),
        ledger: summary.and_then(|summary| summary.ledger.get(index)).map(wire_ledger),
    }
}

/// Faults and times on the wire.
pub(crate) fn wire_ledger(ledger: &SeatLedger) -> v1::SeatLedger {
    v1::SeatLedger {
        late: ledger.late,
        gone: ledger.gone,
        illegal: ledger.illegal,
        strikes: ledger.strikes,
        out: match ledger.out {
            None => v1::OutReason::Unspecified,
            Some(OutReason::Left) => v1::OutReason::Left,
            Some(OutReason::Strikes) => v1::OutReason::Strikes,
            Some(OutReason::Strict) => v1::OutReason::Strict,
        }
        .into(),
        think: Some(wire_duration(ledger.think)),
        bank_used: Some(wire_duration(ledger.bank_used)),
    }
}

/// A role on the wire.
pub(crate) fn wire_role(role: Role) -> v1::Role {
    match role {
        Role::Agent => v1::Role::Agent,
        Role::Organiser => v1::Role::Organiser,
        Role::Admin => v1::Role::Admin,
    }
}

/// A state on the wire.
pub(crate) fn wire_state(state: MatchState) -> v1::MatchState {
    match state {
        MatchState::Open => v1::MatchState::Open,
        MatchState::Running => v1::MatchState::Running,
        MatchState::Finished => v1::MatchState::Finished,
        MatchState::Aborted(_) => v1::MatchState::Aborted,
    }
}

/// An open decision on the wire.
pub(crate) fn wire_decision(note: &DecisionNote) -> v1::Decision {
    let moves = note.view.moves();
    let mut options = Vec::with_capacity(moves.total());
    moves.for_each(|action| options.push(v1::Move::from(action)));
    v1::Decision {
        match_id: note.match_id.to_string(),
        number: note.number,
        seat: note.view.seat.number().into(),
        options,
        view: Some(v1::View::of(&note.view)),
        time_left: Some(wire_duration(note.left)),
        time_granted: Some(wire_duration(note.granted)),
        bank_left: Some(wire_duration(note.bank)),
    }
}

/// An event as the holder of `seats` may see it; `over` says that nothing is secret any more.
pub(crate) fn wire_seen(seq: u64, event: &Event, seats: &[Seat], over: bool) -> v1::Event {
    let viewer = match event.private_to() {
        _ if over => Viewer::Afterwards,
        Some(owner) if seats.contains(&owner) => Viewer::Seat(owner),
        Some(_) | None => Viewer::Spectator,
    };
    wire_event(seq, &event.seen_by(viewer))
}

pub(crate) fn wire_seats(seats: &[Seat]) -> Vec<u32> {
    seats.iter().map(|seat| seat.number().into()).collect()
}

/// A duration on the wire. Those of the service are far below the wire's bound.
pub(crate) fn wire_duration(duration: Duration) -> prost_types::Duration {
    prost_types::Duration {
        seconds: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        nanos: duration.subsec_nanos() as i32,
    }
}

/// A moment on the wire, from milliseconds since 1970.
pub(crate) fn wire_time(unix_ms: u64) -> prost_types::Timestamp {
    prost_types::Timestamp {
        seconds: i64::try_from(unix_ms / 1000).unwrap_or(i64::MAX),
        nanos: (unix_ms % 1000) as i32 * 1_000_000,
    }
}
