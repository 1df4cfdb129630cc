use std::path::{Path, PathBuf};

use chickenfoot_store::conformance::{agent, append, last, open, over, running};
use chickenfoot_store::sqlite::{Examine, Options};
use chickenfoot_store::{
    AbortReason, Agents, Append, Appended, Journal, MatchRow, MatchState, Requests, Sqlite, StoreError,
    Updated,
};
use tempfile::TempDir;

/// A directory that is deleted afterwards, and a path for a store in it.
pub fn place() -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("store.sqlite");
    (directory, path)
}

pub fn everything() -> Options {
    Options { examine: Examine::Everything, ..Options::default() }
}

pub fn reopen(path: &Path) -> Result<Sqlite, StoreError> {
    Sqlite::open(path, &everything())
}

/// The message of a store that does not open.
pub fn refusal(path: &Path) -> StoreError {
    match reopen(path) {
        Ok(_) => panic!("{} was opened", path.display()),
        Err(why) => why,
    }
}

pub async fn one(store: &Sqlite, append: Append) -> Appended {
    store.append(vec![append]).await[0]
}

/// The match 5 of [`fill`].
pub fn expired() -> MatchRow {
    MatchRow { state: MatchState::Aborted(AbortReason::Expired), version: 1, ..open(5) }
}

/// Stores a bit of everything: the matches 1 (over, 21 entries), 2 (running, 5 entries), 3 (open), 4 (over from the
/// beginning) and 5 (never begun), two agents and an answer.
pub async fn fill(store: &Sqlite) {
    store.create(running(1), None).await.unwrap();
    let entries = (0..20).map(|position| append(1, position)).chain([last(1, 20)]);
    store.append(entries.collect()).await;
    store.create(running(2), None).await.unwrap();
    store.append((0..5).map(|position| append(2, position)).collect()).await;
    store.create(open(3), None).await.unwrap();
    store.create(over(4), None).await.unwrap();
    store.create(open(5), None).await.unwrap();
    assert_eq!(store.update(MatchRow { version: 0, ..expired() }, None).await, Ok(Updated::Done));
    for (name, token) in [("ann", 1), ("bob", 2)] {
        assert_eq!(store.create_agent(agent(name, token), None).await, Ok(true));
    }
    let answer = chickenfoot_store::conformance::answered(1, 10);
    store.remember(answer).await.unwrap();
}
