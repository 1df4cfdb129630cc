use std::time::Duration;

use chickenfoot_rules::{Entropy, Entry, ForcedMoves, Hex32, Move, Preset, RuleOptions, Seed};

use crate::{
    AgentName, AgentRow, Append, Cause, ClockRules, EntryId, FaultRules, Incarnation, Journal, LogRow,
    MatchId, MatchRow, MatchState, Occupant, OutReason, Remembered, RequestKey, Role, SeatLedger, SeatRow,
    SeatSpec, Summary,
};

/// Greater than that of any server that was ever started on a new store.
pub(super) const WRITER: Incarnation = Incarnation(1_000);

/// Where an entry may come from.
pub(super) const CAUSES: [Cause; 9] = [
    Cause::Agent,
    Cause::House,
    Cause::Late,
    Cause::Gone,
    Cause::Strikes,
    Cause::Strict,
    Cause::Creator,
    Cause::ServerFault,
    Cause::Organiser,
];

/// A name, which must be one.
pub fn name(text: &str) -> AgentName {
    text.parse().expect("the tests name agents by valid names")
}

/// A running match of two players of the house.
pub fn running(id: u128) -> MatchRow {
    let house = || SeatRow {
        spec: SeatSpec::House("greedy".to_owned()),
        occupant: Some(Occupant::House("greedy".to_owned())),
        entropy: Entropy::default(),
    };
    MatchRow {
        id: MatchId(id),
        slot: (id % 1024) as u16,
        creator: name("ann"),
        created_ms: 1_700_000_000_000,
        rules: RuleOptions::new(Preset::Trains, 2).resolve().expect("the preset is possible"),
        clock: ClockRules {
            decision: Duration::from_micros(1_500_001),
            bank: Duration::from_secs(60),
            grace: Duration::from_micros(30_000_002),
        },
        faults: FaultRules { strikes: 3, illegal: 2, strict: false },
        forced: ForcedMoves::Automatic,
        spectator_delay: 0,
        seed: Seed::new([id as u8; 32]),
        fixed_seed: false,
        deal_id: format!("deal {id}"),
        seats: vec![house(), house()],
        block: None,
        rated: false,
        state: MatchState::Running,
        summary: None,
        ended_ms: None,
        version: 0,
    }
}

/// A match that left nobody a choice: it is over from the beginning.
pub fn over(id: u128) -> MatchRow {
    MatchRow { state: MatchState::Finished, summary: Some(summary()), ..running(id) }
}

/// An open match: a seat for anyone, one for `bob`.
pub fn open(id: u128) -> MatchRow {
    let seat = |spec| SeatRow { spec, occupant: None, entropy: Entropy::default() };
    MatchRow {
        state: MatchState::Open,
        seats: vec![seat(SeatSpec::Open), seat(SeatSpec::Agent(name("bob")))],
        ..running(id)
    }
}

/// An entry for a position; the position and the match are in it, so that no other is taken for it.
pub fn append(id: u128, position: u32) -> Append {
    Append {
        match_id: MatchId(id),
        position,
        id: EntryId(u64::MAX - u64::from(position) - ((id as u64) << 32)),
        writer: WRITER,
        row: LogRow {
            entry: match position % 3 {
                0 => Entry::Choice(Move::Draw.into()),
                1 => Entry::Choice(Move::Pass.into()),
                _ => Entry::Choice(Move::Keep.into()),
            },
            // Those of the first version, so that a stored file of then is still what this makes.
            cause: CAUSES[position as usize % 8],
            think: Duration::from_micros(u64::from(position) * 1_000 + id as u64 % 1_000),
            illegal: if position % 4 == 3 { position * 50 } else { 0 },
        },
        end: None,
    }
}

/// The end of a match of two.
pub fn summary() -> Summary {
    Summary {
        round: 10,
        totals: vec![120, 7],
        places: vec![2, 1],
        ledger: vec![
            SeatLedger {
                late: 3,
                gone: 1,
                illegal: 5,
                strikes: 6,
                out: Some(OutReason::Strikes),
                think: Duration::from_micros(61_250_000),
                bank_used: Duration::from_micros(59_999_999),
            },
            SeatLedger { think: Duration::from_millis(500), ..SeatLedger::default() },
        ],
        head_seq: 412,
        digest: Hex32([9; 32]),
    }
}

/// The entry for a position, and the end of the match with it.
pub fn last(id: u128, position: u32) -> Append {
    Append { end: Some((MatchState::Finished, summary())), ..append(id, position) }
}

/// An answer to a request.
pub fn answered(id: u8, at_ms: u64) -> Remembered {
    Remembered {
        key: RequestKey { caller: "ann".to_owned(), method: "CreateMatch", id_hash: [id; 32] },
        request_hash: [id.wrapping_add(1); 32],
        answer: vec![id; 5],
        at_ms,
    }
}

/// An agent with a token.
pub fn agent(text: &str, token: u8) -> AgentRow {
    AgentRow { name: name(text), token_hash: Some([token; 32]), role: Role::Agent, created_ms: 5 }
}

/// A row without the time of its end, which is the store's to say: it must be there if and only if the match is over.
pub fn without_end(row: MatchRow) -> MatchRow {
    assert_eq!(row.ended_ms.is_some(), row.state.is_over(), "match {}", row.id);
    MatchRow { ended_ms: None, ..row }
}

/// The row of a match [`without_end`].
pub async fn row_of(store: &impl Journal, id: MatchId) -> Option<MatchRow> {
    store.row(id).await.expect("the store works").map(without_end)
}
