use chickenfoot_store::conformance::{answered, append, open, over, running};
use chickenfoot_store::sqlite::{Options, check};
use chickenfoot_store::{Appended, Journal, MatchId, Remembered, Requests, Sqlite, StoreError};

use crate::common::{one, place};

fn filler(number: u32) -> Remembered {
    let mut request = answered(0, 1);
    request.key.id_hash[..4].copy_from_slice(&number.to_be_bytes());
    request.answer = vec![7; 10_000];
    request
}

#[tokio::test]
async fn a_full_disk_loses_nothing_and_work_goes_on_when_there_is_room() {
    let (_directory, path) = place();
    let options = Options { max_bytes: Some(1 << 19), ..Options::default() };
    let store = Sqlite::open(&path, &options).unwrap();
    store.create(running(1), None).await.unwrap();
    let mut stored = 0;
    let why = loop {
        match store.remember(filler(stored)).await {
            Ok(()) => stored += 1,
            Err(why) => break why,
        }
    };
    assert!(matches!(why, StoreError::ReadOnly(_)), "{why}");
    assert_eq!(store.recall(&filler(stored).key).await, Ok(None));
    // The last pages have room for some entries yet.
    let mut position = 0;
    while one(&store, append(1, position)).await == Appended::Appended {
        position += 1;
        assert!(position < 10_000);
    }
    assert_eq!(one(&store, append(1, position)).await, Appended::Unknown);
    let log = store.log(MatchId(1), 0).await.unwrap();
    assert_eq!(log.len() as u32, position);
    assert!(store.stats().failures >= 3);
    // Reading goes on, and so does everything once there is room.
    assert!(store.recall(&filler(stored - 1).key).await.unwrap().is_some());
    store.forget(u64::MAX).await.unwrap();
    assert_eq!(one(&store, append(1, position)).await, Appended::Appended);
    store.remember(filler(stored)).await.unwrap();
    drop(store);
    let found = check(&path).unwrap();
    assert_eq!((found.entries, found.requests), (u64::from(position) + 1, 1));
}

#[tokio::test]
async fn a_store_refuses_more_matches_than_it_may_have() {
    let (_directory, path) = place();
    let options = Options { max_live: 2, ..Options::default() };
    let store = Sqlite::open(&path, &options).unwrap();
    store.create(running(1), None).await.unwrap();
    store.create(open(2), None).await.unwrap();
    assert_eq!(store.create(open(3), None).await, Err(StoreError::Full));
    assert_eq!(store.create(over(4), None).await, Ok(()), "it is over");
    let ended = one(&store, chickenfoot_store::conformance::last(1, 0)).await;
    assert_eq!(ended, Appended::Appended);
    assert_eq!(store.create(open(3), None).await, Ok(()));
}

#[tokio::test]
async fn a_call_that_cannot_be_carried_out_takes_no_other_with_it() {
    let (_directory, path) = place();
    let store = Sqlite::open(&path, &Options::default()).unwrap();
    store.create(running(1), None).await.unwrap();
    let mut impossible = running(2);
    impossible.created_ms = u64::MAX;
    // The calls wait together while the first commit is on its way.
    let (first, refused, second) =
        tokio::join!(one(&store, append(1, 0)), store.create(impossible, None), one(&store, append(1, 1)),);
    assert_eq!((first, second), (Appended::Appended, Appended::Appended));
    assert!(matches!(refused, Err(StoreError::Unavailable(_))));
    assert_eq!(store.log(MatchId(1), 0).await.unwrap().len(), 2);
}

/// `mount -t tmpfs -o size=2m tmpfs /some/where`, and `SMALL_DISK=/some/where cargo test small_disk`. Without one there is
/// nothing to fill: the trial `disk` of the crate `e2e` makes one where it may.
#[tokio::test]
async fn a_small_disk_that_is_full_loses_nothing_and_work_goes_on_when_there_is_room() {
    let Some(place) = std::env::var_os("SMALL_DISK").map(std::path::PathBuf::from) else { return };
    let path = place.join("store.sqlite");
    let ballast = place.join("ballast");
    std::fs::write(&ballast, vec![1; 1 << 20]).unwrap();
    let store = Sqlite::open(&path, &Options::default()).unwrap();
    store.create(running(1), None).await.unwrap();
    let mut position = 0;
    while one(&store, append(1, position)).await == Appended::Appended {
        position += 1;
        assert!(position < 10_000);
    }
    assert_eq!(one(&store, append(1, position)).await, Appended::Unknown);
    println!("full after {position} entries: {:?}", store.create(open(2), None).await);
    assert_eq!(store.log(MatchId(1), 0).await.unwrap().len() as u32, position);
    std::fs::remove_file(&ballast).unwrap();
    let answer = one(&store, append(1, position)).await;
    assert_eq!(answer, Appended::Appended);
    drop(store);
    assert_eq!(check(&path).unwrap().entries, u64::from(position) + 1);
    let store = Sqlite::open(&path, &Options::default()).unwrap();
    assert_eq!(one(&store, append(1, position)).await, Appended::Duplicate);
    drop(store);
    for file in ["store.sqlite", "store.sqlite.lock"] {
        std::fs::remove_file(place.join(file)).unwrap();
    }
}
