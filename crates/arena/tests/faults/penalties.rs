use chickenfoot_arena::{Aborter, Answer, ChoiceError};
use chickenfoot_rules::{Entry, Move, Seat};
use chickenfoot_store::{AgentName, Cause, FaultRules, LogRow, OutReason, SeatLedger};

use crate::table::{CLOCK, PATIENT, STRICT, Table, pass, s};

#[tokio::test(start_paused = true)]
async fn an_illegal_answer_is_refused_and_counted_and_the_clock_runs_on() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    let seat = note.view.seat;
    table.delivered(&note, 1).await;
    pass(s(2)).await;
    for _ in 0..4 {
        table.blunder(&note).await;
    }
    let refused = table.answer(&note, Answer::Move(Move::Pass.into())).await;
    assert!(matches!(refused, Err(ChoiceError::Illegal(_))), "{refused:?}");
    pass(s(1)).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(3));
    assert_eq!(table.log().await[0].illegal, 5);
    let ledger = table.ledger(seat).await;
    assert_eq!((ledger.illegal, ledger.strikes), (5, 2), "two to one decision make a strike");

    // One each to two decisions make none.
    for _ in 0..2 {
        let note = table.asked_of(seat).await;
        table.blunder(&note).await;
        table.choose(&note, 0).await.unwrap();
    }
    let ledger = table.ledger(seat).await;
    assert_eq!((ledger.illegal, ledger.strikes), (7, 2));
}

#[tokio::test(start_paused = true)]
async fn an_answer_at_the_wrong_time_or_place_is_no_fault() {
    let mut table = Table::set(2, CLOCK, STRICT).await;
    let note = table.asked().await.unwrap();
    let (mine, other) = (table.agent(&note), table.agents[1 - note.view.seat.index()].clone());
    let stranger: AgentName = "stranger".parse().unwrap();
    for (agent, number) in [(&mine, note.number + 1), (&other, note.number), (&stranger, note.number)] {
        let refused = table.arena.choose(table.id, agent, number, Answer::Option(999)).await;
        assert!(
            matches!(
                refused,
                Err(ChoiceError::NotOpen { .. } | ChoiceError::NotYours { .. } | ChoiceError::NotSeated)
            ),
            "{refused:?}"
        );
    }
    table.choose(&note, 0).await.unwrap();
    let refused = table.choose(&note, 999).await;
    assert!(matches!(refused, Err(ChoiceError::Answered { .. })), "{refused:?}");
    table.play_out().await;
    for ledger in table.summary().await.ledger {
        assert_eq!((ledger.illegal, ledger.strikes, ledger.out), (0, 0, None));
    }
}

#[tokio::test(start_paused = true)]
async fn a_seat_with_too_many_strikes_is_out_and_last_and_the_others_play_on() {
    let faults = FaultRules { strikes: 1, ..PATIENT };
    let mut table = Table::set(3, CLOCK, faults).await;
    let note = table.asked().await.unwrap();
    let seat = note.view.seat;
    table.delivered(&note, 1).await;
    let next = table.asked().await.unwrap();
    assert_eq!(table.ledger(seat).await.out, None, "one strike is allowed");
    let note = if next.view.seat == seat {
        next
    } else {
        table.choose(&next, 0).await.unwrap();
        table.asked_of(seat).await
    };
    // The second strike is made of illegal answers.
    table.blunder(&note).await;
    table.blunder(&note).await;
    table.choose(&note, 0).await.unwrap();
    let asked = table.play_out().await;
    assert_eq!(asked[seat.index()], 0);
    assert_eq!(asked.iter().filter(|asked| **asked > 0).count(), 2);
    let log = table.log().await;
    let outs: Vec<&LogRow> = log.iter().filter(|row| row.entry == Entry::Forfeit(seat)).collect();
    assert!(matches!(outs[..], [LogRow { cause: Cause::Strikes, .. }]));
    let summary = table.summary().await;
    assert_eq!(summary.places[seat.index()], 3);
    for other in Seat::all(3).filter(|other| *other != seat) {
        assert_eq!(summary.ledger[other.index()].out, None);
    }
    let ledger = summary.ledger[seat.index()];
    assert_eq!(
        (ledger.out, ledger.strikes, ledger.late, ledger.illegal),
        (Some(OutReason::Strikes), 2, 1, 2)
    );
}

#[tokio::test(start_paused = true)]
async fn in_a_strict_match_the_first_fault_of_any_kind_takes_the_seat_out() {
    #[derive(Clone, Copy, Debug, PartialEq)]
    enum Kind {
        Late,
        Gone,
        Illegal,
    }
    for kind in [Kind::Late, Kind::Gone, Kind::Illegal] {
        let mut table = Table::set(3, CLOCK, STRICT).await;
        let note = table.asked().await.unwrap();
        let seat = note.view.seat;
        match kind {
            Kind::Late => table.delivered(&note, 1).await,
            Kind::Gone => {}
            Kind::Illegal => table.blunder(&note).await,
        }
        let asked = table.play_out().await;
        assert_eq!(asked[seat.index()], 0, "{kind:?}");
        let log = table.log().await;
        let at = log.iter().position(|row| row.entry == Entry::Forfeit(seat)).unwrap();
        assert_eq!((at, log[at].cause), (usize::from(kind != Kind::Illegal), Cause::Strict), "{kind:?}");
        let summary = table.summary().await;
        assert_eq!(summary.places[seat.index()], 3);
        let ledger = summary.ledger[seat.index()];
        let count = |of| u32::from(kind == of);
        assert_eq!(
            (ledger.late, ledger.gone, ledger.illegal, ledger.out),
            (count(Kind::Late), count(Kind::Gone), count(Kind::Illegal), Some(OutReason::Strict))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn who_leaves_is_out_and_the_clock_of_another_seat_runs_on() {
    let mut table = Table::set(3, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    let leaver = note.view.seat.next(3);
    table.delivered(&note, 1).await;
    pass(s(4)).await;
    table.blunder(&note).await;
    table.arena.leave(table.id, &table.agents[leaver.index()]).await.unwrap();
    pass(s(2)).await;
    table.blunder(&note).await;
    assert_eq!(table.choose(&note, 0).await.unwrap().think, s(6));
    let asked = table.play_out().await;
    assert_eq!(asked[leaver.index()], 0);
    let summary = table.summary().await;
    assert_eq!(summary.places[leaver.index()], 3);
    let left = SeatLedger { out: Some(OutReason::Left), ..SeatLedger::default() };
    assert_eq!(summary.ledger[leaver.index()], left, "nobody else's mistakes are its own");
    let ledger = summary.ledger[note.view.seat.index()];
    assert_eq!((ledger.illegal, ledger.strikes, ledger.out), (2, 1, None));
}

#[tokio::test(start_paused = true)]
async fn who_leaves_on_turn_or_ends_the_match_keeps_the_mistakes_made_before() {
    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.blunder(&note).await;
    table.arena.leave(table.id, &table.agent(&note)).await.unwrap();
    let ledger = table.ledger(note.view.seat).await;
    assert_eq!((ledger.illegal, ledger.out), (1, Some(OutReason::Left)));

    let mut table = Table::set(2, CLOCK, PATIENT).await;
    let note = table.asked().await.unwrap();
    table.blunder(&note).await;
    table.arena.abort(table.id, Aborter::Creator).await.unwrap();
    assert_eq!(table.ledger(note.view.seat).await.illegal, 1);
}

#[tokio::test(start_paused = true)]
async fn the_ledger_of_a_match_is_the_sum_of_what_happened_in_it() {
    let mut table = Table::set(3, CLOCK, PATIENT).await;
    let mut sum = [SeatLedger::default(); 3];
    let (mut stood, mut count) = ([s(0); 3], 0);
    while let Some(note) = table.asked().await {
        let i = note.view.seat.index();
        let bank = CLOCK.bank - sum[i].bank_used;
        assert_eq!((note.bank, note.left), (bank, CLOCK.decision + bank), "decision {count}");
        let mut think = s(0);
        match count % 7 {
            1 => {
                table.delivered(&note, 1).await;
                pass(s(11).min(CLOCK.decision + bank)).await;
                think = s(11).min(CLOCK.decision + bank);
            }
            2 | 5 => {
                let illegal = count % 7;
                for _ in 0..illegal {
                    table.blunder(&note).await;
                }
                sum[i].illegal += illegal;
                sum[i].strikes += illegal / PATIENT.illegal;
            }
            3 => {
                // Not delivered at once: grace first, then time.
                pass(s(1)).await;
                table.delivered(&note, 1).await;
                think = s(1).saturating_sub(CLOCK.grace - stood[i]);
                stood[i] = (stood[i] + s(1)).min(CLOCK.grace);
            }
            _ => {}
        }
        match count % 7 {
            4 | 6 => {
                think = CLOCK.decision + bank;
                sum[i].strikes += 1;
                if count % 7 == 4 {
                    table.delivered(&note, 1).await;
                    sum[i].late += 1;
                } else {
                    stood[i] = CLOCK.grace;
                    sum[i].gone += 1;
                }
            }
            _ => {
                let made = table.choose(&note, 0).await.unwrap();
                assert_eq!((made.think, made.granted), (think, CLOCK.decision + bank), "decision {count}");
            }
        }
        sum[i].think += think;
        sum[i].bank_used += think.saturating_sub(CLOCK.decision);
        count += 1;
    }
    assert!(count > 14, "every kind happened, and more than once");
    assert_eq!(table.summary().await.ledger, sum);
}
