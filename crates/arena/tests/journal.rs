//! The log stays right whatever the store answers.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use chickenfoot_arena::LocalBus;
use chickenfoot_arena::{Aborter, Answer, ChoiceError, Error, Watched};
use chickenfoot_rules::{Entry, Move, Seat, View};
use chickenfoot_store::{AbortReason, Cause, MatchState, OutReason};
use chickenfoot_store::{Journal, ListMatches, SeatSpec};
use chickenfoot_strategy::Strategy;
use common::{DECISION_TIME, Fault, Faulty, Table, arena, new};
use futures_util::FutureExt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

#[tokio::test(start_paused = true)]
async fn an_append_of_which_the_store_does_not_say_is_made_once_and_acknowledged() {
    for fault in [|| Fault::StoredUnknown, || Fault::LostUnknown] {
        let mut table = Table::set().await;
        let note = table.decision().await.unwrap();
        table.journal.plan(fault());
        table.journal.plan(fault());
        let made = table.arena.choose(table.id, &table.ann, note.number, Answer::Option(1)).await.unwrap();
        let log = table.log().await;
        assert_eq!(log.len(), 1);
        assert_eq!((log[0].entry, log[0].cause), (Entry::Choice(made.choice), Cause::Agent));
        table.journal.plan(fault());
        table.run_out().await;
        assert!(table.journal.is_done());
        table.record().await;
    }
}

#[tokio::test(start_paused = true)]
async fn the_last_append_of_a_match_may_be_unknown_too() {
    let mut table = Table::set().await;
    table.decision().await.unwrap();
    table.journal.plan(Fault::StoredUnknown);
    let row = table.arena.abort(table.id, Aborter::Creator).await.unwrap();
    assert_eq!(row.state, MatchState::Aborted(AbortReason::Creator));
    assert_eq!(table.log().await.len(), 1);
    table.record().await;
}

#[tokio::test(start_paused = true)]
async fn a_choice_that_is_overtaken_is_never_acknowledged_and_the_match_goes_on_from_the_log() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    let played = note.view.moves().next().unwrap();
    table.journal.plan(Fault::Overtaken(Entry::Choice(played.into()), None));
    let choose = |option| table.arena.choose(table.id, &table.ann, note.number, Answer::Option(option));
    assert_eq!(choose(1).await, Err(ChoiceError::Unavailable));
    // Repeated, it is told what became of the decision.
    let open = note.number + 1;
    let told = choose(1).await;
    assert!(
        matches!(told, Err(ChoiceError::Answered { played: made, open: now }) if made.action == played && now == open)
    );
    assert_eq!(choose(0).await.unwrap().choice.action, played);
    assert_eq!(table.decision().await.unwrap().number, open);
    table.run_out().await;
    table.record().await;
}

#[tokio::test(start_paused = true)]
async fn a_time_out_that_is_overtaken_is_not_counted() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    let other = note.view.moves().nth(1).unwrap();
    table.journal.plan(Fault::Overtaken(Entry::Choice(other.into()), None));
    let next = table.decision().await.unwrap();
    assert_eq!(next.number, note.number + 1);
    let log = table.log().await;
    assert_eq!((log.len(), log[0].cause), (1, Cause::Agent));
    table.run_out().await;
    table.record().await;
}

#[tokio::test(start_paused = true)]
async fn a_match_that_was_ended_elsewhere_ends_here_too() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    let row = table.row().await;
    let summary = table.arena.summary(&row).await.unwrap().unwrap();
    let end = (MatchState::Aborted(AbortReason::Creator), summary);
    table.journal.plan(Fault::Overtaken(Entry::Abort, Some(end)));
    let refused = table.arena.choose(table.id, &table.ann, note.number, Answer::Option(0)).await;
    assert_eq!(refused, Err(ChoiceError::Unavailable));
    assert!(table.decision().await.is_none(), "the agent is told");
    let refused = table.arena.choose(table.id, &table.ann, note.number, Answer::Option(0)).await;
    assert_eq!(refused, Err(ChoiceError::Over));
    assert_eq!(table.log().await.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn leaving_and_aborting_hold_although_they_are_overtaken() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    let played = note.view.moves().next().unwrap();
    table.journal.plan(Fault::Overtaken(Entry::Choice(played.into()), None));
    let row = table.arena.leave(table.id, &table.ann).await.unwrap();
    assert_eq!(row.state, MatchState::Finished);
    let ledger = row.summary.unwrap().ledger;
    assert!(ledger.iter().all(|ledger| ledger.out == Some(OutReason::Left)));
    let entries: Vec<Entry> = table.log().await.iter().map(|row| row.entry).collect();
    let [first, second] = [0, 1].map(|seat| Entry::Forfeit(Seat::new(seat).unwrap()));
    assert_eq!(entries[1..], [first, second]);
    table.record().await;

    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    let played = note.view.moves().next().unwrap();
    table.journal.plan(Fault::Overtaken(Entry::Choice(played.into()), None));
    let row = table.arena.abort(table.id, Aborter::Organiser).await.unwrap();
    assert_eq!(row.state, MatchState::Aborted(AbortReason::Organiser));
    assert_eq!(table.log().await.last().unwrap().cause, Cause::Organiser);
    table.record().await;
}

#[tokio::test(start_paused = true)]
async fn an_owner_that_is_fenced_off_writes_nothing_and_acknowledges_nothing() {
    let mut table = Table::set().await;
    let note = table.decision().await.unwrap();
    // As often as the arena tries again, it is refused.
    for _ in 0..20 {
        table.journal.plan(Fault::Fenced);
    }
    let refused = table.arena.choose(table.id, &table.ann, note.number, Answer::Option(0)).await;
    assert_eq!(refused, Err(ChoiceError::Unavailable));
    assert!(table.log().await.is_empty());
    assert_eq!(table.row().await.state, MatchState::Running);
}

#[tokio::test(start_paused = true)]
async fn a_choice_that_is_repeated_after_the_match_is_answered_from_the_log() {
    let mut table = Table::set().await;
    let first = table.decision().await.unwrap();
    let choose = |number, answer| table.arena.choose(table.id, &table.ann, number, answer);
    let made = choose(first.number, Answer::Option(1)).await.unwrap();
    let mut last = first.number;
    while let Some(note) = table.decision().await {
        last = note.number;
    }
    let choose = |number, answer| table.arena.choose(table.id, &table.ann, number, answer);
    assert_eq!(choose(first.number, Answer::Option(1)).await, Ok(made));
    assert_eq!(choose(first.number, Answer::Move(made.choice)).await, Ok(made));
    assert_eq!(choose(first.number, Answer::Move(made.choice.action.into())).await, Ok(made));
    let refused = ChoiceError::Answered { played: made.choice, open: 0 };
    assert_eq!(choose(first.number, Answer::Option(0)).await, Err(refused));
    assert!(choose(last, Answer::Option(0)).await.is_ok(), "the time-outs played the first option");
    assert_eq!(choose(last + 1, Answer::Option(0)).await, Err(ChoiceError::Over));
    assert_eq!(choose(0, Answer::Option(0)).await, Err(ChoiceError::Over));
    let stranger = "eve".parse().unwrap();
    let refused = table.arena.choose(table.id, &stranger, 1, Answer::Option(0)).await;
    assert_eq!(refused, Err(ChoiceError::NotSeated));
    assert_eq!(table.arena.running(), 0);
    table.record().await;
}

#[tokio::test(start_paused = true)]
async fn watchers_are_served_from_the_log_while_the_store_does_not_say() {
    let mut table = Table::set().await;
    let mut watch = table.arena.watch(table.id, 0).await.unwrap();
    table.decision().await.unwrap();
    table.journal.plan(Fault::LostUnknown);
    table.journal.plan(Fault::StoredUnknown);
    table.run_out().await;
    let head = table.row().await.summary.unwrap().head_seq;
    let mut seq = 0;
    loop {
        match watch.next().await {
            Watched::Event(number, _) => {
                seq += 1;
                assert_eq!(number, seq);
            }
            Watched::Over => break,
            Watched::Broken => panic!("the log can be read"),
        }
    }
    assert_eq!(seq, head);
    let stranger = "eve".parse().unwrap();
    assert_eq!(table.arena.leave(table.id, &stranger).await, Err(Error::NotSeated));
}

/// The only match between players of the house, played to its end.
async fn house_match_ends(table: &Table) {
    let rows = table.journal.memory.list(ListMatches { limit: 10, ..ListMatches::default() }).await.unwrap();
    let other = rows.into_iter().find(|row| row.id != table.id).unwrap();
    let played = table.arena.until(other.id, |row| row.state.is_over()).await.unwrap();
    assert_eq!(played.state, MatchState::Finished);
}

#[tokio::test(start_paused = true)]
async fn a_match_is_played_though_whoever_made_it_is_gone_when_it_is_stored() {
    let table = Table::set().await;
    let house = vec![SeatSpec::House("greedy".to_owned()), SeatSpec::House("lowest".to_owned())];
    let made = table.arena.create(new(&table.ann, house, Duration::ZERO), |_| None);
    assert!(made.now_or_never().is_none());
    // It is stored by a task of its own.
    tokio::time::sleep(Duration::from_millis(1)).await;
    house_match_ends(&table).await;
}

#[tokio::test(start_paused = true)]
async fn a_match_of_which_the_store_does_not_say_whether_it_was_stored_is_taken_up() {
    let table = Table::set().await;
    assert_eq!(table.arena.recover_rested().await, Ok(None));
    table.journal.is_unsure.store(true, Ordering::Relaxed);
    let house = vec![SeatSpec::House("greedy".to_owned()), SeatSpec::House("lowest".to_owned())];
    let made = table.arena.create(new(&table.ann, house, Duration::ZERO), |_| None).await;
    assert!(matches!(made, Err(Error::Store(_))), "{made:?}");
    assert_eq!(table.arena.recover_rested().await, Ok(Some(2)));
    house_match_ends(&table).await;
    assert_eq!(table.arena.recover_rested().await, Ok(None));
}

/// Fails as soon as it is asked for anything.
struct Panics;

impl Strategy for Panics {
    fn choose(&mut self, _: &View<'_>) -> Move {
        panic!("this player was made to panic")
    }
}

#[tokio::test(start_paused = true)]
async fn a_match_that_cannot_go_on_ends_though_the_store_does_not_say_so_at_once() {
    for fault in [|| Fault::StoredUnknown, || Fault::LostUnknown] {
        let journal = Arc::new(Faulty::default());
        let house = Arc::new(|_: &str, _| Some(Box::new(Panics) as Box<dyn Strategy>));
        let arena = arena(journal.clone(), Arc::new(LocalBus::new()), house);
        journal.plan(fault());
        let house = vec![SeatSpec::House("panics".to_owned()); 2];
        let new = new(&"ann".parse().unwrap(), house, Duration::ZERO);
        let id = arena.create(new, |_| None).await.unwrap().id;
        let ended = arena.until(id, |row| row.state.is_over()).await.unwrap();
        assert_eq!(ended.state, MatchState::Aborted(AbortReason::ServerFault));
        assert!(journal.is_done());
        let log = journal.memory.log(id, 0).await.unwrap();
        assert_eq!(log.iter().map(|row| row.entry).collect::<Vec<_>>(), [Entry::Abort]);
    }
}

#[tokio::test(start_paused = true)]
async fn what_storing_an_answer_takes_is_not_the_seats_grace() {
    let grace = Duration::from_secs(20);
    let mut table = Table::with_grace(Arc::new(LocalBus::new()), grace).await;
    // No stream has any of the decisions, as with an agent that asks and answers by calls.
    let note = table.decision().await.unwrap();
    for _ in 0..10 {
        table.journal.plan(Fault::LostUnknown);
    }
    let choose = |number| table.arena.choose(table.id, &table.ann, number, Answer::Option(0));
    let from = tokio::time::Instant::now();
    // Its caller is told to repeat it meanwhile.
    while choose(note.number).await.is_err() {}
    assert!(from.elapsed() > Duration::from_secs(5));
    let mut next = table.decision().await.unwrap();
    while next.view.seat != note.view.seat {
        table.arena.choose(table.id, &table.ann, next.number, Answer::Option(0)).await.unwrap();
        next = table.decision().await.unwrap();
    }
    let from = tokio::time::Instant::now();
    table.decision().await.unwrap();
    let transit = Duration::from_millis(100);
    assert_eq!(from.elapsed(), grace + DECISION_TIME + transit, "the grace is whole");
}
