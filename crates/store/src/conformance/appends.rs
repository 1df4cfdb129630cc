use futures_util::future::join_all;

use super::samples::{CAUSES, WRITER, append, last, open, row_of, running, summary};
use super::{Store, assert_log, one};
use crate::{Append, Appended, EntryId, Incarnation, LogRow, MatchId, MatchRow, MatchState};

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
