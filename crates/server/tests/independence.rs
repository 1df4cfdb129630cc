//! What goes wrong in one match or at one client stays there.

#![allow(clippy::unwrap_used, missing_docs)]

mod common;

use std::sync::Arc;

use chickenfoot_protocol::v1::{self, session_request::What as Up};
use chickenfoot_rules::{Move, View};
use chickenfoot_server::{Limits, Server};
use chickenfoot_strategy::{Strategy, by_name};
use common::{Agent, Service, Session, house, one_round, option, rounds, within};

/// Plays greedy for some moves and then panics.
struct Panics {
    greedy: Box<dyn Strategy>,
    moves: u32,
}

impl Strategy for Panics {
    fn choose(&mut self, view: &View<'_>) -> Move {
        assert!(self.moves > 0, "this player was made to panic");
        self.moves -= 1;
        self.greedy.choose(view)
    }
}

/// A whole match of an agent that does nothing unusual.
async fn honest_match(agent: &Agent, session: &mut Session) {
    let config = rounds(2, vec![agent.seat(), house("greedy"), agent.seat()]);
    let game = agent.play_in(config).await;
    let ended = session.play_on(&game.id).await;
    let game = ended.r#match.unwrap();
    assert_eq!(game.state(), v1::MatchState::Finished);
    assert!(game.seats.iter().all(|seat| seat.ledger.is_some_and(|ledger| ledger.late + ledger.gone == 0)));
    assert_eq!(agent.client.record(&game.id).await.unwrap().verify(), Ok(()));
}

#[tokio::test]
async fn a_house_player_that_panics_aborts_its_own_match_and_no_other() {
    let house_of_horrors = Arc::new(|name: &str, seed| {
        let player = by_name("greedy", seed)?;
        match name {
            "greedy" => Some(player),
            "panics" => Some(Box::new(Panics { greedy: player, moves: 5 }) as Box<dyn Strategy>),
            _ => None,
        }
    });
    let server = Server::in_memory(Limits::default()).with_house(house_of_horrors);
    let service = Service::run(server).await;
    let ann = service.agent("ann").await;
    let bob = service.agent("bob").await;
    let (mut session, _) = ann.open(true).await;
    let mut bobs = bob.session().await;
    let running = bob.play_in(one_round(vec![bob.seat(), house("greedy")])).await;
    let held = bobs.decision().await;

    let doomed = ann.play_in(one_round(vec![ann.seat(), house("panics")])).await;
    let ended = session.play_on(&doomed.id).await.r#match.unwrap();
    assert_eq!(ended.state(), v1::MatchState::Aborted);
    assert_eq!(ended.abort_reason, "SERVER_FAULT");
    assert_eq!(*ended, ann.get(&doomed.id).await);
    let record = ann.client.record(&doomed.id).await.unwrap();
    assert_eq!(record.verify(), Ok(()));
    assert_eq!(record.digest.0.to_vec(), ended.digest);
    let mut events = ann.client.watch(&doomed.id, 0).await.unwrap();
    let mut last = None;
    while let Some(event) = within(events.next()).await.unwrap() {
        last = Some(event);
    }
    let last = last.unwrap();
    assert_eq!(last.seq, ended.head_seq);
    assert_eq!(last.what, Some(v1::event::What::MatchAborted(v1::MatchAborted {})));

    bobs.choose(option(&held, 0)).await;
    let ended = bobs.play_on(&running.id).await.r#match.unwrap();
    assert_eq!(ended.state(), v1::MatchState::Finished);
    honest_match(&ann, &mut session).await;
}

#[tokio::test]
async fn a_session_that_floods_choices_hinders_no_other_match() {
    let service = Service::start().await;
    let flooder = service.agent("flooder").await;
    let honest = service.agent("honest").await;
    let mut session = flooder.session().await;
    let game = flooder.play_in(one_round(vec![flooder.seat(), flooder.seat()])).await;
    let first = session.decision().await;
    let garbage = move |i: u32| {
        let mut choice = option(&first, i % 7);
        match i % 4 {
            0 => choice.decision = i,
            1 => choice.match_id = "?".to_owned(),
            2 => choice.choice = None,
            // The valid one of these is right once and stale ever after.
            _ => {}
        }
        Up::Choice(choice)
    };
    let up = session.up.clone();
    let flood = tokio::spawn(async move {
        for i in 0..20_000 {
            let what = Some(garbage(i));
            if up.send(v1::SessionRequest { what }).await.is_err() {
                break;
            }
        }
    });
    let reading = tokio::spawn(async move {
        let mut answers = 0;
        while answers < 20_000 {
            match session.next().await {
                v1::session_response::What::Refusal(_) | v1::session_response::What::ChoiceAccepted(_) => {
                    answers += 1;
                }
                _ => {}
            }
        }
        session
    });
    let mut session = honest.session().await;
    honest_match(&honest, &mut session).await;
    within(flood).await.unwrap();
    // Every one of the flood was answered, and the flooder's own match goes on too.
    let mut session = within(reading).await.unwrap();
    drop(session);
    session = flooder.session().await;
    let ended = session.play_on(&game.id).await.r#match.unwrap();
    assert_eq!(ended.state(), v1::MatchState::Finished);
}

#[tokio::test]
async fn a_session_that_never_reads_hinders_nobody_and_can_be_taken_over() {
    let service = Service::start().await;
    let sleeper = service.agent("sleeper").await;
    let honest = service.agent("honest").await;
    let (asleep, _) = sleeper.open(true).await;
    let game = sleeper.play_in(one_round(vec![sleeper.seat(), house("greedy")])).await;
    let id = game.id.clone();
    let up = asleep.up.clone();
    // More answers than the stream's window holds, so that the server waits for the sleeper to read.
    let flood = tokio::spawn(async move {
        loop {
            let choice = v1::Choice { match_id: id.clone(), ..v1::Choice::default() };
            let what = Some(Up::Choice(choice));
            if up.send(v1::SessionRequest { what }).await.is_err() {
                break;
            }
        }
    });
    let mut session = honest.session().await;
    honest_match(&honest, &mut session).await;
    let mut awake = sleeper.session().await;
    let ended = awake.play_on(&game.id).await.r#match.unwrap();
    assert_eq!(ended.state(), v1::MatchState::Finished);
    honest_match(&honest, &mut session).await;
    drop(asleep);
    flood.abort();
}

#[tokio::test]
async fn a_watcher_that_never_reads_hinders_no_match() {
    let service = Service::start().await;
    let ann = service.agent("ann").await;
    let mut session = ann.session().await;
    let game = ann.play_in(rounds(10, vec![ann.seat(), house("greedy"), house("lowest")])).await;
    let mut asleep = Vec::new();
    for _ in 0..20 {
        asleep.push(ann.client.watch(&game.id, 0).await.unwrap());
    }
    let ended = session.play_on(&game.id).await.r#match.unwrap();
    assert_eq!(ended.state(), v1::MatchState::Finished);
    // Who wakes up late still gets everything.
    let mut seq = 0;
    while let Some(event) = within(asleep[0].next()).await.unwrap() {
        seq += 1;
        assert_eq!(event.seq, seq);
    }
    assert_eq!(seq, ended.head_seq);
}
