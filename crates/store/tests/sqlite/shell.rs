use chickenfoot_store::conformance::{name, open, over};
use chickenfoot_store::sqlite::check;
use chickenfoot_store::{Journal, ListMatches, Occupant, StoreError};
use rusqlite::{Connection, OpenFlags};

use crate::common::{fill, place, reopen};

#[tokio::test]
async fn plain_sql_reads_who_played_and_how_it_ended() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    let shell = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    let (rules, rounds, digest): (String, u8, String) = shell
        .query_row(
            "SELECT rules, rounds, digest FROM finished_matches WHERE match = ?1",
            [format!("{:032x}", 1)],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .unwrap();
    assert!(rules.starts_with("max_pip=9;players=2"), "{rules}");
    assert_eq!((rounds, digest), (10, "09".repeat(32)));
    let mut statement = shell
        .prepare("SELECT match, entries, ended IS NOT NULL FROM finished_matches ORDER BY match")
        .unwrap();
    let finished: Vec<(String, u32, bool)> = statement
        .query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(|row| row.unwrap())
        .collect();
    let id = |number: u128| format!("{number:032x}");
    assert_eq!(finished, [(id(1), 21, true), (id(4), 0, true)]);
    let mut statement = shell
        .prepare(
            "SELECT match, seat, name || ' ' || score || ' ' || place, late, gone, illegal, strikes, out, think_seconds \
             FROM results ORDER BY match, seat",
        )
        .unwrap();
    type Result = (String, u8, String, [u32; 4], Option<String>, f64);
    let results: Vec<Result> = statement
        .query_map((), |row| {
            let faults = [row.get(3)?, row.get(4)?, row.get(5)?, row.get(6)?];
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, faults, row.get(7)?, row.get(8)?))
        })
        .unwrap()
        .map(|row| row.unwrap())
        .collect();
    let of = |number| {
        let strikes = Some("strikes".to_owned());
        [
            (id(number), 0, "house:greedy 120 2".to_owned(), [3, 1, 5, 6], strikes, 61.25),
            (id(number), 1, "house:greedy 7 1".to_owned(), [0; 4], None, 0.5),
        ]
    };
    assert_eq!(results, [of(1), of(4)].concat());
    let current: (u32, u32, String) = shell
        .query_row(
            "SELECT count(*), sum(entries), max(seats) FROM current_matches WHERE state IN ('open', 'running')",
            (),
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )
        .unwrap();
    assert_eq!(current, (2, 5, "house:greedy, house:greedy".to_owned()));
}

#[tokio::test]
async fn a_row_that_somebody_changed_is_found() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    let mut joined = open(7);
    joined.seats[0].occupant = Some(Occupant::Agent(name("ann")));
    store.create(joined, None).await.unwrap();
    drop(store);
    for change in [
        "UPDATE log SET cause = 2 WHERE position = 3",
        "UPDATE log SET illegal = 0 WHERE position = 3",
        "UPDATE matches SET ended_ms = NULL",
        "UPDATE matches SET bank_us = 0",
        "DELETE FROM log WHERE position = 4",
        "UPDATE matches SET seats = replace(seats, '\"place\":1', '\"place\":3')",
        "DELETE FROM matches WHERE state = 'finished'",
        "DELETE FROM match_agents",
        "DELETE FROM match_seats",
        "UPDATE match_seats SET stage = 'finished'",
        "INSERT INTO match_seats SELECT 'bob', stage, created_ms, match_id, tournament FROM match_seats",
        "UPDATE agents SET role = 'admin'",
        "DELETE FROM requests",
        "DELETE FROM servers",
    ] {
        let copy = path.with_extension("copy");
        std::fs::copy(&path, &copy).unwrap();
        let shell = Connection::open(&copy).unwrap();
        assert!(shell.execute(change, ()).unwrap() > 0, "{change}");
        drop(shell);
        let found = check(&copy);
        assert!(matches!(found, Err(StoreError::Corrupt(_))), "{change}: {found:?}");
    }
}

#[tokio::test]
async fn a_match_that_cannot_be_read_any_more_is_removed_in_its_time() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    for id in [7, 8] {
        let mut played = over(id);
        played.seats[0].occupant = Some(Occupant::Agent(name("ann")));
        store.create(played, None).await.unwrap();
    }
    let of_ann = || store.list(ListMatches { agent: Some(name("ann")), limit: 10, ..ListMatches::default() });
    assert_eq!(of_ann().await.unwrap().len(), 2);
    let shell = Connection::open(&path).unwrap();
    for damage in ["seats = '['", "creator = 'not a name'", "version = version + 1"] {
        let sql = format!("UPDATE matches SET {damage} WHERE id = ?1");
        assert_eq!(shell.execute(&sql, [7_u128.to_be_bytes()]), Ok(1));
    }
    assert!(matches!(of_ann().await, Err(StoreError::Corrupt(_))));
    assert_eq!(store.remove_ended(u64::MAX, 10).await, Ok(2));
    assert_eq!(of_ann().await, Ok(Vec::new()));
    drop((store, shell));
    assert!(check(&path).is_ok(), "nothing of them is left");
}
