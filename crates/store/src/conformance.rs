//! The laws that every backend must keep.
//!
//! Each is a function that takes an empty store and panics where the store breaks the law; its name is the law. A backend
//! runs them all with [`conformance!`](crate::conformance!), which names the store and what has to live as long as it:
//!
//! ```text
//! chickenfoot_store::conformance!((Memory::new(), ()));
//! ```
//!
//! Times are whole microseconds here, because a store may keep no finer ones.

mod tournaments;

use std::time::Duration;

use chickenfoot_rules::{Entropy, Entry, ForcedMoves, Hex32, Move, Preset, RuleOptions, Seat, Seed};
use futures_util::future::join_all;

use crate::{
    AbortReason, AgentName, AgentRow, Agents, Append, Appended, Cause, ClockRules, EntryId, FaultRules,
    Incarnation, Journal, ListMatches, LogRow, MatchId, MatchRow, MatchState, Occupant, OutReason,
    Remembered, RequestKey, Requests, Role, SeatLedger, SeatRow, SeatSpec, Summary, Tournaments, Updated,
};

/// Makes a test of every law. The argument is an expression for a new, empty store and a guard that is dropped after it.
#[macro_export]
macro_rules! conformance {
    ($store:expr) => {
        $crate::conformance!(
            $store;
            an_append_has_five_answers,
            a_batch_gets_one_answer_each_in_order,
            the_last_entry_ends_the_match_and_the_log_stays,
            an_aborted_match_has_no_places,
            every_cause_and_count_of_an_entry_is_kept,
            every_fault_and_time_of_a_seat_is_kept,
            every_reason_of_an_abort_is_kept,
            a_match_may_be_over_when_it_is_created,
            an_open_match_may_be_over_when_it_is_updated,
            a_later_writer_fences_an_earlier_one_off,
            many_appends_at_once_leave_no_hole,
            of_competing_appends_one_wins,
            a_match_is_read_back_as_it_was_stored,
            an_id_is_given_once,
            an_update_names_the_version_that_it_was_made_from,
            only_an_open_match_is_updated,
            lists_are_newest_first_and_paged,
            a_match_concerns_who_sits_or_may_sit_until_it_is_over,
            an_answer_is_stored_with_what_it_is_about,
            the_first_answer_stays_until_it_is_forgotten,
            agents_are_found_by_name_and_token,
            a_new_token_replaces_the_old_one,
            agents_are_paged_by_name,
        );
        $crate::conformance!(
            $store;
            a_tournament_is_read_back_as_it_was_stored,
            entrants_are_read_back_as_they_were_stored,
            a_tournaments_id_is_given_once,
            an_update_of_a_tournament_names_the_version_that_it_was_made_from,
            of_competing_updates_of_a_tournament_one_wins,
            a_tournament_that_is_over_is_changed_no_more,
            an_answer_is_stored_with_its_tournament,
            tournaments_are_listed_newest_first_and_paged,
            entrants_are_paged_by_number_and_found_by_name,
            what_leaves_a_field_goes_before_what_comes,
            a_number_and_a_name_are_one_entrants,
            a_field_of_ten_thousand_is_full,
            the_first_block_of_a_number_stays,
            of_competing_blocks_one_wins,
            blocks_are_paged_by_number,
            a_block_opens_the_seals_of_its_matches_and_of_no_others,
            a_block_that_is_refused_opens_nothing,
            seals_are_opened_without_a_block,
            sealed_matches_are_listed_until_they_are_opened,
            an_update_from_before_a_seal_was_opened_does_not_close_it_again,
            a_match_keeps_its_block_and_its_rating,
            when_a_match_ended_is_the_stores_to_note,
            rated_matches_come_in_the_order_of_their_ends_and_none_is_missed,
            a_rated_match_stays_in_its_place_when_its_seal_is_opened,
        );
    };
    ($store:expr; $($law:ident,)*) => {
        $(
            #[tokio::test]
            async fn $law() {
                let (store, _guard) = $store;
                $crate::conformance::$law(&store).await;
            }
        )*
    };
}

/// A store that is whole.
pub trait Store: Journal + Agents + Requests + Tournaments {}

impl<T: Journal + Agents + Requests + Tournaments> Store for T {}

/// Greater than that of any server that was ever started on a new store.
const WRITER: Incarnation = Incarnation(1_000);

/// Where an entry may come from.
const CAUSES: [Cause; 8] = [
    Cause::Agent,
    Cause::House,
    Cause::Late,
    Cause::Gone,
    Cause::Strikes,
    Cause::Strict,
    Cause::Creator,
    Cause::ServerFault,
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
            cause: CAUSES[position as usize % CAUSES.len()],
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

async fn one(store: &impl Store, append: Append) -> Appended {
    let answers = store.append(vec![append]).await;
    assert_eq!(answers.len(), 1);
    answers[0]
}

async fn assert_log(store: &impl Store, id: u128, length: u32) {
    let expected: Vec<LogRow> = (0..length).map(|position| append(id, position).row).collect();
    assert_eq!(store.log(MatchId(id), 0).await, Ok(expected.clone()));
    for from in [1, length / 2, length, length + 1] {
        let tail = expected.iter().skip(from as usize).copied().collect();
        assert_eq!(store.log(MatchId(id), from).await, Ok(tail));
    }
}

#[expect(missing_docs, reason = "the name of a law says what it is")]
mod laws {
    use super::*;

    pub async fn an_append_has_five_answers(store: &impl Store) {
        assert_eq!(one(store, append(1, 0)).await, Appended::Conflict, "there is no such match");
        store.create(open(1), None).await.expect("the store works");
        assert_eq!(one(store, append(1, 0)).await, Appended::Conflict, "it is not running");
        store.create(running(2), None).await.expect("the store works");
        assert_eq!(one(store, append(2, 1)).await, Appended::Conflict, "a hole");
        assert_eq!(one(store, append(2, 0)).await, Appended::Appended);
        assert_eq!(one(store, append(2, 0)).await, Appended::Duplicate);
        assert_eq!(one(store, append(2, 1)).await, Appended::Appended);
        assert_eq!(one(store, append(2, 0)).await, Appended::Duplicate, "an earlier one");
        let other = Append { id: EntryId(5), ..append(2, 0) };
        assert_eq!(one(store, other).await, Appended::Conflict, "another entry is there");
        let late = Append { writer: Incarnation(WRITER.0 - 1), ..append(2, 2) };
        assert_eq!(one(store, late).await, Appended::Fenced);
        assert_log(store, 2, 2).await;
        assert_log(store, 1, 0).await;
    }

    pub async fn a_batch_gets_one_answer_each_in_order(store: &impl Store) {
        store.create(running(1), None).await.expect("the store works");
        store.create(running(2), None).await.expect("the store works");
        let batch = vec![
            append(1, 0),
            append(2, 0),
            append(3, 0),
            append(1, 0),
            append(2, 2),
            append(2, 1),
            last(1, 1),
            append(1, 2),
        ];
        let answers = store.append(batch).await;
        assert_eq!(
            answers,
            [
                Appended::Appended,
                Appended::Appended,
                Appended::Conflict,
                Appended::Duplicate,
                Appended::Conflict,
                Appended::Appended,
                Appended::Appended,
                Appended::Conflict,
            ]
        );
        assert_log(store, 1, 2).await;
        assert_log(store, 2, 2).await;
        assert_eq!(store.append(Vec::new()).await, []);
    }

    pub async fn the_last_entry_ends_the_match_and_the_log_stays(store: &impl Store) {
        let before = running(7);
        store.create(before.clone(), None).await.expect("the store works");
        let batch = (0..150).map(|position| append(7, position)).collect();
        assert!(store.append(batch).await.iter().all(|answer| *answer == Appended::Appended));
        assert_eq!(one(store, last(7, 150)).await, Appended::Appended);
        let after = MatchRow { state: MatchState::Finished, summary: Some(summary()), version: 1, ..before };
        assert_eq!(row_of(store, MatchId(7)).await, Some(after));
        assert_log(store, 7, 151).await;
        assert_eq!(one(store, last(7, 150)).await, Appended::Duplicate);
        let other = Append { id: EntryId(1), ..last(7, 150) };
        assert_eq!(one(store, other).await, Appended::Conflict);
        assert_eq!(one(store, append(7, 151)).await, Appended::Conflict);
        let late = Append { writer: Incarnation(1), ..last(7, 150) };
        assert_eq!(one(store, late).await, Appended::Fenced);
    }

    pub async fn an_aborted_match_has_no_places(store: &impl Store) {
        store.create(running(1), None).await.expect("the store works");
        let mut end = append(1, 0);
        end.row.entry = Entry::Forfeit(Seat::new(1).expect("there is a second seat"));
        assert_eq!(one(store, end).await, Appended::Appended);
        let state = MatchState::Aborted(AbortReason::ServerFault);
        let summary = Summary { places: Vec::new(), ..summary() };
        let mut end = append(1, 1);
        end.row.entry = Entry::Abort;
        end.row.cause = Cause::ServerFault;
        end.end = Some((state, summary.clone()));
        assert_eq!(one(store, end).await, Appended::Appended);
        let row = store.row(MatchId(1)).await.expect("the store works").expect("it was created");
        assert_eq!((row.state, row.summary), (state, Some(summary)));
        let log = store.log(MatchId(1), 0).await.expect("the store works");
        assert_eq!(log[1].entry, Entry::Abort);
    }

    pub async fn every_cause_and_count_of_an_entry_is_kept(store: &impl Store) {
        store.create(running(1), None).await.expect("the store works");
        let mut batch = Vec::new();
        for cause in CAUSES {
            for illegal in [0, 1, 127, 128, u32::MAX] {
                let mut append = append(1, batch.len() as u32);
                append.row.cause = cause;
                append.row.illegal = illegal;
                batch.push(append);
            }
        }
        let expected: Vec<LogRow> = batch.iter().map(|append| append.row).collect();
        let length = batch.len();
        assert_eq!(store.append(batch).await, vec![Appended::Appended; length]);
        assert_eq!(store.log(MatchId(1), 0).await, Ok(expected.clone()));
        let end = last(1, length as u32);
        let expected: Vec<LogRow> = expected.into_iter().chain([end.row]).collect();
        assert_eq!(one(store, end).await, Appended::Appended);
        assert_eq!(store.log(MatchId(1), 0).await, Ok(expected), "and after the end");
    }

    pub async fn every_fault_and_time_of_a_seat_is_kept(store: &impl Store) {
        let reasons = [None, Some(OutReason::Left), Some(OutReason::Strikes), Some(OutReason::Strict)];
        for (id, out) in (0..).zip(reasons) {
            let ledger = SeatLedger {
                late: u32::MAX,
                gone: u32::MAX - 1,
                illegal: u32::MAX - 2,
                strikes: u32::MAX - 3,
                out,
                think: Duration::from_micros(u64::from(u32::MAX) * 1_000 + 1),
                bank_used: Duration::from_micros(1),
            };
            let summary = Summary { ledger: vec![SeatLedger::default(), ledger], ..summary() };
            store.create(running(id), None).await.expect("the store works");
            let end = Append { end: Some((MatchState::Finished, summary.clone())), ..append(id, 0) };
            assert_eq!(one(store, end).await, Appended::Appended);
            let row = store.row(MatchId(id)).await.expect("the store works");
            assert_eq!(row.and_then(|row| row.summary), Some(summary));
        }
    }

    pub async fn every_reason_of_an_abort_is_kept(store: &impl Store) {
        let reasons = [AbortReason::Creator, AbortReason::ServerFault, AbortReason::Expired];
        for (id, reason) in (0..).zip(reasons) {
            let state = MatchState::Aborted(reason);
            store.create(running(id), None).await.expect("the store works");
            let end = Append { end: Some((state, summary())), ..append(id, 0) };
            assert_eq!(one(store, end).await, Appended::Appended);
            let row = store.row(MatchId(id)).await.expect("the store works");
            assert_eq!(row.map(|row| row.state), Some(state), "while it ran");
            let id = id + 100;
            store.create(open(id), None).await.expect("the store works");
            assert_eq!(store.update(MatchRow { state, ..open(id) }, None).await, Ok(Updated::Done));
            let expected = MatchRow { state, version: 1, ..open(id) };
            assert_eq!(row_of(store, MatchId(id)).await, Some(expected), "before it began");
        }
    }

    pub async fn a_match_may_be_over_when_it_is_created(store: &impl Store) {
        let mut row = over(1);
        row.seats[0].occupant = Some(Occupant::Agent(name("cy")));
        row.seats[1].spec = SeatSpec::Agent(name("bob"));
        store.create(row.clone(), Some(answered(1, 1))).await.expect("the store works");
        assert_eq!(store.recall(&answered(1, 1).key).await, Ok(Some(answered(1, 1))));
        assert_over_from_the_beginning(store, row).await;
        assert!(store.create(over(1), None).await.is_err(), "its id is given");
    }

    pub async fn an_open_match_may_be_over_when_it_is_updated(store: &impl Store) {
        store.create(open(1), None).await.expect("the store works");
        let mut row = MatchRow { state: MatchState::Finished, summary: Some(summary()), ..open(1) };
        row.seats[0].occupant = Some(Occupant::Agent(name("cy")));
        row.seats[1].occupant = Some(Occupant::Agent(name("bob")));
        let done = store.update(row.clone(), Some(answered(1, 1))).await;
        assert_eq!(done, Ok(Updated::Done));
        assert_eq!(store.recall(&answered(1, 1).key).await, Ok(Some(answered(1, 1))));
        assert_over_from_the_beginning(store, MatchRow { version: 1, ..row }).await;
    }

    /// `row` is the only match, and one that concerned `bob` and `cy`.
    async fn assert_over_from_the_beginning(store: &impl Store, row: MatchRow) {
        let (id, state) = (row.id, Some(row.state));
        assert_eq!(row_of(store, id).await, Some(row.clone()));
        for agent in ["bob", "cy"] {
            assert_eq!(store.of_agent(&name(agent)).await, Ok(Vec::new()));
        }
        let list = async |state| -> Vec<MatchRow> {
            let rows = store.list(ListMatches { state, after: None, limit: 10 }).await;
            rows.expect("the store works").into_iter().map(without_end).collect()
        };
        assert_eq!(list(state).await, std::slice::from_ref(&row));
        assert_eq!(list(Some(MatchState::Open)).await, []);
        assert_eq!(list(Some(MatchState::Running)).await, []);
        assert_eq!(one(store, append(id.0, 0)).await, Appended::Conflict);
        assert_eq!(one(store, last(id.0, 0)).await, Appended::Conflict);
        assert_eq!(store.log(id, 0).await, Ok(Vec::new()));
        assert_eq!(store.update(row.clone(), None).await, Ok(Updated::Conflict));
        assert_eq!(row_of(store, id).await, Some(row));
    }

    pub async fn a_later_writer_fences_an_earlier_one_off(store: &impl Store) {
        store.create(running(1), None).await.expect("the store works");
        store.create(running(2), None).await.expect("the store works");
        assert_eq!(one(store, append(1, 0)).await, Appended::Appended);
        let later = Append { writer: Incarnation(WRITER.0 + 1), ..append(1, 1) };
        assert_eq!(one(store, later).await, Appended::Appended);
        assert_eq!(one(store, append(1, 2)).await, Appended::Fenced);
        assert_eq!(one(store, append(1, 0)).await, Appended::Fenced, "not even a repeated one");
        assert_eq!(one(store, append(2, 0)).await, Appended::Appended, "another match is not concerned");
        let stored = store.log(MatchId(1), 0).await.expect("the store works");
        assert_eq!(stored.len(), 2);
    }

    pub async fn many_appends_at_once_leave_no_hole(store: &impl Store) {
        let length = 40;
        for id in 0..20 {
            store.create(running(id), None).await.expect("the store works");
        }
        let play = |id: u128| async move {
            for position in 0..length {
                assert_eq!(one(store, append(id, position)).await, Appended::Appended);
            }
            assert_eq!(one(store, last(id, length)).await, Appended::Appended);
        };
        join_all((0..20).map(play)).await;
        for id in 0..20 {
            assert_log(store, id, length + 1).await;
        }
    }

    pub async fn of_competing_appends_one_wins(store: &impl Store) {
        store.create(running(1), None).await.expect("the store works");
        for position in 0..10 {
            let rivals = (0..8).map(|rival| Append { id: EntryId(rival), ..append(1, position) });
            let answers = join_all(rivals.map(|rival| one(store, rival))).await;
            let count = |wanted| answers.iter().filter(|answer| **answer == wanted).count();
            assert_eq!((count(Appended::Appended), count(Appended::Conflict)), (1, 7));
        }
        assert_log(store, 1, 10).await;
    }

    pub async fn a_match_is_read_back_as_it_was_stored(store: &impl Store) {
        let mut row = open(u128::MAX - 1);
        row.forced = ForcedMoves::Asked;
        row.fixed_seed = true;
        row.clock =
            ClockRules { decision: Duration::ZERO, bank: Duration::ZERO, grace: Duration::from_micros(7) };
        row.faults = FaultRules { strikes: u32::MAX, illegal: u32::MAX - 1, strict: true };
        row.slot = 1023;
        row.seats[1].occupant = Some(Occupant::Agent(name("bob")));
        row.seats[1].entropy = Hex32([0xab; 32]);
        row.deal_id = "\"quoted\", 'quoted', \u{e4}\0\n".to_owned();
        store.create(row.clone(), None).await.expect("the store works");
        store.create(running(3), None).await.expect("the store works");
        assert_eq!(store.row(row.id).await, Ok(Some(row)));
        assert_eq!(store.row(MatchId(3)).await, Ok(Some(running(3))));
        assert_eq!(store.row(MatchId(4)).await, Ok(None));
        assert_eq!(store.log(MatchId(4), 0).await, Ok(Vec::new()));
    }

    pub async fn an_id_is_given_once(store: &impl Store) {
        store.create(running(1), None).await.expect("the store works");
        assert!(store.create(open(1), Some(answered(1, 1))).await.is_err());
        assert_eq!(store.row(MatchId(1)).await, Ok(Some(running(1))));
        assert_eq!(store.recall(&answered(1, 1).key).await, Ok(None));
    }

    pub async fn an_update_names_the_version_that_it_was_made_from(store: &impl Store) {
        store.create(open(1), None).await.expect("the store works");
        let mut mine = open(1);
        mine.seats[0].occupant = Some(Occupant::Agent(name("cy")));
        let mut theirs = open(1);
        theirs.seats[0].occupant = Some(Occupant::Agent(name("dan")));
        assert_eq!(store.update(mine.clone(), None).await, Ok(Updated::Done));
        let remember = Some(answered(1, 1));
        assert_eq!(store.update(theirs, remember).await, Ok(Updated::Conflict));
        assert_eq!(store.recall(&answered(1, 1).key).await, Ok(None), "nothing of it was stored");
        mine.version = 1;
        assert_eq!(store.row(MatchId(1)).await, Ok(Some(mine)));
        assert_eq!(store.update(open(2), None).await, Ok(Updated::Conflict), "there is no such match");
    }

    pub async fn only_an_open_match_is_updated(store: &impl Store) {
        store.create(running(1), None).await.expect("the store works");
        assert_eq!(store.update(running(1), None).await, Ok(Updated::Conflict));
        store.create(open(2), None).await.expect("the store works");
        let aborted = MatchRow { state: MatchState::Aborted(AbortReason::Creator), ..open(2) };
        assert_eq!(store.update(aborted.clone(), None).await, Ok(Updated::Done));
        let again = MatchRow { version: 1, ..aborted };
        assert_eq!(store.update(again.clone(), None).await, Ok(Updated::Conflict));
        assert_eq!(row_of(store, MatchId(2)).await, Some(again));
        let started = MatchRow { state: MatchState::Running, ..open(3) };
        store.create(open(3), None).await.expect("the store works");
        assert_eq!(one(store, append(3, 0)).await, Appended::Conflict);
        assert_eq!(store.update(started, None).await, Ok(Updated::Done));
        assert_eq!(one(store, append(3, 0)).await, Appended::Appended);
    }

    pub async fn lists_are_newest_first_and_paged(store: &impl Store) {
        for id in 0..12 {
            let row = if id % 2 == 0 { running(id) } else { open(id) };
            // Three at a time are of the same moment.
            let created_ms = 100 + (id / 3) as u64;
            store.create(MatchRow { created_ms, ..row }, None).await.expect("the store works");
        }
        assert_eq!(one(store, last(4, 0)).await, Appended::Appended);
        let mut aborted = last(6, 0);
        aborted.end = Some((MatchState::Aborted(AbortReason::ServerFault), summary()));
        assert_eq!(one(store, aborted).await, Appended::Appended);
        let all: Vec<u128> = (0..12).rev().collect();
        let evens = vec![10, 8, 2, 0];
        let cases = [
            (None, all),
            (Some(MatchState::Running), evens),
            (Some(MatchState::Open), vec![11, 9, 7, 5, 3, 1]),
            (Some(MatchState::Finished), vec![4]),
            (Some(MatchState::Aborted(AbortReason::Creator)), vec![6]),
        ];
        for (state, expected) in cases {
            for limit in [1, 2, 5, 100] {
                let mut found = Vec::new();
                let mut after = None;
                loop {
                    let page =
                        store.list(ListMatches { state, after, limit }).await.expect("the store works");
                    assert!(page.len() <= limit);
                    let Some(last) = page.last() else { break };
                    after = Some((last.created_ms, last.id));
                    found.extend(page.iter().map(|row| row.id.0));
                }
                assert_eq!(found, expected, "{state:?} by {limit}");
            }
        }
    }

    pub async fn a_match_concerns_who_sits_or_may_sit_until_it_is_over(store: &impl Store) {
        let of = async |agent: &str| -> Vec<u128> {
            let rows = store.of_agent(&name(agent)).await.expect("the store works");
            rows.iter().map(|row| row.id.0).collect()
        };
        store.create(open(1), None).await.expect("the store works");
        store.create(open(2), None).await.expect("the store works");
        assert_eq!(of("bob").await, [1, 2]);
        assert_eq!(of("cy").await, []);
        let mut joined = open(1);
        joined.seats[0].occupant = Some(Occupant::Agent(name("cy")));
        assert_eq!(store.update(joined.clone(), None).await, Ok(Updated::Done));
        assert_eq!(of("cy").await, [1]);
        joined.version = 1;
        joined.seats[0].occupant = Some(Occupant::Agent(name("dan")));
        joined.seats[1].occupant = Some(Occupant::Agent(name("bob")));
        joined.state = MatchState::Running;
        assert_eq!(store.update(joined, None).await, Ok(Updated::Done));
        assert_eq!(of("cy").await, [], "it left");
        assert_eq!((of("bob").await, of("dan").await), (vec![1, 2], vec![1]));
        assert_eq!(one(store, last(1, 0)).await, Appended::Appended);
        assert_eq!((of("bob").await, of("dan").await), (vec![2], vec![]));
        let aborted = MatchRow { state: MatchState::Aborted(AbortReason::Creator), ..open(2) };
        assert_eq!(store.update(aborted, None).await, Ok(Updated::Done));
        assert_eq!(of("bob").await, []);
    }

    pub async fn an_answer_is_stored_with_what_it_is_about(store: &impl Store) {
        let recalled = async |id: u8| store.recall(&answered(id, 1).key).await.expect("the store works");
        store.create(open(1), Some(answered(1, 1))).await.expect("the store works");
        assert_eq!(recalled(1).await, Some(answered(1, 1)));
        let done = store.update(open(1), Some(answered(2, 1))).await;
        assert_eq!((done, recalled(2).await), (Ok(Updated::Done), Some(answered(2, 1))));
        let done = store.create_agent(agent("ann", 1), Some(answered(3, 1))).await;
        assert_eq!((done, recalled(3).await), (Ok(true), Some(answered(3, 1))));
        let done = store.create_agent(agent("ann", 2), Some(answered(4, 1))).await;
        assert_eq!((done, recalled(4).await), (Ok(false), None), "the name was taken");
        let mut other = answered(1, 1).key;
        other.method = "JoinMatch";
        assert_eq!(store.recall(&other).await, Ok(None));
        let mut other = answered(1, 1).key;
        other.caller = String::new();
        assert_eq!(store.recall(&other).await, Ok(None));
    }

    pub async fn the_first_answer_stays_until_it_is_forgotten(store: &impl Store) {
        store.remember(answered(1, 10)).await.expect("the store works");
        let second = Remembered { answer: vec![0], ..answered(1, 30) };
        store.remember(second.clone()).await.expect("the store works");
        store.remember(answered(2, 20)).await.expect("the store works");
        assert_eq!(store.recall(&second.key).await, Ok(Some(answered(1, 10))));
        store.forget(10).await.expect("the store works");
        assert_eq!(store.recall(&second.key).await, Ok(Some(answered(1, 10))));
        store.forget(20).await.expect("the store works");
        assert_eq!(store.recall(&second.key).await, Ok(None));
        assert_eq!(store.recall(&answered(2, 20).key).await, Ok(Some(answered(2, 20))));
        store.remember(second.clone()).await.expect("the store works");
        assert_eq!(store.recall(&second.key).await, Ok(Some(second)));
    }

    pub async fn agents_are_found_by_name_and_token(store: &impl Store) {
        let admin = AgentRow { role: Role::Admin, ..agent("ann", 1) };
        let nobody = AgentRow { token_hash: None, role: Role::Organiser, ..agent("bob", 0) };
        assert_eq!(store.create_agent(admin.clone(), None).await, Ok(true));
        assert_eq!(store.create_agent(nobody.clone(), None).await, Ok(true));
        assert_eq!(store.create_agent(agent("ann", 3), None).await, Ok(false));
        assert_eq!(store.agent(&name("ann")).await, Ok(Some(admin.clone())));
        assert_eq!(store.agent(&name("bob")).await, Ok(Some(nobody)));
        assert_eq!(store.agent(&name("Ann")).await, Ok(None), "case counts");
        assert_eq!(store.agent_by_token(&[1; 32]).await, Ok(Some(admin)));
        assert_eq!(store.agent_by_token(&[3; 32]).await, Ok(None));
        assert!(store.create_agent(agent("cy", 1), None).await.is_err(), "a token is one agent's");
        assert_eq!(store.agent(&name("cy")).await, Ok(None));
    }

    pub async fn a_new_token_replaces_the_old_one(store: &impl Store) {
        assert_eq!(store.update_agent(agent("ann", 1)).await, Ok(false), "nobody is there");
        assert_eq!(store.create_agent(agent("ann", 1), None).await, Ok(true));
        let promoted = AgentRow { role: Role::Organiser, created_ms: 99, ..agent("ann", 2) };
        assert_eq!(store.update_agent(promoted.clone()).await, Ok(true));
        let expected = AgentRow { created_ms: 5, ..promoted };
        assert_eq!(store.agent_by_token(&[2; 32]).await, Ok(Some(expected.clone())));
        assert_eq!(store.agent_by_token(&[1; 32]).await, Ok(None));
        let revoked = AgentRow { token_hash: None, ..expected };
        assert_eq!(store.update_agent(revoked.clone()).await, Ok(true));
        assert_eq!(store.agent_by_token(&[2; 32]).await, Ok(None));
        assert_eq!(store.agent(&name("ann")).await, Ok(Some(revoked)));
        assert_eq!(store.create_agent(agent("bob", 1), None).await, Ok(true), "the token is free again");
        assert!(store.update_agent(agent("ann", 1)).await.is_err(), "and is bob's now");
        let bob = store.agent_by_token(&[1; 32]).await.expect("the store works");
        assert_eq!(bob.map(|row| row.name), Some(name("bob")));
    }

    pub async fn agents_are_paged_by_name(store: &impl Store) {
        let names = ["B", "a", "a-1", "a.1", "a1", "a_1", "b"];
        for (text, token) in names.iter().rev().zip(1..) {
            assert_eq!(store.create_agent(agent(text, token), None).await, Ok(true));
        }
        let mut sorted = names.map(name);
        sorted.sort();
        for limit in [1, 3, 100] {
            let mut found: Vec<AgentName> = Vec::new();
            loop {
                let page = store.agents(found.last(), limit).await.expect("the store works");
                assert!(page.len() <= limit);
                if page.is_empty() {
                    break;
                }
                found.extend(page.into_iter().map(|row| row.name));
            }
            assert_eq!(found, sorted);
        }
    }
}

pub use laws::*;
pub use tournaments::*;
