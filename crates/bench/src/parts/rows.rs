use std::time::Duration;

use chickenfoot_rules::{Entropy, Entry, ForcedMoves, Move, Preset, RuleOptions, Seed};
use chickenfoot_store::{
    Append, Cause, ClockRules, EntryId, FaultRules, Incarnation, LogRow, MatchId, MatchRow, MatchState,
    Occupant, SeatRow, SeatSpec,
};

use crate::Failure;

/// A running match of two players of the house.
pub(super) fn running(id: u128) -> Result<MatchRow, Failure> {
    let house = || SeatRow {
        spec: SeatSpec::House("greedy".to_owned()),
        occupant: Some(Occupant::House("greedy".to_owned())),
        entropy: Entropy::default(),
    };
    Ok(MatchRow {
        id: MatchId(id),
        slot: (id % 1024) as u16,
        creator: "bench".parse()?,
        created_ms: 1_700_000_000_000,
        rules: RuleOptions::new(Preset::Trains, 2).resolve()?,
        clock: ClockRules {
            decision: Duration::from_secs(30),
            bank: Duration::from_secs(60),
            grace: Duration::from_secs(20),
        },
        faults: FaultRules { strikes: 3, illegal: 3, strict: false },
        forced: ForcedMoves::Automatic,
        spectator_delay: 0,
        seed: Seed::new([7; 32]),
        fixed_seed: false,
        deal_id: format!("{id:032x}"),
        seats: vec![house(), house()],
        block: None,
        rated: false,
        state: MatchState::Running,
        summary: None,
        ended_ms: None,
        version: 0,
    })
}

/// The entry at a position of a match.
pub(super) fn append(id: u128, position: u32) -> Append {
    Append {
        match_id: MatchId(id),
        position,
        id: EntryId((id as u64) << 32 | u64::from(position)),
        // Above that of any server that was started on a new file.
        writer: Incarnation(1_000),
        row: LogRow {
            entry: Entry::Choice(Move::Draw.into()),
            cause: Cause::Agent,
            think: Duration::from_micros(250),
            illegal: 0,
        },
        end: None,
    }
}
