//! The laws of tournaments, of their blocks, and of the matches that belong to them.

use chickenfoot_rules::{Contributor, Entropy, Hex32, Seed};
use futures_util::future::join_all;

use super::{Store, answered, append, last, name, one, open, over, row_of, running, summary, without_end};
use crate::{
    AbortReason, Appended, BlockLink, BlockMatch, BlockOutcome, BlockRow, EntrantChange, EntrantRow,
    EntrantState, ListTournaments, MatchId, MatchRow, MatchState, Occupant, TournamentId, TournamentRow,
    TournamentState, Updated,
};

const STATES: [TournamentState; 5] = [
    TournamentState::Open,
    TournamentState::Running,
    TournamentState::Paused,
    TournamentState::Finished,
    TournamentState::Cancelled,
];

/// An open tournament.
pub fn tournament(id: u128) -> TournamentRow {
    TournamentRow {
        id: TournamentId(id),
        creator: name("ann"),
        created_ms: 1_700_000_000_000,
        started_ms: None,
        ended_ms: None,
        name: format!("Cup {id}"),
        settings: "{\"format\":\"swiss\"}".to_owned(),
        seed: Seed::new([id as u8; 32]),
        fixed_seed: false,
        state: TournamentState::Open,
        begun: false,
        message: String::new(),
        version: 0,
    }
}

/// An agent that is entered.
pub fn entrant(number: u32, text: &str) -> EntrantRow {
    EntrantRow {
        number,
        name: name(text),
        who: Occupant::Agent(name(text)),
        entropy: Entropy::default(),
        joined_ms: 1_700_000_000_000 + u64::from(number),
        state: EntrantState::Entered,
        check: None,
        position: None,
        from_stage: 0,
        until_stage: None,
    }
}

/// A block of two matches, which have ids of the tournament's and the block's number.
pub fn block(tournament: u128, number: u32) -> BlockRow {
    let matches = (0..2).map(|game| played(block_match(tournament, number, game).id));
    BlockRow {
        tournament: TournamentId(tournament),
        number,
        ended_ms: 1_700_000_100_000 + u64::from(number),
        outcome: BlockOutcome {
            stage: 1 + number / 10,
            table: number % 10,
            attempt: 0,
            deal_id: format!("deal of block {number}"),
            absent: Vec::new(),
            matches: matches.collect(),
        },
    }
}

fn played(id: MatchId) -> BlockMatch {
    let summary = summary();
    BlockMatch {
        id,
        seating: vec![1, 0],
        points: summary.totals,
        places: summary.places,
        clean_rounds: vec![0, 3],
        lowest_round: vec![Some(4), None],
        ledger: summary.ledger,
        digest: summary.digest,
    }
}

/// A running match of a [`block`], sealed.
pub fn block_match(tournament: u128, number: u32, game: u16) -> MatchRow {
    let contributor = |name: &str, byte| Contributor { name: name.to_owned(), entropy: Hex32([byte; 32]) };
    let link = BlockLink {
        tournament: TournamentId(tournament),
        number,
        game,
        contributors: vec![contributor("ann", 7), contributor("house:greedy", 0)],
        sealed: true,
    };
    let id = tournament * 1_000_000 + u128::from(number) * 100 + u128::from(game);
    MatchRow { block: Some(link), ..running(id) }
}

/// The match when its seal is open; that counts its version up.
fn unsealed(row: &MatchRow) -> MatchRow {
    let link = row.block.as_ref().map(|link| BlockLink { sealed: false, ..link.clone() });
    MatchRow { block: link, version: row.version + 1, ..row.clone() }
}

fn put(put: Vec<EntrantRow>) -> EntrantChange {
    EntrantChange { remove: Vec::new(), put }
}

fn nothing() -> EntrantChange {
    EntrantChange::default()
}

async fn field(store: &impl Store, id: u128) -> Vec<EntrantRow> {
    store.entrants(TournamentId(id), 0, usize::MAX).await.expect("the store works")
}

async fn sealed(store: &impl Store, id: u128) -> Vec<MatchId> {
    let rows = store.sealed(TournamentId(id), None, usize::MAX).await.expect("the store works");
    rows.iter().map(|row| row.id).collect()
}

#[expect(missing_docs, reason = "the name of a law says what it is")]
mod laws {
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
        let mine = TournamentRow {
            state: TournamentState::Running,
            started_ms: Some(5),
            begun: true,
            ..tournament(1)
        };
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
        let all: Vec<EntrantRow> =
            numbers.iter().map(|number| entrant(*number, &format!("a{number}"))).collect();
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
                EntrantChange {
                    remove: vec![3],
                    put: vec![entrant(0, "b"), entrant(1, "a"), entrant(7, "d")],
                },
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
        let ended =
            MatchRow { state: MatchState::Finished, summary: Some(summary()), version: 2, ..row.clone() };
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
        let aborted = MatchRow {
            state: MatchState::Aborted(AbortReason::Creator),
            version: 1,
            ended_ms: wrong,
            ..open(2)
        };
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
            let updated = MatchRow {
                rated: true,
                state: MatchState::Finished,
                summary: Some(summary()),
                ..open(id(6))
            };
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
}

pub use laws::*;
