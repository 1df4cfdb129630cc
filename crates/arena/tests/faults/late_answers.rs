use std::sync::atomic::Ordering;

use chickenfoot_arena::{Answer, ChoiceError, Clock};
use chickenfoot_store::{Cause, ClockRules, SeatLedger};
use futures_util::FutureExt;

use crate::table::{CLOCK, PATIENT, STRICT, TRANSIT, Table, pass, s};

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_received_in_time_counts_although_it_is_read_later() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(10)).await;
    let (arena, agent) = (table.arena.clone(), table.agent(&note));
    let answer = arena.choose(table.id, &agent, note.number, Answer::Option(1));
    tokio::pin!(answer);
    assert!(answer.as_mut().now_or_never().is_none(), "it waits in the queue");
    tokio::time::advance(TRANSIT * 3).await;
    let made = answer.await.unwrap();
    assert_eq!(Some(made.choice.action), note.view.moves().nth(1));
    assert_eq!(table.log().await[0].cause, Cause::Agent);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_was_lost_on_the_way_and_sent_again_counts_from_when_it_was_received() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    // It is sent again after two seconds: then the deadline is over, but not yet the owner's patience.
    let received = s(8) + TRANSIT / 2;
    pass(received).await;
    table.bus.loses.store(true, Ordering::Relaxed);
    let made = table.choose(&note, 1).await.unwrap();
    assert_eq!((made.think, table.clock.now()), (received, s(10) + TRANSIT / 2));
    assert_eq!(table.log().await[0].cause, Cause::Agent);
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_received_after_the_deadline_is_late_although_the_timer_has_not_fired() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(10) + TRANSIT / 2).await;
    assert!(table.log().await.is_empty());
    let refused = table.choose(&note, 1).await;
    assert!(
        matches!(refused, Err(ChoiceError::Answered { played, .. }) if Some(played.action) == note.view.moves().next())
    );
    let log = table.log().await;
    assert_eq!((log[0].cause, log[0].think), (Cause::Late, s(10)));
}

#[tokio::test(start_paused = true)]
async fn time_in_which_the_service_stood_still_is_charged_to_nobody() {
    let mut table = Table::set(2, CLOCK, STRICT).await;
    let note = table.asked().await.unwrap();
    pass(s(2)).await;
    table.delivered(&note, 1).await;
    pass(s(3)).await;
    table.stand_still(s(60));
    let again = table.asked().await.unwrap();
    assert_eq!((again.number, again.left, again.bank), (note.number, s(15), s(5)), "it is offered afresh");
    assert!(table.log().await.is_empty());
    table.delivered(&again, 1).await;
    pass(s(1)).await;
    assert_eq!(table.choose(&again, 0).await.unwrap().think, s(1));
    assert_eq!(table.ledger(note.view.seat).await, SeatLedger { think: s(1), ..SeatLedger::default() });
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_read_before_the_timer_of_a_service_that_stood_still_counts() {
    let mut table = Table::set(2, CLOCK, STRICT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(3)).await;
    table.stand_still(s(60));
    let made = table.choose(&note, 1).await.unwrap();
    assert_eq!(Some(made.choice.action), note.view.moves().nth(1));
    let ledger = table.ledger(note.view.seat).await;
    assert_eq!((ledger.late, ledger.bank_used, ledger.out), (0, s(0), None));
}
