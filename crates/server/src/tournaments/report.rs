//! What a report is written from.

use std::time::Duration;

use chickenfoot_store::{
    BlockMatch, BlockRow, EntrantRow, EntrantState, Occupant, OutReason, SeatLedger, TournamentState,
};
use chickenfoot_tournament::report::{
    self, AbTables, Entry, EntryState, FormatInfo, Out, Phase, PlayedBlock, PlayedMatch, PlayedSeat, Report,
    TableRules,
};

use super::field::Field;
use super::figures::Computed;
use super::settings::{self, FormatSettings, Settings};
use super::view::View;

/// The report of a tournament as it stands.
pub(crate) fn report(view: &View, computed: &Computed) -> Report {
    let (row, settings) = (&view.row, &*view.settings);
    Report {
        title: row.name.clone(),
        id: row.id.to_string(),
        phase: phase(row.state),
        message: row.message.clone(),
        created_ms: row.created_ms,
        started_ms: row.started_ms,
        ended_ms: row.ended_ms,
        format: format(&settings.format, &view.field),
        table_size: settings.table(),
        lookahead: settings.lookahead(),
        rules: rules(settings),
        commitment: row.commitment().0,
        seed: row.state.is_over().then(|| row.seed.reveal()),
        entrants: view.field.rows().iter().map(entry).collect(),
        blocks: computed.blocks.iter().map(|row| block(row)).collect(),
        figures: computed.figures.clone(),
    }
}

fn phase(state: TournamentState) -> Phase {
    match state {
        TournamentState::Open => Phase::Open,
        TournamentState::Running => Phase::Running,
        TournamentState::Paused => Phase::Paused,
        TournamentState::Finished => Phase::Finished,
        TournamentState::Cancelled => Phase::Cancelled,
    }
}

fn format(format: &FormatSettings, field: &Field) -> FormatInfo {
    match format {
        FormatSettings::RoundRobin { cycles } => FormatInfo::RoundRobin { cycles: *cycles },
        FormatSettings::Gauntlet { candidate, blocks } => {
            FormatInfo::Gauntlet { candidate: candidate.clone(), blocks: *blocks }
        }
        FormatSettings::Swiss { rounds } => FormatInfo::Swiss { rounds: *rounds },
        FormatSettings::Elimination { advance, blocks, lots } => {
            FormatInfo::Elimination { advance: *advance, blocks: *blocks, lots: *lots }
        }
        FormatSettings::Ladder { blocks, same_owner } => {
            FormatInfo::Ladder { blocks: *blocks, same_owner: *same_owner }
        }
        FormatSettings::AbTest(test) => FormatInfo::AbTest {
            candidate: test.candidate.clone(),
            base: test.base.clone(),
            tables: match test.tables(field.scheduled().len()) {
                settings::AbTables::Shared => AbTables::Shared,
                settings::AbTables::Halves => AbTables::Halves,
            },
            alpha: test.alpha,
            beta: test.beta,
            effect: test.effect,
            burn_in: test.burn_in,
            max_blocks: test.max_blocks,
        },
    }
}

fn rules(settings: &Settings) -> Vec<TableRules> {
    let rules = settings.rules.iter();
    rules.map(|rules| TableRules { seats: rules.players(), text: rules.text() }).collect()
}

fn entry(row: &EntrantRow) -> Entry {
    Entry {
        number: row.number,
        name: row.name.to_string(),
        house: match &row.who {
            Occupant::House(strategy) => Some(strategy.clone()),
            Occupant::Agent(_) => None,
        },
        state: match row.state {
            EntrantState::Invited => EntryState::Invited,
            EntrantState::Checking => EntryState::Checking,
            EntrantState::Rejected => EntryState::Rejected,
            EntrantState::Entered => EntryState::Entered,
            EntrantState::Withdrawn => EntryState::Withdrawn,
        },
        position: row.position,
        from_stage: row.from_stage,
        until_stage: row.until_stage,
    }
}

fn block(row: &BlockRow) -> PlayedBlock {
    let outcome = &row.outcome;
    PlayedBlock {
        number: row.number,
        stage: outcome.stage,
        table: outcome.table,
        attempt: outcome.attempt,
        deal_id: outcome.deal_id.clone(),
        absent: outcome.absent.clone(),
        matches: outcome.matches.iter().map(game).collect(),
        ended_ms: row.ended_ms,
    }
}

fn game(game: &BlockMatch) -> PlayedMatch {
    let seat = |(i, entrant): (usize, &u32)| PlayedSeat {
        entrant: *entrant,
        points: game.points.get(i).copied().unwrap_or_default(),
        place: game.places.get(i).copied().unwrap_or_default(),
        clean_rounds: game.clean_rounds.get(i).copied().unwrap_or_default(),
        lowest_round: game.lowest_round.get(i).copied().flatten(),
        ledger: game.ledger.get(i).map(ledger).unwrap_or_default(),
    };
    PlayedMatch {
        id: game.id.to_string(),
        digest: game.digest.0,
        seats: game.seating.iter().enumerate().map(seat).collect(),
    }
}

fn ledger(ledger: &SeatLedger) -> report::SeatLedger {
    report::SeatLedger {
        late: ledger.late,
        gone: ledger.gone,
        illegal: ledger.illegal,
        strikes: ledger.strikes,
        out: ledger.out.map(|reason| match reason {
            OutReason::Left => Out::Left,
            OutReason::Strikes => Out::Strikes,
            OutReason::Strict => Out::Strict,
        }),
        think_ms: milliseconds(ledger.think),
    }
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
