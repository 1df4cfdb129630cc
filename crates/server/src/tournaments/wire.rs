//! Tournaments on the wire.

use chickenfoot_protocol::{v1, wire_forced, wire_rules};
use chickenfoot_store::{BlockMatch, BlockRow, EntrantRow, EntrantState, Occupant, TournamentState};

use super::conduct::Conduct;
use super::figures::Computed;
use super::settings::{AbTables, FormatSettings, Settings};
use super::view::{Glance, View};
use crate::wire::{wire_duration, wire_ledger, wire_time};

/// A tournament as it stands.
pub(crate) fn wire_tournament(glance: &Glance) -> v1::Tournament {
    let row = &glance.row;
    v1::Tournament {
        id: row.id.to_string(),
        state: wire_state(row.state).into(),
        creator: row.creator.to_string(),
        config: Some(wire_config(&row.name, &glance.settings)),
        entrants: row.tally.entrants,
        create_time: Some(wire_time(row.created_ms)),
        start_time: row.started_ms.map(wire_time),
        end_time: row.ended_ms.map(wire_time),
        progress: Some(wire_progress(glance)),
        commitment: row.commitment().0.to_vec(),
        seed: if row.state.is_over() { row.seed.reveal().to_vec() } else { Vec::new() },
        message: row.message.clone(),
    }
}

fn wire_progress(glance: &Glance) -> v1::TournamentProgress {
    let (blocks, counts) = (glance.row.tally, glance.counts);
    v1::TournamentProgress {
        finished_blocks: blocks.blocks,
        total_blocks: counts.total_blocks.max(blocks.blocks),
        finished_matches: blocks.matches + counts.played,
        running_matches: counts.running,
        waiting_matches: counts.waiting,
        voided_blocks: blocks.attempts + counts.attempts,
        faults: blocks.faults,
        stage: counts.stage.unwrap_or(blocks.stage),
    }
}

/// A state on the wire.
pub(crate) fn wire_state(state: TournamentState) -> v1::TournamentState {
    match state {
        TournamentState::Open => v1::TournamentState::Open,
        TournamentState::Running => v1::TournamentState::Running,
        TournamentState::Paused => v1::TournamentState::Paused,
        TournamentState::Finished => v1::TournamentState::Finished,
        TournamentState::Cancelled => v1::TournamentState::Cancelled,
    }
}

fn wire_config(name: &str, settings: &Settings) -> v1::TournamentConfig {
    v1::TournamentConfig {
        name: name.to_owned(),
        format: Some(wire_format(&settings.format)),
        rules: settings.rules.last().map(wire_rules),
        table_size: settings.table().into(),
        entrants: Vec::new(),
        invited_only: settings.invited_only,
        max_entrants: settings.max_entrants,
        decision_time: Some(wire_duration(settings.clock.decision)),
        bank: Some(wire_duration(settings.clock.bank)),
        grace: Some(wire_duration(settings.clock.grace)),
        strikes: Some(settings.faults.strikes),
        illegal_answers: Some(settings.faults.illegal),
        strict: settings.faults.strict,
        forced_moves: wire_forced(settings.forced()).into(),
        concurrency: settings.concurrency,
        entrant_concurrency: settings.entrant_concurrency,
        no_show: Some(wire_duration(settings.no_show)),
        entry_check: settings.entry_check,
        seed: Vec::new(),
        spectator_delay: settings.spectator_delay,
    }
}

fn wire_format(format: &FormatSettings) -> v1::tournament_config::Format {
    use v1::tournament_config::Format;
    match format {
        FormatSettings::RoundRobin { cycles } => Format::RoundRobin(v1::RoundRobin { cycles: *cycles }),
        FormatSettings::Gauntlet { candidate, blocks } => {
            Format::Gauntlet(v1::Gauntlet { candidate: candidate.clone(), blocks: *blocks })
        }
        FormatSettings::Swiss { rounds } => Format::Swiss(v1::Swiss { rounds: *rounds }),
        FormatSettings::Elimination { advance, blocks, lots } => {
            Format::Elimination(v1::Elimination { advance: (*advance).into(), blocks: *blocks, lots: *lots })
        }
        FormatSettings::Ladder { blocks, same_owner } => {
            Format::Ladder(v1::Ladder { blocks: *blocks, same_owner: *same_owner })
        }
        FormatSettings::AbTest(test) => Format::AbTest(v1::AbTest {
            candidate: test.candidate.clone(),
            base: test.base.clone(),
            arrangement: match test.arrangement {
                None => v1::AbArrangement::Unspecified,
                Some(AbTables::Shared) => v1::AbArrangement::Shared,
                Some(AbTables::Halves) => v1::AbArrangement::Halves,
            }
            .into(),
            alpha: test.alpha,
            beta: test.beta,
            effect: test.effect,
            burn_in: test.burn_in,
            max_blocks: test.max_blocks,
        }),
    }
}

/// An entrant.
pub(crate) fn wire_entrant(row: &EntrantRow) -> v1::TournamentEntrant {
    v1::TournamentEntrant {
        number: row.number,
        name: row.name.to_string(),
        house: match &row.who {
            Occupant::House(strategy) => strategy.clone(),
            Occupant::Agent(_) => String::new(),
        },
        state: match row.state {
            EntrantState::Invited => v1::EntrantState::Invited,
            EntrantState::Checking => v1::EntrantState::Checking,
            EntrantState::Rejected => v1::EntrantState::Rejected,
            EntrantState::Entered => v1::EntrantState::Entered,
            EntrantState::Withdrawn => v1::EntrantState::Withdrawn,
        }
        .into(),
        join_time: Some(wire_time(row.joined_ms)),
        check_match_id: row.check.map(|id| id.to_string()).unwrap_or_default(),
        entropy: row.entropy.0.to_vec(),
    }
}

/// The standings by rank.
pub(crate) fn wire_standings(view: &View, computed: &Computed) -> Vec<v1::Standing> {
    let Some(figures) = &computed.figures else { return Vec::new() };
    chickenfoot_protocol::wire_standings(figures, |id| {
        let entrant = view.field.at(id)?;
        let conduct = computed.conduct.get(&entrant.number).copied().unwrap_or_default();
        Some(v1::Standing {
            entrant: entrant.number,
            name: entrant.name.to_string(),
            conduct: Some(wire_conduct(&conduct)),
            ..v1::Standing::default()
        })
    })
}

fn wire_conduct(conduct: &Conduct) -> v1::Conduct {
    v1::Conduct {
        late: conduct.late,
        gone: conduct.gone,
        illegal: conduct.illegal,
        strikes: conduct.strikes,
        out: conduct.out,
        absent: conduct.absent,
        think: Some(wire_duration(conduct.think)),
        longest_match: Some(wire_duration(conduct.longest_match)),
    }
}

/// The pairs that met.
pub(crate) fn wire_pairings(view: &View, computed: &Computed) -> Vec<v1::Pairing> {
    let Some(figures) = &computed.figures else { return Vec::new() };
    chickenfoot_protocol::wire_pairings(figures, |id| view.field.at(id).map(|row| row.number))
}

/// How an A/B test stands.
pub(crate) fn wire_ab(computed: &Computed) -> Option<v1::AbStanding> {
    computed.figures.as_ref()?.ab.as_ref().map(chickenfoot_protocol::wire_ab)
}

/// A block that is over.
pub(crate) fn wire_block(block: &BlockRow) -> v1::TournamentBlock {
    let outcome = &block.outcome;
    v1::TournamentBlock {
        number: block.number,
        stage: outcome.stage,
        table: outcome.table,
        attempt: outcome.attempt,
        deal_id: outcome.deal_id.clone(),
        absent: outcome.absent.clone(),
        matches: outcome.matches.iter().map(wire_game).collect(),
        end_time: Some(wire_time(block.ended_ms)),
    }
}

fn wire_game(game: &BlockMatch) -> v1::BlockMatch {
    let seat = |i: usize| v1::BlockSeat {
        entrant: game.seating[i],
        points: game.points.get(i).copied().unwrap_or_default(),
        place: game.places.get(i).copied().unwrap_or_default().into(),
        clean_rounds: game.clean_rounds.get(i).copied().unwrap_or_default(),
        lowest_round: game.lowest_round.get(i).copied().flatten(),
        ledger: game.ledger.get(i).map(wire_ledger),
    };
    v1::BlockMatch {
        match_id: game.id.to_string(),
        seats: (0..game.seating.len()).map(seat).collect(),
        digest: game.digest.0.to_vec(),
    }
}
