use chickenfoot_arena::Clock;
use chickenfoot_rules::Entry;
use chickenfoot_store::{Cause, ClockRules, MatchState, SeatLedger};

use crate::table::{CLOCK, PATIENT, TRANSIT, Table, pass, s};

#[tokio::test(start_paused = true)]
async fn a_decision_that_a_stream_has_and_does_not_answer_is_late() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    pass(s(2)).await;
    table.delivered(&note, 1).await;
    let from = table.clock.now();
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(10) + TRANSIT, "the grace is not for it");
    let log = table.log().await;
    assert_eq!((log.len(), log[0].cause, log[0].think), (1, Cause::Late, s(10)));
    let Entry::Choice(played) = log[0].entry else { panic!("{:?}", log[0]) };
    assert_eq!(Some(played.action), note.view.moves().next());
    let ledger = table.ledger(note.view.seat).await;
    assert_eq!(ledger, SeatLedger { late: 1, strikes: 1, think: s(10), ..SeatLedger::default() });
}

#[tokio::test(start_paused = true)]
async fn a_decision_that_no_stream_has_is_gone_after_grace_and_time_and_the_grace_is_used_up() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    let from = table.clock.now();
    pass(s(3)).await;
    table.arena.resend(table.id, &table.agent(&note)).await;
    assert_eq!(table.asked().await.unwrap().left, s(10), "the clock stands");
    pass(s(3)).await;
    table.arena.resend(table.id, &table.agent(&note)).await;
    assert_eq!(table.asked().await.unwrap().left, s(8), "the grace was four seconds");
    let next = table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(14) + TRANSIT);
    let log = table.log().await;
    assert_eq!((log[0].cause, log[0].think), (Cause::Gone, s(10)));
    if next.view.seat != note.view.seat {
        table.choose(&next, 0).await.unwrap();
        table.asked_of(note.view.seat).await;
    }
    let from = table.clock.now();
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(10) + TRANSIT);
    let ledger = table.ledger(note.view.seat).await;
    assert_eq!(ledger, SeatLedger { gone: 2, strikes: 2, think: s(20), ..SeatLedger::default() });
}

#[tokio::test(start_paused = true)]
async fn time_beyond_the_decisions_own_is_taken_from_the_bank_until_it_is_empty() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    let seat = note.view.seat;
    assert_eq!((note.left, note.granted, note.bank), (s(15), s(10), s(5)));
    table.delivered(&note, 1).await;
    pass(s(12)).await;
    table.choose(&note, 0).await.unwrap();

    let note = table.asked_of(seat).await;
    assert_eq!((note.left, note.granted, note.bank), (s(13), s(10), s(3)));
    table.delivered(&note, 1).await;
    pass(s(9)).await;
    table.choose(&note, 0).await.unwrap();
    let note = table.asked_of(seat).await;
    assert_eq!(note.bank, s(3), "who keeps to the time keeps the bank");

    table.delivered(&note, 1).await;
    let from = table.clock.now();
    let next = table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(13) + TRANSIT);
    let note = if next.view.seat == seat {
        next
    } else {
        table.choose(&next, 0).await.unwrap();
        table.asked_of(seat).await
    };
    assert_eq!((note.left, note.granted, note.bank), (s(10), s(10), s(0)));
    table.delivered(&note, 1).await;
    let from = table.clock.now();
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(10) + TRANSIT);
    let ledger = table.ledger(seat).await;
    assert_eq!((ledger.late, ledger.bank_used, ledger.think), (2, s(5), s(12 + 9 + 13 + 10)));
}

#[tokio::test(start_paused = true)]
async fn a_lost_stream_stops_the_clock_for_what_is_left_of_the_grace_of_the_match() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(3)).await;
    table.lost(&note, 1).await;
    pass(s(2)).await;
    table.delivered(&note, 2).await;
    pass(s(1)).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(4));

    let note = table.asked_of(note.view.seat).await;
    pass(s(3)).await;
    table.delivered(&note, 3).await;
    pass(s(1)).await;
    let made = table.choose(&note, 0).await.unwrap();
    assert_eq!(made.think, s(2), "two seconds of grace were left");
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_has_not_got_the_decision_stops_no_clock_when_it_is_lost() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    table.delivered(&note, 2).await;
    table.lost(&note, 1).await;
    pass(s(3)).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(3));
}

#[tokio::test(start_paused = true)]
async fn a_decision_that_another_stream_has_too_goes_on_until_both_are_lost() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    // A session, and somebody who watches with the same token for a while.
    table.delivered(&note, 1).await;
    table.delivered(&note, 2).await;
    table.lost(&note, 2).await;
    pass(s(3)).await;
    table.lost(&note, 1).await;
    pass(s(2)).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(3));
}

#[tokio::test(start_paused = true)]
async fn a_decision_whose_stream_is_lost_for_good_is_gone() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    let from = table.clock.now();
    table.delivered(&note, 1).await;
    pass(s(6)).await;
    table.lost(&note, 1).await;
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(14) + TRANSIT);
    assert_eq!(table.log().await[0].cause, Cause::Gone);
}

#[tokio::test(start_paused = true)]
async fn an_answer_is_told_its_time_and_what_was_granted_and_so_is_its_repetition() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(s(12)).await;
    let made = table.choose(&note, 0).await.unwrap();
    assert_eq!((made.think, made.granted), (s(12), s(15)));
    pass(s(1)).await;
    assert_eq!(table.choose(&note, 0).await, Ok(made));
    table.play_out().await;
    assert_eq!(table.choose(&note, 0).await, Ok(made), "and after the match, from the log");
}

#[tokio::test(start_paused = true)]
async fn after_a_restart_the_clock_is_fresh_and_the_grace_whole_and_the_bank_as_it_was() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    let seat = note.view.seat;
    pass(s(3)).await;
    table.delivered(&note, 1).await;
    pass(s(12)).await;
    table.choose(&note, 0).await.unwrap();
    let note = table.asked_of(seat).await;
    table.delivered(&note, 1).await;
    pass(s(8)).await;

    table.restart().await;
    let again = table.asked().await.unwrap();
    let from = table.clock.now();
    assert_eq!((again.number, again.left, again.bank), (note.number, s(13), s(3)));
    let before = table.log().await.len();
    table.asked().await.unwrap();
    assert_eq!(table.clock.now() - from, s(4 + 13) + TRANSIT);
    assert_eq!(table.log().await[before].cause, Cause::Gone);
    table.play_out().await;
    assert_eq!(table.arena.row(table.id).await.unwrap().state, MatchState::Finished);
    table.summary().await;
}
