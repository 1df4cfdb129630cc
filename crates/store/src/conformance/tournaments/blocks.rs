//! The laws of blocks and of the seals of their matches.

use super::*;

pub async fn the_first_block_of_a_number_stays(store: &impl Store) {
    store.create_tournament(tournament(1), Vec::new(), None).await.expect("the store works");
    let mut first = block(1, 3);
    first.outcome.absent = vec![4, u32::MAX];
    first.outcome.attempt = u32::MAX;
    assert_eq!(store.finish_block(first.clone()).await, Ok(true));
    assert_eq!(store.finish_block(first.clone()).await, Ok(false));
    let late = block_match(1, 3, 9);
    store.create(late.clone(), None).await.expect("the store works");
    let mut second = block(1, 3);
    second.outcome.matches = vec![played(late.id)];
    assert_eq!(store.finish_block(second).await, Ok(false));
    assert_eq!(store.blocks(TournamentId(1), 0, 10).await, Ok(vec![first]));
    assert_eq!(store.row(late.id).await, Ok(Some(late)), "it is sealed as before");
}

pub async fn of_competing_blocks_one_wins(store: &impl Store) {
    store.create_tournament(tournament(1), Vec::new(), None).await.expect("the store works");
    for number in 0..5 {
        let rivals = (0..8).map(|rival| {
            let mut row = block(1, number);
            row.outcome.table = rival;
            store.finish_block(row)
        });
        let answers = join_all(rivals).await;
        let won = answers.iter().position(|answer| *answer == Ok(true)).expect("one wins");
        assert_eq!(answers.iter().filter(|answer| **answer == Ok(false)).count(), 7);
        let stored = store.blocks(TournamentId(1), number, 1).await.expect("the store works");
        assert_eq!(stored[0].outcome.table, won as u32);
    }
}

pub async fn blocks_are_paged_by_number(store: &impl Store) {
    let none = BlockOutcome { matches: Vec::new(), ..block(1, 0).outcome };
    let empty = |id, number| BlockRow { outcome: none.clone(), ..block(id, number) };
    let numbers = [0, 1, 2, 5, 300, 70_000, u32::MAX];
    for id in [1, 2] {
        store.create_tournament(tournament(id), Vec::new(), None).await.expect("the store works");
    }
    for number in numbers.into_iter().rev() {
        assert_eq!(store.finish_block(empty(1, number)).await, Ok(true));
    }
    assert_eq!(store.finish_block(empty(2, 5)).await, Ok(true));
    for (from, skipped) in [(0, 0), (1, 1), (3, 3), (u32::MAX, 6)] {
        for limit in [0, 1, 3, 100] {
            let expected = numbers.iter().skip(skipped).take(limit).map(|number| empty(1, *number));
            let expected: Vec<BlockRow> = expected.collect();
            assert_eq!(store.blocks(TournamentId(1), from, limit).await, Ok(expected));
        }
    }
    assert_eq!(store.blocks(TournamentId(2), 0, 100).await, Ok(vec![empty(2, 5)]));
}

pub async fn a_block_opens_the_seals_of_its_matches_and_of_no_others(store: &impl Store) {
    store.create_tournament(tournament(1), Vec::new(), None).await.expect("the store works");
    let own = [block_match(1, 3, 0), block_match(1, 3, 1)];
    let others = [block_match(1, 3, 2), block_match(1, 4, 0), block_match(2, 3, 0)];
    for row in own.iter().chain(&others) {
        store.create(row.clone(), None).await.expect("the store works");
    }
    assert_eq!(one(store, last(own[0].id.0, 0)).await, Appended::Appended);
    let mut row = block(1, 3);
    row.outcome.matches.insert(1, played(MatchId(77)));
    row.outcome.matches.push(played(own[0].id));
    assert_eq!(store.finish_block(row).await, Ok(true), "a match that is not there does no harm");
    let ended =
        MatchRow { state: MatchState::Finished, summary: Some(summary()), version: 1, ..own[0].clone() };
    assert_eq!(row_of(store, own[0].id).await, Some(unsealed(&ended)), "opened once");
    assert_eq!(row_of(store, own[1].id).await, Some(unsealed(&own[1])));
    for row in others {
        assert_eq!(row_of(store, row.id).await, Some(row));
    }
    let id = own[1].id.0;
    assert_eq!(one(store, append(id, 0)).await, Appended::Appended, "it goes on");
    assert_eq!(one(store, last(id, 1)).await, Appended::Appended);
    let ended = row_of(store, own[1].id).await.expect("it was created");
    assert_eq!((ended.version, ended.is_open_to_all()), (2, true));
}

pub async fn a_block_that_is_refused_opens_nothing(store: &impl Store) {
    let own = block_match(1, 3, 0);
    let strangers =
        [block_match(1, 4, 1), block_match(2, 3, 1), MatchRow { block: None, ..block_match(3, 3, 1) }];
    for row in strangers.iter().chain([&own]) {
        store.create(row.clone(), None).await.expect("the store works");
    }
    assert!(store.finish_block(block(1, 3)).await.is_err(), "there is no such tournament");
    store.create_tournament(tournament(1), Vec::new(), None).await.expect("the store works");
    for stranger in &strangers {
        let mut row = block(1, 3);
        row.outcome.matches = vec![played(own.id), played(stranger.id)];
        assert!(store.finish_block(row).await.is_err());
    }
    assert_eq!(store.blocks(TournamentId(1), 0, 10).await, Ok(Vec::new()));
    for row in strangers.into_iter().chain([own]) {
        assert_eq!(store.row(row.id).await, Ok(Some(row)));
    }
}

pub async fn seals_are_opened_without_a_block(store: &impl Store) {
    let sealed = [block_match(1, 0, 0), block_match(1, 0, 1), block_match(2, 0, 0)];
    for row in &sealed {
        store.create(row.clone(), None).await.expect("the store works");
    }
    store.create(running(7), None).await.expect("the store works");
    let ids = vec![MatchId(7), MatchId(8), sealed[0].id, sealed[2].id, sealed[0].id];
    for _ in 0..2 {
        assert_eq!(store.unseal(ids.clone()).await, Ok(()));
        assert_eq!(store.row(sealed[0].id).await, Ok(Some(unsealed(&sealed[0]))), "opened once");
        assert_eq!(store.row(sealed[1].id).await, Ok(Some(sealed[1].clone())));
        assert_eq!(store.row(sealed[2].id).await, Ok(Some(unsealed(&sealed[2]))));
        assert_eq!(store.row(MatchId(7)).await, Ok(Some(running(7))));
    }
}

pub async fn sealed_matches_are_listed_until_they_are_opened(store: &impl Store) {
    let ids = |rows: &[MatchRow]| rows.iter().map(|row| row.id).collect::<Vec<_>>();
    let mut rows: Vec<MatchRow> =
        (0..6).map(|number| block_match(1, number / 2, (number % 2) as u16)).collect();
    rows[2] = MatchRow { state: MatchState::Open, ..rows[2].clone() };
    rows[5] = MatchRow { state: MatchState::Finished, summary: Some(summary()), ..rows[5].clone() };
    for row in rows.iter().rev() {
        store.create(row.clone(), None).await.expect("the store works");
    }
    store.create(running(1), None).await.expect("the store works");
    let other = block_match(2, 0, 0);
    store.create(other.clone(), None).await.expect("the store works");
    assert_eq!(sealed(store, 1).await, ids(&rows));
    assert_eq!(sealed(store, 2).await, [other.id]);
    assert_eq!(sealed(store, 3).await, []);
    for limit in [1, 4, 6, 7] {
        let mut found: Vec<MatchRow> = Vec::new();
        loop {
            let after = found.last().map(|row| row.id);
            let page = store.sealed(TournamentId(1), after, limit).await.expect("the store works");
            assert!(page.len() <= limit);
            if page.is_empty() {
                break;
            }
            found.extend(page.into_iter().map(without_end));
            assert!(found.len() <= rows.len(), "by {limit}");
        }
        assert_eq!(found, rows, "by {limit}");
    }
    assert_eq!(one(store, last(rows[0].id.0, 0)).await, Appended::Appended);
    let aborted = MatchState::Aborted(AbortReason::Creator);
    let update = MatchRow { state: aborted, ..rows[2].clone() };
    assert_eq!(store.update(update, None).await, Ok(Updated::Done));
    assert_eq!(sealed(store, 1).await, ids(&rows), "the end of a match is not that of the block");
    store.create_tournament(tournament(1), Vec::new(), None).await.expect("the store works");
    assert_eq!(store.finish_block(block(1, 0)).await, Ok(true));
    assert_eq!(sealed(store, 1).await, ids(&rows[2..]));
    assert_eq!(store.unseal(vec![rows[5].id, rows[3].id]).await, Ok(()));
    assert_eq!(sealed(store, 1).await, [rows[2].id, rows[4].id]);
}

pub async fn an_update_from_before_a_seal_was_opened_does_not_close_it_again(store: &impl Store) {
    let row = MatchRow { state: MatchState::Open, ..block_match(1, 0, 0) };
    store.create(row.clone(), None).await.expect("the store works");
    assert_eq!(store.unseal(vec![row.id]).await, Ok(()));
    assert_eq!(store.update(row.clone(), None).await, Ok(Updated::Conflict));
    assert_eq!(store.row(row.id).await, Ok(Some(unsealed(&row))));
}
