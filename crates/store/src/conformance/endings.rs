use std::time::Duration;

use chickenfoot_rules::{Entry, Seat};

use super::samples::{answered, append, last, name, open, over, row_of, running, summary, without_end};
use super::{Store, assert_log, one};
use crate::{
    AbortReason, Append, Appended, Cause, ListMatches, MatchId, MatchRow, MatchState, Occupant, OutReason,
    SeatLedger, SeatSpec, Summary, Updated,
};

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
    let reasons =
        [AbortReason::Creator, AbortReason::Organiser, AbortReason::ServerFault, AbortReason::Expired];
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
        let rows = store.list(ListMatches { state, limit: 10, ..ListMatches::default() }).await;
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

pub async fn only_what_has_been_over_for_long_is_removed(store: &impl Store) {
    const FOR_EVER: u64 = u64::MAX;
    store.create(open(1), None).await.expect("the store works");
    store.create(running(2), None).await.expect("the store works");
    assert_eq!(one(store, append(2, 0)).await, Appended::Appended);
    // Made last and over first.
    for id in [5, 4, 3] {
        store.create(running(id), None).await.expect("the store works");
    }
    for id in [5, 4] {
        assert_eq!(one(store, append(id, 0)).await, Appended::Appended);
        assert_eq!(one(store, last(id, 1)).await, Appended::Appended);
    }
    let expired = MatchRow { state: MatchState::Aborted(AbortReason::Expired), ..open(6) };
    store.create(expired, None).await.expect("the store works");
    // That they were made long ago does not count.
    assert_eq!(store.remove_ended(running(1).created_ms + 1, 10).await, Ok(0));
    assert_eq!(store.remove_ended(FOR_EVER, 0).await, Ok(0));
    assert_eq!(store.remove_ended(FOR_EVER, 2).await, Ok(2));
    assert_eq!(store.remove_ended(FOR_EVER, 10).await, Ok(1));
    assert_eq!(store.remove_ended(FOR_EVER, 10).await, Ok(0));
    let all = store.list(ListMatches { limit: 10, ..ListMatches::default() }).await;
    let left: Vec<u128> = all.expect("the store works").iter().map(|row| row.id.0).collect();
    assert_eq!(left, [3, 2, 1]);
    for id in [4, 5, 6] {
        assert_eq!(store.row(MatchId(id)).await, Ok(None));
        assert_log(store, id, 0).await;
        assert_eq!(one(store, append(id, 0)).await, Appended::Conflict);
    }
    assert_eq!(one(store, append(2, 1)).await, Appended::Appended);
    assert_eq!(one(store, last(3, 0)).await, Appended::Appended);
    assert_eq!(store.of_agent(&name("bob")).await, Ok(vec![open(1)]));
}
