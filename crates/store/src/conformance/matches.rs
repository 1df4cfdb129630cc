use std::time::Duration;

use chickenfoot_rules::{ForcedMoves, Hex32};

use super::samples::{answered, append, last, name, open, row_of, running, summary};
use super::tournaments::block_match;
use super::{Store, one};
use crate::{
    AbortReason, Append, Appended, ClockRules, FaultRules, ListMatches, MatchId, MatchRow, MatchState,
    Occupant, TournamentId, Updated,
};

pub async fn a_match_is_read_back_as_it_was_stored(store: &impl Store) {
    let mut row = open(u128::MAX - 1);
    row.forced = ForcedMoves::Asked;
    row.spectator_delay = u32::MAX;
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
        let query = ListMatches { state, ..ListMatches::default() };
        assert_eq!(listed(store, &query).await, expected, "{state:?}");
    }
}

/// What a query lists, which has to be the same page by page, whatever the size of a page.
async fn listed(store: &impl Store, query: &ListMatches) -> Vec<u128> {
    let mut lists = Vec::new();
    for limit in [1, 2, 5, 100] {
        let mut found = Vec::new();
        let mut after = None;
        loop {
            let page = ListMatches { after, limit, ..query.clone() };
            let page = store.list(page).await.expect("the store works");
            assert!(page.len() <= limit);
            let Some(last) = page.last() else { break };
            after = Some((last.created_ms, last.id));
            found.extend(page.iter().map(|row| row.id.0));
        }
        lists.push(found);
    }
    let list = lists.swap_remove(0);
    assert!(lists.iter().all(|other| *other == list), "{query:?}: {list:?} {lists:?}");
    list
}

pub async fn the_matches_of_an_agent_and_of_a_tournament_are_listed(store: &impl Store) {
    let sit = |mut row: MatchRow, seat: usize, agent: &str| {
        row.seats[seat].occupant = Some(Occupant::Agent(name(agent)));
        row
    };
    let of_tournament = |id: u128, tournament: u128| MatchRow {
        id: MatchId(id),
        created_ms: 200 - id as u64,
        ..block_match(tournament, id as u32, 0)
    };
    let at = |row: MatchRow, created_ms| MatchRow { created_ms, ..row };
    let create = async |row: MatchRow| store.create(row, None).await.expect("the store works");
    let list = async |agent: Option<&str>, tournament: Option<u128>, state: Option<MatchState>| {
        let (agent, tournament) = (agent.map(name), tournament.map(TournamentId));
        listed(store, &ListMatches { agent, tournament, state, ..ListMatches::default() }).await
    };
    let aborted = MatchState::Aborted(AbortReason::Creator);

    create(at(open(1), 100)).await;
    create(at(sit(open(2), 0, "ann"), 101)).await;
    create(at(sit(sit(running(3), 0, "ann"), 1, "bob"), 101)).await;
    create(at(sit(running(4), 1, "ann"), 102)).await;
    create(at(running(5), 103)).await;
    create(sit(of_tournament(10, 7), 0, "ann")).await;
    create(sit(of_tournament(11, 7), 1, "bob")).await;
    create(sit(of_tournament(12, 8), 0, "ann")).await;
    create(of_tournament(13, 7)).await;

    assert_eq!(list(Some("ann"), None, None).await, [10, 12, 4, 3, 2]);
    assert_eq!(list(Some("bob"), None, None).await, [11, 3], "a seat that is kept is none that one has");
    assert_eq!(list(Some("cy"), None, None).await, []);
    assert_eq!(list(None, Some(7), None).await, [10, 11, 13]);
    assert_eq!(list(None, Some(9), None).await, []);
    assert_eq!(list(Some("ann"), Some(7), None).await, [10]);
    assert_eq!(list(Some("bob"), Some(8), None).await, []);
    assert_eq!(list(Some("ann"), None, Some(MatchState::Open)).await, [2]);
    assert_eq!(list(Some("ann"), None, Some(MatchState::Running)).await, [10, 12, 4, 3]);
    assert_eq!(list(Some("ann"), Some(8), Some(MatchState::Running)).await, [12]);
    assert_eq!(list(Some("ann"), None, Some(MatchState::Finished)).await, []);

    // Who takes a seat or leaves it, and what ends or is opened, changes lists.
    let joined = at(sit(sit(open(2), 0, "cy"), 1, "bob"), 101);
    let running = MatchRow { state: MatchState::Running, ..joined };
    assert_eq!(store.update(running, None).await, Ok(Updated::Done));
    for id in [3, 10] {
        assert_eq!(one(store, last(id, 0)).await, Appended::Appended);
    }
    let end = Append { end: Some((aborted, summary())), ..last(4, 0) };
    assert_eq!(one(store, end).await, Appended::Appended);
    let never_began = MatchRow { state: aborted, ..at(open(1), 100) };
    assert_eq!(store.update(sit(never_began, 0, "ann"), None).await, Ok(Updated::Done));
    store.unseal(vec![MatchId(10)]).await.expect("the store works");
    assert_eq!(list(Some("ann"), None, None).await, [10, 12, 4, 3, 1]);
    assert_eq!(list(Some("bob"), None, None).await, [11, 3, 2]);
    assert_eq!(list(Some("cy"), None, Some(MatchState::Running)).await, [2]);
    assert_eq!(list(Some("ann"), None, Some(MatchState::Finished)).await, [10, 3]);
    assert_eq!(list(Some("ann"), None, Some(aborted)).await, [4, 1]);
    assert_eq!(list(Some("ann"), Some(7), Some(MatchState::Finished)).await, [10]);
    assert_eq!(list(None, Some(7), Some(MatchState::Finished)).await, [10]);
    assert_eq!(list(None, Some(7), Some(MatchState::Running)).await, [11, 13]);

    // What is deleted is in no list.
    assert_eq!(store.remove_ended(u64::MAX, 100).await, Ok(4));
    assert_eq!(list(Some("ann"), None, None).await, [12]);
    assert_eq!(list(None, Some(7), None).await, [11, 13]);
    assert_eq!(list(Some("bob"), None, None).await, [11, 2]);
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
