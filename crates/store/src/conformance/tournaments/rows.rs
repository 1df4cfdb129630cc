//! The laws of tournaments and of their entrants.

use super::*;

pub async fn a_tournament_is_read_back_as_it_was_stored(store: &impl Store) {
    for (id, state) in (0..).zip(STATES) {
        let row = TournamentRow {
            started_ms: Some(0),
            ended_ms: Some(i64::MAX as u64),
            name: "\"quoted\", 'quoted', \u{e4}\0\n".to_owned(),
            settings: String::new(),
            seed: Seed::new([0xab; 32]),
            fixed_seed: true,
            state,
            begun: true,
            message: "\u{1f414}".to_owned(),
            version: u32::MAX,
            ..tournament(u128::MAX - id)
        };
        store.create_tournament(row.clone(), Vec::new(), None).await.expect("the store works");
        assert_eq!(store.tournament(row.id).await, Ok(Some(row)));
    }
    store.create_tournament(tournament(9), Vec::new(), None).await.expect("the store works");
    assert_eq!(store.tournament(TournamentId(9)).await, Ok(Some(tournament(9))));
    assert_eq!(store.tournament(TournamentId(10)).await, Ok(None));
    assert_eq!(field(store, 10).await, []);
    assert_eq!(store.blocks(TournamentId(10), 0, 10).await, Ok(Vec::new()));
}

pub async fn entrants_are_read_back_as_they_were_stored(store: &impl Store) {
    let states = [
        EntrantState::Invited,
        EntrantState::Checking,
        EntrantState::Rejected,
        EntrantState::Entered,
        EntrantState::Withdrawn,
    ];
    let mut entrants: Vec<EntrantRow> = (0..)
        .zip(states)
        .map(|(number, state)| EntrantRow { state, ..entrant(number, &format!("a{number}")) })
        .collect();
    entrants.push(EntrantRow {
        number: u32::MAX,
        who: Occupant::House("greedy".to_owned()),
        entropy: Hex32([0xcd; 32]),
        joined_ms: 0,
        check: Some(MatchId(u128::MAX - 1)),
        position: Some(u32::MAX),
        from_stage: u32::MAX,
        until_stage: Some(0),
        ..entrant(0, "steady")
    });
    store.create_tournament(tournament(1), entrants.clone(), None).await.expect("the store works");
    assert_eq!(field(store, 1).await, entrants);
}

pub async fn a_tournaments_id_is_given_once(store: &impl Store) {
    let first = vec![entrant(0, "ann")];
    store.create_tournament(tournament(1), first.clone(), None).await.expect("the store works");
    let second = TournamentRow { name: "Another".to_owned(), ..tournament(1) };
    let done = store.create_tournament(second, vec![entrant(1, "bob")], Some(answered(1, 1))).await;
    assert!(done.is_err());
    assert_eq!(store.tournament(TournamentId(1)).await, Ok(Some(tournament(1))));
    assert_eq!(field(store, 1).await, first);
    assert_eq!(store.recall(&answered(1, 1).key).await, Ok(None));
}

pub async fn an_update_of_a_tournament_names_the_version_that_it_was_made_from(store: &impl Store) {
    store.create_tournament(tournament(1), Vec::new(), None).await.expect("the store works");
    let mine =
        TournamentRow { state: TournamentState::Running, started_ms: Some(5), begun: true, ..tournament(1) };
    let ann = vec![entrant(0, "ann")];
    assert_eq!(store.update_tournament(mine.clone(), put(ann.clone()), None).await, Ok(Updated::Done));
    let theirs = TournamentRow { message: "late".to_owned(), ..tournament(1) };
    let change = EntrantChange { remove: vec![0], put: vec![entrant(1, "bob")] };
    let done = store.update_tournament(theirs, change, Some(answered(1, 1))).await;
    assert_eq!(done, Ok(Updated::Conflict));
    let stored = TournamentRow { version: 1, ..mine };
    assert_eq!(store.tournament(stored.id).await, Ok(Some(stored.clone())), "nothing of it was stored");
    assert_eq!(field(store, 1).await, ann);
    assert_eq!(store.recall(&answered(1, 1).key).await, Ok(None));
    let early = TournamentRow { version: 2, ..stored };
    assert_eq!(store.update_tournament(early, nothing(), None).await, Ok(Updated::Conflict));
    let done = store.update_tournament(tournament(2), nothing(), None).await;
    assert_eq!(done, Ok(Updated::Conflict), "there is no such tournament");
}

pub async fn of_competing_updates_of_a_tournament_one_wins(store: &impl Store) {
    store.create_tournament(tournament(1), Vec::new(), None).await.expect("the store works");
    for version in 0..5 {
        let rivals = (0..8).map(|rival| async move {
            let row = TournamentRow { message: rival.to_string(), version, ..tournament(1) };
            let entered = put(vec![entrant(version * 8 + rival, &format!("a{version}-{rival}"))]);
            store.update_tournament(row, entered, None).await.expect("the store works")
        });
        let answers = join_all(rivals).await;
        assert_eq!(answers.iter().filter(|answer| **answer == Updated::Done).count(), 1);
        assert_eq!(field(store, 1).await.len() as u32, version + 1);
    }
}

pub async fn a_tournament_that_is_over_is_changed_no_more(store: &impl Store) {
    let ends = [TournamentState::Finished, TournamentState::Cancelled];
    for (id, state) in (1..).zip(ends) {
        store.create_tournament(tournament(id), Vec::new(), None).await.expect("the store works");
        let ended = TournamentRow { state, ended_ms: Some(9), ..tournament(id) };
        let last = put(vec![entrant(0, "ann")]);
        assert_eq!(store.update_tournament(ended.clone(), last, None).await, Ok(Updated::Done));
        let ended = TournamentRow { version: 1, ..ended };
        let again = TournamentRow { state: TournamentState::Running, ..ended.clone() };
        let change = EntrantChange { remove: vec![0], put: Vec::new() };
        let done = store.update_tournament(again, change, Some(answered(1, 1))).await;
        assert_eq!(done, Ok(Updated::Conflict));
        assert_eq!(store.tournament(ended.id).await, Ok(Some(ended)));
        assert_eq!(field(store, id).await.len(), 1);
        assert_eq!(store.recall(&answered(1, 1).key).await, Ok(None));
    }
}

pub async fn an_answer_is_stored_with_its_tournament(store: &impl Store) {
    let recalled = async |id: u8| store.recall(&answered(id, 1).key).await.expect("the store works");
    let remember = Some(answered(1, 1));
    store.create_tournament(tournament(1), Vec::new(), remember).await.expect("the store works");
    assert_eq!(recalled(1).await, Some(answered(1, 1)));
    let done = store.update_tournament(tournament(1), nothing(), Some(answered(2, 1))).await;
    assert_eq!((done, recalled(2).await), (Ok(Updated::Done), Some(answered(2, 1))));
}

pub async fn tournaments_are_listed_newest_first_and_paged(store: &impl Store) {
    for id in 0..15 {
        let state = STATES[id as usize % STATES.len()];
        // Three at a time are of the same moment.
        let row = TournamentRow { created_ms: 100 + (id / 3) as u64, state, ..tournament(id) };
        store.create_tournament(row, Vec::new(), None).await.expect("the store works");
    }
    // Another one runs, and one is listed at another time.
    let paused = store.tournament(TournamentId(2)).await.expect("the store works");
    let paused = paused.expect("it was created");
    let resumed = TournamentRow { state: TournamentState::Running, created_ms: 200, ..paused };
    assert_eq!(store.update_tournament(resumed, nothing(), None).await, Ok(Updated::Done));
    let cases = [
        (None, vec![2, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 1, 0]),
        (Some(TournamentState::Open), vec![10, 5, 0]),
        (Some(TournamentState::Running), vec![2, 11, 6, 1]),
        (Some(TournamentState::Paused), vec![12, 7]),
        (Some(TournamentState::Finished), vec![13, 8, 3]),
        (Some(TournamentState::Cancelled), vec![14, 9, 4]),
    ];
    for (state, expected) in cases {
        for limit in [1, 2, 5, 100] {
            let mut found = Vec::new();
            let mut after = None;
            loop {
                let query = ListTournaments { state, after, limit };
                let page = store.tournaments(query).await.expect("the store works");
                assert!(page.len() <= limit);
                let Some(last) = page.last() else { break };
                after = Some((last.created_ms, last.id));
                found.extend(page.iter().map(|row| row.id.0));
                assert!(found.len() <= expected.len(), "{state:?} by {limit}");
            }
            assert_eq!(found, expected, "{state:?} by {limit}");
        }
    }
}

pub async fn entrants_are_paged_by_number_and_found_by_name(store: &impl Store) {
    let numbers = [0, 1, 2, 5, 300, 70_000, u32::MAX];
    let all: Vec<EntrantRow> = numbers.iter().map(|number| entrant(*number, &format!("a{number}"))).collect();
    let backwards = all.iter().rev().cloned().collect();
    store.create_tournament(tournament(1), backwards, None).await.expect("the store works");
    let other = EntrantRow { joined_ms: 1, ..entrant(5, "a1") };
    store.create_tournament(tournament(2), vec![other.clone()], None).await.expect("the store works");
    for (from, skipped) in [(0, 0), (1, 1), (3, 3), (u32::MAX, 6)] {
        for limit in [0, 1, 3, 100] {
            let expected: Vec<EntrantRow> = all.iter().skip(skipped).take(limit).cloned().collect();
            assert_eq!(store.entrants(TournamentId(1), from, limit).await, Ok(expected));
        }
    }
    let find = async |id, text| store.entrant(TournamentId(id), &name(text)).await;
    assert_eq!(find(1, "a300").await, Ok(Some(all[4].clone())));
    assert_eq!(find(1, "A300").await, Ok(None), "case counts");
    assert_eq!(find(2, "a1").await, Ok(Some(other.clone())), "in another tournament it is another");
    assert_eq!(find(3, "a1").await, Ok(None));
    assert_eq!(field(store, 2).await, [other]);
}

pub async fn what_leaves_a_field_goes_before_what_comes(store: &impl Store) {
    let start = ["a", "b", "c", "d"];
    let entrants = (0..).zip(start).map(|(number, name)| entrant(number, name)).collect();
    store.create_tournament(tournament(1), entrants, None).await.expect("the store works");
    let steps = [
        // Two change names, one leaves and gives its name to a new one.
        (
            EntrantChange { remove: vec![3], put: vec![entrant(0, "b"), entrant(1, "a"), entrant(7, "d")] },
            vec![(0, "b"), (1, "a"), (2, "c"), (7, "d")],
        ),
        // A number is removed and put; one that is not there is removed.
        (
            EntrantChange { remove: vec![0, 99, 0], put: vec![entrant(0, "e")] },
            vec![(0, "e"), (1, "a"), (2, "c"), (7, "d")],
        ),
        // All are numbered anew.
        (
            EntrantChange {
                remove: vec![0, 1, 2, 7],
                put: vec![entrant(2, "a"), entrant(0, "c"), entrant(1, "d")],
            },
            vec![(0, "c"), (1, "d"), (2, "a")],
        ),
    ];
    for (version, (change, expected)) in (0..).zip(steps) {
        let row = TournamentRow { version, ..tournament(1) };
        assert_eq!(store.update_tournament(row, change, None).await, Ok(Updated::Done));
        let found = field(store, 1).await;
        let found: Vec<(u32, &str)> = found.iter().map(|row| (row.number, row.name.as_str())).collect();
        assert_eq!(found, expected);
        for gone in ["a", "b", "c", "d", "e"] {
            let found = store.entrant(TournamentId(1), &name(gone)).await.expect("the store works");
            let wanted = expected.iter().find(|(_, name)| *name == gone);
            assert_eq!(found.map(|row| row.number), wanted.map(|(number, _)| *number), "{gone}");
        }
    }
}

pub async fn a_number_and_a_name_are_one_entrants(store: &impl Store) {
    let twice = [vec![entrant(0, "ann"), entrant(1, "ann")], vec![entrant(0, "ann"), entrant(0, "bob")]];
    for entrants in twice {
        let done = store.create_tournament(tournament(1), entrants.clone(), Some(answered(1, 1))).await;
        assert!(done.is_err(), "{entrants:?}");
        assert_eq!(store.tournament(TournamentId(1)).await, Ok(None));
        assert_eq!(field(store, 1).await, []);
    }
    let start = vec![entrant(0, "ann"), entrant(1, "bob")];
    store.create_tournament(tournament(1), start.clone(), None).await.expect("the store works");
    let wrong = [
        put(vec![entrant(2, "cy"), entrant(3, "bob")]),
        put(vec![entrant(2, "cy"), entrant(1, "ann")]),
        put(vec![entrant(2, "cy"), entrant(2, "dan")]),
        put(vec![entrant(2, "cy"), entrant(3, "cy")]),
        EntrantChange { remove: vec![0], put: vec![entrant(2, "bob")] },
    ];
    for change in wrong {
        let row = TournamentRow { message: "changed".to_owned(), ..tournament(1) };
        let done = store.update_tournament(row, change.clone(), Some(answered(1, 1))).await;
        assert!(done.is_err(), "{change:?}");
        assert_eq!(field(store, 1).await, start);
        assert_eq!(store.tournament(TournamentId(1)).await, Ok(Some(tournament(1))));
        assert_eq!(store.recall(&answered(1, 1).key).await, Ok(None));
    }
}

pub async fn a_field_of_ten_thousand_is_full(store: &impl Store) {
    let most = TournamentRow::MAX_ENTRANTS as u32;
    let all = |count| (0..count).map(|number| entrant(number, &format!("a{number}"))).collect::<Vec<_>>();
    let done = store.create_tournament(tournament(1), all(most + 1), Some(answered(1, 1))).await;
    assert_eq!(done, Err(crate::StoreError::Full));
    assert_eq!(store.tournament(TournamentId(1)).await, Ok(None));
    assert_eq!(store.recall(&answered(1, 1).key).await, Ok(None));
    store.create_tournament(tournament(1), all(most), None).await.expect("the store works");
    let more = |change| store.update_tournament(tournament(1), change, None);
    let new = entrant(most, "new");
    assert_eq!(more(put(vec![new.clone()])).await, Err(crate::StoreError::Full));
    let other = EntrantChange { remove: vec![most + 7], put: vec![new.clone()] };
    assert_eq!(more(other).await, Err(crate::StoreError::Full), "nobody left");
    assert_eq!(store.tournament(TournamentId(1)).await, Ok(Some(tournament(1))));
    let replaced = EntrantChange { remove: vec![1], put: vec![new.clone(), entrant(0, "other")] };
    assert_eq!(more(replaced).await, Ok(Updated::Done));
    let last = store.entrants(TournamentId(1), most - 1, 10).await.expect("the store works");
    assert_eq!(last, [entrant(most - 1, &format!("a{}", most - 1)), new]);
    assert_eq!(field(store, 1).await.len() as u32, most);
    let row = TournamentRow { version: 1, ..tournament(1) };
    let done = store.update_tournament(row, put(vec![entrant(1, "one-more")]), None).await;
    assert_eq!(done, Err(crate::StoreError::Full));
}
