//! The clock of a decision.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::time::Duration;

use chickenfoot_arena::{Answer, ChoiceError};
use chickenfoot_rules::{Choice, Entry};
use chickenfoot_store::{Cause, MatchState};
use common::{DECISION_TIME, Table};
use futures_util::FutureExt;

const MOMENT: Duration = Duration::from_millis(1);

#[tokio::test(start_paused = true)]
async fn a_decision_that_is_not_answered_is_the_first_option_when_its_time_is_up_and_not_before() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    assert_eq!((note.left, note.granted), (DECISION_TIME, DECISION_TIME));
    tokio::time::advance(DECISION_TIME - MOMENT).await;
    assert!(table.log().await.is_empty());
    let next = table.decision().await.unwrap();
    assert_eq!(next.number, note.number + 1);
    let log = table.log().await;
    assert_eq!(log.len(), 1);
    assert_eq!((log[0].cause, log[0].think), (Cause::Gone, DECISION_TIME));
    let Entry::Choice(played) = log[0].entry else { panic!("{:?}", log[0]) };
    assert_eq!(Some(played.action), note.view.moves().next());
    let summary = table.arena.summary(&table.row().await).await.unwrap().unwrap();
    let mut gone = [0, 0];
    gone[note.view.seat.index()] = 1;
    assert_eq!([summary.ledger[0].gone, summary.ledger[1].gone], gone);
}

#[tokio::test(start_paused = true)]
async fn an_answer_in_the_last_moment_counts_and_the_next_decision_has_its_full_time() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    tokio::time::advance(DECISION_TIME - MOMENT).await;
    let last = note.view.moves().total() as u32 - 1;
    let made = table.arena.choose(table.id, &table.ann, note.number, Answer::Option(last)).await;
    assert_eq!(Some(made.unwrap().choice.action), note.view.moves().last());
    let log = table.log().await;
    assert_eq!((log[0].cause, log[0].think), (Cause::Agent, DECISION_TIME - MOMENT));
    let next = table.decision().await.unwrap();
    assert_eq!(next.left, DECISION_TIME);
    table.decision().await.unwrap();
    assert_eq!(table.log().await[1].think, DECISION_TIME);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_has_arrived_goes_before_the_time_out() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    let arena = table.arena.clone();
    let answer = arena.choose(table.id, &table.ann, note.number, Answer::Option(1));
    tokio::pin!(answer);
    // It lies in the owner's queue, and the owner has not run yet, when the time is up.
    assert!(answer.as_mut().now_or_never().is_none());
    tokio::time::advance(DECISION_TIME).await;
    let made = answer.await.unwrap();
    assert_eq!(Some(made.choice.action), note.view.moves().nth(1));
    assert_eq!(table.log().await[0].cause, Cause::Agent);
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_is_told_what_was_played_unless_it_is_the_same() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    let next = table.decision().await.unwrap();
    let choose = |option| table.arena.choose(table.id, &table.ann, note.number, Answer::Option(option));
    let made = choose(0).await.unwrap();
    let refused = ChoiceError::Answered { played: made.choice, open: next.number };
    assert_eq!(choose(1).await, Err(refused));
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_messages_does_not_stop_the_clock() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    let flood: Vec<_> = (0..200)
        .map(|_| {
            let (arena, ann, id) = (table.arena.clone(), table.ann.clone(), table.id);
            tokio::spawn(async move {
                loop {
                    let refused = arena.choose(id, &ann, u32::MAX, Answer::Option(0)).await;
                    assert!(refused.is_err());
                }
            })
        })
        .collect();
    // An answer that was received in time may be under way for a while.
    tokio::time::advance(DECISION_TIME + Duration::from_millis(100)).await;
    let mut turns = 0;
    while table.log().await.is_empty() {
        turns += 1;
        assert!(turns < 1000, "the flood holds the clock of decision {}", note.number);
        tokio::task::yield_now().await;
    }
    assert_eq!(table.log().await[0].cause, Cause::Gone);
    for task in flood {
        task.abort();
    }
}

#[tokio::test(start_paused = true)]
async fn a_match_that_nobody_plays_ends_by_itself_and_verifies() {
    let mut table = Table::set().await;
    table.run_out().await;
    let log = table.log().await;
    assert!(log.iter().all(|row| row.cause == Cause::Gone && row.think == DECISION_TIME));
    assert!(log.iter().all(|row| matches!(row.entry, Entry::Choice(Choice { .. }))));
    let row = table.row().await;
    assert_eq!(row.state, MatchState::Finished);
    let summary = row.summary.unwrap();
    assert_eq!(summary.ledger.iter().map(|ledger| ledger.gone).sum::<u32>() as usize, log.len());
    assert!(summary.ledger.iter().all(|ledger| ledger.out.is_none()));
    table.record().await;
}

#[tokio::test(start_paused = true)]
async fn a_decision_that_is_sent_again_has_only_the_time_that_is_left() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    let spent = Duration::from_secs(3);
    tokio::time::advance(spent).await;
    table.arena.resend(table.id, &table.ann).await;
    let again = table.decision().await.unwrap();
    assert_eq!((again.number, again.left), (note.number, DECISION_TIME - spent));
    assert_eq!(again.granted, DECISION_TIME);
    assert_eq!(again.view, note.view);
}
