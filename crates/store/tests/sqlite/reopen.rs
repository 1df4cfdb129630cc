use std::sync::Arc;

use chickenfoot_store::conformance::{answered, append, last, open, over, row_of, running, summary};
use chickenfoot_store::sqlite::{Report, backup, check};
use chickenfoot_store::{
    Agents, Appended, Incarnation, Journal, MatchId, MatchRow, MatchState, Requests, Sqlite, StoreError,
};

use crate::common::{expired, fill, one, place, refusal, reopen};

async fn assert_filled(store: &Sqlite) {
    let played = MatchRow { state: MatchState::Finished, summary: Some(summary()), version: 1, ..running(1) };
    assert_eq!(row_of(store, MatchId(1)).await, Some(played));
    assert_eq!(row_of(store, MatchId(2)).await, Some(running(2)));
    assert_eq!(row_of(store, MatchId(3)).await, Some(open(3)));
    assert_eq!(row_of(store, MatchId(4)).await, Some(over(4)));
    assert_eq!(row_of(store, MatchId(5)).await, Some(expired()));
    for (id, length) in [(1, 21), (2, 5), (3, 0), (4, 0), (5, 0)] {
        let expected = (0..length).map(|position| append(id, position).row).collect();
        assert_eq!(store.log(MatchId(id), 0).await, Ok(expected));
    }
    assert_eq!(store.agents(None, 10).await.unwrap().len(), 2);
    assert_eq!(store.recall(&answered(1, 10).key).await, Ok(Some(answered(1, 10))));
}

const FILLED: Report = Report {
    agents: 2,
    live: 2,
    over: 3,
    entries: 5,
    requests: 1,
    tournaments: 0,
    entrants: 0,
    blocks: 0,
    servers: 1,
};

#[tokio::test]
async fn all_is_there_after_a_restart() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    drop(store);
    assert!(!path.with_extension("sqlite-wal").exists(), "a clean end leaves one file");
    assert_eq!(check(&path), Ok(FILLED));
    let store = reopen(&path).unwrap();
    assert_filled(&store).await;
}

#[tokio::test]
async fn all_is_there_after_a_crash() {
    let (directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    // What the disk would have if the process were gone now.
    let crashed = directory.path().join("crashed.sqlite");
    std::fs::copy(&path, &crashed).unwrap();
    std::fs::copy(path.with_extension("sqlite-wal"), crashed.with_extension("sqlite-wal")).unwrap();
    let store = reopen(&crashed).unwrap();
    assert_filled(&store).await;
}

#[tokio::test]
async fn every_start_is_another_incarnation_and_earlier_ones_are_fenced() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    assert_eq!(store.incarnation(), Incarnation(1));
    store.create(running(1), None).await.unwrap();
    let by = |writer, position| {
        let mut append = append(1, position);
        append.writer = writer;
        append
    };
    assert_eq!(one(&store, by(Incarnation(1), 0)).await, Appended::Appended);
    drop(store);
    let store = reopen(&path).unwrap();
    assert_eq!(store.incarnation(), Incarnation(2));
    assert_eq!(one(&store, by(Incarnation(1), 1)).await, Appended::Fenced);
    assert_eq!(one(&store, by(Incarnation(2), 0)).await, Appended::Duplicate);
    assert_eq!(one(&store, by(Incarnation(2), 1)).await, Appended::Appended);
}

#[tokio::test]
async fn repeated_appends_are_known_after_a_restart() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    drop(store);
    let store = reopen(&path).unwrap();
    assert_eq!(one(&store, last(1, 20)).await, Appended::Duplicate);
    assert_eq!(one(&store, append(1, 19)).await, Appended::Conflict, "only the last id is kept");
    assert_eq!(one(&store, append(2, 4)).await, Appended::Duplicate);
    assert_eq!(one(&store, append(2, 1)).await, Appended::Duplicate);
    assert_eq!(one(&store, append(2, 5)).await, Appended::Appended);
}

#[tokio::test]
async fn a_backup_is_a_store_and_overwrites_nothing() {
    let (directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    let copy = directory.path().join("copy.sqlite");
    assert_eq!(store.backup(&copy).await, Ok(()));
    assert!(matches!(store.backup(&copy).await, Err(StoreError::Unavailable(_))));
    assert_eq!(check(&copy), Ok(FILLED));
    assert!(matches!(store.backup(&path).await, Err(StoreError::Unavailable(_))));
    assert_filled(&reopen(&copy).unwrap()).await;
    assert_eq!(check(&path), Ok(FILLED), "a store is examined and copied while it is used");
    assert_eq!(backup(&path, directory.path().join("second.sqlite")), Ok(()));
    let nowhere = directory.path().join("nowhere");
    assert!(backup(&nowhere, directory.path().join("third.sqlite")).is_err());
    assert!(!nowhere.exists());
}

#[tokio::test]
async fn a_second_server_is_refused_until_the_first_is_gone() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    let StoreError::Unavailable(why) = refusal(&path) else {
        panic!("another error");
    };
    let expected = format!("is in use by another server (pid {})", std::process::id());
    assert!(why.contains(&expected), "{why}");
    drop(store);
    assert!(reopen(&path).is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_tasks_share_transactions() {
    let (_directory, path) = place();
    let store = Arc::new(reopen(&path).unwrap());
    let mut tasks = tokio::task::JoinSet::new();
    for id in 0..32 {
        store.create(running(id), None).await.unwrap();
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            for position in 0..50 {
                assert_eq!(one(&store, append(id, position)).await, Appended::Appended);
            }
            assert_eq!(one(&store, last(id, 50)).await, Appended::Appended);
        });
    }
    tasks.join_all().await;
    let stats = store.stats();
    assert_eq!((stats.appended, stats.failures), (32 * 51, 0));
    assert!(stats.largest_group > 1, "{stats:?}");
    assert_eq!(stats.commit_times.iter().sum::<u64>(), stats.commits);
    drop(store);
    let found = check(&path).unwrap();
    assert_eq!((found.over, found.live, found.entries), (32, 0, 0));
}
