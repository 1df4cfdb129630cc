//! The laws of matches that belong to a block or count for a rating.

use super::*;

pub async fn a_match_keeps_its_block_and_its_rating(store: &impl Store) {
    let mut row = MatchRow { rated: true, state: MatchState::Open, ..block_match(u128::MAX >> 32, 0, 0) };
    let link = row.block.as_mut().expect("it belongs to a block");
    (link.number, link.game, link.contributors) = (u32::MAX, u16::MAX, Vec::new());
    store.create(row.clone(), None).await.expect("the store works");
    assert_eq!(store.row(row.id).await, Ok(Some(row.clone())));
    row.state = MatchState::Running;
    row.block = block_match(2, 7, 5).block;
    assert_eq!(store.update(row.clone(), None).await, Ok(Updated::Done));
    row.version = 1;
    assert_eq!(store.row(row.id).await, Ok(Some(row.clone())), "it may come to another block");
    assert_eq!((sealed(store, u128::MAX >> 32).await, sealed(store, 2).await), (vec![], vec![row.id]));
    assert_eq!(one(store, last(row.id.0, 0)).await, Appended::Appended);
    let ended = MatchRow { state: MatchState::Finished, summary: Some(summary()), version: 2, ..row.clone() };
    assert_eq!(row_of(store, row.id).await, Some(ended));
}

pub async fn when_a_match_ended_is_the_stores_to_note(store: &impl Store) {
    let wrong = Some(5);
    let ended = async |id| {
        let row = store.row(MatchId(id)).await.expect("the store works").expect("it was created");
        row.ended_ms
    };
    store.create(MatchRow { ended_ms: wrong, ..over(1) }, None).await.expect("the store works");
    store.create(MatchRow { ended_ms: wrong, ..open(2) }, None).await.expect("the store works");
    assert_eq!(ended(2).await, None);
    let update = MatchRow { ended_ms: wrong, ..open(2) };
    assert_eq!(store.update(update, None).await, Ok(Updated::Done));
    assert_eq!(ended(2).await, None);
    let aborted =
        MatchRow { state: MatchState::Aborted(AbortReason::Creator), version: 1, ended_ms: wrong, ..open(2) };
    assert_eq!(store.update(aborted, None).await, Ok(Updated::Done));
    store.create(running(3), None).await.expect("the store works");
    assert_eq!(one(store, append(3, 0)).await, Appended::Appended);
    assert_eq!(ended(3).await, None);
    assert_eq!(one(store, last(3, 1)).await, Appended::Appended);
    for id in 1..4 {
        // Any time after these laws were written.
        assert!(ended(id).await.is_some_and(|ms| ms > 1_700_000_000_000), "match {id}");
    }
    let before = ended(3).await;
    assert_eq!(store.unseal(vec![MatchId(3)]).await, Ok(()));
    assert_eq!(ended(3).await, before);
}

pub async fn rated_matches_come_in_the_order_of_their_ends_and_none_is_missed(store: &impl Store) {
    let mut seen: Vec<(u64, MatchId)> = Vec::new();
    let mut expected: Vec<u128> = Vec::new();
    for step in 0..10_u128 {
        // Ids run backwards, so that only the times make the order.
        let id = |kind: u128| 10_000 - step * 100 - kind;
        let rated = |id| MatchRow { rated: true, ..running(id) };
        let appended = [id(0), id(1), id(2), id(3)];
        for id in appended {
            store.create(rated(id), None).await.expect("the store works");
        }
        store.create(running(id(4)), None).await.expect("the store works");
        let mut aborted = last(id(3), 0);
        aborted.end = Some((MatchState::Aborted(AbortReason::ServerFault), summary()));
        let batch = vec![last(id(0), 0), last(id(1), 0), append(id(2), 0), aborted, last(id(4), 0)];
        assert_eq!(store.append(batch).await, [Appended::Appended; 5]);
        let created = MatchRow { rated: true, ..over(id(5)) };
        store.create(created, None).await.expect("the store works");
        store.create(MatchRow { rated: true, ..open(id(6)) }, None).await.expect("the store works");
        let updated =
            MatchRow { rated: true, state: MatchState::Finished, summary: Some(summary()), ..open(id(6)) };
        assert_eq!(store.update(updated, None).await, Ok(Updated::Done));
        expected.extend([id(0), id(1), id(5), id(6)]);
        // A reader that goes on where it stopped.
        let limit = if step % 2 == 0 { 3 } else { 100 };
        loop {
            let page = store.rated(seen.last().copied(), limit).await.expect("the store works");
            assert!(page.len() <= limit);
            if page.is_empty() {
                break;
            }
            seen.extend(page.iter().map(|row| (row.ended_ms.unwrap_or_default(), row.id)));
            assert!(seen.windows(2).all(|pair| pair[0].0 < pair[1].0), "no two end at the same time");
        }
        let found: Vec<u128> = seen.iter().map(|(_, id)| id.0).collect();
        assert_eq!(found, expected);
    }
    assert_eq!(store.rated(None, 0).await, Ok(Vec::new()));
    let first = store.rated(None, 1).await.expect("the store works");
    let played = MatchRow {
        state: MatchState::Finished,
        summary: Some(summary()),
        rated: true,
        version: 1,
        ..running(10_000)
    };
    assert_eq!(first.into_iter().map(without_end).collect::<Vec<_>>(), [played]);
}

pub async fn a_rated_match_stays_in_its_place_when_its_seal_is_opened(store: &impl Store) {
    let rows = [block_match(1, 0, 0), block_match(1, 0, 1)].map(|row| MatchRow { rated: true, ..row });
    for row in &rows {
        store.create(row.clone(), None).await.expect("the store works");
        assert_eq!(one(store, last(row.id.0, 0)).await, Appended::Appended);
    }
    let before = store.rated(None, 10).await.expect("the store works");
    assert_eq!(before.len(), 2);
    assert_eq!(store.unseal(vec![rows[0].id]).await, Ok(()));
    let expected = vec![unsealed(&before[0]), before[1].clone()];
    assert_eq!(store.rated(None, 10).await, Ok(expected));
}
