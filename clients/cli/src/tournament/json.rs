//! What programs read of tournaments. README.md documents the keys; they are stable.

use chickenfoot_protocol::v1::{self, tournament_config::Format};
use serde_json::{Value, json};

use super::words;
use crate::json::{filled, forced_moves, hex, known, millis, rules};

pub(crate) fn tournament(it: &v1::Tournament) -> Value {
    json!({
        "id": it.id,
        "state": words::state(it.state()),
        "creator": it.creator,
        "config": it.config.as_ref().map(config),
        "entrant_count": it.entrants,
        "progress": it.progress.as_ref().map(counts),
        "create_time": it.create_time.as_ref().map(ToString::to_string),
        "start_time": it.start_time.as_ref().map(ToString::to_string),
        "end_time": it.end_time.as_ref().map(ToString::to_string),
        "commitment": hex(&it.commitment),
        "seed": known(&it.seed),
        "message": filled(&it.message),
    })
}

/// How a tournament was made, by the keys of the file.
fn config(it: &v1::TournamentConfig) -> Value {
    json!({
        "name": it.name,
        "format": it.format.as_ref().map(format),
        "table_size": it.table_size,
        "rules": it.rules.as_ref().map(rules),
        "clocks": {
            "decision_time": millis(it.decision_time.as_ref()),
            "bank": millis(it.bank.as_ref()),
            "grace": millis(it.grace.as_ref()),
        },
        "faults": {
            "strikes": it.strikes,
            "illegal_answers": it.illegal_answers,
            "strict": it.strict,
        },
        "forced_moves": forced_moves(it.forced_moves()),
        "spectator_delay": it.spectator_delay,
        "concurrency": it.concurrency,
        "entrant_concurrency": it.entrant_concurrency,
        "no_show": millis(it.no_show.as_ref()),
        "entry_check": it.entry_check,
        "invited_only": it.invited_only,
        "max_entrants": it.max_entrants,
    })
}

fn format(format: &Format) -> Value {
    match format {
        Format::RoundRobin(it) => json!({"kind": "round-robin", "cycles": it.cycles}),
        Format::Gauntlet(it) => {
            json!({"kind": "gauntlet", "candidate": it.candidate, "blocks": it.blocks})
        }
        Format::Swiss(it) => json!({"kind": "swiss", "rounds": it.rounds}),
        Format::Elimination(it) => {
            json!({"kind": "elimination", "advance": it.advance, "blocks": it.blocks, "lots": it.lots})
        }
        Format::Ladder(it) => {
            json!({"kind": "ladder", "blocks": it.blocks, "same_owner": it.same_owner})
        }
        Format::AbTest(it) => json!({
            "kind": "ab-test",
            "candidate": it.candidate,
            "base": it.base,
            "arrangement": words::arrangement(it.arrangement()),
            "alpha": it.alpha,
            "beta": it.beta,
            "effect": it.effect,
            "burn_in": it.burn_in,
            "max_blocks": it.max_blocks,
        }),
    }
}

/// How far a tournament is.
pub(crate) fn counts(it: &v1::TournamentProgress) -> Value {
    json!({
        "finished_blocks": it.finished_blocks,
        "total_blocks": if it.total_blocks == 0 { None } else { Some(it.total_blocks) },
        "finished_matches": it.finished_matches,
        "running_matches": it.running_matches,
        "waiting_matches": it.waiting_matches,
        "voided_blocks": it.voided_blocks,
        "faults": it.faults,
        "stage": it.stage,
    })
}

pub(crate) fn entrant(it: &v1::TournamentEntrant) -> Value {
    json!({
        "number": it.number,
        "name": it.name,
        "house": filled(&it.house),
        "state": words::entrant_state(it.state()),
        "join_time": it.join_time.as_ref().map(ToString::to_string),
        "check_match_id": filled(&it.check_match_id),
        "entropy": known(&it.entropy),
    })
}

/// The standings, the pairings where they were asked for, and the A/B test where it is one.
pub(crate) fn standings(it: &v1::GetStandingsResponse, pairings: bool) -> Value {
    let mut value = json!({
        "tournament": it.tournament.as_ref().map(tournament),
        "standings": it.standings.iter().map(standing).collect::<Vec<_>>(),
        "ab": it.ab.as_ref().map(ab),
    });
    if pairings {
        value["pairings"] = it.pairings.iter().map(pairing).collect();
    }
    value
}

fn standing(it: &v1::Standing) -> Value {
    json!({
        "rank": it.rank,
        "entrant": it.entrant,
        "name": it.name,
        "blocks": it.blocks,
        "matches": it.matches,
        "points": it.points,
        "margin": it.margin.as_ref().map(interval),
        "live_margin": it.live_margin.as_ref().map(interval),
        "first_share": it.first_share.as_ref().map(interval),
        "mean_place": it.mean_place,
        "places": it.places,
        "strength": it.strength.as_ref().map(interval),
        "score": it.score,
        "byes": it.byes,
        "by_lot": it.by_lot,
        "faults": words::faults(it.conduct.as_ref()),
        "conduct": it.conduct.as_ref().map(conduct),
    })
}

fn conduct(it: &v1::Conduct) -> Value {
    json!({
        "late": it.late,
        "gone": it.gone,
        "illegal": it.illegal,
        "strikes": it.strikes,
        "out": it.out,
        "absent": it.absent,
        "think": millis(it.think.as_ref()),
        "longest_match": millis(it.longest_match.as_ref()),
    })
}

fn pairing(it: &v1::Pairing) -> Value {
    json!({
        "entrant": it.entrant,
        "opponent": it.opponent,
        "blocks": it.blocks,
        "matches": it.matches,
        "wins": it.wins,
        "ties": it.ties,
        "superiority": it.superiority.as_ref().map(interval),
        "margin": it.margin.as_ref().map(interval),
    })
}

pub(crate) fn interval(it: &v1::Interval) -> Value {
    json!({"estimate": it.estimate, "low": it.low, "high": it.high})
}

pub(crate) fn ab(it: &v1::AbStanding) -> Value {
    json!({
        "blocks": it.blocks,
        "llr": it.llr,
        "lower_bound": it.lower_bound,
        "upper_bound": it.upper_bound,
        "verdict": words::verdict(it.verdict()),
        "margin": it.margin.as_ref().map(interval),
        "normalised": it.normalised.as_ref().map(interval),
    })
}
