use std::sync::Arc;

use chickenfoot_store::conformance::{block, block_match, entrant, last, row_of, running, tournament};
use chickenfoot_store::sqlite::{Examine, Options, check};
use chickenfoot_store::{
    Appended, EntrantChange, EntrantRow, EntrantState, Journal, MatchRow, Occupant, Sqlite, StoreError,
    TournamentId, TournamentRow, TournamentState, Tournaments, Updated,
};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, OpenFlags};

use crate::common::{one, place, reopen};

fn field() -> Vec<EntrantRow> {
    let house = Occupant::House("greedy".to_owned());
    vec![
        entrant(0, "ann"),
        EntrantRow { who: house, ..entrant(1, "steady") },
        EntrantRow { state: EntrantState::Withdrawn, until_stage: Some(2), ..entrant(2, "cy") },
    ]
}

/// Of the tournament 1 the blocks 0 and 1 are over, of block 2 a match is over and one runs; the tournament 2 is over.
async fn fill(store: &Sqlite) {
    let before = vec![entrant(0, "ann"), entrant(1, "bob"), entrant(5, "dan")];
    store.create_tournament(tournament(1), before, None).await.unwrap();
    let entrants = EntrantChange { remove: vec![5, 6], put: field().split_off(1) };
    assert_eq!(store.update_tournament(tournament(1), entrants, None).await, Ok(Updated::Done));
    for number in 0..3 {
        for game in 0..2 {
            let row = MatchRow { rated: true, ..block_match(1, number, game) };
            store.create(row.clone(), None).await.unwrap();
            if (number, game) != (2, 1) {
                assert_eq!(one(store, last(row.id.0, 0)).await, Appended::Appended);
            }
        }
    }
    for number in 0..2 {
        let mut row = block(1, number);
        row.outcome.absent = vec![2, 0];
        assert_eq!(store.finish_block(row).await, Ok(true));
    }
    let over = TournamentRow { state: TournamentState::Cancelled, ..tournament(2) };
    store.create_tournament(over, vec![entrant(0, "ann")], None).await.unwrap();
}

async fn assert_filled(store: &Sqlite) {
    let cup = TournamentId(1);
    let row = TournamentRow { version: 1, ..tournament(1) };
    assert_eq!(store.tournament(cup).await, Ok(Some(row)));
    assert_eq!(store.entrants(cup, 0, 10).await, Ok(field()));
    let blocks = store.blocks(cup, 0, 10).await.unwrap();
    assert_eq!(blocks.iter().map(|block| block.number).collect::<Vec<_>>(), [0, 1]);
    assert_eq!(blocks[1].outcome.matches, block(1, 1).outcome.matches);
    let rated = store.rated(None, 10).await.unwrap();
    assert_eq!(
        rated.iter().map(|row| row.is_open_to_all()).collect::<Vec<_>>(),
        [true, true, true, true, false]
    );
    let running = MatchRow { rated: true, ..block_match(1, 2, 1) };
    assert_eq!(row_of(store, running.id).await, Some(running.clone()));
    let sealed = store.sealed(cup, None, 10).await.unwrap();
    assert_eq!(sealed, [rated[4].clone(), running]);
}

#[tokio::test]
async fn a_tournament_is_there_after_a_restart_after_a_crash_and_in_a_backup() {
    let (directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    let crashed = directory.path().join("crashed.sqlite");
    std::fs::copy(&path, &crashed).unwrap();
    std::fs::copy(path.with_extension("sqlite-wal"), crashed.with_extension("sqlite-wal")).unwrap();
    let copy = directory.path().join("copy.sqlite");
    store.backup(&copy).await.unwrap();
    drop(store);
    for path in [path, crashed, copy] {
        assert_filled(&reopen(&path).unwrap()).await;
        let found = check(&path).unwrap();
        assert_eq!((found.tournaments, found.entrants, found.blocks), (2, 4, 2));
        assert_eq!((found.live, found.over), (1, 5));
    }
}

#[tokio::test]
async fn a_block_and_its_seals_are_one_transaction() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    let before = store.stats().commits;
    assert_eq!(store.finish_block(block(1, 2)).await, Ok(true));
    assert_eq!(store.stats().commits, before + 1);
    assert_eq!(store.sealed(TournamentId(1), None, 10).await, Ok(Vec::new()));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn blocks_that_end_at_once_share_transactions_with_entries() {
    let (_directory, path) = place();
    let store = Arc::new(reopen(&path).unwrap());
    store.create_tournament(tournament(1), Vec::new(), None).await.unwrap();
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..32 {
        let store = Arc::clone(&store);
        tasks.spawn(async move {
            for number in (0..10).map(|round| task * 10 + round) {
                let row = block_match(1, number, 0);
                store.create(row.clone(), None).await.unwrap();
                assert_eq!(one(&store, last(row.id.0, 0)).await, Appended::Appended);
                assert_eq!(store.finish_block(block(1, number)).await, Ok(true));
            }
        });
    }
    tasks.join_all().await;
    let stats = store.stats();
    assert_eq!((stats.appended, stats.failures), (320, 0));
    assert!(stats.commits < stats.calls, "{stats:?}");
    assert_eq!(store.sealed(TournamentId(1), None, 10).await, Ok(Vec::new()));
    drop(store);
    assert_eq!(check(&path).unwrap().blocks, 320);
}

#[tokio::test]
async fn a_store_refuses_more_tournaments_than_it_may_have() {
    let (_directory, path) = place();
    let options = Options { max_tournaments: 2, ..Options::default() };
    let store = Sqlite::open(&path, &options).unwrap();
    let create = |id, state| {
        store.create_tournament(TournamentRow { state, ..tournament(id) }, vec![entrant(0, "ann")], None)
    };
    create(1, TournamentState::Paused).await.unwrap();
    create(2, TournamentState::Running).await.unwrap();
    assert_eq!(create(3, TournamentState::Open).await, Err(StoreError::Full));
    assert_eq!(store.entrants(TournamentId(3), 0, 1).await, Ok(Vec::new()));
    assert_eq!(create(4, TournamentState::Finished).await, Ok(()), "it is over");
    let ended = TournamentRow { state: TournamentState::Finished, ..tournament(1) };
    assert_eq!(store.update_tournament(ended, EntrantChange::default(), None).await, Ok(Updated::Done));
    assert_eq!(create(3, TournamentState::Open).await, Ok(()));
}

#[tokio::test]
async fn plain_sql_reads_who_entered_and_how_the_blocks_ended() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    let shell = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).unwrap();
    // Every value as text, and NULL as a dash.
    let ask = |sql: &str| -> Vec<String> {
        let mut statement = shell.prepare(sql).unwrap();
        let columns = statement.column_count();
        let line = |row: &rusqlite::Row<'_>| {
            let text = |column| match row.get_ref(column)? {
                ValueRef::Null => Ok("-".to_owned()),
                ValueRef::Integer(number) => Ok(number.to_string()),
                _ => row.get::<_, String>(column),
            };
            (0..columns).map(text).collect::<Result<Vec<_>, _>>().map(|texts| texts.join(" "))
        };
        statement.query_map((), line).unwrap().map(|line| line.unwrap()).collect()
    };
    let (cup, other) = (format!("{:032x}", 1), format!("{:032x}", 2));
    assert_eq!(
        ask(
            "SELECT tournament, name, creator, state, entrants, blocks FROM tournament_list ORDER BY tournament"
        ),
        [format!("{cup} Cup 1 ann open 3 2"), format!("{other} Cup 2 ann cancelled 1 0")]
    );
    assert_eq!(
        ask("SELECT number, name, who, state, joined, until_stage FROM tournament_entrants \
            WHERE tournament = printf('%032x', 1) ORDER BY number"),
        [
            "0 ann ann entered 2023-11-14 22:13:20 -",
            "1 steady house:greedy entered 2023-11-14 22:13:20 -",
            "2 cy cy withdrawn 2023-11-14 22:13:20 2",
        ]
    );
    assert_eq!(
        ask(
            "SELECT block, stage, \"table\", attempt, ended, matches, absent, deal_id FROM tournament_blocks \
            ORDER BY block"
        ),
        [
            "0 1 0 0 2023-11-14 22:15:00 2 cy, ann deal of block 0",
            "1 1 1 0 2023-11-14 22:15:00 2 cy, ann deal of block 1",
        ]
    );
    let result = |game: u16| {
        let id = block_match(1, 1, game).id;
        [format!("{game} {id} 0 steady 120 2 0 6"), format!("{game} {id} 1 ann 7 1 3 0")]
    };
    assert_eq!(
        ask("SELECT game, match, seat, name, score, place, clean_rounds, strikes FROM block_results \
            WHERE block = 1 ORDER BY game, seat"),
        [result(0), result(1)].concat()
    );
    assert_eq!(
        ask("SELECT tournament, block, game, rated, seed IS NULL, deal_id IS NULL FROM finished_matches \
            WHERE block > 0 ORDER BY match"),
        [format!("{cup} 1 0 1 0 0"), format!("{cup} 1 1 1 0 0"), format!("{cup} 2 0 1 1 1")],
        "the deal of a block that goes on is a secret"
    );
    assert_eq!(ask("SELECT tournament, block, game FROM current_matches"), [format!("{cup} 2 1")]);
    assert_eq!(ask("SELECT DISTINCT tournament, block FROM results WHERE block = 2"), [format!("{cup} 2")]);
}

#[tokio::test]
async fn a_row_of_a_tournament_that_somebody_changed_is_found() {
    let (_directory, path) = place();
    let store = reopen(&path).unwrap();
    fill(&store).await;
    store.create(MatchRow { rated: true, ..running(7) }, None).await.unwrap();
    drop(store);
    for change in [
        "UPDATE tournaments SET seed = zeroblob(32) WHERE state = 'open'",
        "UPDATE tournaments SET begun = 1 WHERE state = 'open'",
        "DELETE FROM tournaments WHERE state = 'cancelled'",
        "UPDATE entrants SET who = 'ann' WHERE number = 1",
        "UPDATE entrants SET position = 0 WHERE number = 1",
        "DELETE FROM entrants WHERE number = 2",
        "UPDATE blocks SET outcome = replace(outcome, '120', '20') WHERE number = 1",
        "DELETE FROM blocks WHERE number = 1",
        "UPDATE blocks SET number = 7 WHERE number = 1",
        "UPDATE matches SET sealed = 0 WHERE sealed AND state = 'running'",
        "UPDATE matches SET sealed = NULL WHERE sealed AND state = 'running'",
        "UPDATE matches SET rated = NULL WHERE sealed AND state = 'running'",
        "UPDATE matches SET block = rated, rated = NULL WHERE tournament IS NULL",
        "UPDATE matches SET tournament = zeroblob(16) WHERE sealed AND state = 'running'",
        "UPDATE matches SET block = 0 WHERE sealed AND state = 'running'",
        "UPDATE matches SET game = 0 WHERE sealed AND state = 'running'",
        "UPDATE matches SET contributors = '[]' WHERE sealed AND state = 'running'",
    ] {
        let copy = path.with_extension("copy");
        std::fs::copy(&path, &copy).unwrap();
        let shell = Connection::open(&copy).unwrap();
        assert!(shell.execute(change, ()).unwrap() > 0, "{change}");
        drop(shell);
        let found = check(&copy);
        assert!(matches!(found, Err(StoreError::Corrupt(_))), "{change}: {found:?}");
        // Nothing of it is a match that is over, so every start finds it too.
        let options = Options { examine: Examine::Live, ..Options::default() };
        assert!(matches!(Sqlite::open(&copy, &options), Err(StoreError::Corrupt(_))), "{change}");
    }
}
