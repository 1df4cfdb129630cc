use std::sync::atomic::Ordering;
use std::time::Duration;

use chickenfoot_store::ClockRules;
use futures_util::FutureExt;

use crate::table::{CLOCK, PATIENT, Table, pass, s};

const MOMENT: Duration = Duration::from_millis(20);

/// By then every delivery is told.
const TOLD: Duration = Duration::from_millis(100);

#[tokio::test(start_paused = true)]
async fn an_answer_at_once_tells_of_its_delivery_and_no_message_does() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    for _ in 0..5 {
        let note = table.asked().await.unwrap();
        pass(s(1)).await;
        table.delivered(&note, 1).await;
        pass(MOMENT).await;
        assert_eq!(table.choose(&note, 0).await.unwrap().think, MOMENT, "from its delivery on");
    }
    pass(s(1)).await;
    assert_eq!(table.bus.told.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn a_delivery_is_told_although_its_answer_was_lost_and_the_asker_gave_up() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    table.bus.loses.store(true, Ordering::Relaxed);
    assert!(table.choose(&note, 0).now_or_never().is_none());
    pass(TOLD).await;
    assert_eq!(table.bus.told.load(Ordering::Relaxed), 1);
    assert_eq!(table.choose(&note, 0).await.unwrap().think, TOLD);
}

#[tokio::test(start_paused = true)]
async fn a_delivery_that_is_not_answered_at_once_is_told_once_and_counts_from_when_it_was() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    pass(s(1)).await;
    table.delivered(&note, 1).await;
    pass(TOLD).await;
    assert_eq!(table.bus.told.load(Ordering::Relaxed), 1);
    pass(s(3)).await;
    table.arena.resend(table.id, &table.agent(&note)).await;
    assert_eq!(table.asked().await.unwrap().left, s(7) - TOLD);
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(3) + TOLD);
    assert_eq!(table.bus.told.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn a_stream_that_is_lost_before_its_delivery_was_told_stops_the_clock_all_the_same() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(MOMENT).await;
    table.lost(&note, 1).await;
    pass(s(2)).await;
    table.delivered(&note, 2).await;
    pass(MOMENT).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, MOMENT * 2);
}

#[tokio::test(start_paused = true)]
async fn the_time_left_of_a_decision_that_is_sent_again_is_exact_before_its_delivery_was_told() {
    let mut table = Table::set(2, ClockRules { bank: s(0), ..CLOCK }, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.delivered(&note, 1).await;
    pass(MOMENT).await;
    table.arena.resend(table.id, &table.agent(&note)).await;
    assert_eq!(table.asked().await.unwrap().left, s(10) - MOMENT);
}
