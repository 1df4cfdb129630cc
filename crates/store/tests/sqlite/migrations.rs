use chickenfoot_store::conformance::{
    agent, append, block, block_match, entrant, last, name, open, over, row_of, running, summary, tournament,
};
use chickenfoot_store::sqlite::check;
use chickenfoot_store::{
    Agents, Appended, Journal, MatchId, MatchRow, MatchState, StoreError, TournamentId, Tournaments,
};
use rusqlite::Connection;

use crate::common::{expired, one, place, refusal, reopen};

/// A store as the first version of the schema had it, written by the version of the service that introduced it.
const VERSION_1: &str = include_str!("version_1.sql");

#[tokio::test]
async fn a_file_of_version_1_is_opened_with_all_that_is_in_it() {
    let (_directory, path) = place();
    Connection::open(&path).unwrap().execute_batch(VERSION_1).unwrap();
    let store = reopen(&path).unwrap();
    assert_eq!(store.incarnation().0, 2);
    let played = MatchRow { state: MatchState::Finished, summary: Some(summary()), version: 1, ..running(1) };
    assert_eq!(row_of(&store, MatchId(1)).await, Some(played));
    let log = |id, length| -> Vec<_> { (0..length).map(|position| append(id, position).row).collect() };
    assert_eq!(store.log(MatchId(1), 0).await, Ok(log(1, 21)));
    assert_eq!(row_of(&store, MatchId(2)).await, Some(running(2)));
    assert_eq!(store.log(MatchId(2), 0).await, Ok(log(2, 5)));
    assert_eq!(row_of(&store, MatchId(4)).await, Some(over(4)));
    assert_eq!(row_of(&store, MatchId(5)).await, Some(expired()));
    assert_eq!(one(&store, append(2, 5)).await, Appended::Appended);
    assert_eq!(store.of_agent(&name("bob")).await, Ok(vec![open(3)]));
    assert_eq!(store.agent_by_token(&[1; 32]).await, Ok(Some(agent("ann", 1))));
    let late = MatchRow { spectator_delay: 40, ..running(6) };
    store.create(late.clone(), None).await.unwrap();
    // What is new goes into it as into any other.
    assert_eq!(store.rated(None, 10).await, Ok(Vec::new()));
    store.create_tournament(tournament(1), vec![entrant(0, "ann")], None).await.unwrap();
    let rated = MatchRow { rated: true, ..block_match(1, 0, 0) };
    store.create(rated.clone(), None).await.unwrap();
    assert_eq!(one(&store, last(rated.id.0, 0)).await, Appended::Appended);
    assert_eq!(store.finish_block(block(1, 0)).await, Ok(true));
    drop(store);
    let store = reopen(&path).unwrap();
    assert_eq!(store.blocks(TournamentId(1), 0, 10).await, Ok(vec![block(1, 0)]));
    assert_eq!(store.entrants(TournamentId(1), 0, 10).await, Ok(vec![entrant(0, "ann")]));
    assert_eq!(store.rated(None, 10).await.unwrap()[0].id, rated.id);
    drop(store);
    assert_eq!(reopen(&path).unwrap().row(MatchId(6)).await, Ok(Some(late)));
    assert!(check(&path).is_ok());
}

#[tokio::test]
async fn a_column_that_came_later_is_under_the_checksum_too() {
    for wrong in ["NULL WHERE id = ?1", "40 WHERE id <> ?1"] {
        let (_directory, path) = place();
        let store = reopen(&path).unwrap();
        store.create(MatchRow { spectator_delay: 39, ..running(1) }, None).await.unwrap();
        store.create(running(2), None).await.unwrap();
        drop(store);
        assert!(check(&path).is_ok());
        let sql = format!("UPDATE matches SET spectator_delay = {wrong}");
        let changed = Connection::open(&path).unwrap().execute(&sql, [1_u128.to_be_bytes()]).unwrap();
        assert_eq!(changed, 1);
        assert!(matches!(check(&path), Err(StoreError::Corrupt(_))), "{wrong}");
    }
}

#[test]
fn an_empty_file_becomes_a_store() {
    let (_directory, path) = place();
    std::fs::write(&path, "").unwrap();
    drop(reopen(&path).unwrap());
    assert!(check(&path).is_ok());
}

#[test]
fn a_file_of_a_later_version_is_refused_with_both_versions() {
    let (_directory, path) = place();
    drop(reopen(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    for why in [refusal(&path), check(&path).unwrap_err()] {
        let StoreError::Unavailable(why) = why else {
            panic!("another error: {why}");
        };
        assert!(
            why.contains("newer version") && why.contains("99") && why.contains("up to version 4"),
            "{why}"
        );
    }
}
